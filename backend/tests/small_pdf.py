"""Builders of small PDFs for tests."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf


def a_pdf(pages: Sequence[str], outline: Sequence[tuple[int, str, int]] = ()) -> bytes:
    """A PDF with one page for each text; outline entries are (level, title, page from 1)."""
    document = pymupdf.open()
    for text in pages:
        page = document.new_page()
        page.insert_textbox(pymupdf.Rect(72, 72, 523, 770), text, fontsize=11)
    if outline:
        document.set_toc([list(entry) for entry in outline])
    return bytes(document.tobytes())


GARDEN = a_pdf(
    [
        "A Handbook of Small Gardens\n\nThis handbook tells how to keep a small garden.",
        "Soil\n\nLoam holds water well and drains slowly. The acidity of loam should stay between 6.2 and 6.8.",
        "Watering\n\nTomatoes want 25 litres of water a week in July. Water them in the morning.",
        "Frost\n\nCover the dahlias when the night falls below 3 degrees.",
    ],
    outline=[(1, "Soil", 2), (1, "Watering", 3), (2, "Frost", 4)],
)
