"""Tesseract through pytesseract: for the scripts that RapidOCR does not know. Imported only by the OCR child process."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import pytesseract

from docmind.domain.ocr import Piece, PieceWord, Point, Quad
from docmind.errors import OcrFailed

Picture = Any  # a numpy array, height x width x 3, in BGR
NAME: Final = "tesseract"
_CELL_GAP_EM: Final = 1.2
_SCRIPTS_WITHOUT_SPACES: Final = ("chi", "jpn")


class Tesseract:
    """`path` is the program's, empty for the one on PATH. `languages` are those that are both wanted and installed."""

    def __init__(self, path: str, wanted: str, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self.program = shutil.which(path or "tesseract")
        self.languages: tuple[str, ...] = ()
        if self.program is not None:
            pytesseract.pytesseract.tesseract_cmd = self.program
            self.languages = tuple(lang for lang in wanted.split("+") if lang in _installed())

    @property
    def works(self) -> bool:
        return bool(self.languages)

    def read(self, picture: Picture, languages: Sequence[str], skew: float) -> list[Piece]:
        """The pieces of text on the picture, whose lines rise by `skew` degrees clockwise; laid level for the reading."""
        level, back = _level(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), skew)
        try:
            table = pytesseract.image_to_data(
                level,
                lang="+".join(languages),
                config="--psm 3",
                output_type=pytesseract.Output.DICT,
                timeout=self._timeout_s,
            )
        except (RuntimeError, pytesseract.TesseractError, OSError) as exc:
            raise OcrFailed(f"tesseract gave up on the page ({type(exc).__name__})") from exc
        spaced = not any(lang.startswith(_SCRIPTS_WITHOUT_SPACES) for lang in languages)
        return [_piece(words, back, spaced) for words in _pieces(table)]


def _installed() -> set[str]:
    try:
        return set(pytesseract.get_languages())
    except (OSError, subprocess.SubprocessError, pytesseract.TesseractError):
        return set()


class _Word(NamedTuple):
    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float


def _level(gray: Picture, skew: float) -> tuple[Picture, Picture]:
    """The picture with its lines level, and the matrix that leads back."""
    height, width = gray.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1.0)
    if abs(skew) < 0.15:
        return gray, cv2.invertAffineTransform(cv2.getRotationMatrix2D((0, 0), 0, 1.0))
    level = cv2.warpAffine(gray, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return level, cv2.invertAffineTransform(turn)


def _pieces(table: dict[str, list[Any]]) -> Iterator[list[_Word]]:
    """Words of one line, cut where there is more room than between words: cells of a table are pieces of their own."""
    line: list[_Word] = []
    at: tuple[int, ...] = ()
    for place, text in enumerate(table["text"]):
        confidence = float(table["conf"][place])
        if not text.strip() or confidence < 0:
            continue
        left, top = float(table["left"][place]), float(table["top"][place])
        right, bottom = left + float(table["width"][place]), top + float(table["height"][place])
        here = tuple(int(table[name][place]) for name in ("block_num", "par_num", "line_num"))
        if line and (here != at or _far(left, bottom - top, line[-1])):
            yield line
            line = []
        at = here
        line.append(_Word(text, left, top, right, bottom, confidence / 100))
    if line:
        yield line


def _far(left: float, height: float, last: _Word) -> bool:
    return left - last.right > _CELL_GAP_EM * max(height, last.bottom - last.top)


def _piece(words: list[_Word], back: Picture, spaced: bool) -> Piece:
    left, right = min(word.left for word in words), max(word.right for word in words)
    top, bottom = min(word.top for word in words), max(word.bottom for word in words)
    length = max(right - left, 1.0)
    text = ""
    placed: list[PieceWord] = []
    for place, word in enumerate(words):
        if place and (spaced or (word.text.isascii() and words[place - 1].text.isascii())):
            text += " "
        start = len(text)
        text += word.text
        placed.append(
            PieceWord(
                start, len(text), (word.left - left) / length, (word.right - left) / length, round(word.confidence, 3)
            )
        )
    letters = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / letters
    corners: list[Point] = []
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        there = back @ np.array([x, y, 1.0])
        corners.append((float(there[0]), float(there[1])))
    quad: Quad = (corners[0], corners[1], corners[2], corners[3])
    return Piece(text, quad, tuple(placed), confidence)
