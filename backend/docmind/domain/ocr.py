"""What OCR gives: pieces of text with their places on the picture, and the page that is made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from docmind.domain.document import Document
from docmind.domain.headings import PageStyle, style_from_json, style_to_json
from docmind.domain.pages import Box, Page, PageKind

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners of a piece of text as it is read: top left, top right, bottom right, bottom left."""


class EngineWish(StrEnum):
    """Which engine may read; `auto` chooses by script and by what is installed."""

    AUTO = "auto"
    RAPIDOCR = "rapidocr"
    TESSERACT = "tesseract"


class PieceWord(NamedTuple):
    """A word of a piece: characters start to end of its text, from `left` to `right` of its length (0 to 1)."""

    start: int
    end: int
    left: float
    right: float
    confidence: float


class Piece(NamedTuple):
    """Text that stands together on one line, with its corners in pixels of the upright picture."""

    text: str
    quad: Quad
    words: tuple[PieceWord, ...]
    confidence: float


class OcrWord(NamedTuple):
    """A word of a page: text[start:end], with its box in points of the page as displayed. Each Chinese character is one."""

    start: int
    end: int
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrPage:
    """A page as OCR read it.

    `turned` is how far its text stands turned clockwise (0, 90, 180, 270), `skew` the small rest, both in degrees.
    `confidence` is the mean over the characters, 0 to 1. `corrected` is the text after a correction by a model,
    where one was wanted and accepted; `replaced` is the text that the file itself gave for the page.
    """

    number: int
    text: str
    words: tuple[OcrWord, ...]
    width_pt: float
    height_pt: float
    confidence: float
    engine: str
    language: str
    seconds: float
    turned: int = 0
    skew: float = 0.0
    style: PageStyle | None = None
    corrected: str | None = None
    replaced: str = ""
    picture: bytes | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OcrFile:
    """A file that is open for OCR: its kind ("pdf", "png", ...) and how many pages or frames it has."""

    kind: str
    page_count: int


class OcrReader(Protocol):
    """Reads pages of PDF files in child processes that are gone when idle. Blocking."""

    def engines(self) -> Sequence[str]:
        """Names of the engines that work here."""

    def read_page(self, source: Path, number: int, *, wish: EngineWish | None = None, picture: bool = False) -> OcrPage:
        """`wish` overrules the engine that is set; `picture` wants a JPEG of the page too.

        Raises UnreadableDocument, RenderFailed, RenderTimeout, OcrFailed or OcrNotAvailable.
        """


class OcrState(StrEnum):
    """How far OCR of a document has come. `off` waits for somebody to ask for it."""

    OFF = "off"
    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        return self not in (OcrState.WAITING, OcrState.READING)


@dataclass(frozen=True, slots=True)
class OcrProgress:
    """`done` of `pages` scanned pages are read, `failed` of them without success. `job` names this reading of them."""

    state: OcrState
    pages: int
    done: int = 0
    failed: int = 0
    job: str = ""


_KEY = "ocr"


def ocr_progress(document: Document) -> OcrProgress | None:
    """None when no page of the document needs OCR."""
    kept = document.extra.get(_KEY)
    if kept is None:
        return None
    raw = json.loads(kept)
    return OcrProgress(OcrState(raw["state"]), raw["pages"], raw["done"], raw["failed"], raw["job"])


def with_ocr_progress(extra: Mapping[str, str], progress: OcrProgress | None) -> dict[str, str]:
    """The document's `extra` with this progress in it."""
    rest = {name: value for name, value in extra.items() if name != _KEY}
    if progress is None:
        return rest
    return {**rest, _KEY: json.dumps({**asdict(progress), "state": progress.state.value})}


def needs_ocr(page: Page) -> bool:
    """Pages that are pictures of text, or whose text layer is no text. One that OCR has read needs it no more."""
    return page.kind in (PageKind.SCAN, PageKind.GARBLED) and page.text_source != "ocr"


def ocr_page_to_json(page: OcrPage) -> dict[str, Any]:
    return {
        "number": page.number,
        "text": page.text,
        "words": [
            [word.start, word.end, word.box.left, word.box.top, word.box.right, word.box.bottom, word.confidence]
            for word in page.words
        ],
        "width_pt": page.width_pt,
        "height_pt": page.height_pt,
        "confidence": page.confidence,
        "engine": page.engine,
        "language": page.language,
        "seconds": page.seconds,
        "turned": page.turned,
        "skew": page.skew,
        "style": None if page.style is None else style_to_json(page.style),
        "corrected": page.corrected,
        "replaced": page.replaced,
    }


def ocr_page_from_json(raw: dict[str, Any]) -> OcrPage:
    """Raises KeyError, TypeError or ValueError when it is not one."""
    words = tuple(
        OcrWord(int(start), int(end), Box(left, top, right, bottom), confidence)
        for start, end, left, top, right, bottom, confidence in raw["words"]
    )
    style = None if raw["style"] is None else style_from_json(raw["style"])
    return OcrPage(**{**raw, "words": words, "style": style})
