"""`docmind ask` and `docmind replay`: the answer flow without HTTP."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
import uuid
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Any

import typer

from docmind.agent.steps import Emit, InProcessSteps
from docmind.cli.base import AsJson, Home, bring_index_in_step, commands, parts_for, tell_when_empty, write_json_line
from docmind.domain.answer import (
    AnswerEvent,
    ModeChanged,
    RoundStarted,
    RunFinished,
    TextDelta,
    TextWithdrawn,
    ToolCalled,
    ToolReturned,
    verified_share,
)
from docmind.errors import InvalidInput
from docmind.flows.answer import Asked, Finished, answer_in_steps
from docmind.flows.trace import Trace, trace_from_json, trace_of, trace_to_json
from docmind.flows.trace import replay as replay_events
from docmind.parts import Parts


@commands.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    doc: Annotated[
        list[str] | None, typer.Option("--doc", help="Read only this document: id or part of the name.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Use no model.")] = False,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Answer a question from the library, with page citations."""
    if not question.strip():
        raise InvalidInput("the question is empty", advice='Put it in quotes: docmind ask "What ...?"')
    with parts_for(home) as parts:
        tell_when_empty(parts)
        bring_index_in_step(parts)
        documents = tuple(parts.documents.find_by_reference(reference).id for reference in doc or ())
        asked = Asked(run_id=uuid.uuid4().hex, question=question, documents=documents, offline=offline)
        finished = asyncio.run(_answer(parts, asked, _ignore if as_json else _show))
    if as_json:
        _write_answer(finished.answer, trace_to_json(trace_of(asked, finished)))
    else:
        _write_sources(finished.answer)


@commands.command()
def replay(
    trace: Annotated[Path, typer.Argument(help='JSON of `docmind ask --json`, or its "trace" alone.')],
    as_json: AsJson = False,
) -> None:
    """Play a recorded run again, without model, network or library."""
    try:
        value = json.loads(trace.read_bytes())
    except (OSError, ValueError) as exc:
        raise InvalidInput(f"{trace} cannot be read as JSON: {exc}") from exc
    recorded = trace_from_json(value.get("trace", value) if isinstance(value, dict) else value)
    asyncio.run(_replay(recorded, _ignore if as_json else _show))
    assert recorded.answer is not None, "a run that was replayed to its end has an answer"
    if as_json:
        _write_answer(recorded.answer, trace_to_json(recorded))
    else:
        _write_sources(recorded.answer)


async def _answer(parts: Parts, asked: Asked, show: Emit) -> Finished:
    try:
        return await answer_in_steps(asked, parts.desk_for(asked), InProcessSteps(show))
    finally:
        await parts.close_models()


async def _replay(recorded: Trace, show: Emit) -> None:
    async with aclosing(replay_events(recorded)) as events:
        async for event in events:
            show(event)


def _write_answer(answer: RunFinished, trace: dict[str, Any]) -> None:
    write_json_line(
        {
            "answer": answer.answer,
            "citations": [dataclasses.asdict(citation) for citation in answer.citations],
            "rounds": answer.rounds,
            "usage": dataclasses.asdict(answer.usage),
            "mode": answer.mode.value,
            "found": answer.found,
            "verified_share": verified_share(answer.citations),
            "limit": answer.limit,
            "offline_reason": answer.offline_reason,
            "trace": trace,
        }
    )


def _write_sources(answer: RunFinished) -> None:
    for number, citation in enumerate(answer.citations, 1):
        mark = "verified" if citation.verified else "NOT VERIFIED"
        label = f" (printed {citation.page_label})" if citation.page_label != str(citation.page) else ""
        # The offline reader's answer is its quotes: once is enough.
        quote = "" if citation.quote in answer.answer else f": {citation.quote}"
        sys.stdout.write(f"{number}. {citation.name}, page {citation.page}{label} ({mark}){quote}\n")


def _ignore(event: AnswerEvent) -> None:
    """For --json: everything an event tells stands in the trace."""


def _show(event: AnswerEvent) -> None:
    """The answer to standard output as it grows; what the agent does beside it to standard error."""
    match event:
        case RoundStarted(round=number) if number > 1:
            sys.stdout.write("\n\n")
        case TextDelta():
            sys.stdout.write(event.delta)
            sys.stdout.flush()
        case TextWithdrawn():
            sys.stdout.write("\n[that text is withdrawn]\n")
        case ToolCalled():
            sys.stderr.write(f"  {event.name} {event.arguments[:200]}\n")
        case ToolReturned():
            sys.stderr.write(f"    {event.summary}\n")
        case ModeChanged():
            sys.stderr.write(f"  no model: {event.reason}\n")
        case RunFinished():
            sys.stdout.write("\n\n")
        case _:
            pass
