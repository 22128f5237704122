"""OCR of pages of PDF files: one child draws the page, another reads the picture. Fulfils domain.ports.OcrReader.

The reading child holds the engines' models (some 500 MB), so it is started when there is something to read and ended
when there has been nothing for a while.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docmind.domain.ocr import EngineWish, OcrPage, ocr_page_from_json
from docmind.errors import (
    OcrFailed,
    ParserCrashed,
    ParserOutOfMemory,
    ParseTimeout,
    RenderFailed,
    RenderTimeout,
)
from docmind.providers.pdf_pictures import open_in
from docmind.providers.pdf_process import Answer, PdfProcesses, ProcessLimits

_DPI = 300
_MAX_SIDE_PX = 3_600


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """`tesseract` is the program's path (empty: the one on PATH), `languages` its languages as it names them ("chi_sim+eng")."""

    engine: EngineWish = EngineWish.AUTO
    tesseract: str = ""
    languages: str = "chi_sim+eng"
    threads: int = 1
    workers: int = 1
    page_s: float = 180.0
    memory_mb: int = 4_000
    idle_s: float = 30.0


class OcrProcesses:
    """Blocking and thread-safe: as many pages at a time as there are workers; who comes later waits."""

    def __init__(
        self, drawing: PdfProcesses, settings: OcrSettings, *, scratch: Path, draw_s: float, max_pages: int
    ) -> None:
        self._drawing = drawing
        self._settings = settings
        self._scratch = scratch
        self._draw_s = draw_s
        self._max_pages = max_pages
        self._engines: tuple[str, ...] = ()
        engines = {
            "tesseract": settings.tesseract,
            "languages": settings.languages,
            "threads": settings.threads,
            "page_s": settings.page_s,
        }
        self.processes = PdfProcesses(
            settings.workers,
            ProcessLimits(
                memory_mb=settings.memory_mb,
                worker="docmind.ocr_worker",
                arguments=(json.dumps(engines),),
                idle_s=settings.idle_s,
            ),
        )

    def engines(self) -> Sequence[str]:
        """Names of the engines that work here."""
        if not self._engines:
            with self.processes.lease() as process:
                self._engines = tuple(_fields(process.ask_one("engines", seconds=self._settings.page_s))["engines"])
        return self._engines

    def read_page(self, source: Path, number: int, *, wish: EngineWish | None = None, picture: bool = False) -> OcrPage:
        """Raises UnreadableDocument, RenderFailed, RenderTimeout, OcrFailed or OcrNotAvailable."""
        self._scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="ocr-", dir=self._scratch) as folder:
            drawn = Path(folder) / "page.pnm"
            place, shown = self._draw(source, number, drawn, picture=picture)
            raw = self._read(drawn, number, place["scale"], wish or self._settings.engine)
        page = ocr_page_from_json({**raw, "width_pt": place["width"], "height_pt": place["height"]})
        return replace(page, picture=shown)

    def _draw(self, source: Path, number: int, path: Path, *, picture: bool) -> tuple[dict[str, Any], bytes | None]:
        with self._drawing.lease() as process:
            try:
                open_in(process, source, seconds=self._draw_s, max_pages=self._max_pages)
                place = process.ask_one(
                    "draw", seconds=self._draw_s, page=number, path=str(path.resolve()), dpi=_DPI, max_side=_MAX_SIDE_PX
                )
                shown: Answer | None = None
                if picture:
                    shown = process.ask_one(
                        "render", seconds=self._draw_s, page=number, scale=2.0, max_side=1_600, max_pixels=2_560_000
                    )
            except ParseTimeout as exc:
                raise RenderTimeout(f"page {number} took longer than {self._draw_s:g} s to draw") from exc
            except (ParserCrashed, ParserOutOfMemory) as exc:
                raise RenderFailed(f"page {number} cannot be drawn: {exc.message}") from exc
        return _fields(place), shown if isinstance(shown, bytes) else None

    def _read(self, path: Path, number: int, scale: float, wish: EngineWish) -> dict[str, Any]:
        with self.processes.lease() as process:
            try:
                answer = process.ask_one(
                    "read",
                    seconds=self._settings.page_s,
                    picture=str(path.resolve()),
                    number=number,
                    scale=scale,
                    engine=wish.value,
                )
            except ParseTimeout as exc:
                raise OcrFailed(f"OCR of page {number} took longer than {self._settings.page_s:g} s") from exc
            except (ParserCrashed, ParserOutOfMemory) as exc:
                raise OcrFailed(f"OCR of page {number} ended badly: {exc.message}") from exc
        return _fields(answer)

    def close(self) -> None:
        self.processes.close()


def _fields(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, bytes):
        raise ParserCrashed("the child answered with bytes where fields were expected")
    return answer
