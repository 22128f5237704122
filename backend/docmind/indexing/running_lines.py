"""Heads and feet: lines that repeat at the edges of pages. Found by repetition, never by a fixed margin."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docmind.domain.headings import PageStyle

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_BAND = 24


def running_key(text: str, y0: float, height: float) -> str:
    """The same for a head on every page: numbers do not matter, nor does a small shift."""
    flat = " ".join(_DIGITS.sub("#", text.casefold()).split())
    return f"{'top' if y0 < height / 2 else 'foot'}|{flat}"


@dataclass(frozen=True, slots=True)
class RunningLines:
    """What was found to repeat: texts, and heights at which most pages have a line with a number in it."""

    keys: frozenset[str]
    zones: frozenset[tuple[bool, int]]
    largest: float

    def holds(self, text: str, y0: float, size: float, height: float) -> bool:
        if running_key(text, y0, height) in self.keys:
            return True
        return size <= self.largest and _has_number_at_end(text) and _zone(y0, height) in self.zones


def find_running_lines(styles: Sequence[PageStyle], body: float) -> RunningLines:
    """Texts that stand at the same height on at least three pages near one another, and zones of page numbers."""
    pages: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    zones: Counter[tuple[bool, int]] = Counter()
    for style in styles:
        for key, place in {running_key(t, y, style.height): (y, size) for t, y, size in style.edge_lines}.items():
            pages[key].append((style.page, *place))
        zones.update(
            {
                _zone(y, style.height)
                for text, y, size in style.edge_lines
                if _has_number_at_end(text) and size < 1.1 * body
            }
        )
    keys = frozenset(key for key, seen in pages.items() if _is_running(seen, len(styles), body))
    often = max(4.0, 0.4 * len(styles))
    return RunningLines(keys, frozenset(zone for zone, count in zones.items() if count >= often), 1.1 * body)


def _zone(y0: float, height: float) -> tuple[bool, int]:
    return (y0 < height / 2, round(y0 / 6))


def _has_number_at_end(text: str) -> bool:
    words = text.split()
    return bool(words) and (words[0].isdigit() or words[-1].isdigit())


def _is_running(seen: Sequence[tuple[int, float, float]], page_count: int, body: float) -> bool:
    if len(seen) < 3:
        return False
    (_, usual), *_ = Counter(round(y0 / _BAND) for _, y0, _ in seen).most_common(1)
    if usual < 3 or usual < 0.6 * len(seen):
        return False
    # A big line at the top of a few pages is a heading that comes back ("Our findings"), not a head.
    if seen[0][2] > 1.15 * body and usual < 0.5 * page_count:
        return False
    near = sum(later[0] - earlier[0] <= 4 for earlier, later in pairwise(seen))
    return near >= 2 and (near >= 0.5 * len(seen) or usual >= 0.2 * page_count)
