"""The child process that reads PDF files: the only place where MuPDF runs.

It takes one request a frame on standard input and answers with frames on standard output (providers/worker_pipe.py). It may
be killed at any time.
Started by providers/pdf_process.py as `python -m docmind.pdf_worker LIFELINE_FD MEMORY_MB`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from docmind.errors import DocmindError
from docmind.parsing.characters import readings
from docmind.parsing.read_page import read_page
from docmind.providers.pdf_pymupdf import MUPDF_ERRORS, PdfFile
from docmind.providers.worker_pipe import Answer, work


class Worker:
    """Holds at most one open document between requests."""

    def __init__(self, *, with_test_hooks: bool) -> None:
        self._file: PdfFile | None = None
        self._commands: dict[str, Callable[..., Iterator[Answer]]] = {
            "open": self.open,
            "read_pages": self.read_pages,
            "outline": self.outline,
            "titled_links": self.titled_links,
            "render": self.render,
            "draw": self.draw,
            "characters": self.characters,
        }
        if with_test_hooks:
            self._commands["crash"] = self.crash

    def answer(self, request: dict[str, Any]) -> Iterator[Answer]:
        yield from self._commands[request.pop("do")](**request)

    @property
    def file(self) -> PdfFile:
        if self._file is None:
            raise DocmindError("no document is open in this worker")
        return self._file

    def open(self, path: str, password: str | None, max_pages: int, unlocked_copy: str | None) -> Iterator[Answer]:
        if self._file is not None:
            self._file.close()
            self._file = None
        file = self._file = PdfFile(Path(path), password=password, max_pages=max_pages)
        unlocked = file.was_locked and unlocked_copy is not None
        if unlocked and unlocked_copy is not None:
            file.save_unlocked(Path(unlocked_copy))
        yield {
            "page_count": file.page_count,
            "labels": file.labels(),
            "attachments": file.attachments(),
            "unlocked": unlocked,
            **file.facts(),
        }

    def read_pages(self, first: int, last: int) -> Iterator[Answer]:
        for number in range(first, last + 1):
            try:
                raw = self.file.read_page(number)
            except MemoryError:
                raise
            except MUPDF_ERRORS:
                yield {"number": number, "problem": "page_not_parsed"}
                continue
            yield dict(
                read_page(
                    number,
                    spans=raw.spans,
                    images=raw.images,
                    unmapped=raw.unmapped,
                    letters=raw.letters,
                    size=(raw.width, raw.height),
                    read_codes=partial(self.file.read_codes, number),
                )
            )

    def outline(self) -> Iterator[Answer]:
        yield {"entries": list(self.file.outline())}

    def titled_links(self, first: int, last: int) -> Iterator[Answer]:
        try:
            yield {"links": self.file.titled_links(first, last)}
        except MUPDF_ERRORS:
            yield {"links": []}

    def render(self, page: int, scale: float, max_side: int, max_pixels: int) -> Iterator[Answer]:
        try:
            yield self.file.render(page, scale=scale, max_side=max_side, max_pixels=max_pixels)
        except MUPDF_ERRORS:
            yield {"error": "render_failed", "message": f"page {page} cannot be drawn"}

    def draw(self, page: int, path: str, dpi: int, max_side: int) -> Iterator[Answer]:
        try:
            scale, width, height = self.file.draw(page, Path(path), dpi=dpi, max_side=max_side)
        except MUPDF_ERRORS:
            yield {"error": "render_failed", "message": f"page {page} cannot be drawn"}
            return
        yield {"scale": scale, "width": width, "height": height}

    def characters(self, page: int) -> Iterator[Answer]:
        width, spans = self.file.characters(page)
        yield {"readings": readings(spans, width)}

    def crash(self) -> Iterator[Answer]:
        os.kill(os.getpid(), signal.SIGSEGV)
        yield {}


def main() -> None:
    worker = Worker(with_test_hooks="--test-hooks" in sys.argv)
    work(worker.answer, memory_mb=int(sys.argv[2]), lifeline=int(sys.argv[1]), corrupt=MUPDF_ERRORS)


if __name__ == "__main__":
    main()
