"""recall_memory: what earlier conversations left. Answers of old turns may quote documents, so all of it is fenced as data."""

from __future__ import annotations

import asyncio

from pydantic import Field

from docmind.memory.item import MemoryType, Recalled
from docmind.memory.store import MemoryStore
from docmind.tools.arguments import Arguments, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room

ANSWER_CHARACTERS = 1_200


class RecallMemoryArguments(Arguments):
    query: str = Field(min_length=1, max_length=500, description="Words of what you want to remember.")
    limit: int = Field(8, ge=1, le=20, description="How many items at most.")


class RecallMemory:
    """Offered only while memory may be used in the chat."""

    arguments = RecallMemoryArguments
    spec = tool_spec(
        "recall_memory",
        "Look up what the user said or did in earlier conversations. It is background, no source: never cite it.",
        RecallMemoryArguments,
    )

    def __init__(self, memory: MemoryStore, room: Room) -> None:
        self._memory = memory
        self._room = room

    async def run(self, given: RecallMemoryArguments, allowance: Allowance) -> ToolResult:
        return await asyncio.to_thread(self._run, given, allowance)

    def _run(self, given: RecallMemoryArguments, allowance: Allowance) -> ToolResult:
        found = self._memory.recall(given.query, top=given.limit)
        if not found:
            return ToolResult("Nothing is remembered of that.", "nothing remembered")
        lines: list[str] = []
        left = allowance.characters - 300
        for each in found:
            line = _line(each)
            if len(line) > left:
                break
            left -= len(line)
            lines.append(line)
        self._memory.mark_used([each.item.id for each in found[: len(lines)]])
        return ToolResult(
            self._room.fenced("\n".join(lines)), f"{len(lines)} items remembered", cut=len(lines) < len(found)
        )


def _line(each: Recalled) -> str:
    item = each.item
    day = item.created_at.date().isoformat()
    line = f"- ({item.type.value}, {day}) {' '.join(item.content.split())}"
    if item.type is MemoryType.RAW and item.answer:
        line += f"\n    answered: {' '.join(item.answer.split())[:ANSWER_CHARACTERS]}"
    return line
