"""Child processes that read files, as their parent sees them: start, ask, watch the clock, kill, start again.

The child's side is worker_pipe.py. Knows nothing of PDF or OCR: a crash, a hang or a hunger for memory in the child becomes a named error here.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from docmind import errors
from docmind.errors import DocmindError, ParserCrashed, ParserOutOfMemory, ParseTimeout, ShuttingDown

_MAX_FRAME = 512 * 1_048_576
_RETIRE_AFTER_REQUESTS = 2_000
_BY_CODE: dict[str, type[DocmindError]] = {
    cls.code: cls
    for cls in vars(errors).values()
    if isinstance(cls, type) and issubclass(cls, DocmindError) and cls.code != DocmindError.code
}

Answer = dict[str, Any] | bytes


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """`worker` is the module that the child runs, with `arguments` after its own. After `idle_s` without work it is ended."""

    memory_mb: int
    test_hooks: bool = False
    worker: str = "docmind.pdf_worker"
    arguments: tuple[str, ...] = ()
    idle_s: float | None = None


class PdfProcess:
    """One child, started when first asked and again after its death. Not thread-safe: one owner at a time.

    `opened` is for the owner to note what the child has open; a death clears it.
    """

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline_end = -1
        self.requests = 0
        self._interrupted = False
        self.opened: object = None

    def _start(self) -> subprocess.Popen[bytes]:
        lifeline, self._lifeline_end = os.pipe()
        command = [sys.executable, "-m", self._limits.worker, str(lifeline), str(self._limits.memory_mb)]
        command.extend(self._limits.arguments)
        if self._limits.test_hooks:
            command.append("--test-hooks")
        # Nothing of our environment (keys!) goes to the process that reads strangers' files.
        environment = {"LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                pass_fds=(lifeline,),
                start_new_session=True,
                bufsize=0,
            )
        finally:
            os.close(lifeline)
        return self._process

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ask(self, do: str, *, seconds: float, **arguments: Any) -> Iterator[Answer]:
        """Answers as they come; each must come within `seconds` of the one before.

        Raises ParseTimeout, ParserCrashed or ParserOutOfMemory after ending the child, or the error that it named.
        """
        if self._interrupted:
            raise ShuttingDown("the parser was ended because DocMind is ending")
        self.requests += 1
        # The clock on the wall is watched here; the child's own CPU limit is a second lock should we die first.
        body = json.dumps({"request": self.requests, "do": do, "cpu_s": 600 + int(seconds), **arguments}).encode()
        if not self.alive:
            self.end()
        process = self._process or self._start()
        try:
            self._pipe(process.stdin).write(struct.pack(">I", len(body)) + body)
        except BrokenPipeError:
            raise self._death() from None
        complete = False
        try:
            while True:
                kind, frame = self._frame(seconds)
                if kind == b"B":
                    yield frame
                    continue
                answer = json.loads(frame)
                if answer is None:
                    complete = True
                    return
                if "error" in answer:
                    self._drain(seconds)
                    complete = True
                    raise _BY_CODE.get(answer["error"], ParserCrashed)(answer["message"])
                yield answer
        finally:
            # Whoever stops listening half way leaves answers in the pipe that the next owner must never read.
            if not complete:
                self.end()

    def ask_one(self, do: str, *, seconds: float, **arguments: Any) -> Answer:
        answers = list(self.ask(do, seconds=seconds, **arguments))
        return answers[0]

    def interrupt(self) -> None:
        """From another thread: end the child under its owner, who gets ShuttingDown."""
        self._interrupted = True
        process = self._process
        if process is not None:
            self._kill(process)

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        """The child and what it has started itself: it leads a group of its own."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()

    def end(self) -> None:
        """Kill the child, if one lives, and let go of everything."""
        self.opened = None
        process, self._process = self._process, None
        if process is not None:
            self._kill(process)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        if self._lifeline_end >= 0:
            os.close(self._lifeline_end)
            self._lifeline_end = -1

    def _drain(self, seconds: float) -> None:
        while self._frame(seconds)[1] != b"null":
            pass

    def _frame(self, seconds: float) -> tuple[bytes, bytes]:
        deadline = time.monotonic() + seconds
        length, request, kind = struct.unpack(">IIc", self._read(9, deadline))
        if length > _MAX_FRAME or request != self.requests:
            self.end()
            raise ParserCrashed("the parser sent an answer that nobody asked for")
        return kind, self._read(length, deadline)

    def _read(self, count: int, deadline: float) -> bytes:
        pipe = self._pipe(self._process.stdout if self._process is not None else None)
        parts: list[bytes] = []
        while count:
            ready = select.poll()
            ready.register(pipe, select.POLLIN | select.POLLHUP)
            if not ready.poll(max(0.0, (deadline - time.monotonic()) * 1000)):
                self.end()
                raise ParseTimeout("the parser did not answer in time and was ended")
            part = pipe.read(min(count, 1_048_576))
            if not part:
                raise self._death()
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _death(self) -> DocmindError:
        code = -signal.SIGKILL
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(timeout=5)
        self.end()
        if self._interrupted:
            return ShuttingDown("the parser was ended because DocMind is ending")
        if code == -signal.SIGXCPU:
            return ParseTimeout("the parser used more processor time than allowed and was ended")
        # MuPDF and the C++ layer abort on an allocation they cannot recover from.
        if code == -signal.SIGABRT:
            return ParserOutOfMemory("the parser gave up on an allocation and was ended")
        return ParserCrashed(f"the parser died on this file (exit {code})")

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None:
            raise ParserCrashed("the parser's pipes are closed")
        return pipe


