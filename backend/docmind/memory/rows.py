"""Items as rows of the tables, and the keyword rows that make them findable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from docmind.memory.item import MemoryItem, MemorySource, MemoryType
from docmind.memory.keywords import keywords_of
from docmind.memory.tables import memory_items, memory_keywords

_AT_ONCE = 400


def row_of(item: MemoryItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.type.value,
        "content": item.content,
        "keywords": list(item.keywords),
        "answer": item.answer,
        "chat_id": item.source.chat_id,
        "message_id": item.source.message_id,
        "document_ids": list(item.source.document_ids),
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "last_used_at": item.last_used_at,
        "uses": item.uses,
        "pinned": item.pinned,
        "enabled": item.enabled,
        "applies_always": item.always,
        "replaced_by": item.replaced_by,
    }


def item_of(row: sa.RowMapping) -> MemoryItem:
    return MemoryItem(
        id=row["id"],
        type=MemoryType(row["type"]),
        content=row["content"],
        keywords=tuple(row["keywords"]),
        source=MemorySource(row["chat_id"], row["message_id"], tuple(row["document_ids"])),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        last_used_at=row["last_used_at"],
        uses=row["uses"],
        pinned=bool(row["pinned"]),
        enabled=bool(row["enabled"]),
        always=bool(row["applies_always"]),
        answer=row["answer"],
        replaced_by=row["replaced_by"],
    )


def write_keywords(connection: sa.Connection, item: MemoryItem) -> None:
    """Bring the item's keyword rows up to date: none for an item that cannot be recalled."""
    connection.execute(memory_keywords.delete().where(memory_keywords.c.item_id == item.id))
    if item.is_recallable:
        rows = [{"keyword": word, "item_id": item.id} for word in keywords_of(item.content, item.keywords)]
        if rows:
            connection.execute(memory_keywords.insert(), rows)


def remove(connection: sa.Connection, ids: Sequence[str]) -> int:
    """Delete items and all that leads to them; how many there were."""
    gone = 0
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        connection.execute(memory_keywords.delete().where(memory_keywords.c.item_id.in_(part)))
        gone += connection.execute(memory_items.delete().where(memory_items.c.id.in_(part))).rowcount
        # A newer item that is gone no longer explains its history; the history stays history.
    return gone
