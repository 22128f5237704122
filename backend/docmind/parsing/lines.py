"""Put the pieces of a page into lines for reading: table rows whole, columns of prose one after the other.

Pieces come as the PDF library found them (runs of one style, with boxes in points). Knows nothing of PDF.
Everything here runs once a page on the way to "ready": a page has 2 ms, so pieces are plain tuples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docmind.domain.spans import Span


@dataclass(slots=True)
class Cell:
    """Neighbouring spans of one row, with room around them."""

    x0: float
    x1: float
    text: str
    spans: list[Span]


@dataclass(slots=True)
class Row:
    """Everything on one baseline, left to right."""

    base: float
    size: float
    cells: list[Cell]


@dataclass(slots=True)
class Line:
    """A line as it is read. `column` is True inside a column of prose; `gap` is the distance to the line above it."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: bool
    cells: int
    spans: list[Span]
    column: bool = False
    gap: float = 0.0


# A gap of more than this many ems separates cells; less is a word space. Justified prose stays below it.
_CELL_GAP_EM = 1.0
_WORD_GAP_EM = 0.13
_MIN_COLUMN_ROWS = 4


def read_lines(spans: Sequence[Span], width: float) -> list[Line]:
    """Lines of a page in reading order."""
    level: list[Span] = []
    turned: list[Span] = []
    for span in spans:
        # Text that runs up or down the margin is taller than wide; as part of a row it would tear tables apart.
        upright = span.y1 - span.y0 <= 2.2 * (span.x1 - span.x0) or len(span.text) <= 2
        (level if upright else turned).append(span)
    lines = _in_columns(_rows(level), width, depth=0)
    for above, line in pairwise(lines):
        line.gap = line.base - above.base
    lines.extend(_line(Row(span.base, span.size, [Cell(span.x0, span.x1, span.text, [span])])) for span in turned)
    return lines


def as_text(lines: Sequence[Line]) -> str:
    """The page's text: a blank line where the page leaves more than half a line of room."""
    parts: list[str] = []
    for line in lines:
        if parts and (line.gap > 1.9 * line.size or line.gap < 0):
            parts.append("")
        parts.append(line.text)
    return "\n".join(parts)


def _rows(spans: Sequence[Span]) -> list[Row]:
    groups: list[list[Span]] = []
    base = size = 0.0
    for span in sorted(spans, key=lambda item: item.base):
        # 0.4 em takes in sub- and superscripts; lines are at least 1 em apart.
        if groups and span.base - base <= 0.4 * max(size, span.size):
            groups[-1].append(span)
            if span.size > size:
                base, size = span.base, span.size
        else:
            groups.append([span])
            base, size = span.base, span.size
    return [_row(group) for group in groups]


def _row(group: list[Span]) -> Row:
    largest = max(group, key=lambda span: span.size)
    right_to_left = sum(_is_rtl(span.text) for span in group) * 2 > len(group)
    group.sort(key=lambda span: span.x0, reverse=right_to_left)
    cells: list[Cell] = []
    for span in group:
        text = span.text
        if cells:
            last = cells[-1]
            gap = (last.x0 - span.x1) if right_to_left else (span.x0 - last.x1)
            em = max(min(span.size, last.spans[-1].size), 1.0)
            if gap <= _CELL_GAP_EM * em:
                spaced = gap > _WORD_GAP_EM * em and not last.text.endswith(" ") and not text.startswith(" ")
                if spaced and not (_is_cjk(last.text[-1:]) and _is_cjk(text[:1]) and gap < 0.6 * em):
                    last.text += " "
                last.text += text
                last.x0, last.x1 = min(last.x0, span.x0), max(last.x1, span.x1)
                last.spans.append(span)
                continue
        cells.append(Cell(span.x0, span.x1, text, [span]))
    return Row(largest.base, largest.size, cells)


def _is_rtl(text: str) -> bool:
    return any("\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufefc" for char in text[:8])


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\uff00" <= char <= "\uffef"


