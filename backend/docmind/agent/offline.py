"""The reader without a model: finds pages by their words and answers with the passages that answer best, word for word.

Every passage is cut from the page's own text, so every quote stands on its page. When the evidence is thin, it says so instead of
quoting the least bad page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from docmind.agent.evidence import Evidence, Rarity, Rated, ReadPage, rate, weigh
from docmind.agent.language import NOT_FOUND, phrase
from docmind.domain.answer import Citation, PageRef, WrittenAnswer, mark_text
from docmind.domain.normal_text import find_quote
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import PageFinder, SearchScope, Shelf
from docmind.domain.search import Hit
from docmind.errors import NotFound, PageNotParsed
from docmind.library.query import read_query

PAGES = 5
PASSAGES = 5
PASSAGES_A_PAGE = 2
# A second passage of a page must be this much better than the best of the next page: five pages tell more than one page five times.
SECOND_OF_PAGE = 0.35
# A passage weaker than this share of the best one is left out.
WORTH_SAYING = 0.45
# A page that prints such marks must not lend them to the answer.
_LIKE_A_MARK = re.compile(r"\[[^\[\]]* p\.\s*\d+\]")
# The citation keeps the page's white space; to a reader a line's end inside a Chinese sentence is nothing.
_LINE_END_IN_CHINESE = re.compile(r"(?<=[\u3400-\u9fff，、。；：])\s(?=[\u3400-\u9fff])")
_IDENTITY_CHARACTERS = 1_500

# Fitted by logistic regression on 269 questions, with their document in the library and taken out, so that nine in ten of the first
# kind are answered (docs/decisions/2026-12-01-offline-reader.md). `score` is on the search's own scale: fit again when that changes.
ENOUGH = {
    "on_page": 1.56,
    "in_passage": 0.87,
    "phrases": 0.64,
    "names_absent": -0.58,
    "year_differs": -2.79,
    "agreement": 1.6,
    "score": 0.82,
    "lead": 1.27,
    "chinese": -0.47,  # a short Chinese question's words meet by chance more often
}
THRESHOLD = 3.35


class OfflineReader:
    """Answers from page search alone. Calls block. `rarity` tells how rare words are in the library."""

    def __init__(self, finder: PageFinder, shelf: Shelf, rarity: Rarity) -> None:
        self._finder = finder
        self._shelf = shelf
        self._rarity = rarity

    def __call__(self, question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer:
        """Up to five passages, the most useful first, each quoted and cited; or "not found" with no citation."""
        query = read_query(question)
        pages = list(self._read(self._finder.search(question, SearchScope(documents), limit=PAGES)))
        opened = tuple(PageRef(read.hit.document_id, read.hit.name, read.page.number) for read in pages)
        one = len(documents) == 1 or len(self._shelf.list_documents()) == 1
        if pages and is_enough(weigh(query, question, pages, self._rarity, one_document=one)):
            chosen = choose([one for one in rate(query, pages) if not _LIKE_A_MARK.search(one.passage.text)])
            cited = [(rated, citation) for rated in chosen if (citation := _cite(rated)) is not None]
            if cited:
                lines = [_line(rated, citation) for rated, citation in cited]
                return WrittenAnswer("\n".join(lines), tuple(citation for _, citation in cited), opened, found=True)
        return WrittenAnswer(phrase(NOT_FOUND, question), (), opened, found=False)

    def _read(self, hits: Sequence[Hit]) -> Iterator[ReadPage]:
        for rank, hit in enumerate(hits):
            page = self._page(hit.document_id, hit.page)
            if page is not None:
                yield ReadPage(hit, page, rank, self._identity(hit))

    def _identity(self, hit: Hit) -> str:
        """What the document says of itself: its name and the beginning of its first page."""
        first = self._page(hit.document_id, 1)
        name = hit.name.rsplit(".", 1)[0].replace("_", " ")
        return f"{name} {first.text[:_IDENTITY_CHARACTERS] if first is not None else ''}"

    def _page(self, document_id: DocumentId, number: int) -> Page | None:
        try:
            return self._shelf.read_page(document_id, number)
        except (NotFound, PageNotParsed):
            return None


def is_enough(evidence: Evidence) -> bool:
    """Whether the evidence is worth an answer."""
    return confidence(evidence) >= THRESHOLD


def confidence(evidence: Evidence) -> float:
    return math.fsum(weight * getattr(evidence, sign) for sign, weight in ENOUGH.items())


def choose(rated: Sequence[Rated]) -> list[Rated]:
    """The passages to quote, best first: of every page the best one, then second ones where they are much better."""
    chosen: list[Rated] = []
    of_page: dict[int, int] = {}
    waiting: list[tuple[float, Rated]] = []
    for one in rated:
        taken = of_page.get(one.read.rank, 0)
        if taken < PASSAGES_A_PAGE and not _is_said(one, [other for _, other in waiting]):
            of_page[one.read.rank] = taken + 1
            waiting.append((one.score - SECOND_OF_PAGE * taken, one))
    waiting.sort(key=lambda pair: -pair[0])
    for value, one in waiting[:PASSAGES]:
        if not chosen or value >= WORTH_SAYING * waiting[0][0]:
            chosen.append(one)
    return chosen


def _is_said(one: Rated, others: Sequence[Rated]) -> bool:
    text = one.passage.text
    return any(text in other.passage.text or other.passage.text in text for other in others)


def _cite(rated: Rated) -> Citation | None:
    """None when the passage is not found again on its page: it is then left out, not shown unproved."""
    quote, page, hit = rated.passage.text, rated.read.page, rated.read.hit
    if find_quote(quote, page.text) is None:
        return None
    return Citation(
        mark=mark_text(hit.name, page.number),
        document_id=hit.document_id,
        name=hit.name,
        page=page.number,
        page_label=page.label,
        quote=quote,
        verified=True,
        status="verified",
    )


def _line(rated: Rated, citation: Citation) -> str:
    """The passage in quotation marks; for a row, before it, the lines of the page that say what its columns are."""
    passage = rated.passage
    heading = " · ".join(part for part in (passage.unit, passage.columns) if part and not _LIKE_A_MARK.search(part))
    before = f"{heading}: " if heading else ""
    return f"- {before}“{_LINE_END_IN_CHINESE.sub('', citation.quote)}” {citation.mark}"
