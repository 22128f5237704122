"""A small library in memory: enough of Shelf and PageFinder for the agent's tests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from docmind.domain.answer import WrittenAnswer
from docmind.domain.document import Document, DocumentStatus
from docmind.domain.pages import DocumentId, Page, PageKind
from docmind.domain.ports import SearchScope
from docmind.domain.search import Hit, Snippet
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.errors import DocumentNotFound, InvalidPageRange


def doc_id(name: str) -> DocumentId:
    return DocumentId(hashlib.sha256(name.encode()).hexdigest()[:16])


class MemoryLibrary:
    """Documents as lists of page texts. Fulfils Shelf and PageFinder."""

    def __init__(self, **documents: Sequence[str]) -> None:
        self._pages: dict[DocumentId, list[Page]] = {}
        self._names: dict[DocumentId, str] = {}
        self.opened: list[tuple[str, int]] = []
        for name, texts in documents.items():
            self.add(name + ".pdf", texts)

    def add(self, name: str, texts: Sequence[str], kinds: Sequence[PageKind] = ()) -> DocumentId:
        key = doc_id(name)
        self._names[key] = name
        self._pages[key] = [
            Page(number, text, str(number), kind=kinds[number - 1] if kinds else PageKind.TEXT)
            for number, text in enumerate(texts, 1)
        ]
        return key

    def remove(self, document_id: DocumentId) -> None:
        del self._pages[document_id]

    def list_documents(self) -> list[Document]:
        return [self.get_document(document_id) for document_id in self._pages]

    def get_document(self, document_id: DocumentId) -> Document:
        if document_id not in self._pages:
            raise DocumentNotFound(document_id)
        return Document(
            id=document_id,
            name=self._names[document_id],
            kind="pdf",
            size_bytes=1,
            sha256=document_id * 4,
            status=DocumentStatus.READY,
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            page_count=len(self._pages[document_id]),
        )

    def get_tree(self, document_id: DocumentId) -> Tree:
        pages = self._pages.get(document_id)
        if pages is None:
            raise DocumentNotFound(document_id)
        nodes = tuple(
            Node(f"{n:04}", page.text.split("\n")[0][:40] or f"Page {n}", 1, n, n, NodeSource.PAGE)
            for n, page in enumerate(pages, 1)
        )
        return Tree(document_id, len(pages), nodes, "pages")

    def read_page(self, document_id: DocumentId, number: int) -> Page:
        if document_id not in self._pages:
            raise DocumentNotFound(document_id)
        if not 1 <= number <= len(self._pages[document_id]):
            raise InvalidPageRange(f"page {number}")
        self.opened.append((self._names[document_id], number))
        return self._pages[document_id][number - 1]

    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> list[Hit]:
        words = {word.lower() for word in re.findall(r"\w{3,}|[\u4e00-\u9fff]{2}", query)}
        hits = []
        for document_id, pages in self._pages.items():
            if scope.documents and document_id not in scope.documents:
                continue
            for page in pages:
                score = sum(word in page.text.lower() for word in words)
                if score:
                    snippet = Snippet(page.text[:100])
                    hits.append(Hit(document_id, self._names[document_id], page.number, page.label, score, (), snippet))
        return sorted(hits, key=lambda hit: -hit.score)[:limit]


def no_offline(question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer:
    return WrittenAnswer("offline passage", (), (), found=False)
