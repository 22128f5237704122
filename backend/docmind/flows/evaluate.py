"""Questions whose pages are known -> how well pages are found and answers cited. Knows no files and no models.

A question is one JSON line: {"id", "doc_name", "question", "evidence_pages_1based": [12, 13]}. `doc_name` is the file's name, with
or without its ending; pages are physical and count from 1. No pages means that the library does not hold the answer: then refusing
is right. Evidence pages need not be exhaustive, so the figures are a lower bound.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docmind.domain.answer import WrittenAnswer
from docmind.domain.normal_text import find_quote
from docmind.domain.pages import DocumentId
from docmind.domain.ports import PageFinder, SearchScope, Shelf
from docmind.errors import InvalidInput

DEPTHS = (1, 3, 5, 10)
DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    doc_name: str
    text: str
    pages: frozenset[int]
    answer: str = ""  # what a right answer says, where it is known


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is asked, and which pages answer it there."""

    question: Question
    document_id: DocumentId
    documents: tuple[DocumentId, ...]

    def is_right(self, document_id: DocumentId, page: int) -> bool:
        return document_id == self.document_id and page in self.question.pages


@dataclass(frozen=True, slots=True)
class Found:
    """`ranks` are the places (from 1) of the question's pages among those found, at most DEEPEST."""

    place: Place
    ranks: tuple[int, ...]
    first: tuple[tuple[DocumentId, int], ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Judged:
    """`cites_right` and `refused` are about the answer; `quotes` and `verified` count its citations."""

    place: Place
    refused: bool
    cites_right: bool
    quotes: int
    verified: int
    milliseconds: float
    answer: WrittenAnswer


Answerer = Callable[[str, tuple[DocumentId, ...]], WrittenAnswer]


def parse_questions(lines: Iterable[str]) -> list[Question]:
    """Raises InvalidInput with the number of the line that cannot be read."""
    questions: list[Question] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            pages = frozenset(int(page) for page in raw.get("evidence_pages_1based", ()))
            questions.append(
                Question(
                    str(raw.get("id", number)),
                    str(raw["doc_name"]),
                    str(raw["question"]),
                    pages,
                    str(raw.get("answer") or ""),
                )
            )
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            raise InvalidInput(
                f'line {number} is no question: expected {{"doc_name", "question", "evidence_pages_1based"}}'
            ) from exc
    if not questions:
        raise InvalidInput("there is no question in the file")
    return questions


def places_of(
    questions: Sequence[Question], documents: Mapping[str, DocumentId], *, whole_library: bool
) -> tuple[list[Place], list[Question]]:
    """Where each question is asked, and the questions whose document is not there. `documents` by file name without ending."""
    library = tuple(dict.fromkeys(documents.values()))
    places: list[Place] = []
    left: list[Question] = []
    for question in questions:
        document_id = documents.get(question.doc_name) or documents.get(question.doc_name.rsplit(".", 1)[0])
        if document_id is None:
            left.append(question)
        else:
            places.append(Place(question, document_id, library if whole_library else (document_id,)))
    return places, left


# --- finding pages ----------------------------------------------------------------------------------


def find_pages(place: Place, finder: PageFinder) -> Found:
    started = time.perf_counter()
    hits = finder.search(place.question.text, SearchScope(place.documents), limit=DEEPEST)
    milliseconds = (time.perf_counter() - started) * 1000
    ranks = tuple(rank for rank, hit in enumerate(hits, 1) if place.is_right(hit.document_id, hit.page))
    return Found(place, ranks, tuple((hit.document_id, hit.page) for hit in hits[:10]), milliseconds)


def search_figures(found: Sequence[Found]) -> dict[str, Any]:
    """Shares of the questions that have pages; `mrr` is the mean of 1 / rank of the first right page."""
    asked = [one for one in found if one.place.question.pages]
    figures: dict[str, Any] = {"questions": len(asked)}
    for depth in DEPTHS:
        figures[f"any@{depth}"] = _share(any(rank <= depth for rank in one.ranks) for one in asked)
    figures["all@5"] = _share(sum(rank <= 5 for rank in one.ranks) == len(one.place.question.pages) for one in asked)
    figures["mrr"] = round(sum(1 / one.ranks[0] for one in asked if one.ranks) / max(1, len(asked)), 4)
    figures["right_document@1"] = _share(bool(one.first) and one.first[0][0] == one.place.document_id for one in asked)
    figures |= _times([one.milliseconds for one in found])
    return figures


# --- answers ----------------------------------------------------------------------------------------


def judge(place: Place, answerer: Answerer, shelf: Shelf) -> Judged:
    """Ask, and check the answer against the pages themselves: what it says of its own quotes does not count."""
    started = time.perf_counter()
    written = answerer(place.question.text, place.documents)
    milliseconds = (time.perf_counter() - started) * 1000
    citations = written.citations
    verified = sum(
        bool(citation.quote)
        and find_quote(citation.quote, shelf.read_page(citation.document_id, citation.page).text) is not None
        for citation in citations
    )
    return Judged(
        place=place,
        refused=not written.found or not citations,
        cites_right=any(place.is_right(citation.document_id, citation.page) for citation in citations),
        quotes=len(citations),
        verified=verified,
        milliseconds=milliseconds,
        answer=written,
    )


def without_document(place: Place) -> Place | None:
    """The same question asked of a library that lacks its document; None when nothing else is in it."""
    others = tuple(document_id for document_id in place.documents if document_id != place.document_id)
    return Place(place.question, place.document_id, others) if others else None


def answer_figures(judged: Sequence[Judged], removed: Sequence[Judged] = ()) -> dict[str, Any]:
    """Shares. `removed` holds the answers to the same questions where their document was taken out."""
    asked = [one for one in judged if one.place.question.pages]
    unanswerable = [one for one in judged if not one.place.question.pages]
    answered = [one for one in asked if not one.refused]
    quotes = sum(one.quotes for one in (*judged, *removed))
    figures: dict[str, Any] = {
        "questions": len(asked),
        "answered": _share(not one.refused for one in asked),
        "refused": _share(one.refused for one in asked),
        "right_page_cited": _share(one.cites_right for one in asked),
        "right_page_cited_of_answered": _share(one.cites_right for one in answered),
        "quotes": quotes,
        "quotes_verified": round(sum(one.verified for one in (*judged, *removed)) / quotes, 4) if quotes else None,
        "quotes_an_answer": round(sum(one.quotes for one in answered) / max(1, len(answered)), 2),
    }
    if unanswerable:
        figures["unanswerable_refused"] = _share(one.refused for one in unanswerable)
    if removed:
        figures["refused_without_document"] = _share(one.refused for one in removed)
    figures |= _times([one.milliseconds for one in judged])
    return figures


def _share(marks: Iterable[bool]) -> float:
    counted = list(marks)
    return round(sum(counted) / len(counted), 4) if counted else 0.0


def _times(milliseconds: Sequence[float]) -> dict[str, Any]:
    if not milliseconds:
        return {}
    ordered = sorted(milliseconds)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1),
    }
