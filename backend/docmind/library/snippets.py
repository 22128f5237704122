"""The passage of a page that shows best why it was found, with the matched words marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from docmind.domain.search import Snippet
from docmind.domain.words import cut
from docmind.library.query import Term

LENGTH = 240
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[,.'-][^\W_\u3400-\u9fff]+)*|[\u3400-\u9fff]+")


def snippet(text: str, terms: Sequence[Term]) -> Snippet:
    """At most LENGTH characters around the densest matches, on one line; marks are spans in the snippet's text."""
    marks = _marks(text, terms)
    start = _densest(marks, len(text))
    if start > 0:
        space = text.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + LENGTH)
    shown = re.sub(r"\s", " ", text[start:end])
    inside = tuple((left - start, right - start) for left, right in marks if left >= start and right <= end)
    return Snippet(shown, inside)


def _marks(text: str, terms: Sequence[Term]) -> list[tuple[int, int]]:
    wanted = {token for term in terms for token in (term.tokens if len(term.tokens) == 1 or term.is_concept else ())}
    chinese = [term.shown for term in terms if _HAN.match(term.shown)]
    marks: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if _HAN.match(word):
            for term in chinese:
                at = word.find(term)
                while at >= 0:
                    marks.append((match.start() + at, match.start() + at + len(term)))
                    at = word.find(term, at + len(term))
        elif not wanted.isdisjoint(_tokens(word)):
            marks.append(match.span())
    return sorted(marks)


@lru_cache(maxsize=50_000)
def _tokens(word: str) -> tuple[str, ...]:
    return tuple(cut(word))


def _densest(marks: Sequence[tuple[int, int]], length: int) -> int:
    """Where a window of LENGTH characters holds the most marks; a little room is left before the first."""
    best, best_count, first = 0, 0, 0
    for last, (_, right) in enumerate(marks):
        while right - marks[first][0] > LENGTH - 40:
            first += 1
        if last - first + 1 > best_count:
            best, best_count = marks[first][0], last - first + 1
    return max(0, min(best - 40, max(0, length - LENGTH)))
