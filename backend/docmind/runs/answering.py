"""The workflow of one answer: start it, follow its steps, keep what came of it, or stop it."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
from typing import Any

import structlog
from dbos import DBOS, SetWorkflowID

from docmind.conversations.chat import Message, MessageStatus, Role
from docmind.domain.answer import RunFinished
from docmind.domain.pages import DocumentId
from docmind.domain.ports import ChatMessage, Shelf
from docmind.errors import DocmindError, NotFound, PageNotParsed, RunNotFound, RunTakenOver
from docmind.flows.answer import Asked, answer_in_steps
from docmind.runs.chunks import answer_data, failure_chunk
from docmind.runs.durable import DurableSteps
from docmind.runs.remembering import start_remembering
from docmind.runs.run import Run, RunStatus
from docmind.runs.store import Ending
from docmind.runs.workplace import Workplace, workplace

log = structlog.get_logger()

STOP_POLL_S = 1.0

# A workflow in one of these never runs again, whatever its run's table says.
_DEAD_WORKFLOW = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_LOST = {
    "code": DocmindError.code,
    "message": "the answer broke off and could not be taken up again",
    "advice": "Ask again.",
}


async def start_answer(run_id: str) -> None:
    """Start the run's workflow, or join it when it is under way or done: the run's id is the workflow's."""
    with SetWorkflowID(run_id):
        await DBOS.start_workflow_async(answer_workflow, run_id)


async def stop_answer(run_id: str) -> Run:
    """Store the wish, end the work of this process at once, and give the run as it is then."""
    place = workplace()
    run = await asyncio.to_thread(place.runs.request_stop, run_id)
    task = place.active.get(run_id)
    if task is not None:
        task.cancel()
        await asyncio.wait([task], timeout=5)
        run = await _when_final(place, run_id)
    return run


async def _when_final(place: Workplace, run_id: str) -> Run:
    """The run once its workflow has kept how it ended, or as it is after three seconds."""
    for _ in range(60):
        run = await asyncio.to_thread(place.runs.get, run_id)
        if run.status.is_final:
            break
        await asyncio.sleep(0.05)
    return run


async def resume_answers() -> int:
    """Start what a dead process left unfinished, the run that was kept but never started among it. Gives the number."""
    place = workplace()
    unfinished = await asyncio.to_thread(place.runs.unfinished)
    for run in unfinished:
        await start_answer(run.id)
        status = await DBOS.get_workflow_status_async(run.id)
        if status is not None and status.status in _DEAD_WORKFLOW:
            await _close(place, run, _failure(_LOST), failure_chunk(**_LOST))
    return len(unfinished)


@DBOS.workflow(name="answer")
async def answer_workflow(run_id: str) -> str:
    place = workplace()
    task = asyncio.create_task(_answer(place, run_id))
    place.active[run_id] = task
    watch = asyncio.create_task(_watch_for_stop(place, run_id, task))
    try:
        return await task
    except asyncio.CancelledError:
        if place.closing:
            raise
        try:
            run = await asyncio.to_thread(place.runs.get, run_id)
        except RunNotFound:
            return RunStatus.STOPPED.value
        if not run.stop_requested:
            raise
        return await _close(place, run, Ending(RunStatus.STOPPED, await _said_so_far(place, run_id)), {"type": "abort"})
    finally:
        watch.cancel()
        place.active.pop(run_id, None)


async def _answer(place: Workplace, run_id: str) -> str:
    try:
        run = await asyncio.to_thread(place.runs.get, run_id)
    except RunNotFound:
        return RunStatus.STOPPED.value
    if run.status.is_final:
        # A crash came between the answer's commit and its last event.
        await _say_last(place, run.id, _last_chunk(run))
        return run.status.value
    if run.stop_requested:
        return await _close(place, run, Ending(RunStatus.STOPPED, await _said_so_far(place, run_id)), {"type": "abort"})
    await asyncio.to_thread(place.runs.mark_running, run_id)
    asked = await asyncio.to_thread(asked_in, place, run)
    desk = place.desk_for(asked, run.request.model)
    try:
        finished = await answer_in_steps(asked, desk, DurableSteps(run_id, place.log))
    except RunTakenOver:
        raise
    except DocmindError as exc:
        problem = {"code": exc.code, "message": exc.message, "advice": exc.advice_now}
        return await _close(place, run, _failure(problem), failure_chunk(**problem))
    except Exception as exc:
        log.exception("run_failed", run_id=run_id, error=type(exc).__name__)
        problem = {
            "code": DocmindError.code,
            "message": "the answer failed inside DocMind",
            "advice": DocmindError.advice,
        }
        return await _close(place, run, _failure(problem), failure_chunk(**problem))
    evidence = await asyncio.to_thread(_evidence, desk.shelf, finished.answer)
    model = desk.model.name if desk.model is not None and finished.answer.mode.value == "agent" else None
    return await _close(place, run, _ending(finished.answer, evidence, model), {"type": "finish"})


