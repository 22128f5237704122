"""Rows of tables stay whole, columns of prose are read one after the other."""

from __future__ import annotations

import pytest

from docmind.domain.spans import Span
from docmind.parsing.lines import as_text, read_lines
from tests.made_pdf import DATA, needs_data


def span(text: str, x: float, y: float, *, size: float = 10.0, width: float | None = None) -> Span:
    """Text with its left end at x and its baseline at y."""
    right = x + (width if width is not None else 5.0 * len(text))
    return Span(x, y - 0.8 * size, right, y + 0.2 * size, y, size, False, False, "Body", text)


def test_row_of_a_table_is_one_line_with_room_between_cells() -> None:
    spans = [
        span("1,577", 300, 100),
        span("Capital expenditure", 50, 100.6),
        span("$", 280, 100),
        span("1,373", 400, 99.8),
    ]

    assert as_text(read_lines(spans, 600)) == "Capital expenditure  $  1,577  1,373"


def test_two_columns_of_prose_are_read_left_first() -> None:
    left = [span(f"Left line {n} with enough words to be prose", 50, 100 + 12 * n, width=220) for n in range(10)]
    right = [span(f"Right line {n} with enough words to be prose", 310, 104 + 12 * n, width=220) for n in range(10)]
    mixed = [piece for pair in zip(left, right, strict=True) for piece in pair]

    lines = [line.text for line in read_lines(mixed, 600)]

    assert lines == [piece.text for piece in left] + [piece.text for piece in right]


def test_heading_over_two_columns_stays_above_them() -> None:
    heading = span("A title that runs over both of the columns of this page", 50, 80, width=480)
    left = [span(f"Left line {n} with enough words to be prose", 50, 100 + 12 * n, width=220) for n in range(6)]
    right = [span(f"Right line {n} with enough words to be prose", 310, 100 + 12 * n, width=220) for n in range(6)]

    lines = [line.text for line in read_lines([*right, *left, heading], 600)]

    assert lines[0] == heading.text
    assert lines[1:7] == [piece.text for piece in left]


def test_superscript_stays_in_its_line() -> None:
    spans = [span("E = mc", 50, 100, width=40), span("2", 90, 96.4, size=6, width=4), span("holds", 97, 100)]

    assert as_text(read_lines(spans, 600)) == "E = mc2 holds"


def test_chinese_pieces_are_joined_without_a_space() -> None:
    spans = [span("机器", 50, 100, width=20), span("学习", 71.5, 100, width=20)]

    assert as_text(read_lines(spans, 600)) == "机器学习"


def test_paragraphs_are_parted_by_a_blank_line() -> None:
    spans = [span("First.", 50, 100), span("Second.", 50, 130)]

    assert as_text(read_lines(spans, 600)) == "First.\n\nSecond."


@pytest.mark.data
@needs_data
def test_interleaved_columns_of_the_public_file_are_read_in_order() -> None:
    from docmind.providers.pdf_pymupdf import PdfFile

    file = PdfFile(DATA / "made" / "two_columns_interleaved.pdf", password=None, max_pages=10)
    raw = file.read_page(1)
    text = as_text(read_lines(raw.spans, raw.width))

    assert [line for line in text.split("\n") if line] == [
        f"{side} column line {n}" for side in ("Left", "Right") for n in range(1, 21)
    ]
