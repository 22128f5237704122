"""RapidOCR (PP-OCRv6 on onnxruntime): finds text on a picture and reads it. Imported only by the OCR child process.

Its own whole-page call is not used: it shrinks the page before it cuts the lines out, and its classifier turns good lines of
sans-serif type upside down (docs/decisions/2026-12-01-ocr.md). Finding and reading are called apart, on the full picture.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np

from docmind.domain.ocr import Piece, PieceWord, Quad

Picture = Any  # a numpy array, height x width x 3, in BGR
NAME: Final = "rapidocr"
# Finding costs 0.8 s at 1,280 pixels, 1.5 s at 1,600 and 4 s at 2,339, for the same boxes on pages of 10 point type.
_FIND_SIDE: Final = 1_600
_FIND_SIDE_SMALL_TYPE: Final = 2_600
_SMALL_TYPE_PX: Final = 13.0
_MIN_CONFIDENCE: Final = 0.5


class RapidOcr:
    """Loaded when first used: half a second and 450 MB."""

    def __init__(self, *, threads: int) -> None:
        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        from rapidocr import RapidOCR

        cv2.setNumThreads(threads)
        # Its calls give one of four types by their flags, which no annotation tells apart.
        self._engine: Any = RapidOCR(
            params={
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "Global.log_level": "error",
                "Global.use_cls": False,
                # Lines of a page are of much the same length; a batch is padded to its longest.
                "Rec.rec_batch_num": 2,
            }
        )

    def find(self, picture: Picture) -> list[Quad]:
        """Corners of every piece of text, in pixels. Tall ones are lines of a page that lies on its side."""
        quads = self._find(picture, _FIND_SIDE)
        shrunk = min(1.0, _FIND_SIDE / max(picture.shape[:2]))
        if quads and shrunk < 1.0 and _usual_height(quads) * shrunk < _SMALL_TYPE_PX:
            quads = self._find(picture, _FIND_SIDE_SMALL_TYPE)
        return quads

    def _find(self, picture: Picture, side: int) -> list[Quad]:
        height, width = picture.shape[:2]
        scale = min(1.0, side / max(height, width))
        small = picture
        if scale < 1.0:
            size = (max(32, round(width * scale / 32) * 32), max(32, round(height * scale / 32) * 32))
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        found = self._engine(small, use_det=True, use_cls=False, use_rec=False)
        if found.boxes is None:
            return []
        across, down = float(width / small.shape[1]), float(height / small.shape[0])
        return [_quad(box, across, down) for box in found.boxes]

    def read(self, picture: Picture, quads: Sequence[Quad]) -> list[Piece]:
        """The text in each of the quads; what cannot be read is left out."""
        return [
            piece for piece in self.read_each([cut_out(picture, quad) for quad in quads], quads) if piece is not None
        ]

    def read_each(self, lines: Sequence[Picture], quads: Sequence[Quad]) -> list[Piece | None]:
        if not lines:
            return []
        self._engine.return_word_box = True
        result = self._engine.recognize_txt(list(lines))
        return [
            _piece(text, float(score), info, quad) if score >= _MIN_CONFIDENCE and text.strip() else None
            for text, score, info, quad in zip(result.txts, result.scores, result.word_results, quads, strict=True)
        ]


def _quad(box: Any, across: float, down: float) -> Quad:
    corners = [(float(x) * across, float(y) * down) for x, y in box]
    return (corners[0], corners[1], corners[2], corners[3])


def cut_out(picture: Picture, quad: Quad) -> Picture:
    """The line in the quad, laid level."""
    corners = np.array(quad, dtype=np.float32)
    width = int(max(math.dist(quad[0], quad[1]), math.dist(quad[2], quad[3]), 1))
    height = int(max(math.dist(quad[0], quad[3]), math.dist(quad[1], quad[2]), 1))
    level = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    return cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(corners, level),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
        flags=cv2.INTER_CUBIC,
    )


def _usual_height(quads: Sequence[Quad]) -> float:
    sides = sorted(min(abs(q[3][1] - q[0][1]), abs(q[1][0] - q[0][0])) for q in quads)
    return sides[len(sides) // 2]


def _piece(text: str, score: float, info: Any, quad: Quad) -> Piece:
    """The text with its words. The recogniser tells for each character the column of its window in which it saw it."""
    stripped = text.strip()
    lead = len(text) - len(text.lstrip())
    columns = [column for group in info.word_cols for column in group]
    total = max(float(info.line_txt_len), 1.0)
    inked = [place for place, char in enumerate(text) if not char.isspace()]
    if len(columns) != len(inked):
        # A sign of several code points: spread the characters evenly.
        columns = [(place + 0.5) * total / len(text) for place in inked]
    middles = [min(1.0, (column + 0.5) / total) for column in columns]
    words: list[PieceWord] = []
    group: list[int] = []
    for at, place in enumerate(inked):
        if group and (
            place != inked[group[-1]] + 1 or _stands_alone(text[place]) or _stands_alone(text[inked[group[-1]]])
        ):
            words.append(_word(text, group, inked, middles, info.confs, score, lead))
            group = []
        group.append(at)
    if group:
        words.append(_word(text, group, inked, middles, info.confs, score, lead))
    return Piece(stripped, quad, tuple(words), score)


def _word(
    text: str, group: list[int], inked: list[int], middles: list[float], confs: Sequence[float], score: float, lead: int
) -> PieceWord:
    first, last = group[0], group[-1]
    # Half way to the neighbours; a space between words takes its share.
    step = (middles[-1] - middles[0]) / max(len(text.strip()) - 1, 1)
    left = middles[first] - step / 2 if first else 0.0
    right = middles[last] + step / 2 if last + 1 < len(inked) else 1.0
    if first and inked[first - 1] == inked[first] - 1:
        left = (middles[first - 1] + middles[first]) / 2
    if last + 1 < len(inked) and inked[last + 1] == inked[last] + 1:
        right = (middles[last] + middles[last + 1]) / 2
    own = [confs[inked[at]] for at in group if inked[at] < len(confs)]
    confidence = sum(own) / len(own) if own else score
    return PieceWord(
        inked[first] - lead, inked[last] - lead + 1, max(0.0, left), min(1.0, max(left, right)), round(confidence, 3)
    )


def _stands_alone(char: str) -> bool:
    """Characters of scripts without spaces: each is a word of its own, so that a highlight can begin at any."""
    return "\u2e80" <= char <= "\u9fff" or "\u3040" <= char <= "\u30ff" or "\uf900" <= char <= "\ufaff"
