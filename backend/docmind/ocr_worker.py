"""The child process that reads pictures of pages by OCR: the only place where the engines run.

Started by providers/ocr_process.py as `python -m docmind.ocr_worker LIFELINE_FD MEMORY_MB JSON`, where JSON holds the settings
of the engines. It answers two requests: `engines`, and `read` for a picture in a file.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docmind.domain.headings import style_to_json
from docmind.domain.ocr import EngineWish
from docmind.parsing.ocr_text import PicturePlace, page_text
from docmind.providers.worker_pipe import Answer, work

# onnxruntime sends what it was used for to its makers, unless this is set before its import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # noqa: TID251


class Worker:
    def __init__(self, settings: dict[str, Any]) -> None:
        # A background job: whoever asks a question goes first.
        os.nice(5)
        from docmind.providers.ocr_page import PictureReader

        threads = int(settings["threads"])
        os.environ["OMP_THREAD_LIMIT"] = str(threads)  # noqa: TID251
        self._reader = PictureReader(
            threads=threads,
            tesseract=settings["tesseract"],
            languages=settings["languages"],
            timeout_s=float(settings["page_s"]),
        )

    def answer(self, request: dict[str, Any]) -> Iterator[Answer]:
        if request.pop("do") == "engines":
            yield {"engines": self._reader.engines}
            return
        yield self._read(**request)

    def _read(self, picture: str, number: int, scale: float, engine: str) -> Answer:
        from docmind.providers.ocr_page import read_picture_file

        started = time.monotonic()
        pixels = read_picture_file(Path(picture).read_bytes())
        height, width = pixels.shape[:2]
        read = self._reader.read(pixels, EngineWish(engine))
        made = page_text(number, read.pieces, PicturePlace(width, height, scale, read.turned, read.skew))
        return {
            "number": number,
            "text": made.text,
            "words": [
                [word.start, word.end, word.box.left, word.box.top, word.box.right, word.box.bottom, word.confidence]
                for word in made.words
            ],
            "width_pt": round(width / scale, 2),
            "height_pt": round(height / scale, 2),
            "confidence": made.confidence,
            "engine": read.engine,
            "language": made.language,
            "seconds": round(time.monotonic() - started, 2),
            "turned": read.turned,
            "skew": read.skew,
            "style": style_to_json(made.style),
            "corrected": None,
            "replaced": "",
        }


def main() -> None:
    worker = Worker(json.loads(sys.argv[3]))
    import cv2

    work(worker.answer, memory_mb=int(sys.argv[2]), lifeline=int(sys.argv[1]), corrupt=(cv2.error, ValueError))


if __name__ == "__main__":
    main()
