"""The steps of a run: what is done once, kept, and given back after a crash instead of being done again.

A run is its sequence of step results: the transcript, the budget and the answer are computed from them alone. Everything a
reader sees is emitted inside a step, so a replayed step emits nothing (its events are in the log already). Step names are
unique in a run and the same in every replay; a step reads the clock itself and keeps what it read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from docmind.domain.answer import AnswerEvent

Result = TypeVar("Result")
Emit = Callable[[AnswerEvent], None]
Work = Callable[[Emit], Awaitable[Result]]


class Steps(Protocol):
    """Runs a step, or gives back its kept result. Steps of one round are started together, in a fixed order.

    Results are frozen dataclasses of plain values; work raises nothing that a run survives (those are results as well).
    A step that broke off is done again from its beginning: its earlier events are void, which a durable runner says with
    TextWithdrawn(round, "resumed") when text had been emitted.
    """

    async def run(self, name: str, work: Work[Result]) -> Result: ...


class InProcessSteps:
    """Does the work, and hands events to `emit`."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    async def run(self, name: str, work: Work[Result]) -> Result:
        return await work(self._emit)


async def events_of(start: Callable[[Emit], Coroutine[Any, Any, Any]]) -> AsyncGenerator[AnswerEvent]:
    """Events of a run in this process as they come. Closing the generator cancels the run and what it waits for."""
    queue: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()
    task = asyncio.create_task(start(queue.put_nowait))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
