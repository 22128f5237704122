"""The text of a page with a box for every character, in two orders: a quote may come from either."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from docmind.domain.spans import Area, SpanChars
from docmind.parsing.lines import read_lines

Characters = tuple[str, list[Area | None]]


def readings(spans: Sequence[SpanChars], width: float) -> tuple[Characters, Characters]:
    """The file's own order, then the order we read in. Line ends and spaces that we add have no box."""
    filed: list[tuple[str, Area | None]] = []
    for piece, following in zip_longest(spans, spans[1:]):
        filed.extend(piece.chars)
        if following is None or following.line != piece.line:
            filed.append(("\n", None))
    read: list[tuple[str, Area | None]] = []
    # The font's place is free here: it carries the way back from a span to its characters.
    numbered = [piece.span._replace(font=str(place)) for place, piece in enumerate(spans) if piece.span.text.strip()]
    for line in read_lines(numbered, width):
        for left, right in zip_longest(line.spans, line.spans[1:]):
            read.extend(spans[int(left.font)].chars)
            if right is None:
                read.append(("\n", None))
            elif right.x0 - left.x1 > 0.13 * left.size:
                read.append((" ", None))
    return _spread(filed), _spread(read)


def _spread(chars: Sequence[tuple[str, Area | None]]) -> Characters:
    """Text and one box a character: one glyph may stand for several."""
    return "".join(text for text, _ in chars), [box for text, box in chars for _ in text]
