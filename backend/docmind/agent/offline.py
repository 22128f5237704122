"""The reader without a model: finds pages by their words and answers with the passages that answer best, word for word.

Every passage is cut from the page's own text, so every quote stands on its page. When too little of the question is found in any
passage, it says so instead of quoting the least bad one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docmind.agent.language import NOT_FOUND, phrase
from docmind.domain.answer import Citation, PageRef, WrittenAnswer
from docmind.domain.normal_text import find_quote
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import PageFinder, SearchScope, Shelf
from docmind.domain.search import Hit
from docmind.domain.words import cut
from docmind.errors import NotFound, PageNotParsed
from docmind.library.query import Term, terms_of

PAGES = 5
PASSAGES = 5
PASSAGES_A_PAGE = 2
MAX_PASSAGE = 360
# Share of the question's weight that the best passage and its page must hold (docs/decisions, offline reader).
ENOUGH = 0.5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“(])|(?<=[。！？；])")
_ASKS_FIGURE = re.compile(
    r"\bhow (?:much|many)\b|\bamount\b|\btotal\b|\brate\b|\bratio\b|\bpercent|\b(?:usd|million|billion)s?\b|多少|几",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Passage:
    text: str
    page: Page
    hit: Hit
    rank: int
    share: float
    score: float


class OfflineReader:
    """Answers from page search alone. Calls block."""

    def __init__(self, finder: PageFinder, shelf: Shelf) -> None:
        self._finder = finder
        self._shelf = shelf

    def __call__(self, question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer:
        """Up to five passages, best first, each quoted and cited; or "not found" with no citation."""
        terms = terms_of(question)
        hits = self._finder.search(question, SearchScope(documents), limit=PAGES)
        read = [(hit, page) for hit in hits if (page := self._page(hit)) is not None]
        pages = tuple(PageRef(hit.document_id, hit.name, hit.page) for hit, _ in read)
        passages = _best(_passages(question, terms, read))
        if not passages or passages[0].share < ENOUGH:
            return WrittenAnswer(phrase(NOT_FOUND, question), (), pages, found=False)
        citations = tuple(_cite(passage) for passage in passages)
        lines = [f"- “{citation.quote}” {citation.mark}" for citation in citations]
        return WrittenAnswer("\n".join(lines), citations, pages, found=True)

    def _page(self, hit: Hit) -> Page | None:
        try:
            return self._shelf.read_page(hit.document_id, hit.page)
        except (NotFound, PageNotParsed):
            return None


def _passages(question: str, terms: Sequence[Term], read: Sequence[tuple[Hit, Page]]) -> Iterator[_Passage]:
    total = sum(term.weight for term in terms) or 1.0
    wants_figure = bool(_ASKS_FIGURE.search(question))
    for rank, (hit, page) in enumerate(read):
        on_page = _tokens(f"{hit.name} {' '.join(hit.section)} {page.text}")
        page_share = sum(term.weight for term in terms if _has(on_page, term)) / total
        for text in passages_of(page.text):
            tokens = _tokens(text)
            held = sum(term.weight for term in terms if _has(tokens, term)) / total
            if held == 0:
                continue
            score = held + 0.5 * page_share - 0.08 * rank
            if wants_figure and _FIGURE.search(text):
                score += 0.2
            yield _Passage(text, page, hit, rank, 0.5 * held + 0.5 * page_share, score)


def _best(passages: Iterator[_Passage]) -> list[_Passage]:
    """The best passages, at most two of a page, none twice."""
    chosen: list[_Passage] = []
    for passage in sorted(passages, key=lambda passage: -passage.score):
        of_page = sum(
            other.hit.document_id == passage.hit.document_id and other.page is passage.page for other in chosen
        )
        if of_page >= PASSAGES_A_PAGE or any(
            passage.text in other.text or other.text in passage.text for other in chosen
        ):
            continue
        chosen.append(passage)
        if len(chosen) == PASSAGES:
            break
    if not chosen:
        return []
    return [passage for passage in chosen if passage.score >= 0.55 * chosen[0].score]


def passages_of(text: str) -> list[str]:
    """Sentences of the prose, and lines of what is no prose (table rows, lists), as they stand in the text."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if not lines:
            continue
        if _is_prose(lines):
            for piece in _SENTENCE_END.split(block.strip()):
                found.extend([piece.strip()] if len(piece) <= MAX_PASSAGE else piece.strip().splitlines())
        else:
            found.extend(lines)
    return [piece[:MAX_PASSAGE].strip() for piece in found if len(piece.strip()) > 3]


def _is_prose(lines: Sequence[str]) -> bool:
    figures = sum(len(re.findall(r"\d[\d,.]*", line)) >= 2 for line in lines)
    longest = max(len(line) for line in lines)
    return figures * 2 < len(lines) and (longest > 40 or any("\u3400" <= line[0] <= "\u9fff" for line in lines))


def _tokens(text: str) -> str:
    return f" {' '.join(cut(text))} "


def _has(tokens: str, term: Term) -> bool:
    return f" {' '.join(term.tokens)} " in tokens


def _cite(passage: _Passage) -> Citation:
    quote = " ".join(passage.text.split())
    name = passage.hit.name
    stands = find_quote(quote, passage.page.text) is not None
    return Citation(
        mark=f"[{name} p.{passage.page.number}]",
        document_id=passage.hit.document_id,
        name=name,
        page=passage.page.number,
        page_label=passage.page.label,
        quote=quote,
        verified=stands,
        status="verified" if stands else "unverified",
    )
