"""Turn a run's events into chunks of the AI SDK's UI-message stream, version 1 (docs/http-api.md lists them).

Stateless but for the text that is open: a text part starts with its first piece and ends with its round or step.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any, assert_never

from docmind.domain.answer import (
    AnswerEvent,
    BudgetSpent,
    CitationChecked,
    MemoryUsed,
    ModeChanged,
    ReasoningDelta,
    RoundEnded,
    RoundStarted,
    RunFailed,
    RunFinished,
    RunStarted,
    RunStopped,
    TextDelta,
    TextWithdrawn,
    ToolCalled,
    ToolReturned,
)

Chunk = dict[str, Any]


class ChunkWriter:
    """Chunks of one step. `close()` ends parts that are still open."""

    def __init__(self) -> None:
        self._open: tuple[str, str] | None = None  # ("text" | "reasoning", id)

    def chunks(self, event: AnswerEvent) -> list[Chunk]:
        if isinstance(event, TextDelta):
            return [*self._enter("text", f"t{event.round}"), _delta("text", f"t{event.round}", event.delta)]
        if isinstance(event, ReasoningDelta):
            return [*self._enter("reasoning", f"r{event.round}"), _delta("reasoning", f"r{event.round}", event.delta)]
        return [*self.close(), *_others(event)]

    def close(self) -> list[Chunk]:
        if self._open is None:
            return []
        kind, part = self._open
        self._open = None
        return [{"type": f"{kind}-end", "id": part}]

    def _enter(self, kind: str, part: str) -> list[Chunk]:
        if self._open == (kind, part):
            return []
        ended = self.close()
        self._open = (kind, part)
        return [*ended, {"type": f"{kind}-start", "id": part}]


def _delta(kind: str, part: str, delta: str) -> Chunk:
    return {"type": f"{kind}-delta", "id": part, "delta": delta}


def _others(event: AnswerEvent) -> list[Chunk]:
    match event:
        case RunStarted():
            return [
                {"type": "start", "messageId": event.run_id},
                {"type": "data-run", "data": {"mode": event.mode.value, "model": event.model}},
            ]
        case MemoryUsed():
            return [{"type": "data-memory", "data": {"items": list(event.items)}}]
        case RoundStarted():
            return [{"type": "start-step"}, {"type": "data-round", "data": {"round": event.round}}]
        case TextWithdrawn():
            return [{"type": "data-withdrawn", "data": {"round": event.round, "reason": event.reason}}]
        case ToolCalled():
            return [
                {
                    "type": "tool-input-available",
                    "toolCallId": event.call_id,
                    "toolName": event.name,
                    "input": _arguments(event.arguments),
                }
            ]
        case ToolReturned():
            return [_tool_output(event)]
        case RoundEnded():
            return [{"type": "data-usage", "data": dataclasses.asdict(event.usage)}, {"type": "finish-step"}]
        case BudgetSpent():
            return [{"type": "data-budget", "data": {"used": event.used, "limit": event.limit}}]
        case ModeChanged():
            data = {"mode": event.mode.value, "code": event.code, "reason": event.reason}
            return [{"type": "data-mode", "data": data}]
        case CitationChecked():
            checked: Chunk = {"index": event.index, "citation": dataclasses.asdict(event.citation)}
            return [{"type": "data-citation", "data": checked}]
        case RunFinished():
            return [{"type": "data-answer", "data": answer_data(event)}]
        case RunStopped():
            return [{"type": "abort"}]
        case RunFailed():
            return [failure_chunk(event.code, event.message, event.advice)]
        case TextDelta() | ReasoningDelta():
            raise AssertionError("pieces of text are written by ChunkWriter.chunks")
        case _:
            assert_never(event)


def answer_data(event: RunFinished) -> dict[str, Any]:
    """The final answer as the stream, the store and the trace give it."""
    data = dataclasses.asdict(event)
    del data["type"]
    data["mode"] = event.mode.value
    return data


def failure_chunk(code: str, message: str, advice: str) -> Chunk:
    return {"type": "error", "errorText": message, "data": {"code": code, "message": message, "advice": advice}}


def _tool_output(event: ToolReturned) -> Chunk:
    if not event.ok:
        return {"type": "tool-output-error", "toolCallId": event.call_id, "errorText": event.summary}
    return {
        "type": "tool-output-available",
        "toolCallId": event.call_id,
        "output": {
            "summary": event.summary,
            "pages": [dataclasses.asdict(page) for page in event.pages],
            "cut": event.cut,
            "seconds": event.seconds,
        },
    }


def _arguments(text: str) -> object:
    """The call's arguments as JSON when they are, else as the text they came as."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
