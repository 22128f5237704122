"""question -> recall -> agent (tools, pages) -> cited answer. The order of one run; what each stage does stands elsewhere.

`answer_in_steps` is the run itself, for a durable runner; `answer` is the same as a stream of events in this process.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from docmind.agent.budget import Budget
from docmind.agent.citations import PageText
from docmind.agent.language import NOT_FOUND, phrase
from docmind.agent.loop import Reading, read_in_rounds
from docmind.agent.prompts import prompt
from docmind.agent.round import FIRST_WAIT_S, Caller
from docmind.agent.rounds import Recalled, Round, spent_on
from docmind.agent.steps import Emit, InProcessSteps, Steps, events_of
from docmind.agent.transcript import Opening
from docmind.agent.unread import unseen_note, why_offline
from docmind.domain.answer import (
    AnswerEvent,
    AnswerMode,
    BudgetSpent,
    Citation,
    CitationChecked,
    MemoryUsed,
    ModeChanged,
    RoundEnded,
    RoundStarted,
    RunFinished,
    RunStarted,
    TextDelta,
    Usage,
    WrittenAnswer,
    verified_share,
)
from docmind.domain.document import Problem
from docmind.domain.pages import Box, DocumentId
from docmind.domain.ports import ChatMessage, ChatModel, PageFinder, PagePictures, Shelf, Transcripts
from docmind.errors import (
    DocumentDeleted,
    DocumentNotFound,
    DocumentNotReady,
    InvalidPageRange,
    ModelNotConfigured,
    PageNotParsed,
    RenderFailed,
    RenderTimeout,
)
from docmind.tools.page_vision import PageVision
from docmind.tools.room import Room
from docmind.tools.toolbox import Tool, Toolbox

QuoteBoxes = Callable[[DocumentId, int, str], Awaitable[tuple[Box, ...]]]


class OfflineReader(Protocol):
    """Answers from page search alone. Blocking."""

    def __call__(self, question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. `documents` empty means the whole library; `started_at` in seconds since 1970 is the budget's beginning."""

    run_id: str
    question: str
    documents: tuple[DocumentId, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    offline: bool = False
    chat_id: str | None = None
    started_at: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a run is handed. `model` None means none is configured; `vision` None that no model looks at pages."""

    shelf: Shelf
    finder: PageFinder
    offline: OfflineReader
    model: ChatModel | None = None
    vision: PageVision | None = None
    pictures: PagePictures | None = None
    transcripts: Transcripts | None = None
    boxes: QuoteBoxes | None = None
    recall: Callable[[Asked], Awaitable[Recalled]] | None = None
    extra_tools: Callable[[Asked, Room], Sequence[Tool]] | None = None
    budget: Budget = field(default_factory=Budget)
    clock: Callable[[], float] = time.time
    first_wait_s: float = FIRST_WAIT_S


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a run, for the store and the trace."""

    answer: RunFinished
    rounds: tuple[Round, ...]
    written: WrittenAnswer | None = None
    model: str = ""


async def answer(asked: Asked, desk: Desk) -> AsyncGenerator[AnswerEvent]:
    """Events of the run as they come. Closing the generator stops the run and its upstream request."""
    async with aclosing(events_of(lambda emit: answer_in_steps(asked, desk, InProcessSteps(emit)))) as events:
        async for event in events:
            yield event


async def answer_in_steps(asked: Asked, desk: Desk, steps: Steps) -> Finished:
    """The run. Every event is emitted within a step; nothing but step results decides what comes next."""
    reading = None
    if desk.model is not None and not asked.offline:
        room = Room(desk.shelf, asked.documents, run_id=asked.run_id)
        extra = tuple(desk.extra_tools(asked, room)) if desk.extra_tools else ()
        sees = desk.model.card.sees_images and desk.pictures is not None
        toolbox = Toolbox(room, desk.finder, vision=desk.vision, model_sees=sees, extra=extra)
        caller = _caller(asked, desk, desk.model, toolbox, room.fence)
        reading = await read_in_rounds(caller, toolbox, steps)
        if reading.last.reply.problem is None:
            finished = await steps.run("finish", functools.partial(_finish, asked, desk, reading))
            return Finished(finished, reading.rounds, None, desk.model.name)
    model = desk.model.name if desk.model is not None and reading is not None else ""
    rounds = reading.rounds if reading is not None else ()
    written = await steps.run("offline", functools.partial(_read_offline, asked, desk, rounds))
    finished = await steps.run("finish", functools.partial(_finish_offline, asked, desk, rounds, written))
    return Finished(finished, rounds, written, model)


# --- stages -----------------------------------------------------------------------------------------


async def _begin(asked: Asked, desk: Desk, model: ChatModel, emit: Emit) -> Recalled:
    emit(RunStarted(asked.run_id, AnswerMode.AGENT, model.name))
    recalled = await desk.recall(asked) if desk.recall is not None else Recalled()
    if recalled.items:
        emit(MemoryUsed(recalled.items))
    return recalled


def _opening(asked: Asked, desk: Desk, fence: str, recalled: Recalled) -> Opening:
    system = prompt(
        "system",
        rounds=desk.budget.rounds,
        pages=desk.budget.pages,
        today=datetime.fromtimestamp(asked.started_at, UTC).date().isoformat(),
        fence=fence,
        memory=recalled.text,
    )
    return Opening(system.rstrip(), asked.history, asked.question)


def _caller(asked: Asked, desk: Desk, model: ChatModel, toolbox: Toolbox, fence: str) -> Caller:
    return Caller(
        model=model,
        begin=functools.partial(_begin, asked, desk, model),
        opening=functools.partial(_opening, asked, desk, fence),
        tools=toolbox.specs(),
        budget=desk.budget,
        look_up=functools.partial(_page_text, desk),
        not_found_text=phrase(NOT_FOUND, asked.question),
        pictures=desk.pictures,
        started_at=asked.started_at,
        clock=desk.clock,
        first_wait_s=desk.first_wait_s,
    )


def _page_text(desk: Desk, document_id: DocumentId, number: int) -> PageText | None:
    try:
        page = desk.shelf.read_page(document_id, number)
    except (DocumentDeleted, DocumentNotFound, DocumentNotReady, InvalidPageRange, PageNotParsed):
        return None
    looked = desk.transcripts.of_page(document_id, number) if desk.transcripts is not None else ()
    return PageText(page.label, (page.text, *(transcript.text for transcript in looked)))


async def _read_offline(asked: Asked, desk: Desk, rounds: tuple[Round, ...], emit: Emit) -> WrittenAnswer:
    """The offline reader's answer, shown at once, with the reason in its first line."""
    problem = _why(asked, desk, rounds)
    number = len(rounds) + 1
    if not rounds:
        emit(RunStarted(asked.run_id, AnswerMode.OFFLINE, ""))
    emit(ModeChanged(AnswerMode.OFFLINE, problem.code, problem.message))
    emit(RoundStarted(number))
    written = await asyncio.to_thread(desk.offline, asked.question, asked.documents)
    written = replace(written, text=f"{why_offline(problem.code, asked.question)}\n\n{written.text}")
    emit(TextDelta(number, written.text))
    return written


def _why(asked: Asked, desk: Desk, rounds: tuple[Round, ...]) -> Problem:
    if rounds and rounds[-1].reply.problem is not None:
        return rounds[-1].reply.problem
    if asked.offline:
        return Problem("offline_asked", "the offline reader was asked for", "Ask again without it to use a model.")
    return Problem(ModelNotConfigured.code, "no model is configured", ModelNotConfigured.advice)


async def _finish(asked: Asked, desk: Desk, reading: Reading, emit: Emit) -> RunFinished:
    last = reading.last.reply
    found = bool(last.citations) or not (last.not_found or last.nudge)
    citations = await _with_boxes(desk, last.citations)
    note = unseen_note(reading.rounds, citations, asked.question)
    if note:
        emit(TextDelta(last.number, note))
    emit(RoundEnded(last.number, reading.last.usage))
    return _say_finished(
        asked,
        desk,
        emit,
        rounds=reading.rounds,
        finished=RunFinished(
            answer=(last.shown + note).strip(),
            citations=citations,
            usage=_usage(reading.rounds),
            mode=AnswerMode.AGENT,
            found=found,
            rounds=len(reading.rounds),
            limit=last.limit,
        ),
    )


async def _finish_offline(
    asked: Asked, desk: Desk, rounds: tuple[Round, ...], written: WrittenAnswer, emit: Emit
) -> RunFinished:
    usage = _usage(rounds) + Usage(pages_read=len(written.pages_read))
    emit(RoundEnded(len(rounds) + 1, Usage(pages_read=len(written.pages_read))))
    return _say_finished(
        asked,
        desk,
        emit,
        rounds=rounds,
        finished=RunFinished(
            answer=written.text,
            citations=await _with_boxes(desk, written.citations),
            usage=usage,
            mode=AnswerMode.OFFLINE,
            found=written.found,
            rounds=len(rounds) + 1,
            offline_reason=_why(asked, desk, rounds).code,
        ),
    )


def _say_finished(
    asked: Asked, desk: Desk, emit: Emit, *, rounds: tuple[Round, ...], finished: RunFinished
) -> RunFinished:
    spent = replace(
        spent_on(rounds, started_at=asked.started_at, now=desk.clock()), rounds=finished.rounds, usage=finished.usage
    )
    emit(BudgetSpent(spent.amounts(), desk.budget.limits()))
    for index, citation in enumerate(finished.citations):
        emit(CitationChecked(index, citation))
    finished = replace(finished, verified_share=verified_share(finished.citations))
    emit(finished)
    return finished


def _usage(rounds: Sequence[Round]) -> Usage:
    total = Usage()
    for each in rounds:
        total = total + each.usage
    return total


async def _with_boxes(desk: Desk, citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """The citations with the rectangles of their quotes. A page that cannot be drawn has none: the quote still stands."""
    boxed: list[Citation] = []
    for citation in citations:
        boxes = citation.boxes
        if desk.boxes is not None and citation.verified and not boxes:
            try:
                boxes = await desk.boxes(citation.document_id, citation.page, citation.quote)
            except (RenderFailed, RenderTimeout, DocumentDeleted, DocumentNotFound):
                boxes = ()
        boxed.append(replace(citation, boxes=boxes))
    return tuple(boxed)
