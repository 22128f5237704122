"""Make a page of what OCR found: text in reading order, words with their boxes on the page, and what the tree needs.

The same lines and columns as for pages with text (lines.py), on pieces whose lines have been laid level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from docmind.domain.headings import PageStyle
from docmind.domain.ocr import OcrWord, Piece, Point
from docmind.domain.pages import Box
from docmind.domain.spans import Span
from docmind.parsing.lines import Line, as_text, read_lines
from docmind.parsing.stand_out import page_style

# OCR boxes are taller than the type in them by this much, and sizes within this share of the usual one are the usual one.
_BOX_PER_EM = 1.22
_SAME_SIZE = 0.16


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """How a picture lies on its page: its size in pixels as displayed, pixels a point, and how its text stands."""

    width_px: float
    height_px: float
    scale: float
    turned: int
    skew: float


@dataclass(frozen=True, slots=True)
class PageText:
    text: str
    words: tuple[OcrWord, ...]
    style: PageStyle
    confidence: float
    language: str


def page_text(number: int, pieces: Sequence[Piece], place: PicturePlace) -> PageText:
    upright = (place.width_px, place.height_px)
    if place.turned in (90, 270):
        upright = (place.height_px, place.width_px)
    width, height = upright[0] / place.scale, upright[1] / place.scale
    spans = _snapped([_span(at, piece, place, upright) for at, piece in enumerate(pieces)])
    lines = read_lines(spans, width)
    text = as_text(lines)
    words = _placed(text, lines, pieces, place)
    letters = sum(len(piece.text) for piece in pieces)
    sure = sum(piece.confidence * len(piece.text) for piece in pieces) / letters if letters else 0.0
    return PageText(text, tuple(words), page_style(number, lines, width, height), round(sure, 3), language_of(text))


def language_of(text: str) -> str:
    """What the characters tell: zh, ja, ko, ru, ar, ... or en for Latin letters; empty where there are none."""
    counts = {"zh": 0, "ja": 0, "ko": 0, "ru": 0, "el": 0, "ar": 0, "he": 0, "th": 0, "hi": 0, "en": 0}
    for char in text:
        if char.isascii():
            counts["en"] += char.isalpha()
        else:
            for name, first, last in _RANGES:
                if first <= char <= last:
                    counts[name] += 1
                    break
    if counts["ja"] and counts["ja"] >= 0.1 * counts["zh"]:
        counts["ja"] += counts["zh"]
    # A Latin word counts as one sign: a Chinese page full of names of products is a Chinese page.
    counts["en"] = math.ceil(counts["en"] / 5)
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


_RANGES = (
    ("ja", "\u3040", "\u30ff"),
    ("zh", "\u3400", "\u9fff"),
    ("ko", "\uac00", "\ud7a3"),
    ("ru", "\u0400", "\u04ff"),
    ("el", "\u0370", "\u03ff"),
    ("ar", "\u0600", "\u06ff"),
    ("he", "\u0590", "\u05ff"),
    ("th", "\u0e00", "\u0e7f"),
    ("hi", "\u0900", "\u097f"),
)


def _span(at: int, piece: Piece, place: PicturePlace, upright: tuple[float, float]) -> Span:
    """The piece as a span in points on the page with its lines level. The font's place carries the piece's number."""
    level = [_level(point, place.skew, upright) for point in piece.quad]
    left, right = min(x for x, _ in level), max(x for x, _ in level)
    top = (level[0][1] + level[1][1]) / 2
    bottom = (level[2][1] + level[3][1]) / 2
    if bottom - top < 1:
        top, bottom = min(y for _, y in level), max(y for _, y in level)
    high = bottom - top
    size = high / place.scale / _BOX_PER_EM
    return Span(
        left / place.scale,
        top / place.scale,
        right / place.scale,
        bottom / place.scale,
        (bottom - 0.22 * high) / place.scale,
        size,
        False,
        False,
        str(at),
        piece.text,
    )


def _level(point: Point, skew: float, size: tuple[float, float]) -> Point:
    if not skew:
        return point
    angle = math.radians(-skew)
    x, y = point[0] - size[0] / 2, point[1] - size[1] / 2
    return (
        x * math.cos(angle) - y * math.sin(angle) + size[0] / 2,
        x * math.sin(angle) + y * math.cos(angle) + size[1] / 2,
    )


def _snapped(spans: list[Span]) -> list[Span]:
    """Heights of boxes vary with the letters in them: what is nearly as large as most of the page is as large."""
    if not spans:
        return []
    sizes = [span.size for span in spans for _ in range(max(1, len(span.text) // 8))]
    usual = median(sizes)
    return [
        span._replace(
            size=round(usual, 1) if abs(span.size - usual) <= _SAME_SIZE * usual else round(span.size * 2) / 2
        )
        for span in spans
    ]


def _placed(text: str, lines: Sequence[Line], pieces: Sequence[Piece], place: PicturePlace) -> list[OcrWord]:
    """Words in the order of the text. Each span stands in it unchanged, one after the other."""
    words: list[OcrWord] = []
    at = 0
    for line in lines:
        for span in line.spans:
            piece = pieces[int(span.font)]
            start = text.index(span.text.strip(), at)
            at = start + len(span.text.strip())
            for word in piece.words:
                box = _box(piece, word.left, word.right, place)
                words.append(OcrWord(start + word.start, start + word.end, box, word.confidence))
    return words


def _box(piece: Piece, left: float, right: float, place: PicturePlace) -> Box:
    """The part of the piece from left to right (0 to 1) as a box on the page as displayed."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = piece.quad
    corners = []
    for share in (left, right):
        corners.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        corners.append((x3 + (x2 - x3) * share, y3 + (y2 - y3) * share))
    there = [_displayed(corner, place) for corner in corners]
    scale = place.scale
    return Box(
        round(min(x for x, _ in there) / scale, 2),
        round(min(y for _, y in there) / scale, 2),
        round(max(x for x, _ in there) / scale, 2),
        round(max(y for _, y in there) / scale, 2),
    )


def _displayed(point: Point, place: PicturePlace) -> Point:
    x, y = point
    width, height = place.width_px, place.height_px
    return {0: (x, y), 90: (width - y, x), 180: (width - x, height - y), 270: (y, height - x)}[place.turned]
