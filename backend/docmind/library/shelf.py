"""The library as its readers see it: documents, trees and pages by id. Fulfils domain.ports.Shelf. Calls block."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.tree import Tree
from docmind.errors import DocumentDamaged, DocumentDeleted, DocumentNotReady
from docmind.library.documents import Documents
from docmind.library.pages import load_facts, load_page
from docmind.library.trees import load_tree
from docmind.storage.files import DocumentFiles

_KEPT = 32
Loaded = TypeVar("Loaded")


class LibraryShelf:
    def __init__(self, documents: Documents, files: DocumentFiles) -> None:
        self._documents = documents
        self._files = files
        self._lock = threading.Lock()
        self._trees: OrderedDict[tuple[str, str], Tree] = OrderedDict()
        self._facts: OrderedDict[tuple[str, str], list[dict[str, Any]]] = OrderedDict()

    def list_documents(self) -> Sequence[Document]:
        return self._documents.find_all()

    def get_document(self, document_id: DocumentId) -> Document:
        return self._documents.get(document_id)

    def find_by_reference(self, reference: str) -> Document:
        return self._documents.find_by_reference(reference)

    def get_tree(self, document_id: DocumentId) -> Tree:
        document = self._readable(document_id)
        return self._load(self._trees, document, load_tree)

    def read_page(self, document_id: DocumentId, number: int) -> Page:
        document = self._readable(document_id)
        facts = self._load(self._facts, document, load_facts)
        try:
            return load_page(self._files.published(document.id), facts, number)
        except FileNotFoundError as exc:
            raise self._lost(document) from exc

    def page_facts(self, document_id: DocumentId) -> Sequence[dict[str, Any]]:
        """What is known of each page but its text, in order; not to be changed."""
        return self._load(self._facts, self._readable(document_id), load_facts)

    def _lost(self, document: Document) -> Exception:
        """Files that are not there: the document was deleted meanwhile, or its folder is no longer whole."""
        if self._documents.find(document.id) is None:
            return DocumentDeleted(f"document {document.id} was deleted while it was read")
        return DocumentDamaged(f"a file that is kept of {document.name} is missing")

    def _readable(self, document_id: DocumentId) -> Document:
        document = self._documents.get(document_id)
        if not document.status.is_readable:
            raise DocumentNotReady(f"{document.name} is not ready: its status is {document.status.value}")
        return document

    def _load(
        self,
        kept: OrderedDict[tuple[str, str], Loaded],
        document: Document,
        load: Callable[[Path], Loaded],
    ) -> Loaded:
        """From memory, else from its file. The attempt is part of the key: a document read anew is another one."""
        key = (document.id, document.extra.get("attempt", ""))
        with self._lock:
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
        try:
            loaded = load(self._files.published(document.id))
        except FileNotFoundError as exc:
            raise self._lost(document) from exc
        with self._lock:
            kept[key] = loaded
            while len(kept) > _KEPT:
                kept.popitem(last=False)
        return loaded
