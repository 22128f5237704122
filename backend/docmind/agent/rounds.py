"""What a round leaves behind: the results of its steps, as plain values. Everything about a run is computed from these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from docmind.agent.budget import Spent
from docmind.domain.answer import Citation, PageRef, ToolReturned, Usage
from docmind.domain.document import Problem
from docmind.domain.ports import ChatMessage, ToolCall
from docmind.tools.result import ToolResult


@dataclass(frozen=True, slots=True)
class Recalled:
    """What memory gives for a question: items for the trail, and the text for the instructions."""

    items: tuple[dict[str, Any], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One model call with its retries. `message` is what the model wrote, `shown` what the reader saw of it.

    `limit` names the budget that made this the last call. `nudge` names the prompt that must follow, because the reply was
    neither a call nor an acceptable answer. `problem` when no reply came at all. `recalled` is set in the first one.
    """

    number: int
    started_at: float
    ended_at: float
    message: ChatMessage | None = None
    shown: str = ""
    citations: tuple[Citation, ...] = ()
    marks_removed: int = 0
    not_found: bool = False
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    estimated_input: int = 0
    limit: str | None = None
    nudge: str | None = None
    problem: Problem | None = None
    retries: tuple[str, ...] = ()
    plan_in_text: bool = False
    recalled: Recalled | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class ToolDone:
    call: ToolCall
    result: ToolResult
    started_at: float
    ended_at: float


@dataclass(frozen=True, slots=True)
class Round:
    reply: ModelReply
    tools: tuple[ToolDone, ...] = ()

    @property
    def usage(self) -> Usage:
        total = self.reply.usage
        for done in self.tools:
            total = total + done.result.usage + Usage(tool_calls=1, pages_read=len(done.result.read))
        return total


def returned(round_number: int, done: ToolDone) -> ToolReturned:
    """The event that tells how a call ended."""
    result = done.result
    return ToolReturned(
        round=round_number,
        call_id=done.call.call_id,
        name=done.call.name,
        ok=result.ok,
        summary=result.summary,
        pages=result.read or result.found,
        cut=result.cut,
        seconds=result.seconds,
    )


def spent_on(rounds: Sequence[Round], *, started_at: float, now: float) -> Spent:
    total = Usage()
    for each in rounds:
        total = total + each.usage
    return Spent(len(rounds), max(0.0, now - started_at), total)


def pages_read(rounds: Sequence[Round]) -> tuple[PageRef, ...]:
    """Pages whose text the model was given, each once, in reading order."""
    return tuple(dict.fromkeys(ref for done in all_tools(rounds) for ref in done.result.read))


def all_tools(rounds: Sequence[Round]) -> Iterator[ToolDone]:
    for each in rounds:
        yield from each.tools
