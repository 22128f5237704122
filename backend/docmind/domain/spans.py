"""Pieces of a page as a PDF library finds them."""

from __future__ import annotations

from typing import NamedTuple

Area = tuple[float, float, float, float]
"""Left, top, right, bottom in points from the page's top left as displayed."""


class Span(NamedTuple):
    """A run of text in one style. `base` is the baseline's y, all in points from the page's top left."""

    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: bool
    italic: bool
    font: str
    text: str


class SpanChars(NamedTuple):
    """A span with its characters and their boxes; `line` tells which spans the file has on one line."""

    span: Span
    chars: list[tuple[str, Area]]
    line: int
