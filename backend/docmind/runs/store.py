"""Keep runs beside the messages they belong to. Blocking; async code calls it from a thread.

The user's message, the place of the answer and the run are one durable transaction: once `begin` returns, a power cut loses
none of them. The same client_request_id gives the same run again; with other content it is refused.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from docmind.conversations.chat import Message, MessageStatus, Role
from docmind.conversations.store import (
    TITLE_LENGTH,
    add_message,
    branch_to,
    change_message,
    get_chat,
    messages_of,
    new_id,
)
from docmind.conversations.tables import chats
from docmind.errors import ChatBusy, ChatNotFound, InvalidInput, RequestIdReused, RunNotFound
from docmind.runs.run import Run, RunRequest, RunStatus
from docmind.runs.tables import runs
from docmind.storage.database import Database


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, as its answer's message keeps it."""

    status: RunStatus
    text: str
    citations: tuple[dict[str, Any], ...] = ()
    evidence: tuple[dict[str, Any], ...] = ()
    mode: str | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None
    offline_reason: str | None = None
    problem: dict[str, str] | None = None


class Runs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, chat_id: str, request: RunRequest) -> tuple[Run, bool]:
        """The run of this request, and whether it is new. Raises ChatNotFound, ChatBusy or RequestIdReused."""
        fingerprint = _fingerprint(request)
        # Its second time finds the first one's run.
        return self._database.insist(
            lambda connection: self._begin(connection, chat_id, request, fingerprint), durable=True
        )

    def _begin(
        self, connection: sa.Connection, chat_id: str, request: RunRequest, fingerprint: str
    ) -> tuple[Run, bool]:
        # The row's lock: of two equal requests at the same moment, the second finds the first one's run.
        chat = get_chat(connection, chat_id, lock=True)
        known = connection.execute(
            sa.select(runs).where(runs.c.chat_id == chat_id, runs.c.client_request_id == request.client_request_id)
        ).one_or_none()
        if known is not None:
            if known.request_hash != fingerprint:
                raise RequestIdReused(f"client_request_id {request.client_request_id!r} was used for another message")
            return _run(known), False
        self._claim(connection, chat_id, run_id := new_id())
        now = datetime.now(UTC)
        user_message_id, request = _question(connection, chat_id, chat.leaf_id, request, now)
        answer_message_id = new_id()
        add_message(
            connection,
            Message(
                answer_message_id,
                chat_id,
                user_message_id,
                Role.ASSISTANT,
                "",
                datetime.now(UTC),
                status=MessageStatus.RUNNING,
                run_id=run_id,
                scope=request.documents,
            ),
        )
        if not chat.title:
            title = " ".join(request.text.split())[:TITLE_LENGTH]
            connection.execute(chats.update().where(chats.c.id == chat_id).values(title=title))
        run = Run(run_id, chat_id, user_message_id, answer_message_id, request, RunStatus.QUEUED, False, now)
        connection.execute(runs.insert().values(**_columns(run), request_hash=fingerprint))
        return run, True

    def _claim(self, connection: sa.Connection, chat_id: str, run_id: str) -> None:
        """One active run a chat: the row itself is the lock, so two processes cannot both take it."""
        claimed = connection.execute(
            chats.update().where(chats.c.id == chat_id, chats.c.active_run_id.is_(None)).values(active_run_id=run_id)
        )
        if claimed.rowcount != 1:
            raise ChatBusy("this chat is still being answered")

    def get(self, run_id: str) -> Run:
        with self._database.read() as connection:
            row = connection.execute(sa.select(runs).where(runs.c.id == run_id)).one_or_none()
        if row is None:
            raise RunNotFound(f"there is no run {run_id!r}")
        return _run(row)

    def unfinished(self) -> list[Run]:
        """Runs that are not final, oldest first."""
        open_states = [status.value for status in RunStatus if not status.is_final]
        with self._database.read() as connection:
            rows = connection.execute(sa.select(runs).where(runs.c.status.in_(open_states)).order_by(runs.c.created_at))
            return [_run(row) for row in rows]

    def history(self, run: Run) -> list[Message]:
        """The messages before the run's question, oldest first."""
        with self._database.read() as connection:
            return branch_to(messages_of(connection, run.chat_id), run.user_message_id)[:-1]

    def answer(self, run: Run) -> Message | None:
        """The run's answer as it was kept; None when its chat is gone."""
        with self._database.read() as connection:
            found = (message for message in messages_of(connection, run.chat_id) if message.id == run.answer_message_id)
            return next(found, None)

    def mark_running(self, run_id: str) -> None:
        mark = (
            runs.update()
            .where(runs.c.id == run_id, runs.c.status == RunStatus.QUEUED.value)
            .values(status=RunStatus.RUNNING.value)
        )
        self._database.insist(lambda connection: connection.execute(mark))

    def request_stop(self, run_id: str) -> Run:
        """Store the wish to stop. A run that is final stays as it is."""
        run = self.get(run_id)
        if not run.status.is_final:
            wish = runs.update().where(runs.c.id == run_id).values(stop_requested=True)
            self._database.insist(lambda connection: connection.execute(wish), durable=True)
        return self.get(run_id)

    def stops_requested(self, run_ids: list[str]) -> set[str]:
        if not run_ids:
            return set()
        with self._database.read() as connection:
            rows = connection.execute(
                sa.select(runs.c.id).where(runs.c.id.in_(run_ids), runs.c.stop_requested)
            ).scalars()
            return set(rows)

    def end(self, run_id: str, ending: Ending) -> bool:
        """Keep the answer and close the run, once: False when it was final already (nothing is changed then)."""
        now = datetime.now(UTC)

        def work(connection: sa.Connection) -> bool:
            row = connection.execute(sa.select(runs).where(runs.c.id == run_id)).one_or_none()
            if row is None or RunStatus(row.status).is_final:
                return False
            connection.execute(
                runs.update()
                .where(runs.c.id == run_id)
                .values(status=ending.status.value, ended_at=now, usage=ending.usage, problem=ending.problem)
            )
            change_message(
                connection,
                row.answer_message_id,
                text=ending.text,
                status=_MESSAGE_STATUS[ending.status].value,
                citations=list(ending.citations),
                evidence=list(ending.evidence),
                mode=ending.mode,
                model=ending.model,
                usage=ending.usage,
                offline_reason=ending.offline_reason,
                problem=ending.problem,
            )
            connection.execute(
                chats.update()
                .where(chats.c.id == row.chat_id, chats.c.active_run_id == run_id)
                .values(active_run_id=None, updated_at=now)
            )
            return True

        return self._database.insist(work, durable=True)

    def of_chat(self, chat_id: str) -> list[Run]:
        with self._database.read() as connection:
            return [_run(row) for row in connection.execute(sa.select(runs).where(runs.c.chat_id == chat_id))]

    def delete_of_chat(self, chat_id: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(runs.delete().where(runs.c.chat_id == chat_id))


_MESSAGE_STATUS = {
    RunStatus.FINISHED: MessageStatus.FINISHED,
    RunStatus.STOPPED: MessageStatus.STOPPED,
    RunStatus.FAILED: MessageStatus.FAILED,
}


def _question(
    connection: sa.Connection, chat_id: str, leaf_id: str | None, request: RunRequest, now: datetime
) -> tuple[str, RunRequest]:
    """The question's message: the one that is asked again, or a new one after the leaf or after the given parent."""
    known = {message.id: message for message in messages_of(connection, chat_id)}
    if request.regenerate is not None:
        answered = known.get(request.regenerate)
        asked = known.get(answered.parent_id or "") if answered is not None else None
        if asked is None or asked.role is not Role.USER:
            raise ChatNotFound(f"there is no answer {request.regenerate!r} in this chat")
        return asked.id, dataclasses.replace(request, text=asked.text, documents=request.documents or asked.scope)
    if not request.text.strip():
        raise InvalidInput("the question is empty")
    parent_id = leaf_id if request.parent_id is None else request.parent_id or None
    if parent_id is not None and parent_id not in known:
        raise ChatNotFound(f"there is no message {parent_id!r} in this chat")
    message = Message(new_id(), chat_id, parent_id, Role.USER, request.text, now, scope=request.documents)
    add_message(connection, message)
    return message.id, request


def _fingerprint(request: RunRequest) -> str:
    return hashlib.sha256(json.dumps(dataclasses.asdict(request), sort_keys=True).encode()).hexdigest()


def _run(row: Any) -> Run:
    request = dict(row.request)
    request["documents"] = tuple(request["documents"])
    return Run(
        row.id,
        row.chat_id,
        row.user_message_id,
        row.answer_message_id,
        RunRequest(**request),
        RunStatus(row.status),
        bool(row.stop_requested),
        row.created_at,
        row.ended_at,
        row.usage,
        row.problem,
    )


def _columns(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "chat_id": run.chat_id,
        "client_request_id": run.request.client_request_id,
        "user_message_id": run.user_message_id,
        "answer_message_id": run.answer_message_id,
        "request": dataclasses.asdict(run.request),
        "status": run.status.value,
        "stop_requested": run.stop_requested,
        "created_at": run.created_at,
    }
