"""Lines that may be headings, as the parser hands them to the tree builder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class HeadingLine(NamedTuple):
    """A line that stands out. Lengths in points; `gap_above` and `gap_below` are distances between baselines
    (0 at the page's edge), `place` counts the lines of the page, `cells` the pieces with room between them."""

    page: int
    place: int
    text: str
    size: float
    bold: bool
    italic: bool
    x0: float
    x1: float
    y0: float
    gap_above: float
    gap_below: float
    cells: int
    column: bool
    follows: bool  # the line above is a heading line in the same style: this may be its second half


@dataclass(frozen=True, slots=True)
class PageStyle:
    """What a page looks like as a whole: its size, characters by (size, bold), and its first and last lines."""

    page: int
    width: float
    height: float
    characters: tuple[tuple[float, bool, int], ...]
    edge_lines: tuple[tuple[str, float, float], ...]  # (text, y0, size): heads and feet are found among these
    spacing: float  # the usual distance between baselines, in sizes of the line
    headings: Sequence[HeadingLine]


def style_to_json(style: PageStyle) -> list[Any]:
    """Short lists, because every page sends one from the child process."""
    return [
        style.page,
        style.width,
        style.height,
        style.characters,
        style.edge_lines,
        style.spacing,
        [list(line) for line in style.headings],
    ]


def style_from_json(raw: list[Any]) -> PageStyle:
    page, width, height, characters, edges, spacing, headings = raw
    return PageStyle(
        page=page,
        width=width,
        height=height,
        characters=tuple((size, bold, count) for size, bold, count in characters),
        edge_lines=tuple((text, y0, size) for text, y0, size in edges),
        spacing=spacing,
        headings=[HeadingLine(*line) for line in headings],
    )
