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
# Characters that hide how a word begins: soft hyphens, ligatures, full-width letters, combining marks.
_ODD = re.compile("[\u00ad\u0300-\u036f\u200b\ufb00-\ufb06\uff21-\uff5a]")
_NEVER = re.compile(r"(?!)")
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
    chinese = {term.shown for term in terms if _HAN.match(term.shown)}
    words = _WORD.finditer(text) if _ODD.search(text) else _beginnings(wanted).finditer(text)
    marks = [match.span() for match in words if not wanted.isdisjoint(_tokens(match.group()))]
    for term in chinese:
        at = text.find(term)
        while at >= 0:
            marks.append((at, at + len(term)))
            at = text.find(term, at + len(term))
    return sorted(marks)


def _beginnings(tokens: set[str]) -> re.Pattern[str]:
    """Words that begin like a token: only these are cut, which is the slow part. A stem may end in another letter than its word."""
    starts = sorted({re.escape(token[:-1] if len(token) > 3 else token) for token in tokens if not _HAN.match(token)})
    if not starts:
        return _NEVER
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(starts)})[^\W_]*(?:[,.'-][^\W_]+)*", re.IGNORECASE)


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
