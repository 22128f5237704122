"""The child's side of a child process: frames on pipes, and an end with its parent. The parent's side is pdf_process.py.

A request is a length (4 bytes) and JSON. An answer is frames: a length (4 bytes), the request's number (4 bytes), a kind
(1 byte: J for JSON, B for bytes) and that many bytes; the frame `null` ends the answers to a request.
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
from typing import Any, BinaryIO

from docmind.errors import DocmindError, ParserOutOfMemory

Answer = dict[str, Any] | bytes


def work(
    answer: Callable[[dict[str, Any]], Iterator[Answer]],
    *,
    memory_mb: int,
    lifeline: int,
    corrupt: tuple[type[BaseException], ...],
) -> None:
    """Answer requests until the parent is gone. Errors in `corrupt` say that the file cannot be read."""
    die_with_parent(lifeline)
    # What is written is for this user's eyes only: copies of locked files without their password, pictures of pages.
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 1_048_576,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Whatever a library prints must not land among the frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, out, answer, corrupt)


def limit_cpu(seconds: int) -> None:
    """Die when the request at hand uses more: a second lock, should the parent die before it can end us."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))


def die_with_parent(lifeline: int) -> None:
    """Have the kernel kill this process when the parent's end of the pipe closes, even inside a native call."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    # Linux lets us choose the signal; elsewhere SIGIO, whose default also ends the process.
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def _serve(
    source: BinaryIO,
    out: BinaryIO,
    answer: Callable[[dict[str, Any]], Iterator[Answer]],
    corrupt: tuple[type[BaseException], ...],
) -> None:
    while head := source.read(4):
        request = json.loads(source.read(struct.unpack(">I", head)[0]))
        number = int(request.pop("request"))
        limit_cpu(int(request.pop("cpu_s")))
        try:
            for piece in answer(request):
                _send(out, number, piece)
        except DocmindError as exc:
            _send(out, number, {"error": exc.code, "message": exc.message})
        except MemoryError:
            message = "the file asks for more memory than is allowed"
            _send(out, number, {"error": ParserOutOfMemory.code, "message": message})
        except corrupt:
            _send(out, number, {"error": "corrupt", "message": "the file cannot be read"})
        _send(out, number, None)


def _send(out: BinaryIO, request: int, answer: Answer | None) -> None:
    """One frame; None ends the answers to a request."""
    if isinstance(answer, bytes):
        kind, body = b"B", answer
    else:
        kind, body = b"J", json.dumps(answer, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    out.write(struct.pack(">IIc", len(body), request, kind) + body)
    out.flush()
