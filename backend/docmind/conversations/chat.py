"""A chat and its messages. A message knows its parent, so a regenerated answer or an edited question is a branch."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MessageStatus(StrEnum):
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Chat:
    """`leaf_id` is the last message of the branch that is shown; None in an empty chat."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    archived: bool = False
    leaf_id: str | None = None
    active_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """`citations` and `evidence` are plain JSON values: what the answer cited, and the page text it rested on.

    `siblings` are the ids of all messages with the same parent, this one among them, oldest first.
    """

    id: str
    chat_id: str
    parent_id: str | None
    role: Role
    text: str
    created_at: datetime
    status: MessageStatus = MessageStatus.FINISHED
    run_id: str | None = None
    scope: tuple[str, ...] = ()
    citations: tuple[dict[str, Any], ...] = ()
    evidence: tuple[dict[str, Any], ...] = ()
    mode: str | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None
    offline_reason: str | None = None
    problem: dict[str, str] | None = None
    siblings: tuple[str, ...] = field(default=())
