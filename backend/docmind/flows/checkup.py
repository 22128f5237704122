"""Check what is kept of documents, and mend it: files against the table, trees against pages, the index against both.

A mend never throws away bytes that cannot be made again: a damaged source is put aside, not removed.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from docmind.domain.document import Document
from docmind.domain.finding import Finding
from docmind.domain.pages import DocumentId
from docmind.domain.ports import PageIndexer
from docmind.domain.tree import Node, Tree
from docmind.errors import DocumentDamaged
from docmind.flows.ingest import ingest
from docmind.flows.shelving import Shelving
from docmind.flows.stages import IngestStages
from docmind.library.checksums import broken_files, file_sha256
from docmind.library.documents import Documents
from docmind.library.pages import load_pages
from docmind.library.trees import load_tree
from docmind.storage.files import DocumentFiles

_READ_AGAIN = "It is read again from its file."
_UPLOAD_AGAIN = "Upload the same file again: it takes its old place."


class CheckedIndex(PageIndexer, Protocol):
    """An index that can say what it holds."""

    def page_counts(self) -> dict[DocumentId, int]: ...

    def integrity_problems(self) -> list[str]: ...


class Checkup:
    """Looks at every document. Blocking; the mends of its findings are async."""

    def __init__(
        self,
        *,
        documents: Documents,
        files: DocumentFiles,
        shelving: Shelving,
        stages: IngestStages,
        index: CheckedIndex | None = None,
    ) -> None:
        self._documents = documents
        self._files = files
        self._shelving = shelving
        self._stages = stages
        self._index = index

    def findings(self) -> Iterator[Finding]:
        known = {document.id: document for document in self._documents.find_all()}
        for document in known.values():
            yield from self._check(document)
        yield from self._orphans(known)
        yield from self._check_index(known)

    # --- one document -----------------------------------------------------------------------------------

    def _check(self, document: Document) -> Iterator[Finding]:
        source = self._check_source(document)
        if source is not None:
            yield source
        if document.status.is_readable:
            problem = self._check_folder(document)
            if problem is not None:
                can_read = source is None
                yield Finding(
                    *problem,
                    _READ_AGAIN if can_read else _UPLOAD_AGAIN,
                    document.id,
                    functools.partial(self._read_again, document) if can_read else None,
                )
        elif not document.status.is_final:
            with self._shelving.at_work(document) as nobody_reads_it:
                pass
            if nobody_reads_it:
                yield Finding(
                    "unfinished",
                    f"{document.name} is at {document.status.value}, and nobody works at it",
                    "It is read to its end; a start of the server does the same.",
                    document.id,
                    functools.partial(self._read, document),
                )

    def _check_source(self, document: Document) -> Finding | None:
        path = self._files.source(document.id)
        if not path.exists():
            return Finding("source_missing", f"the file of {document.name} is gone", _UPLOAD_AGAIN, document.id)
        if file_sha256(path) == document.sha256:
            return None
        return Finding(
            "source_damaged",
            f"the file of {document.name} is not the one that was uploaded: its checksum differs",
            f"The damaged file is put aside. {_UPLOAD_AGAIN}",
            document.id,
            functools.partial(self._put_aside, path),
        )

    def _check_folder(self, document: Document) -> tuple[str, str] | None:
        """Code and message of what is wrong with the published folder."""
        folder = self._files.published(document.id)
        if not folder.exists():
            return "pages_missing", f"the pages of {document.name} are gone"
        if broken := broken_files(folder):
            more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
            return (
                "pages_damaged",
                f"{document.name}: {broken[0]}{more} changed or disappeared since the document was read",
            )
        try:
            pages, tree = load_pages(folder), load_tree(folder)
        except (OSError, DocumentDamaged) as exc:
            return "pages_damaged", f"{document.name} cannot be loaded: {type(exc).__name__}"
        if len(pages) != document.page_count:
            return (
                "pages_damaged",
                f"{document.name} has {len(pages)} pages on disk, but {document.page_count} in the table",
            )
        if gap := tree_gap(tree, document.page_count):
            return "tree_gap", f"the tree of {document.name}: {gap}"
        return None

    # --- what belongs to nobody -------------------------------------------------------------------------

    def _orphans(self, known: dict[DocumentId, Document]) -> Iterator[Finding]:
        folders = [*self._files.uploads.glob("?" * 16), *self._files.trees.glob("?" * 16)]
        lost = sorted({folder.name for folder in folders} - set(known))
        for document_id in lost:
            yield Finding(
                "orphaned",
                f"the files of {document_id} have no row in the table of documents",
                "A document that was read is taken in again; what an interrupted upload or delete left is removed.",
                document_id,
                self._sweep,
            )

    def _check_index(self, known: dict[DocumentId, Document]) -> Iterator[Finding]:
        if self._index is None:
            return
        for problem in self._index.integrity_problems():
            yield Finding(
                "index_damaged", f"the search index: {problem}", "Delete the index's file and run this again."
            )
        counts = self._index.page_counts()
        for document in known.values():
            indexed = counts.get(document.id, 0)
            if document.status.is_readable and indexed != document.page_count:
                yield Finding(
                    "index_differs",
                    f"{document.name} has {document.page_count} pages, but {indexed} of them can be searched",
                    "It is indexed again.",
                    document.id,
                    functools.partial(self._index_again, self._index, document),
                )
        for document_id in counts.keys() - known.keys():
            if self._files.published(document_id).exists():
                continue  # only its row is lost: told above, and taken in again
            yield Finding(
                "index_differs",
                f"the search index holds {counts[document_id]} pages of {document_id}, which is gone",
                "They are removed from it.",
                document_id,
                functools.partial(asyncio.to_thread, self._index.remove_document, document_id),
            )

    # --- mends ------------------------------------------------------------------------------------------

    async def _read_again(self, document: Document) -> None:
        await self._read(await asyncio.to_thread(self._shelving.retry, document.id))

    async def _read(self, document: Document) -> None:
        with self._shelving.at_work(document) as is_ours:
            if is_ours:
                async for _ in ingest(document, self._stages):
                    pass

    async def _put_aside(self, path: Path) -> None:
        await asyncio.to_thread(path.replace, path.with_name(f"{path.name}.damaged"))

    async def _sweep(self) -> None:
        await asyncio.to_thread(self._shelving.sweep)

    async def _index_again(self, index: CheckedIndex, document: Document) -> None:
        folder = self._files.published(document.id)
        await asyncio.to_thread(lambda: index.add_document(document, load_pages(folder), load_tree(folder)))


def tree_gap(tree: Tree, page_count: int) -> str | None:
    """The first place where the tree breaks its promises: every page covered, ranges within the document and the parent."""
    if tree.page_count != page_count:
        return f"it was built for {tree.page_count} pages, the document has {page_count}"
    covered = 0
    for node in tree.nodes:
        if node.page_from > covered + 1:
            return f"pages {covered + 1}-{node.page_from - 1} are in no section"
        covered = max(covered, node.page_to)
    if covered < page_count:
        return f"pages {covered + 1}-{page_count} are in no section"
    return next(
        (f"section {node.node_id} does not lie within {outer}" for node, outer, holds in _nesting(tree) if not holds),
        None,
    )


def _nesting(tree: Tree) -> Iterator[tuple[Node, str, bool]]:
    for node in tree.nodes:
        yield node, "the document", 1 <= node.page_from <= node.page_to <= tree.page_count
    for node in tree.walk():
        for child in node.children:
            yield child, node.node_id, node.page_from <= child.page_from <= child.page_to <= node.page_to
