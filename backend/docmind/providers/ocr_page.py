"""Read one page's picture: which way up it is, how far askew, in which script, and by which engine. For the child process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from docmind.domain.ocr import EngineWish, Piece, Point, Quad
from docmind.errors import OcrNotAvailable
from docmind.providers import ocr_rapidocr, ocr_tesseract
from docmind.providers.ocr_rapidocr import RapidOcr, cut_out
from docmind.providers.ocr_tesseract import Tesseract

Picture = Any  # a numpy array, height x width x 3, in BGR
_SAMPLES: Final = 6
_SAMPLE_ASPECT: Final = 12.0
# Lines read the right way up are read with 0.9 and more, upside down with 0.4 to 0.7.
_SURE: Final = 0.8
_DOUBTFUL: Final = 0.75
_MAX_SKEW: Final = 15.0


@dataclass(frozen=True, slots=True)
class PictureRead:
    """Pieces with corners in pixels of the picture turned upright (by `turned` degrees counterclockwise)."""

    pieces: tuple[Piece, ...]
    turned: int
    skew: float
    engine: str


class PictureReader:
    def __init__(self, *, threads: int, tesseract: str, languages: str, timeout_s: float) -> None:
        self._threads = threads
        self._tesseract = Tesseract(tesseract, languages, timeout_s=timeout_s)
        self._loaded: RapidOcr | None = None

    @property
    def engines(self) -> list[str]:
        return [ocr_rapidocr.NAME, *([ocr_tesseract.NAME] if self._tesseract.works else [])]

    @property
    def _rapidocr(self) -> RapidOcr:
        if self._loaded is None:
            self._loaded = RapidOcr(threads=self._threads)
        return self._loaded

    def read(self, picture: Picture, wish: EngineWish) -> PictureRead:
        """Raises OcrNotAvailable when the engine that is wished for is not installed."""
        if wish is EngineWish.TESSERACT and not self._tesseract.works:
            raise OcrNotAvailable("Tesseract is not installed, or has none of the languages in OCR_LANGUAGES")
        found = self._rapidocr.find(picture)
        if not found:
            return PictureRead((), 0, 0.0, self.engines[0])
        turned = self._turned(picture, found)
        upright = np.ascontiguousarray(np.rot90(picture, turned // 90))
        quads = [_turn(quad, turned, picture.shape[1], picture.shape[0]) for quad in found]
        skew = _skew(quads)
        if wish is EngineWish.TESSERACT:
            return PictureRead(tuple(self._by_tesseract(upright, skew)), turned, skew, ocr_tesseract.NAME)
        pieces = self._rapidocr.read(upright, quads)
        if wish is EngineWish.AUTO and self._tesseract.works and _is_doubtful(pieces, len(quads)):
            # A script that RapidOCR does not know: Cyrillic, Arabic, Thai and so on.
            others = self._by_tesseract(upright, skew)
            if _confidence(others) > max(_confidence(pieces), _DOUBTFUL) and _letters(others) > _letters(pieces):
                return PictureRead(tuple(others), turned, skew, ocr_tesseract.NAME)
        return PictureRead(tuple(pieces), turned, skew, ocr_rapidocr.NAME)

    def _by_tesseract(self, upright: Picture, skew: float) -> list[Piece]:
        return self._tesseract.read(upright, self._tesseract.languages, skew)

    def _turned(self, picture: Picture, quads: Sequence[Quad]) -> int:
        """How far the text stands turned clockwise. Tells by reading a few of the longest lines both ways."""
        tall = sum(_length(quad) for quad in quads if _is_tall(quad))
        lying = tall > 0.5 * sum(_length(quad) for quad in quads)
        pairs = ((90, 270), (0, 180)) if lying else ((0, 180), (90, 270))
        best, surest = pairs[0][0], 0.0
        for pair in pairs:
            samples = sorted((quad for quad in quads if _is_tall(quad) == (pair[0] == 90)), key=_length)[-_SAMPLES:]
            for turned in pair:
                sure = self._sureness(picture, samples, turned)
                if sure > surest:
                    best, surest = turned, sure
                if sure > 0.93:
                    return best
            if surest >= _SURE:
                break
        return best

    def _sureness(self, picture: Picture, samples: Sequence[Quad], turned: int) -> float:
        """Mean confidence of the samples when the page is taken to be turned so far; a quarter of all must be readable."""
        lines = []
        for quad in samples:
            line = np.ascontiguousarray(np.rot90(cut_out(picture, quad), turned // 90))
            lines.append(line[:, : int(_SAMPLE_ASPECT * line.shape[0])])
        if not lines:
            return 0.0
        read = [piece for piece in self._rapidocr.read_each(lines, samples) if piece is not None]
        return sum(piece.confidence for piece in read) / len(lines)


def _is_tall(quad: Quad) -> bool:
    across, down = _sides(quad)
    return down > 1.5 * across


def _sides(quad: Quad) -> tuple[float, float]:
    return math.dist(quad[0], quad[1]), math.dist(quad[0], quad[3])


def _length(quad: Quad) -> float:
    return max(_sides(quad))


def _turn(quad: Quad, turned: int, width: float, height: float) -> Quad:
    """The quad on the picture turned upright, its corners named anew."""

    def there(point: Point) -> Point:
        x, y = point
        return {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[turned]

    corners = [there(point) for point in quad]
    shift = turned // 90
    # A quad's corners go clockwise, so turning the picture only moves where they begin.
    moved = corners[shift:] + corners[:shift]
    return (moved[0], moved[1], moved[2], moved[3])


def _skew(quads: Sequence[Quad]) -> float:
    """The usual slope of lines in degrees, positive where they fall to the right; long lines tell it."""
    slopes: list[tuple[float, float]] = []
    for quad in quads:
        across, down = _sides(quad)
        if across > 4 * down:
            slope = math.degrees(math.atan2(quad[1][1] - quad[0][1], quad[1][0] - quad[0][0]))
            if abs(slope) <= _MAX_SKEW:
                slopes.append((slope, across))
    if not slopes:
        return 0.0
    slopes.sort()
    half = sum(weight for _, weight in slopes) / 2
    for slope, weight in slopes:
        half -= weight
        if half <= 0:
            return round(slope, 2)
    return 0.0


def _letters(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _confidence(pieces: Sequence[Piece]) -> float:
    return sum(piece.confidence * len(piece.text) for piece in pieces) / max(_letters(pieces), 1)


def _is_doubtful(pieces: Sequence[Piece], found: int) -> bool:
    return len(pieces) < 0.5 * found or _confidence(pieces) < _DOUBTFUL


def read_picture_file(data: bytes) -> Picture:
    """A picture as the PDF library drew it (PNM)."""
    return cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
