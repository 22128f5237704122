"""Keep chats and their messages. Blocking; async code calls it from a thread."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from docmind.conversations.chat import Chat, Message, MessageStatus, Role
from docmind.conversations.tables import chats, messages
from docmind.errors import ChatNotFound
from docmind.storage.database import Database

TITLE_LENGTH = 80


def new_id() -> str:
    return uuid.uuid4().hex


class Chats:
    """Chats of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, title: str = "") -> Chat:
        now = datetime.now(UTC)
        chat = Chat(new_id(), title[:300], now, now)
        with self._database.transaction() as connection:
            connection.execute(
                chats.insert().values(
                    id=chat.id, title=chat.title, created_at=now, updated_at=now, archived=False, leaf_id=None
                )
            )
        return chat

    def get(self, chat_id: str) -> Chat:
        with self._database.read() as connection:
            return get_chat(connection, chat_id)

    def find_all(
        self, *, query: str = "", archived: bool = False, limit: int = 50, offset: int = 0
    ) -> tuple[list[Chat], int]:
        """Chats, last used first, and how many there are in all. `query` is looked for in titles and messages."""
        where = [chats.c.archived == archived]
        if query.strip():
            words = query.strip()
            holding = sa.select(messages.c.chat_id).where(messages.c.text.contains(words, autoescape=True))
            where.append(sa.or_(chats.c.title.contains(words, autoescape=True), chats.c.id.in_(holding)))
        with self._database.read() as connection:
            total = connection.execute(sa.select(sa.func.count()).select_from(chats).where(*where)).scalar_one()
            rows = connection.execute(
                sa.select(chats)
                .where(*where)
                .order_by(chats.c.updated_at.desc(), chats.c.id)
                .limit(limit)
                .offset(offset)
            ).all()
        return [_chat(row) for row in rows], total

    def change(
        self, chat_id: str, *, title: str | None = None, archived: bool | None = None, leaf_id: str | None = None
    ) -> Chat:
        """The chat with a new title, archived or back, or showing another branch. Raises ChatNotFound."""
        values: dict[str, Any] = {}
        if title is not None:
            values["title"] = title[:300]
        if archived is not None:
            values["archived"] = archived
        with self._database.transaction() as connection:
            get_chat(connection, chat_id)
            if leaf_id is not None:
                values["leaf_id"] = _deepest(_all_messages(connection, chat_id), leaf_id)
            if values:
                connection.execute(chats.update().where(chats.c.id == chat_id).values(**values))
            return get_chat(connection, chat_id)

    def delete(self, chat_id: str) -> None:
        with self._database.transaction() as connection:
            get_chat(connection, chat_id)
            connection.execute(messages.delete().where(messages.c.chat_id == chat_id))
            connection.execute(chats.delete().where(chats.c.id == chat_id))

    def branch(self, chat_id: str) -> list[Message]:
        """The messages of the branch that is shown, oldest first, each with its siblings."""
        with self._database.read() as connection:
            chat = get_chat(connection, chat_id)
            return branch_to(_all_messages(connection, chat_id), chat.leaf_id)

    def all_messages(self, chat_id: str) -> list[Message]:
        """Every message of every branch, oldest first."""
        with self._database.read() as connection:
            get_chat(connection, chat_id)
            return _all_messages(connection, chat_id)


def get_chat(connection: sa.Connection, chat_id: str, *, lock: bool = False) -> Chat:
    """The chat, with its row locked to the end of the transaction if asked (SQLite locks everything anyway)."""
    wanted = sa.select(chats).where(chats.c.id == chat_id)
    row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
    if row is None:
        raise ChatNotFound(f"there is no chat {chat_id!r}")
    return _chat(row)


def add_message(connection: sa.Connection, message: Message) -> None:
    """Keep a message and make it the shown branch's last one."""
    connection.execute(messages.insert().values(**_columns(message)))
    connection.execute(
        chats.update()
        .where(chats.c.id == message.chat_id)
        .values(leaf_id=message.id, updated_at=message.created_at, archived=False)
    )


def change_message(connection: sa.Connection, message_id: str, **values: Any) -> None:
    connection.execute(messages.update().where(messages.c.id == message_id).values(**values))


def messages_of(connection: sa.Connection, chat_id: str) -> list[Message]:
    return _all_messages(connection, chat_id)


def branch_to(all_messages: Sequence[Message], leaf_id: str | None) -> list[Message]:
    """The path from the first message to `leaf_id`."""
    by_id = {message.id: message for message in all_messages}
    siblings: dict[str | None, list[str]] = {}
    for message in all_messages:
        siblings.setdefault(message.parent_id, []).append(message.id)
    path: list[Message] = []
    at = leaf_id
    while at is not None and at in by_id and len(path) <= len(by_id):
        message = by_id[at]
        path.append(replace(message, siblings=tuple(siblings[message.parent_id])))
        at = message.parent_id
    return path[::-1]


def _deepest(all_messages: Sequence[Message], start_id: str) -> str:
    """The newest leaf below a message: showing an earlier question shows its latest answer too."""
    children: dict[str | None, list[str]] = {}
    for message in all_messages:
        children.setdefault(message.parent_id, []).append(message.id)
    if start_id not in {message.id for message in all_messages}:
        raise ChatNotFound(f"there is no message {start_id!r} in this chat")
    at = start_id
    while children.get(at):
        at = children[at][-1]
    return at


def _all_messages(connection: sa.Connection, chat_id: str) -> list[Message]:
    rows = connection.execute(
        sa.select(messages).where(messages.c.chat_id == chat_id).order_by(messages.c.created_at, messages.c.role.desc())
    ).all()
    return [_message(row) for row in rows]


def _chat(row: Any) -> Chat:
    return Chat(row.id, row.title, row.created_at, row.updated_at, bool(row.archived), row.leaf_id, row.active_run_id)


def _message(row: Any) -> Message:
    return Message(
        id=row.id,
        chat_id=row.chat_id,
        parent_id=row.parent_id,
        role=Role(row.role),
        text=row.text,
        created_at=row.created_at,
        status=MessageStatus(row.status),
        run_id=row.run_id,
        scope=tuple(row.scope),
        citations=tuple(row.citations),
        evidence=tuple(row.evidence),
        mode=row.mode,
        model=row.model,
        usage=row.usage,
        offline_reason=row.offline_reason,
        problem=row.problem,
    )


def _columns(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "chat_id": message.chat_id,
        "parent_id": message.parent_id,
        "role": message.role.value,
        "text": message.text,
        "created_at": message.created_at,
        "status": message.status.value,
        "run_id": message.run_id,
        "scope": list(message.scope),
        "citations": list(message.citations),
        "evidence": list(message.evidence),
        "mode": message.mode,
        "model": message.model,
        "usage": message.usage,
        "offline_reason": message.offline_reason,
        "problem": message.problem,
    }
