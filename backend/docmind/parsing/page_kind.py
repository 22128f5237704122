"""What a page mostly is: text, table, formula, figure, scan, garbled or blank, with a score and the reason.

Decided from what the text pass already has (fonts, cells, places of images), so that it costs no second look.
The vision step acts on it (docs/decisions/2026-12-01-reading-pages.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docmind.domain.pages import PageKind
from docmind.domain.spans import Area
from docmind.parsing.lines import Line

# Below this share of glyphs without Unicode a page is still good reading (measured on the public corpus).
GARBLED_SHARE = 0.05
_SCAN_COVER = 0.5
_FIGURE_COVER = 0.3

# TeX's math italic, symbols and extensible signs; AMS symbols; the math fonts of Word, MathType and MathJax.
_MATH_FONT = re.compile(
    r"(?:^|\+)(?:CMMI|CMSY|CMEX|CMBSY|CMMIB|MSAM|MSBM|EUFM|EUSM|RSFS|LMMath|rtxmi|txsy|pxsy|MTMI|MTSY|MTEX|MathJax)"
    r"|Math|MT-?Extra|Euclid(?:Symbol|Extra|Fraktur)|ESSTIX|Symbol(?:MT)?$",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"[∑∏∫∮√∂∇∞∈∉⊂⊆∪∩≤≥≠≈≡∝±×÷→⇒⇔∀∃⟨⟩‖⊙⊗⊕α-ωΓΔΘΛΞΠΣΦΨΩ\ue000-\uf8ff\U0001d400-\U0001d7ff]")
_EQUATION = re.compile(r"(?:[=<>≤≥≈∝∼]|:=).*(?:\(\d+(?:\.\d+)*\))?$")
_TEX_SOURCE = re.compile(r"\\\\[a-zA-Z]{2,}|\\$[^$]{3,}\\$|[_^]\\{")
_NUMBER = re.compile(r"^[\s$€£¥(（+–—-]*\d[\d,.\s]*[%)）]*$|^[-–—]+$|^n/?[am]$", re.IGNORECASE)


def page_kind(
    lines: Sequence[Line], images: Sequence[Area], *, garbled: float, letters: int, area: float
) -> tuple[PageKind, float, str]:
    """(kind, score from 0 to 1, reason). `garbled` is the share of glyphs without Unicode, `area` the page's in points."""
    if garbled >= GARBLED_SHARE:
        return PageKind.GARBLED, min(1.0, 0.5 + garbled), f"{garbled:.0%} of glyphs have no Unicode"
    cover = min(1.0, sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in images) / max(area, 1.0))
    if letters < 20 and cover >= _SCAN_COVER:
        return PageKind.SCAN, cover, f"images cover {cover:.0%} of the page and there is no text"
    if not lines and not images:
        return PageKind.BLANK, 1.0, "no text and no image"
    formula, formula_reason = _formula(lines, letters)
    table, table_reason = _table(lines)
    figure = cover / (2 * _FIGURE_COVER) if cover >= _FIGURE_COVER and letters < 1_500 else 0.0
    best = max(formula, table, figure)
    if best < 0.5:
        return PageKind.TEXT, 1 - best, "running text"
    # Mathematics is lost in plain text more surely than a table's rows are.
    if formula >= 0.5:
        return PageKind.FORMULA, formula, formula_reason
    if best == table:
        return PageKind.TABLE, table, table_reason
    return PageKind.FIGURE, min(1.0, figure), f"images cover {cover:.0%} of the page"


def _formula(lines: Sequence[Line], letters: int) -> tuple[float, str]:
    """Half a point at three lines of mathematics, or where a fiftieth of the characters is set in a math font."""
    in_math_font = displayed = signs = 0
    for line in lines:
        of_line = sum(len(span.text) for span in line.spans if _MATH_FONT.search(span.font))
        in_math_font += of_line
        found = len(_OPERATOR.findall(line.text))
        # Web pages printed without their renderer leave TeX's source in the text.
        source = len(_TEX_SOURCE.findall(line.text))
        if source >= 2:
            displayed += 1
        signs += found + 3 * source
        length = len(line.text)
        if (of_line >= 3 or found >= 2) and (of_line + found) >= 0.15 * length and _EQUATION.search(line.text):
            displayed += 1
    if in_math_font + signs < 8:
        return 0.0, ""
    share = max(in_math_font, signs) / max(letters, 1)
    score = min(1.0, max(displayed / 6, share / 0.06 if displayed else 0.0))
    return score, f"{displayed} lines of mathematics, {share:.0%} of characters are mathematical"


def _table(lines: Sequence[Line]) -> tuple[float, str]:
    """Half a point at eight rows, or at a third of all lines, that hold figures in cells."""
    rows = numbers = 0
    for line in lines:
        if line.cells < 2 or line.column:
            continue
        cells = line.text.split("  ")
        figures = sum(bool(_NUMBER.match(cell)) for cell in cells if cell)
        if figures >= 2 or (figures >= 1 and line.cells <= 3) or line.cells >= 4:
            rows += 1
            numbers += figures
    if rows < 4:
        return 0.0, ""
    share = rows / len(lines)
    score = min(1.0, max(share / 0.66, min(rows / 14, share / 0.28)))
    return score, f"{rows} of {len(lines)} lines hold figures in cells"