async def _close(place: Workplace, run: Run, ending: Ending, last_chunk: dict[str, Any]) -> str:
    """Keep the answer, then say the last word. Safe to do again: the second time changes nothing."""
    await place.log.flush()
    if not await asyncio.to_thread(place.runs.end, run.id, ending):
        try:
            ended = await asyncio.to_thread(place.runs.get, run.id)
        except RunNotFound:
            # Its chat was deleted: nothing may be written any more.
            return RunStatus.STOPPED.value
        last_chunk = _last_chunk(ended)
    # Asked before the last word: a switch that is turned on after the answer is for the turns that follow.
    is_kept = ending.status is RunStatus.FINISHED and place.remember is not None
    is_kept = is_kept and await asyncio.to_thread(place.may_remember, run.chat_id)
    await _say_last(place, run.id, last_chunk)
    if is_kept:
        await start_remembering(run.id)
    return ending.status.value


async def _say_last(place: Workplace, run_id: str, chunk: dict[str, Any]) -> None:
    if not await asyncio.to_thread(place.log.has_ended, run_id):
        place.log.append(run_id, chunk, step="end")
        await place.log.flush()


def _last_chunk(run: Run) -> dict[str, Any]:
    if run.status is RunStatus.FAILED and run.problem is not None:
        return failure_chunk(**run.problem)
    return {"type": "finish" if run.status is RunStatus.FINISHED else "abort"}


async def _watch_for_stop(place: Workplace, run_id: str, task: asyncio.Task[str]) -> None:
    """A stop may be asked for in another process: the table is looked at once a second."""
    while not task.done():
        await asyncio.sleep(STOP_POLL_S)
        if run_id in await asyncio.to_thread(place.runs.stops_requested, [run_id]):
            task.cancel()
            return


async def _said_so_far(place: Workplace, run_id: str) -> str:
    """The text of the last round that was being written, from the log."""
    await place.log.flush()
    text: dict[str, str] = {}
    after = 0
    while events := await asyncio.to_thread(place.log.replay, run_id, after):
        after = events[-1].seq
        _gather_text(text, [event.chunk for event in events])
    return next(reversed(text.values()), "").strip()


def _gather_text(text: dict[str, str], chunks: list[str]) -> None:
    for raw in chunks:
        chunk = json.loads(raw)
        if chunk["type"] == "text-delta":
            text[chunk["id"]] = text.pop(chunk["id"], "") + chunk["delta"]
        elif chunk["type"] == "data-withdrawn":
            text.pop(f"t{chunk['data']['round']}", None)


def asked_in(place: Workplace, run: Run) -> Asked:
    """What the run was asked, as its flow takes it."""
    return Asked(
        run_id=run.id,
        question=run.request.text,
        documents=tuple(DocumentId(document) for document in run.request.documents),
        history=tuple(_spoken(place.runs.history(run))),
        offline=run.request.offline,
        chat_id=run.chat_id,
        started_at=run.created_at.timestamp(),
    )


def _spoken(messages: list[Message]) -> list[ChatMessage]:
    """Earlier turns as a model reads them; an answer that never came is left out."""
    return [
        ChatMessage("user" if message.role is Role.USER else "assistant", message.text)
        for message in messages
        if message.text and message.status in (MessageStatus.FINISHED, MessageStatus.STOPPED)
    ]


def _ending(answer: RunFinished, evidence: tuple[dict[str, Any], ...], model: str | None) -> Ending:
    data = answer_data(answer)
    return Ending(
        RunStatus.FINISHED,
        answer.answer,
        citations=tuple(data["citations"]),
        evidence=evidence,
        mode=answer.mode.value,
        model=model,
        usage=dataclasses.asdict(answer.usage),
        offline_reason=answer.offline_reason,
    )


def _failure(problem: dict[str, str]) -> Ending:
    return Ending(RunStatus.FAILED, "", problem=problem)


def _evidence(shelf: Shelf, answer: RunFinished) -> tuple[dict[str, Any], ...]:
    """The text of every cited page as it was, so that a citation can be read when the document is gone."""
    evidence: dict[tuple[str, int], dict[str, Any]] = {}
    for citation in answer.citations:
        key = (citation.document_id, citation.page)
        if key in evidence:
            continue
        try:
            text = shelf.read_page(citation.document_id, citation.page).text
        except (NotFound, PageNotParsed):
            continue
        evidence[key] = {
            "document_id": citation.document_id,
            "name": citation.name,
            "page": citation.page,
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "text": text,
        }
    return tuple(evidence.values())
