"""Turn the raw pieces of a page into what is kept of it: text, kind and what the tree needs. Runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from docmind.domain.headings import style_to_json
from docmind.domain.spans import Area, Span
from docmind.parsing.lines import as_text, read_lines
from docmind.parsing.page_kind import GARBLED_SHARE, page_kind
from docmind.parsing.stand_out import page_style


class PageReading(TypedDict):
    """One page as the child process sends it: plain JSON."""

    number: int
    text: str
    width: float
    height: float
    kind: str
    kind_score: float
    kind_reason: str
    problem: str | None
    style: list[Any]


def read_page(
    number: int,
    *,
    spans: Sequence[Span],
    images: Sequence[Area],
    unmapped: int,
    letters: int,
    size: tuple[float, float],
    read_codes: Callable[[], Sequence[Span]],
) -> PageReading:
    """What is kept of the page. `read_codes` reads a garbled page again with character codes for its glyphs."""
    width, height = size
    garbled = unmapped / letters if letters else 0.0
    if garbled >= GARBLED_SHARE:
        spans = read_codes()
    lines = read_lines(spans, width)
    kind, score, reason = page_kind(lines, images, garbled=garbled, letters=letters, area=width * height)
    return PageReading(
        number=number,
        text=as_text(lines),
        width=width,
        height=height,
        kind=kind.value,
        kind_score=round(score, 2),
        kind_reason=reason,
        problem=None,
        # Codes in place of letters would make titles that nobody can read.
        style=style_to_json(page_style(number, [] if garbled >= GARBLED_SHARE else lines, width, height)),
    )
