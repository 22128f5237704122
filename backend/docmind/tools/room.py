"""The documents one run may read: nothing outside it can be reached by any tool."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import Shelf
from docmind.domain.tree import Tree
from docmind.errors import DocumentDeleted, DocumentNotFound, DocumentNotReady, ToolFailure

LISTED = 30


class Room:
    """The chosen documents of the library, or all that are readable when `chosen` is empty. Blocking: use from a thread."""

    def __init__(self, shelf: Shelf, chosen: Sequence[DocumentId], *, run_id: str) -> None:
        self._shelf = shelf
        self._chosen = tuple(chosen)
        # Closes the data blocks; a document cannot know it, so no text of a page can end its block.
        self.fence = hashlib.sha256(f"fence {run_id}".encode()).hexdigest()[:8]

    @property
    def chosen(self) -> tuple[DocumentId, ...]:
        return self._chosen

    def documents(self) -> list[Document]:
        """Readable documents in the room, in the shelf's order."""
        listed = [document for document in self._shelf.list_documents() if document.status.is_readable]
        return [document for document in listed if document.id in self._chosen] if self._chosen else listed

    def find(self, doc_id: str) -> Document:
        """The document meant by an id, the beginning of one, or a name. Raises ToolFailure with the valid ones."""
        wanted = doc_id.strip().strip("\"'<>")
        documents = self.documents()
        for document in documents:
            if wanted in (document.id, document.name):
                return document
        close = [d for d in documents if len(wanted) >= 6 and d.id.startswith(wanted.lower())]
        close = close or [d for d in documents if len(wanted) >= 3 and wanted.lower() in d.name.lower()]
        if len(close) == 1:
            return close[0]
        raise ToolFailure(self._unknown(doc_id, close or documents, deleted=self._was_deleted(wanted)))

    def _was_deleted(self, wanted: str) -> bool:
        if wanted not in self._chosen:
            return False
        try:
            self._shelf.get_document(DocumentId(wanted))
        except (DocumentDeleted, DocumentNotFound):
            return True
        return False

    def _unknown(self, doc_id: str, offered: list[Document], *, deleted: bool) -> str:
        why = "was deleted" if deleted else "is not one of the documents of this question"
        if not offered:
            return f'"{doc_id[:60]}" {why}, and no other document can be read.'
        names = "\n".join(
            f"- {document.id} ({document.name}, {document.page_count} pages)" for document in offered[:LISTED]
        )
        more = f"\n({len(offered) - LISTED} more: use list_documents)" if len(offered) > LISTED else ""
        return f'"{doc_id[:60]}" {why}. Use one of these ids:\n{self.fenced(names)}{more}'

    def tree(self, document: Document) -> Tree:
        try:
            return self._shelf.get_tree(document.id)
        except (DocumentDeleted, DocumentNotFound, DocumentNotReady) as exc:
            raise ToolFailure(f"{document.id} can no longer be read: {exc.message}") from exc

    def page(self, document: Document, number: int) -> Page:
        try:
            return self._shelf.read_page(document.id, number)
        except (DocumentDeleted, DocumentNotFound, DocumentNotReady) as exc:
            raise ToolFailure(f"{document.id} can no longer be read: {exc.message}") from exc

    def fenced(self, text: str) -> str:
        """Text of a document as marked data. The fence cannot be written by the document itself."""
        return f"<data {self.fence}>\n{text}\n</data {self.fence}>"
