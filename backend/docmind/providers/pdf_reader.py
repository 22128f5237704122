"""Read PDF files through child processes: a bad page costs that page, never the server.

The pages of a long document are read by two children at once. Calls block.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docmind.domain.headings import style_from_json
from docmind.domain.pages import Page, PageKind
from docmind.domain.reading import FileFacts, OutlineEntry, PageRead, TitledLink
from docmind.errors import EmptyFile, NotAPdf, ParserCrashed, ParseTimeout, UnreadableDocument
from docmind.providers.pdf_process import Answer, PdfProcess, PdfProcesses

_HEADER_WITHIN = 1_024
_BATCH = 12
_SHARE_FROM_PAGES = 48
# A file that ends its reader this often is not read further: each death costs up to page_seconds.
_MAX_DEATHS = 5


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """`open_s` for opening a file and reading its outline, `page_s` for each page, `pace_s` a page over the whole."""

    open_s: float
    page_s: float
    max_pages: int
    pace_s: float = 1.0


class PdfReader:
    def __init__(self, processes: PdfProcesses, limits: ReadingLimits) -> None:
        self._processes = processes
        self._limits = limits

    @contextmanager
    def open(
        self, source: Path, *, password: str | None, unlocked_copy: Path, stopped: Callable[[], bool]
    ) -> Iterator[PdfReading]:
        check_header(source)
        with self._processes.lease() as process:
            request = {
                "path": str(source.resolve()),
                "password": password,
                "max_pages": self._limits.max_pages,
                "unlocked_copy": str(unlocked_copy.resolve()),
            }
            yield PdfReading(self._processes, process, self._limits, request, stopped)


class PdfReading:
    """A file open in one child, and in a second one while its pages are read."""

    def __init__(
        self,
        processes: PdfProcesses,
        process: PdfProcess,
        limits: ReadingLimits,
        request: dict[str, Any],
        stopped: Callable[[], bool],
    ) -> None:
        self._processes = processes
        self._process = process
        self._limits = limits
        self._stopped = stopped
        answer = _fields(process.ask_one("open", seconds=limits.open_s, **request))
        # Later openings (the second child, a child after a death) need no password when there is a copy without.
        self._reopen = {**request, "unlocked_copy": None}
        if answer["unlocked"]:
            self._reopen |= {"path": request["unlocked_copy"], "password": None}
        process.opened = self
        self._facts = FileFacts(
            page_count=answer["page_count"],
            labels=tuple(answer["labels"]),
            attachments=answer["attachments"],
            unlocked=answer["unlocked"],
            title=answer.get("title", ""),
            author=answer.get("author", ""),
        )
        self._deaths = 0
        self._deadline = time.monotonic() + limits.open_s + limits.pace_s * self._facts.page_count

    @property
    def facts(self) -> FileFacts:
        return self._facts

    def outline(self) -> tuple[OutlineEntry, ...]:
        self._ensure_open(self._process)
        answer = _fields(self._process.ask_one("outline", seconds=self._limits.open_s))
        return tuple(OutlineEntry(*entry) for entry in answer["entries"])

    def titled_links(self, first: int, last: int) -> tuple[TitledLink, ...]:
        self._ensure_open(self._process)
        answer = _fields(self._process.ask_one("titled_links", seconds=self._limits.page_s, first=first, last=last))
        return tuple(TitledLink(*link) for link in answer["links"])

    def pages(self) -> Iterator[PageRead]:
        count = self._facts.page_count
        batches = deque((first, min(first + _BATCH - 1, count)) for first in range(1, count + 1, _BATCH))
        if count < _SHARE_FROM_PAGES:
            for first, last in batches:
                yield from self._read(self._process, first, last)
            return
        yield from self._read_shared(batches)

    def _read_shared(self, batches: deque[tuple[int, int]]) -> Iterator[PageRead]:
        """All batches, by as many children as are free (up to two)."""
        found: queue.Queue[PageRead | Exception | None] = queue.Queue(maxsize=4 * _BATCH)
        over = threading.Event()

        def work(process: PdfProcess) -> None:
            try:
                while not over.is_set():
                    try:
                        first, last = batches.popleft()
                    except IndexError:
                        break
                    for page in self._read(process, first, last):
                        found.put(page)
            except UnreadableDocument as exc:
                found.put(exc)
            finally:
                found.put(None)

        with self._processes.lease_now() as second:
            children = [self._process, *([second] if second is not None else [])]
            threads = [threading.Thread(target=work, args=(child,), daemon=True) for child in children]
            for thread in threads:
                thread.start()
            try:
                working = len(threads)
                while working:
                    item = found.get()
                    if item is None:
                        working -= 1
                    elif isinstance(item, Exception):
                        raise item
                    else:
                        yield item
            finally:
                over.set()
                while any(thread.is_alive() for thread in threads):
                    _discard(found)
                    for thread in threads:
                        thread.join(0.02)

    def _read(self, process: PdfProcess, first: int, last: int) -> Iterator[PageRead]:
        """Pages first to last. A page that kills the child is given with its problem, and reading goes on after it."""
        number = first
        while number <= last and not self._stopped():
            if self._deaths > _MAX_DEATHS or time.monotonic() > self._deadline:
                code = ParserCrashed.code if self._deaths > _MAX_DEATHS else ParseTimeout.code
                yield self._unread(number, code)
                number += 1
                continue
            try:
                self._ensure_open(process)
                for answer in process.ask("read_pages", seconds=self._limits.page_s, first=number, last=last):
                    fields = _fields(answer)
                    number = fields["number"] + 1
                    yield self._page(fields)
            except UnreadableDocument as exc:
                self._deaths += 1
                yield self._unread(number, exc.code)
                number += 1

    def _ensure_open(self, process: PdfProcess) -> None:
        if process.opened is not self or not process.alive:
            process.opened = None
            process.ask_one("open", seconds=self._limits.open_s, **self._reopen)
            process.opened = self

    def _label(self, number: int) -> str:
        labels = self._facts.labels
        return labels[number - 1] if number <= len(labels) else str(number)

    def _unread(self, number: int, code: str) -> PageRead:
        return PageRead(Page(number, "", self._label(number), problem=code), None)

    def _page(self, fields: dict[str, Any]) -> PageRead:
        if fields["problem"]:
            return self._unread(fields["number"], fields["problem"])
        page = Page(
            number=fields["number"],
            text=fields["text"],
            label=self._label(fields["number"]),
            width_pt=fields["width"],
            height_pt=fields["height"],
            kind=PageKind(fields["kind"]),
            kind_score=fields["kind_score"],
            kind_reason=fields["kind_reason"],
        )
        return PageRead(page, style_from_json(fields["style"]))


def check_header(source: Path) -> None:
    """Raises EmptyFile or NotAPdf without starting a child."""
    with source.open("rb") as file:
        head = file.read(_HEADER_WITHIN)
    if not head:
        raise EmptyFile("the file has 0 bytes")
    if b"%PDF-" not in head:
        raise NotAPdf("the first 1,024 bytes hold no %PDF- mark")


def _fields(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, bytes):
        raise ParserCrashed("the parser answered with bytes where fields were expected")
    return answer


def _discard(found: queue.Queue[PageRead | Exception | None]) -> None:
    while True:
        try:
            found.get_nowait()
        except queue.Empty:
            return
