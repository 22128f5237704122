"""Runs over HTTP: look, follow, stop. None of these starts work."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from sse_starlette import EventSourceResponse

from docmind.api.deps import LARGEST, Given
from docmind.api.schemas import RunOut
from docmind.api.sse import position, stream
from docmind.flows.trace import trace_to_json
from docmind.runs.answering import stop_answer
from docmind.runs.tracing import trace_of_run

router = APIRouter(prefix="/api/runs", tags=["runs"])


@router.get("/{run_id}")
async def get_run(given: Given, run_id: str) -> RunOut:
    return RunOut.of(await asyncio.to_thread(given.runs.get, run_id))


@router.get("/{run_id}/trace", response_class=JSONResponse)
async def run_trace(run_id: str) -> JSONResponse:
    """Every round, call, look, token and second of the run; `docmind replay` plays it again. Holds text of the pages read."""
    return JSONResponse(trace_to_json(await trace_of_run(run_id)), headers={"Cache-Control": "no-store"})


@router.get("/{run_id}/events", response_class=EventSourceResponse)
async def run_events(
    given: Given, request: Request, run_id: str, after: Annotated[int | None, Query(ge=0, le=LARGEST)] = None
) -> EventSourceResponse:
    run = await asyncio.to_thread(given.runs.get, run_id)
    return stream(given.log, run.id, position(request, after))


@router.post("/{run_id}/stop", status_code=202)
async def stop(given: Given, run_id: str) -> RunOut:
    """Stop the run: stored first, so that it stays stopped after a restart; closing a page never does this."""
    await asyncio.to_thread(given.runs.get, run_id)
    return RunOut.of(await stop_answer(run_id))
