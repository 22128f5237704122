"""The workflow after an answer: what of the turn is worth remembering. In the background, and again after a kill."""

from __future__ import annotations

import asyncio

import structlog
from dbos import DBOS, SetWorkflowID

from docmind.conversations.chat import Message
from docmind.errors import NotFound
from docmind.memory.remember import Turn
from docmind.runs.run import Run
from docmind.runs.workplace import Workplace, workplace

log = structlog.get_logger()


async def start_remembering(run_id: str) -> None:
    """Start the work on the run's turn, or join it: one workflow a run."""
    with SetWorkflowID(f"remember-{run_id}"):
        await DBOS.start_workflow_async(remember_workflow, run_id)


@DBOS.workflow(name="remember")
async def remember_workflow(run_id: str) -> int:
    return await DBOS.run_step_async({"name": "remember"}, _remember, workplace(), run_id)


async def _remember(place: Workplace, run_id: str) -> int:
    """How many items were kept or merged."""
    key = f"remember-{run_id}"
    task = asyncio.current_task()
    if task is None or place.remember is None:
        return 0
    place.active[key] = task
    try:
        try:
            turn = await asyncio.to_thread(_turn, place, run_id)
        except NotFound:
            return 0  # the chat was deleted meanwhile
        remembered = await place.remember(turn)
        log.info(
            "remembered",
            run_id=run_id,
            kept=len(remembered.kept),
            unusable=remembered.unusable,
            model_calls=remembered.model_calls,
            problem=remembered.problem,
        )
        return len(remembered.kept)
    finally:
        place.active.pop(key, None)


def _turn(place: Workplace, run_id: str) -> Turn:
    run = place.runs.get(run_id)
    answer = place.runs.answer(run)
    return Turn(
        chat_id=run.chat_id,
        message_id=run.user_message_id,
        question=run.request.text,
        answer=answer.text if answer is not None else "",
        at=run.created_at,
        document_ids=_documents(run, answer),
    )


def _documents(run: Run, answer: Message | None) -> tuple[str, ...]:
    """Those that were cited; else those that were chosen."""
    cited = dict.fromkeys(citation["document_id"] for citation in answer.citations) if answer is not None else {}
    return tuple(cited) or run.request.documents
