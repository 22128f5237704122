"""The child process that reads PDF files: the only place where MuPDF runs.

It takes one request a frame on standard input and answers with frames on standard output. It may be killed at any
time. A request is a length (4 bytes) and JSON. A frame is a length (4 bytes), the request's
number (4 bytes), a kind (1 byte: J for JSON, B for bytes) and that many bytes.
Started by providers/pdf_process.py as `python -m docmind.pdf_worker LIFELINE_FD MEMORY_MB`.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from docmind.errors import DocmindError, ParserOutOfMemory
from docmind.parsing.characters import readings
from docmind.parsing.read_page import read_page
from docmind.providers.pdf_pymupdf import MUPDF_ERRORS, PdfFile

Answer = dict[str, Any] | bytes


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
            "characters": self.characters,
        }
        if with_test_hooks:
            self._commands["crash"] = self.crash

    def answer(self, request: dict[str, Any]) -> Iterator[Answer]:
        cpu_s = int(request.pop("cpu_s"))
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + cpu_s + 1, hard))
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

    def characters(self, page: int) -> Iterator[Answer]:
        width, spans = self.file.characters(page)
        yield {"readings": readings(spans, width)}

    def crash(self) -> Iterator[Answer]:
        os.kill(os.getpid(), signal.SIGSEGV)
        yield {}


def die_with_parent(lifeline: int) -> None:
    """Have the kernel kill this process when the parent's end of the pipe closes, even inside a native call."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    # Linux lets us choose the signal; elsewhere SIGIO, whose default also ends the process.
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def send(out: BinaryIO, request: int, answer: Answer | None) -> None:
    """One frame; None ends the answers to a request."""
    if isinstance(answer, bytes):
        kind, body = b"B", answer
    else:
        kind, body = b"J", json.dumps(answer, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    out.write(struct.pack(">IIc", len(body), request, kind) + body)
    out.flush()


def serve(source: BinaryIO, out: BinaryIO, worker: Worker) -> None:
    while head := source.read(4):
        request = json.loads(source.read(struct.unpack(">I", head)[0]))
        number = int(request.pop("request"))
        try:
            for answer in worker.answer(request):
                send(out, number, answer)
        except DocmindError as exc:
            send(out, number, {"error": exc.code, "message": exc.message})
        except MemoryError:
            send(
                out,
                number,
                {"error": ParserOutOfMemory.code, "message": "the file asks for more memory than is allowed"},
            )
        except MUPDF_ERRORS:
            send(out, number, {"error": "corrupt", "message": "the file cannot be read"})
        send(out, number, None)


def main() -> None:
    lifeline, memory_mb = int(sys.argv[1]), int(sys.argv[2])
    die_with_parent(lifeline)
    # Copies of locked files without their password are for this user's eyes only.
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 1_048_576,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Whatever a library prints must not land among the frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, out, Worker(with_test_hooks="--test-hooks" in sys.argv))


if __name__ == "__main__":
    main()
