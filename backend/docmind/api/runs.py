"""Runs over HTTP: look, follow, stop. None of these starts work."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from sse_starlette import EventSourceResponse

from docmind.api.deps import Given
from docmind.api.schemas import RunOut
from docmind.api.sse import position, stream
from docmind.runs.answering import stop_answer

router = APIRouter(prefix="/api/runs", tags=["runs"])


@router.get("/{run_id}")
async def get_run(given: Given, run_id: str) -> RunOut:
    return RunOut.of(await asyncio.to_thread(given.runs.get, run_id))


@router.get("/{run_id}/events", response_class=EventSourceResponse)
async def run_events(
    given: Given, request: Request, run_id: str, after: Annotated[int | None, Query(ge=0)] = None
) -> EventSourceResponse:
    run = await asyncio.to_thread(given.runs.get, run_id)
    return stream(given.log, run.id, position(request, after))


@router.post("/{run_id}/stop", status_code=202)
async def stop(given: Given, run_id: str) -> RunOut:
    """Stop the run: stored first, so that it stays stopped after a restart; closing a page never does this."""
    await asyncio.to_thread(given.runs.get, run_id)
    return RunOut.of(await stop_answer(run_id))
