"""A run as one JSON value: what was asked, every step's result, the answer. It can be replayed without a network or a library.

Holds the texts of pages that were read, so it is as private as the documents; it never holds a key.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError

from docmind.agent.rounds import ModelReply, Round, ToolDone, returned
from docmind.agent.steps import Emit, Result, Work, events_of
from docmind.domain.answer import (
    AnswerEvent,
    AnswerMode,
    CitationChecked,
    MemoryUsed,
    ModeChanged,
    RoundEnded,
    RoundStarted,
    RunFinished,
    RunStarted,
    TextDelta,
    ToolCalled,
    WrittenAnswer,
)
from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import ChatPiece, ChatRequest, ModelCard, SearchScope
from docmind.domain.search import Hit
from docmind.domain.tree import Tree
from docmind.errors import InvalidInput
from docmind.flows.answer import Asked, Desk, Finished, answer_in_steps

VERSION = 1


@dataclass(frozen=True, slots=True)
class Trace:
    """`answer` is None for a run that has not come to its end, or was stopped before."""

    asked: Asked
    model: str
    rounds: tuple[Round, ...]
    written: WrittenAnswer | None
    answer: RunFinished | None
    version: int = VERSION


_ADAPTER: TypeAdapter[Trace] = TypeAdapter(Trace)


def trace_of(asked: Asked, finished: Finished) -> Trace:
    return Trace(asked, finished.model, finished.rounds, finished.written, finished.answer)


def trace_of_steps(asked: Asked, results: Mapping[str, Any]) -> Trace:
    """The trace of a run from the results of its steps by name, as far as it came."""
    rounds: list[Round] = []
    while isinstance(reply := results.get(f"round-{len(rounds) + 1}"), ModelReply):
        names = (f"tool-{len(rounds) + 1}-{number}" for number in itertools.count(1))
        done = itertools.takewhile(lambda result: isinstance(result, ToolDone), (results.get(name) for name in names))
        tools: tuple[ToolDone, ...] = tuple(done)  # type: ignore[arg-type]
        rounds.append(Round(reply, tools))
    model = rounds[0].reply.model if rounds else ""
    return Trace(asked, model, tuple(rounds), results.get("offline"), results.get("finish"))


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """Plain values, ready for json.dumps."""
    dumped: dict[str, Any] = _ADAPTER.dump_python(trace, mode="json")
    return dumped


def trace_from_json(value: object) -> Trace:
    """Raises InvalidInput for what is no trace of this version."""
    if isinstance(value, dict) and value.get("version") != VERSION:
        raise InvalidInput(f"this trace has version {value.get('version')!r}; this program reads version {VERSION}")
    try:
        return _ADAPTER.validate_python(value)
    except ValidationError as exc:
        raise InvalidInput(f"this is not a trace: {exc.error_count()} fields are wrong or missing") from exc


async def replay(trace: Trace) -> AsyncGenerator[AnswerEvent]:
    """The events of a recorded run, by the same flow, with nothing read and nobody asked."""
    desk = Desk(
        shelf=_Nothing(), finder=_Nothing(), offline=_nobody, model=_Recorded(trace.model) if trace.model else None
    )

    start = functools.partial(_replay_in_steps, trace, desk)
    async with aclosing(events_of(start)) as events:
        async for event in events:
            yield event


async def _replay_in_steps(trace: Trace, desk: Desk, emit: Emit) -> Finished:
    return await answer_in_steps(trace.asked, desk, ReplayedSteps(trace, emit))


class ReplayedSteps:
    """Gives back recorded results, and tells their events as a whole instead of in pieces."""

    def __init__(self, trace: Trace, emit: Emit) -> None:
        self._trace = trace
        self._emit = emit

    async def run(self, name: str, work: Work[Result]) -> Result:
        result: Result = self._recorded(name)
        for event in _events(self._trace, name, result):
            self._emit(event)
        return result

    def _recorded(self, name: str) -> Any:
        kind, *numbers = name.split("-")
        trace = self._trace
        try:
            if kind == "round":
                return trace.rounds[int(numbers[0]) - 1].reply
            if kind == "tool":
                return trace.rounds[int(numbers[0]) - 1].tools[int(numbers[1]) - 1]
        except IndexError as exc:
            raise InvalidInput(f"the trace does not hold the step {name}: this program takes other steps") from exc
        result = {"offline": trace.written, "finish": trace.answer}[kind]
        if result is None:
            raise InvalidInput(f"the trace ends before the step {name}: the run did not come to its end")
        return result


def _events(trace: Trace, name: str, result: Any) -> list[AnswerEvent]:
    if isinstance(result, ModelReply):
        return _reply_events(trace, result)
    if isinstance(result, ToolDone):
        return [returned(int(name.split("-")[1]), result)]
    if isinstance(result, WrittenAnswer):
        number = len(trace.rounds) + 1
        code = (trace.answer.offline_reason if trace.answer is not None else None) or ""
        said: list[AnswerEvent] = [
            ModeChanged(AnswerMode.OFFLINE, code, code),
            RoundStarted(number),
            TextDelta(number, result.text),
        ]
        return said if trace.rounds else [RunStarted(trace.asked.run_id, AnswerMode.OFFLINE, ""), *said]
    citations = [CitationChecked(index, citation) for index, citation in enumerate(result.citations)]
    return [*citations, result]


def _reply_events(trace: Trace, reply: ModelReply) -> list[AnswerEvent]:
    events: list[AnswerEvent] = []
    if reply.number == 1:
        events.append(RunStarted(trace.asked.run_id, AnswerMode.AGENT, trace.model))
        if reply.recalled is not None and reply.recalled.items:
            events.append(MemoryUsed(reply.recalled.items))
    else:
        events.append(RoundEnded(reply.number - 1, trace.rounds[reply.number - 2].usage))
    events.append(RoundStarted(reply.number))
    if reply.shown and reply.nudge is None:
        events.append(TextDelta(reply.number, reply.shown))
    for call in reply.message.tool_calls if reply.message is not None else ():
        events.append(ToolCalled(reply.number, call.call_id, call.name, call.arguments))
    return events


def _not_recorded(what: str) -> NoReturn:
    raise InvalidInput(f"the replay asked for {what}, which a trace does not hold: this program takes other steps")


class _Recorded:
    """The model of a replay: known by name, never asked."""

    def __init__(self, name: str) -> None:
        self.card = ModelCard(name)

    @property
    def name(self) -> str:
        return self.card.name

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        _not_recorded("a model call")

    async def close(self) -> None:
        return


class _Nothing:
    """A library that nobody may open."""

    def list_documents(self) -> Sequence[Document]:
        _not_recorded("the library")

    def get_document(self, document_id: DocumentId) -> Document:
        _not_recorded(f"document {document_id}")

    def get_tree(self, document_id: DocumentId) -> Tree:
        _not_recorded(f"the tree of {document_id}")

    def read_page(self, document_id: DocumentId, number: int) -> Page:
        _not_recorded(f"page {number} of {document_id}")

    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> Sequence[Hit]:
        _not_recorded("a search")


def _nobody(question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer:
    _not_recorded("the offline reader")
