"""Which pages a model means by "3", "2-4", "1,5-7", "all", "5-" or "9-3", within a document and a limit."""

from __future__ import annotations

import re

from docmind.domain.pages import PageSelection
from docmind.errors import InvalidPageRange

PART = re.compile(
    r"(?:pages?|pp?\.?|第)?\s*(-?\d+)?\s*(-|to|\.\.\.?|:|至|到)?\s*(?:pages?|pp?\.?)?\s*(-?\d+)?\s*页?", re.IGNORECASE
)
ALL = frozenset({"all", "*", "every", "全部", "所有"})
DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "～": "-", "~": "-", "，": ",", "、": ",", ";": ",", "；": ","})
WRITTEN = 'Write pages like "3", "2-4" or "1,5-7"'


def select_pages(spec: str, *, page_count: int, limit: int) -> PageSelection:
    """The pages of `spec` that exist, ascending, at most `limit`; notes say what was left out and how to get the rest.

    Ends beyond the document are cut to it, inverted ranges are turned round. Raises InvalidPageRange when nothing is left.
    """
    wanted: set[int] = set()
    notes: list[str] = []
    # Models write the brackets of a list or quotes around the whole.
    parts = [part.strip() for part in spec.translate(DASHES).strip(" []()'\"").split(",")]
    for part in parts:
        if part:
            wanted.update(_pages_of(part, page_count, notes))
    if not wanted:
        why = f" ({'; '.join(notes)})" if notes else ""
        raise InvalidPageRange(f'"{spec[:60]}" names no page of this document{why}. {WRITTEN}, from 1 to {page_count}')
    numbers = sorted(wanted)
    if len(numbers) > limit:
        rest = numbers[limit:]
        notes.append(
            f'{len(rest)} more pages were left out, at most {limit} at once; ask for "{format_pages(rest[:limit])}" next'
        )
        numbers = numbers[:limit]
    return PageSelection(tuple(numbers), tuple(notes))


def _pages_of(part: str, page_count: int, notes: list[str]) -> range:
    if part.lower() in ALL:
        return range(1, page_count + 1)
    match = PART.fullmatch(part)
    if match is None or not any(match.groups()):
        notes.append(f'"{part[:30]}" is not a page')
        return range(0)
    first_text, dash, last_text = match.groups()
    if dash is None and last_text is not None:  # "5 -7": the sign was the dash
        dash, last_text = "-", last_text.lstrip("-")
    first = _clamped(first_text, 1)
    last = _clamped(last_text, page_count) if dash else first
    if first > last:
        first, last = last, first
        notes.append(f'"{part[:30]}" runs backwards and was turned round')
    if last < 1 or first > page_count:
        notes.append(f'"{part[:30]}" lies outside pages 1 to {page_count}')
        return range(0)
    if first < 1 or last > page_count:
        notes.append(f'"{part[:30]}" was cut to pages 1 to {page_count}')
    return range(max(first, 1), min(last, page_count) + 1)


def _clamped(text: str | None, otherwise: int) -> int:
    """The number, with absurd lengths cut: int() refuses text of thousands of digits."""
    if text is None:
        return otherwise
    return int(text) if len(text) <= 12 else 10**12


def format_pages(numbers: list[int]) -> str:
    """[3, 4, 5, 9] as "3-5,9"."""
    parts: list[str] = []
    start = previous = None
    for number in [*numbers, None]:
        if previous is not None and number == previous + 1:
            previous = number
            continue
        if start is not None:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
        start = previous = number
    return ",".join(parts)
