"""Change what a ready document says of itself: its tree, its page facts, the text of some pages.

The new folder is made beside the old one and takes its place in one step, so that a reader, or a process that starts
after a crash, sees the one or the other, never half of each. The search index follows; it is derived.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import PageIndexer
from docmind.domain.tree import Tree
from docmind.errors import DocumentDeleted, DocumentNotReady
from docmind.library.checksums import write_checksums
from docmind.library.documents import Documents, document_to_json
from docmind.library.pages import load_pages, text_path, write_facts
from docmind.library.trees import load_tree, write_tree
from docmind.storage.files import DocumentFiles, exchange, sync_folder, write_file, write_json

_REMADE = frozenset({"document.json", "pages.json", "tree.json", "checksums.json"})

Change = Callable[[Document, Sequence[Page], Tree], tuple[Sequence[Page], Tree]]
"""From what stands to what shall stand. Called with the document's lock held: read nothing slow in it."""


class Revising:
    """Blocking. One revision of a document at a time; others wait."""

    def __init__(self, *, files: DocumentFiles, documents: Documents, indexers: Sequence[PageIndexer]) -> None:
        self._files = files
        self._documents = documents
        self._indexers = tuple(indexers)

    def revise(self, document_id: DocumentId, change: Change) -> Document:
        """The document after the change. Raises DocumentNotFound, DocumentNotReady, DocumentDeleted, StorageFull;
        after any of them the document is as it was."""
        with self._files.lock(document_id):
            document = self._documents.get(document_id)
            if not document.status.is_readable:
                raise DocumentNotReady(f"{document.name} is not ready: its status is {document.status.value}")
            attempt = uuid.uuid4().hex[:12]
            staged = self._files.staged(document_id, attempt)
            with self._files.lock(staged.name):
                try:
                    return self._revise(document, attempt, staged, change)
                finally:
                    self._files.remove(staged)
                    self._files.forget_lock(staged.name)

    def _revise(self, document: Document, attempt: str, staged: Path, change: Change) -> Document:
        published = self._files.published(document.id)
        try:
            before = load_pages(published)
            pages, tree = change(document, before, load_tree(published))
            revised = replace(document, outline_source=tree.source, extra={**document.extra, "attempt": attempt})
            _link_files(published, staged)
            _write_texts(staged, before, pages)
            write_facts(staged, pages)
            write_tree(staged, tree)
            write_json(staged / "document.json", document_to_json(revised))
            write_checksums(staged)
            sync_folder(staged)
            exchange(staged, published)
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document.id} was deleted while it was changed") from exc
        _carry_over(staged, published)
        revised = self._documents.change(
            document.id, document.extra["attempt"], outline_source=revised.outline_source, extra=revised.extra
        )
        for indexer in self._indexers:
            indexer.add_document(revised, pages, tree)
        return revised


def _link_files(published: Path, staged: Path) -> None:
    """A second name for every file that stays as it is: no bytes are copied, whatever the document's size."""
    (staged / "pages").mkdir(parents=True)
    for folder in (published, published / "pages"):
        for path in folder.iterdir():
            if path.is_file() and path.name not in _REMADE and not path.name.endswith(".tmp"):
                os.link(path, staged / path.relative_to(published))


def _write_texts(staged: Path, before: Sequence[Page], pages: Sequence[Page]) -> None:
    for old, page in zip(before, pages, strict=True):
        if page.text != old.text:
            write_file(text_path(staged, page.number), page.text)


def _carry_over(old: Path, published: Path) -> None:
    """Move what others keep beside the pages (pictures, transcripts) into the folder that took the old one's place."""
    for folder in [path for path in old.iterdir() if path.is_dir() and path.name != "pages"]:
        target = published / folder.name
        target.mkdir(exist_ok=True)
        for path in folder.iterdir():
            if not (target / path.name).exists():
                path.replace(target / path.name)
