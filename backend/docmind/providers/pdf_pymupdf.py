"""Read PDF files with MuPDF. Imported only by the child process: MuPDF can crash, hang and is not thread-safe.

Page numbers in and out of this file count from 1; `index` (from 0) never leaves it. MuPDF's errors become ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pymupdf
from pymupdf import mupdf

from docmind.domain.spans import Area, Span, SpanChars
from docmind.errors import BadPageCount, Corrupt, Encrypted, NoPages, NotAPdf, TooManyPages
from docmind.providers.pdf_outline import walk_outline

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

# One interpretation of the page serves text, styles and image places. Unmapped glyphs come out as U+FFFD.
_FLAGS: Final = (
    mupdf.FZ_STEXT_PRESERVE_LIGATURES
    | mupdf.FZ_STEXT_PRESERVE_WHITESPACE
    | mupdf.FZ_STEXT_MEDIABOX_CLIP
    | mupdf.FZ_STEXT_PRESERVE_SPANS
    | mupdf.FZ_STEXT_PRESERVE_IMAGES
)
# MuPDF writes whole numbers, so ask for twentieths of a point.
_SCALE: Final = 20.0
MUPDF_ERRORS: Final = (RuntimeError, ValueError, mupdf.FzErrorBase)
_HEADER_WITHIN: Final = 1_024
_PAGE_COUNT_LIE: Final = 1_000_000
_LEAST_OCR_DPI: Final = 150


@dataclass(frozen=True, slots=True)
class RawPage:
    """What one interpretation of a page gives: styled spans and the places of images, in points as displayed."""

    width: float
    height: float
    spans: list[Span]
    images: list[Area]
    unmapped: int
    letters: int


class PdfFile:
    """An open PDF."""

    def __init__(self, path: Path, *, password: str | None, max_pages: int) -> None:
        """Open and check. Raises NotAPdf, Encrypted, NoPages, BadPageCount, TooManyPages or Corrupt."""
        with path.open("rb") as file:
            if b"%PDF-" not in file.read(_HEADER_WITHIN):
                raise NotAPdf("the first 1,024 bytes hold no %PDF- mark")
        try:
            self.document = pymupdf.open(path, filetype="pdf")
        except MUPDF_ERRORS as exc:
            raise Corrupt("the file's structure cannot be read") from exc
        if not self.document.is_pdf:
            raise NotAPdf("the file opens as another format than PDF")
        self.was_locked = bool(self.document.needs_pass)
        if self.was_locked and not (password and self.document.authenticate(password)):
            raise Encrypted("the password is not right" if password else "the document asks for a password")
        self.page_count = self._count_pages(max_pages)

    def _count_pages(self, max_pages: int) -> int:
        try:
            count: int = self.document.page_count
        except MUPDF_ERRORS as exc:
            raise BadPageCount("the number of pages that the file states is not possible") from exc
        if count < 0 or count > _PAGE_COUNT_LIE:
            raise BadPageCount(f"the file states {count} pages, which is not possible")
        if count == 0:
            raise NoPages("the file opens, but no page can be found in it")
        if count > max_pages:
            raise TooManyPages(f"{count} pages, at most {max_pages} are allowed")
        return count

    def close(self) -> None:
        self.document.close()

    def save_unlocked(self, path: Path) -> None:
        """A copy without a password, readable by this user only."""
        self.document.save(path, encryption=pymupdf.PDF_ENCRYPT_NONE)
        path.chmod(0o600)

    def facts(self) -> dict[str, str]:
        """Title and author as the file states them."""
        try:
            metadata = self.document.metadata or {}
        except MUPDF_ERRORS:
            return {}
        return {name: str(metadata.get(name) or "") for name in ("title", "author")}

    def attachments(self) -> int:
        try:
            return int(self.document.embfile_count())
        except MUPDF_ERRORS:
            return 0

    def labels(self) -> list[str]:
        """The printed label of each page; empty when the file defines none."""
        try:
            rules = self.document.get_page_labels()
            return _expand_labels(rules, self.page_count) if rules else []
        except (*MUPDF_ERRORS, KeyError, TypeError):
            return []

    def read_page(self, number: int) -> RawPage:
        page = self.document[number - 1]
        # A width of zero or a broken matrix would poison every later sum.
        area = page.rect
        raw = _stext_json(page, _FLAGS)
        spans, images, unmapped, letters = _read_stext(raw)
        return RawPage(float(area.width), float(area.height), spans, images, unmapped, letters)

    def read_codes(self, number: int) -> list[Span]:
        """Spans again with character codes in place of unmapped glyphs: now and then they are readable after all."""
        raw = _stext_json(self.document[number - 1], _FLAGS | mupdf.FZ_STEXT_USE_CID_FOR_UNKNOWN_UNICODE)
        return _read_stext(raw)[0]

    def render(self, number: int, *, scale: float, max_side: int, max_pixels: int) -> bytes:
        """The page as displayed, as JPEG, scaled down where it would pass a limit."""
        page = self.document[number - 1]
        width, height = max(page.rect.width, 1.0), max(page.rect.height, 1.0)
        fit = min(scale, max_side / max(width, height), (max_pixels / (width * height)) ** 0.5)
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(fit, fit), colorspace=pymupdf.csRGB, alpha=False)
        return bytes(pixmap.tobytes("jpeg", jpg_quality=85))

    def draw(self, number: int, path: Path, *, dpi: int, max_side: int) -> tuple[float, float, float]:
        """Draw the page for OCR, without loss, into a PNM file; gives pixels a point, and the page's width and height.

        Not finer than a picture that fills the page: a scan of 150 dpi holds no more when it is drawn at 300.
        """
        page = self.document[number - 1]
        width, height = max(page.rect.width, 1.0), max(page.rect.height, 1.0)
        scale = min(dpi / 72, max_side / max(width, height))
        shown = [info for info in page.get_image_info() if _area(info["bbox"]) > 0.8 * width * height]
        if shown:
            own = max(max(info["width"], info["height"]) for info in shown) / max(width, height)
            scale = min(scale, max(own, _LEAST_OCR_DPI / 72))
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
        path.write_bytes(pixmap.tobytes("ppm"))
        return scale, float(width), float(height)

    def characters(self, number: int) -> tuple[float, list[SpanChars]]:
        """The page's width, and its spans with a box for every character, in the file's order."""
        page = self.document[number - 1]
        raw = page.get_text("rawdict", flags=_FLAGS & ~mupdf.FZ_STEXT_PRESERVE_IMAGES)
        found: list[SpanChars] = []
        lines = (line for block in raw["blocks"] for line in block.get("lines", ()))
        for place, line in enumerate(lines):
            for span in line["spans"]:
                chars = [(char["c"], tuple(char["bbox"])) for char in span["chars"]]
                left, top, right, bottom = span["bbox"]
                text = "".join(char for char, _ in chars)
                base = span["origin"][1]
                found.append(
                    SpanChars(Span(left, top, right, bottom, base, span["size"], False, False, "", text), chars, place)
                )
        return float(page.rect.width), found

    def titled_links(self, first: int, last: int) -> list[tuple[int, str, int]]:
        """(page, text, target page) of links inside the document, in reading order, on the pages first to last."""
        found: list[tuple[int, str, int]] = []
        for number in range(first, min(last, self.page_count) + 1):
            page = self.document[number - 1]
            links = [link for link in page.get_links() if link.get("page", -1) >= 0 and link["kind"] in (1, 4)]
            if not links:
                continue
            spans = self.read_page(number).spans
            for link in sorted(links, key=lambda link: (round(link["from"].y0), link["from"].x0)):
                area = link["from"]
                text = " ".join(
                    span.text.strip()
                    for span in spans
                    if area.y0 - 1 <= (span.y0 + span.y1) / 2 <= area.y1 + 1
                    and area.x0 - 2 <= (span.x0 + span.x1) / 2 <= area.x1 + 2
                )
                target = int(link["page"]) + 1
                if text and target <= self.page_count:
                    found.append((number, text, target))
        return found

    def outline(self) -> Iterator[tuple[int, str, int | None]]:
        return walk_outline(self.document, self.page_count)


def _area(box: Area) -> float:
    return abs((box[2] - box[0]) * (box[3] - box[1]))


def _stext_json(page: Any, flags: int) -> dict[str, Any]:
    textpage = page.get_textpage(flags=flags)
    buffer = mupdf.fz_new_buffer(16_384)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, textpage.this, _SCALE)
    output.fz_close_output()
    text = buffer.fz_buffer_extract().decode("utf-8", "replace")
    parsed: dict[str, Any] = json.loads(text, strict=False)
    return parsed


def _read_stext(raw: dict[str, Any]) -> tuple[list[Span], list[Area], int, int]:
    spans: list[Span] = []
    images: list[Area] = []
    unmapped = letters = 0
    for block in raw["blocks"]:
        if block["type"] == "image":
            box = block["bbox"]
            x, y = box["x"] / _SCALE, box["y"] / _SCALE
            images.append((x, y, x + box["w"] / _SCALE, y + box["h"] / _SCALE))
        elif block["type"] == "text":
            for line in block["lines"]:
                text: str = line["text"]
                if not text or text.isspace():
                    continue
                box, font = line["bbox"], line["font"]
                name: str = font["name"]
                letters += len(text)
                if "\ufffd" in text:
                    unmapped += text.count("\ufffd")
                if not text.isprintable():
                    text = _printable(text)
                x, y = box["x"] / _SCALE, box["y"] / _SCALE
                spans.append(
                    Span(
                        x,
                        y,
                        x + box["w"] / _SCALE,
                        y + box["h"] / _SCALE,
                        line["y"] / _SCALE,
                        font["size"] / _SCALE,
                        font["weight"] == "bold" or "bold" in name.lower(),
                        font["style"] != "normal",
                        name,
                        text,
                    )
                )
    return spans, images, unmapped, letters


def _printable(text: str) -> str:
    """Without control characters; no-break and other odd spaces stay spaces."""
    return "".join(
        char if char.isprintable() or char == "\u00ad" else " " if char.isspace() or char == "\xa0" else ""
        for char in text
    )


def _expand_labels(rules: list[dict[str, Any]], page_count: int) -> list[str]:
    """A label for every page from the file's label ranges. MuPDF's own get_label walks all rules for every page."""
    ordered = sorted((rule for rule in rules if 0 <= rule["startpage"] < page_count), key=lambda r: r["startpage"])
    labels: list[str] = [str(number) for number in range(1, page_count + 1)]
    for place, rule in enumerate(ordered):
        end = ordered[place + 1]["startpage"] if place + 1 < len(ordered) else page_count
        first = int(rule.get("firstpagenum") or 1)
        for index in range(rule["startpage"], end):
            number = first + index - rule["startpage"]
            labels[index] = f"{rule.get('prefix') or ''}{_numeral(number, rule.get('style') or '')}"
    return labels


def _numeral(number: int, style: str) -> str:
    if style == "D":
        return str(number)
    if style in ("R", "r") and 0 < number < 4_000:
        roman = ""
        for value, sign in zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
            strict=True,
        ):
            roman += sign * (number // value)
            number %= value
        return roman.upper() if style == "R" else roman
    if style in ("A", "a") and 0 < number <= 26 * 50:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "A" else letters
    return ""
