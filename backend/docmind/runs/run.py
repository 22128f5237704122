"""A run: the work of answering one message, which outlives the request that asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        return self in (RunStatus.FINISHED, RunStatus.STOPPED, RunStatus.FAILED)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What was asked. `parent_id` is the message that the question answers to; `regenerate` asks the same question again."""

    client_request_id: str
    text: str
    documents: tuple[str, ...] = ()
    offline: bool = False
    model: str | None = None
    parent_id: str | None = None
    regenerate: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    chat_id: str
    user_message_id: str
    answer_message_id: str
    request: RunRequest
    status: RunStatus
    stop_requested: bool
    created_at: datetime
    ended_at: datetime | None = None
    usage: dict[str, Any] | None = None
    problem: dict[str, str] | None = None
