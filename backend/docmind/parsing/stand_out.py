"""Find the lines of a page that stand out enough to be headings. Generous: the document as a whole decides later."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from docmind.domain.headings import HeadingLine, PageStyle
from docmind.parsing.lines import Line

_MAX_CHARS = 240
_EDGE_LINES = 3
_NUMBERED = re.compile(
    r"(?:part|item|chapter|section|appendix|annex|article|note|schedule|exhibit)\s+[\divxlca-h]"
    r"|\(?(?:\d{1,3}(?:\.\d{1,3}){0,5}|[ivxlc]{1,6}|[a-z])[.):、]?\s+\S"
    r"|第\s*[一二三四五六七八九十百\d]+\s*[章节節部篇编編条條讲講]"
    r"|[（(]?[一二三四五六七八九十]+[)）、.．]",
    re.IGNORECASE,
)


def page_style(number: int, lines: Sequence[Line], width: float, height: float) -> PageStyle:
    characters: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        characters[round(line.size * 2) / 2, line.bold] += len(line.text)
    usual = _usual_size(characters)
    spacing = _usual_spacing(lines)
    found: list[HeadingLine] = []
    for place, line in enumerate(lines):
        if not _may_stand_out(line, usual, spacing):
            continue
        below = lines[place + 1].gap if place + 1 < len(lines) else 0.0
        last = found[-1] if found else None
        follows = (
            last is not None
            and last.place == place - 1
            and last.bold == line.bold
            and abs(last.size - line.size) < 0.6
            and 0 < line.gap <= max(1.75, 1.1 * spacing) * line.size
        )
        found.append(
            HeadingLine(
                page=number,
                place=place,
                text=line.text,
                size=round(line.size, 1),
                bold=line.bold,
                italic=_is_italic(line),
                x0=round(line.x0, 1),
                x1=round(line.x1, 1),
                y0=round(line.y0, 1),
                gap_above=round(line.gap, 1),
                gap_below=round(max(below, 0.0), 1),
                cells=line.cells,
                column=line.column,
                follows=follows,
            )
        )
    by_height = sorted(lines, key=lambda line: line.y0)
    edges = by_height if len(by_height) <= 2 * _EDGE_LINES else by_height[:_EDGE_LINES] + by_height[-_EDGE_LINES:]
    return PageStyle(
        page=number,
        width=width,
        height=height,
        characters=tuple((size, bold, count) for (size, bold), count in characters.items()),
        edge_lines=tuple((line.text[:120], round(line.y0, 1), round(line.size, 1)) for line in edges),
        spacing=round(spacing, 2),
        headings=found,
    )


def _usual_size(characters: Counter[tuple[float, bool]]) -> float:
    sizes: Counter[float] = Counter()
    for (size, _), count in characters.items():
        sizes[size] += count
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _usual_spacing(lines: Sequence[Line]) -> float:
    steps = sorted(line.gap / line.size for line in lines if line.size > 0 and 0 < line.gap < 4 * line.size)
    return steps[len(steps) // 2] if steps else 0.0


def _may_stand_out(line: Line, usual: float, spacing: float) -> bool:
    text = line.text
    if len(text) > _MAX_CHARS or line.cells > 4 or not any(char.isalpha() for char in text):
        return False
    if line.bold or line.size > usual + 0.4:
        return True
    if _NUMBERED.match(text):
        return True
    room = line.gap > max(1.6, 1.3 * spacing) * line.size or line.gap <= 0
    return (
        len(text) <= 90 and room and (text.isupper() or _is_italic(line) or not text.rstrip().endswith((".", ",", ";")))
    )


def _is_italic(line: Line) -> bool:
    italic = sum(len(span.text) for span in line.spans if span.italic)
    return italic * 2 > len(line.text)
