"""Give the event log of a run as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from docmind.api.deps import LARGEST
from docmind.errors import InvalidInput
from docmind.runs.event_log import EventLog

PING_S = 15
HEADERS = {
    # sse-starlette adds X-Accel-Buffering: no; no-transform keeps a proxy from compressing (and so holding back) events.
    "Cache-Control": "no-cache, no-store, no-transform",
    "x-vercel-ai-ui-message-stream": "v1",
}


def stream(log: EventLog, run_id: str, after: int) -> EventSourceResponse:
    """Replay from `after`, then follow to the run's last event; `[DONE]` ends it. Leaving changes nothing for the run."""
    return EventSourceResponse(_events(log, run_id, after), ping=PING_S, headers=HEADERS)


def stream_once(chunks: list[str]) -> EventSourceResponse:
    async def events() -> AsyncIterator[ServerSentEvent]:
        for number, chunk in enumerate(chunks, 1):
            yield ServerSentEvent(data=chunk, id=str(number))
        yield ServerSentEvent(data="[DONE]")

    return EventSourceResponse(events(), ping=PING_S, headers=HEADERS)


async def _events(log: EventLog, run_id: str, after: int) -> AsyncIterator[ServerSentEvent]:
    async for event in log.follow(run_id, after):
        yield ServerSentEvent(data=event.chunk, id=str(event.seq))
        await asyncio.sleep(0)
    yield ServerSentEvent(data="[DONE]")


def position(request: Request, after: int | None) -> int:
    """Where to go on: ?after= when given, else the Last-Event-ID that a browser sends when it reconnects."""
    if after is not None:
        return after
    last = request.headers.get("last-event-id", "0").strip() or "0"
    if not last.isascii() or not last.isdigit():
        raise InvalidInput(f"Last-Event-ID {last[:40]!r} is not a number")
    # Length first: int() itself refuses thousands of digits.
    if len(last) > len(str(LARGEST)) or int(last) > LARGEST:
        raise InvalidInput("Last-Event-ID is larger than any event's number")
    return int(last)
