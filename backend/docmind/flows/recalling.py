"""Memory at the beginning of an answer: the hook and the tool that a run's desk is given. A run outside a chat has neither."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from docmind.agent.rounds import Recalled
from docmind.flows.answer import Asked
from docmind.memory.injection import prepare_injection
from docmind.memory.store import MemoryStore
from docmind.tools.recall_memory import RecallMemory
from docmind.tools.room import Room
from docmind.tools.toolbox import Tool


class ChatMemory:
    def __init__(self, memory: MemoryStore) -> None:
        self._memory = memory

    async def recall(self, asked: Asked) -> Recalled:
        """What the chat's prompt is told; a wish to forget is obeyed first."""
        if asked.chat_id is None:
            return Recalled()
        given = await asyncio.to_thread(
            prepare_injection, self._memory, asked.question, chat_id=asked.chat_id, run_id=asked.run_id
        )
        return Recalled(given.items, given.text)

    def tools(self, asked: Asked, room: Room) -> Sequence[Tool]:
        """recall_memory, where memory may be used."""
        if asked.chat_id is None or not self._memory.switches(asked.chat_id).injection:
            return ()
        return (RecallMemory(self._memory, room),)
