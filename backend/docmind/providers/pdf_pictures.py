"""Pictures of pages, and the places of quotes on them, made on demand in child processes of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docmind.domain.normal_text import find_quote
from docmind.domain.pages import Box
from docmind.errors import ParserCrashed, ParserOutOfMemory, ParseTimeout, RenderFailed, RenderTimeout
from docmind.providers.pdf_process import Answer, PdfProcess, PdfProcesses


class PdfPictures:
    """Fulfils domain.ports.PageImages."""

    def __init__(self, processes: PdfProcesses, *, page_s: float, max_pixels: int, max_pages: int) -> None:
        self._processes = processes
        self._page_s = page_s
        self._max_pixels = max_pixels
        self._max_pages = max_pages

    async def render(self, source: Path, page: int, *, scale: float, max_side_px: int) -> bytes:
        """The page as JPEG. Raises RenderTimeout or RenderFailed."""
        return await asyncio.to_thread(self._render, source, page, scale, max_side_px)

    async def quote_boxes(self, source: Path, page: int, quote: str) -> tuple[Box, ...]:
        """A box for each line of the quote's first place on the page; none when it is not there."""
        return await asyncio.to_thread(self._quote_boxes, source, page, quote)

    def _render(self, source: Path, page: int, scale: float, max_side: int) -> bytes:
        answer = self._ask(source, "render", page=page, scale=scale, max_side=max_side, max_pixels=self._max_pixels)
        if not isinstance(answer, bytes):
            raise RenderFailed(f"page {page} gave no picture")
        return answer

    def _quote_boxes(self, source: Path, page: int, quote: str) -> tuple[Box, ...]:
        answer = self._ask(source, "characters", page=page)
        if isinstance(answer, bytes):
            raise RenderFailed(f"page {page} gave no characters")
        for text, boxes in answer["readings"]:
            span = find_quote(quote, text)
            if span is not None:
                return tuple(_merge(boxes[span[0] : span[1]]))
        return ()

    def _ask(self, source: Path, do: str, **arguments: Any) -> Answer:
        page = arguments["page"]
        with self._processes.lease() as process:
            try:
                open_in(process, source, seconds=self._page_s, max_pages=self._max_pages)
                return process.ask_one(do, seconds=self._page_s, **arguments)
            except ParseTimeout as exc:
                raise RenderTimeout(f"page {page} took longer than {self._page_s:g} s to draw") from exc
            except (ParserCrashed, ParserOutOfMemory) as exc:
                raise RenderFailed(f"page {page} cannot be drawn: {exc.message}") from exc


def open_in(process: PdfProcess, source: Path, *, seconds: float, max_pages: int) -> None:
    """Have the file open in the child, where it is not already."""
    stat = source.stat()
    key = (source.resolve(), stat.st_ino, stat.st_mtime_ns)
    if process.opened == key and process.alive:
        return
    process.opened = None
    process.ask_one("open", seconds=seconds, path=str(key[0]), password=None, max_pages=max_pages, unlocked_copy=None)
    process.opened = key


def _merge(chars: Sequence[Sequence[float] | None]) -> list[Box]:
    """One box for each run of characters on a line."""
    merged: list[Box] = []
    for char in chars:
        if char is None:
            continue
        left, top, right, bottom = char
        last = merged[-1] if merged else None
        same_line = last is not None and min(bottom, last.bottom) - max(top, last.top) > 0.5 * (bottom - top)
        near = last is not None and -1.0 <= left - last.right < 2.0 * (bottom - top)
        if last is not None and same_line and near:
            merged[-1] = Box(last.left, min(last.top, top), max(last.right, right), max(last.bottom, bottom))
        else:
            merged.append(Box(left, top, right, bottom))
    return merged
