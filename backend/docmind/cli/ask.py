"""`docmind ask`: the answer flow without HTTP."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
import uuid
from contextlib import aclosing
from typing import Annotated, Any

import typer

from docmind.cli.base import AsJson, Home, commands, parts_for, write_json_line
from docmind.domain.answer import (
    AnswerEvent,
    ModeChanged,
    RunFinished,
    TextDelta,
    TextWithdrawn,
    ToolCalled,
    ToolReturned,
)
from docmind.domain.pages import DocumentId
from docmind.flows.answer import Asked, answer
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
    with parts_for(home) as parts:
        documents = tuple(parts.documents.find_by_reference(reference).id for reference in doc or ())
        finished, trace = asyncio.run(_answer(parts, question, documents, offline=offline, show=not as_json))
    if as_json:
        write_json_line(
            {
                "answer": finished.answer,
                "citations": [dataclasses.asdict(citation) for citation in finished.citations],
                "rounds": finished.rounds,
                "usage": dataclasses.asdict(finished.usage),
                "mode": finished.mode.value,
                "found": finished.found,
                "limit": finished.limit,
                "offline_reason": finished.offline_reason,
                "trace": trace,
            }
        )
        return
    for number, citation in enumerate(finished.citations, 1):
        mark = "verified" if citation.verified else "NOT VERIFIED"
        sys.stdout.write(f"{number}. {citation.name}, page {citation.page} ({mark}): {citation.quote}\n")


async def _answer(
    parts: Parts, question: str, documents: tuple[DocumentId, ...], *, offline: bool, show: bool
) -> tuple[RunFinished, list[dict[str, Any]]]:
    asked = Asked(run_id=uuid.uuid4().hex, question=question, documents=documents, offline=offline)
    finished: RunFinished | None = None
    trace: list[dict[str, Any]] = []
    async with aclosing(answer(asked, parts.desk_for(asked))) as events:
        async for event in events:
            if isinstance(event, RunFinished):
                finished = event
            elif not isinstance(event, TextDelta):
                trace.append(dataclasses.asdict(event))
            if show:
                _show(event)
    assert finished is not None, "a run that raises nothing ends with RunFinished"
    return finished, trace


def _show(event: AnswerEvent) -> None:
    """The answer to standard output as it grows; what the agent does beside it to standard error."""
    match event:
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
