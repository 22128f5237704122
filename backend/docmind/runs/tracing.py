"""The trace of a run, from the step results that DBOS keeps: nothing is stored twice."""

from __future__ import annotations

import asyncio

from dbos import DBOS

from docmind.flows.trace import Trace, trace_of_steps
from docmind.runs.answering import asked_in
from docmind.runs.workplace import workplace


async def trace_of_run(run_id: str) -> Trace:
    """As far as the run has come. Raises RunNotFound."""
    place = workplace()
    run = await asyncio.to_thread(place.runs.get, run_id)
    asked = await asyncio.to_thread(asked_in, place, run)
    steps = await DBOS.list_workflow_steps_async(run_id)
    return trace_of_steps(asked, {step["function_name"]: step["output"] for step in steps if step["error"] is None})