def _line(row: Row, *, column: bool = False) -> Line:
    spans = [span for cell in row.cells for span in cell.spans]
    letters = sum(len(span.text) for span in spans)
    bold = sum(len(span.text) for span in spans if span.bold)
    return Line(
        text="  ".join(cell.text.strip() for cell in row.cells),
        x0=min(span.x0 for span in spans),
        y0=min(span.y0 for span in spans),
        x1=max(span.x1 for span in spans),
        y1=max(span.y1 for span in spans),
        base=row.base,
        size=row.size,
        bold=bold * 2 > letters,
        cells=len(row.cells),
        spans=spans,
        column=column,
    )


# --- columns ------------------------------------------------------------------------------------------


def _in_columns(rows: list[Row], width: float, *, depth: int) -> list[Line]:
    """Lines of the rows, where bands of prose on both sides of a gutter are read left side first."""
    gutter = _gutter(rows, width) if depth < 3 else None
    if gutter is None:
        return [_line(row, column=depth > 0) for row in rows]
    lines: list[Line] = []
    band: list[Row] = []
    for row in rows:
        if any(cell.x0 < gutter - 1 and cell.x1 > gutter + 1 for cell in row.cells):
            lines.extend(_band(band, gutter, width, depth))
            band = []
            lines.append(_line(row, column=depth > 0))
        else:
            band.append(row)
    lines.extend(_band(band, gutter, width, depth))
    return lines


def _band(rows: list[Row], gutter: float, width: float, depth: int) -> list[Line]:
    left, right = _sides(rows, gutter)
    if not (_is_prose(left) and _is_prose(right)):
        return [_line(row, column=depth > 0) for row in rows]
    lines = _in_columns(left, width, depth=depth + 1) + _in_columns(right, width, depth=depth + 1)
    for line in lines:
        line.column = True
    return lines


def _sides(rows: Sequence[Row], gutter: float) -> tuple[list[Row], list[Row]]:
    sides: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        for side, cells in enumerate(
            ([c for c in row.cells if c.x1 <= gutter + 1], [c for c in row.cells if c.x1 > gutter + 1])
        ):
            if cells:
                spans = [span for cell in cells for span in cell.spans]
                largest = max(spans, key=lambda span: span.size)
                sides[side].append(Row(largest.base, largest.size, cells))
    return sides


def _gutter(rows: Sequence[Row], width: float) -> float | None:
    """The x where most rows have a gap between two cells, when enough of them look like prose on both sides."""
    gaps: Counter[int] = Counter()
    starts: dict[int, list[float]] = {}
    for row in rows:
        for left, right in pairwise(row.cells):
            # Columns of prose end ragged but start flush: the right cell's start tells the column.
            if right.x0 > left.x1 and len(right.text) > 8 and len(left.text) > 3:
                key = round(right.x0 / 4)
                gaps[key] += 1
                starts.setdefault(key, []).append(right.x0)
    best = None
    for key, count in gaps.most_common(3):
        near = count + gaps[key - 1] + gaps[key + 1]
        if near >= _MIN_COLUMN_ROWS and (best is None or near > best[0]):
            best = (near, min(x for k in (key - 1, key, key + 1) for x in starts.get(k, ())) - 2.0)
    if best is None:
        return None
    gutter = best[1]
    if not 0.12 * width < gutter < 0.88 * width:
        return None
    crossing = sum(any(c.x0 < gutter - 1 and c.x1 > gutter + 1 for c in row.cells) for row in rows)
    return gutter if best[0] >= 0.15 * (len(rows) - crossing) else None


def _is_prose(rows: Sequence[Row]) -> bool:
    """Lines of running text: nearly one cell a row, most of them long for their column, words rather than figures."""
    if len(rows) < _MIN_COLUMN_ROWS:
        return False
    cells = sum(len(row.cells) for row in rows)
    left, right = min(row.cells[0].x0 for row in rows), max(row.cells[-1].x1 for row in rows)
    lengths = [row.cells[-1].x1 - row.cells[0].x0 for row in rows]
    text = "".join(cell.text for row in rows for cell in row.cells)
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return (
        cells <= 1.5 * len(rows)
        and median(lengths) >= 0.5 * (right - left)
        and digits <= 0.25 * (letters + digits)
        and len(text) >= 12 * len(rows)
    )
