"""Bring the search index in line with the library. It is derived: what is lost of it is made again from pages and trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId
from docmind.errors import DocumentDamaged, DocumentNotFound
from docmind.flows.checkup import CheckedIndex
from docmind.library.documents import Documents
from docmind.library.pages import load_pages
from docmind.library.trees import load_tree
from docmind.storage.files import DocumentFiles


@dataclass(frozen=True, slots=True)
class Difference:
    """`missing` are readable documents that the index does not hold whole; `gone` are in the index alone."""

    missing: tuple[Document, ...]
    gone: tuple[DocumentId, ...]


class Reindexing:
    """Blocking. Safe beside uploads and deletes: each document is indexed under its own lock."""

    def __init__(self, *, documents: Documents, files: DocumentFiles, index: CheckedIndex) -> None:
        self._documents = documents
        self._files = files
        self._index = index

    def difference(self) -> Difference:
        counts = self._index.page_counts()
        known = {document.id: document for document in self._documents.find_all()}
        readable = [document for document in known.values() if document.status.is_readable]
        return Difference(
            missing=tuple(document for document in readable if counts.get(document.id, 0) != document.page_count),
            gone=tuple(document_id for document_id in counts if document_id not in known),
        )

    def catch_up(self) -> Iterator[Document]:
        """Index what is missing and forget what is gone; gives each document indexed."""
        difference = self.difference()
        for document_id in difference.gone:
            self._forget(document_id)
        yield from self._index_each(document.id for document in difference.missing)

    def everything(self) -> Iterator[Document]:
        """Index every readable document anew; gives each one."""
        for document_id in self.difference().gone:
            self._forget(document_id)
        yield from self._index_each(
            document.id for document in self._documents.find_all() if document.status.is_readable
        )

    def one(self, document_id: DocumentId) -> Document:
        """Raises DocumentNotFound when it was deleted, or cannot be read yet."""
        with self._files.lock(document_id):
            document = self._documents.find(document_id)
            if document is None or not document.status.is_readable:
                raise DocumentNotFound(f"no readable document has the id {document_id!r}")
            folder = self._files.published(document_id)
            self._index.add_document(document, load_pages(folder), load_tree(folder))
        return document

    def _index_each(self, document_ids: Iterator[DocumentId]) -> Iterator[Document]:
        for document_id in document_ids:
            try:
                yield self.one(document_id)
            except (DocumentNotFound, DocumentDamaged, FileNotFoundError):
                # Deleted since the list was made, or its folder is lost or damaged, which `docmind doctor` tells and mends.
                continue

    def _forget(self, document_id: DocumentId) -> None:
        with self._files.lock(document_id):
            if self._documents.find(document_id) is None:
                self._index.remove_document(document_id)
