"""Small builders for tests of memory: a store in a folder, a turn, and a model that answers from a script."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatReply, ChatRequest, ModelCard
from docmind.errors import DocmindError
from docmind.memory.remember import Turn
from docmind.memory.store import MemoryStore
from docmind.storage.database import Database
from docmind.storage.migrations import migrate

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


def a_store(folder: Path, **options: Any) -> MemoryStore:
    database = Database.sqlite(folder / "docmind.db")
    migrate(database)
    return MemoryStore(database, **options)


def a_turn(question: str, answer: str = "", *, message: str = "message-1", chat: str = "chat-1") -> Turn:
    return Turn(chat, message, question, answer, AT, ("0123456789abcdef",))


class ScriptedModel:
    """Gives the replies in turn, raising those that are errors; the last again and again. Keeps the requests."""

    def __init__(self, *replies: str | DocmindError) -> None:
        self.replies = list(replies)
        self.requests: list[ChatRequest] = []

    name = "scripted"
    card = ModelCard("scripted")

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, DocmindError):
            raise reply
        yield ChatPiece(text=reply[: len(reply) // 2])
        yield ChatPiece(reply=ChatReply(ChatMessage("assistant", reply), Usage(model_calls=1), "stop"))
