"""Turn the raw pieces of a page into what is kept of it: text, kind and what the tree needs. Runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from docmind.domain.headings import style_to_json
from docmind.domain.pages import PageKind
from docmind.domain.spans import Area, Span
from docmind.parsing.lines import Line, as_text, read_lines
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


# Below this share of glyphs without Unicode a page is still good reading (measured on the public corpus: 5 %).
_GARBLED_SHARE = 0.05
_SCAN_COVER = 0.5


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
    if garbled >= _GARBLED_SHARE:
        spans = read_codes()
    lines = read_lines(spans, width)
    kind, score, reason = _kind(lines, images, garbled, letters, width * height)
    return PageReading(
        number=number,
        text=as_text(lines),
        width=width,
        height=height,
        kind=kind.value,
        kind_score=round(score, 2),
        kind_reason=reason,
        problem=None,
        style=style_to_json(page_style(number, lines, width, height)),
    )


def _kind(
    lines: Sequence[Line], images: Sequence[Area], garbled: float, letters: int, area: float
) -> tuple[PageKind, float, str]:
    if garbled >= _GARBLED_SHARE:
        return PageKind.GARBLED, min(1.0, 0.5 + garbled), f"{garbled:.0%} of glyphs have no Unicode"
    cover = min(1.0, max(((x1 - x0) * (y1 - y0) / max(area, 1.0) for x0, y0, x1, y1 in images), default=0.0))
    if letters < 20 and cover >= _SCAN_COVER:
        return PageKind.SCAN, cover, f"an image covers {cover:.0%} of the page and there is no text"
    if not lines and not images:
        return PageKind.BLANK, 1.0, "no text and no image"
    return PageKind.TEXT, 0.5, "running text"