class PdfProcesses:
    """At most `count` children, kept warm between documents. Thread-safe."""

    def __init__(self, count: int, limits: ProcessLimits) -> None:
        self._limits = limits
        self._free = threading.Semaphore(count)
        self._idle: list[PdfProcess] = []
        self._out: set[PdfProcess] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._ending: threading.Timer | None = None

    @contextmanager
    def lease(self) -> Iterator[PdfProcess]:
        """A living child for one owner; waits for one to be free."""
        with self._free, self._leased() as process:
            yield process

    @contextmanager
    def lease_now(self) -> Iterator[PdfProcess | None]:
        """As `lease`, but None when all are busy."""
        if not self._free.acquire(blocking=False):
            yield None
            return
        try:
            with self._leased() as process:
                yield process
        finally:
            self._free.release()

    @contextmanager
    def _leased(self) -> Iterator[PdfProcess]:
        process = self._take()
        try:
            yield process
        finally:
            self._give_back(process)

    def _take(self) -> PdfProcess:
        with self._lock:
            if self._closed:
                raise ShuttingDown("no more files are read: DocMind is ending")
            process = self._idle.pop() if self._idle else PdfProcess(self._limits)
            self._out.add(process)
            return process

    def _give_back(self, process: PdfProcess) -> None:
        with self._lock:
            self._out.discard(process)
            keep = process.alive and not self._closed and process.requests < _RETIRE_AFTER_REQUESTS
            if keep:
                self._idle.append(process)
                self._end_when_idle()
        if not keep:
            process.end()

    def _end_when_idle(self) -> None:
        if self._limits.idle_s is None:
            return
        if self._ending is not None:
            self._ending.cancel()
        self._ending = threading.Timer(self._limits.idle_s, self._end_idle)
        self._ending.daemon = True
        self._ending.start()

    def _end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    @property
    def pids(self) -> list[int]:
        """Of the children that live."""
        with self._lock:
            return [each.pid for each in (*self._idle, *self._out) if each.alive and each.pid is not None]

    def close(self) -> None:
        """End every child; whoever works with one gets ShuttingDown."""
        with self._lock:
            self._closed = True
            if self._ending is not None:
                self._ending.cancel()
            idle, self._idle = self._idle, []
            for process in self._out:
                process.interrupt()
        for process in idle:
            process.end()
