"""The tables of memory. `memory_keywords` holds a row for each keyword of an item that can be recalled, and of no other."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from docmind.storage.columns import Moment, id_column, id_type, long_json, long_text
from docmind.storage.database import metadata

UTF8: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin"}

memory_items = sa.Table(
    "memory_items",
    metadata,
    id_column(primary_key=True),
    sa.Column("type", sa.String(20), nullable=False),
    sa.Column("content", long_text(), nullable=False),
    sa.Column("keywords", long_json(), nullable=False),
    sa.Column("answer", long_text(), nullable=False),
    sa.Column("chat_id", id_type(), index=True),
    sa.Column("message_id", id_type(), index=True),
    sa.Column("document_ids", long_json(), nullable=False),
    sa.Column("created_at", Moment(), nullable=False),
    sa.Column("updated_at", Moment(), nullable=False, index=True),
    sa.Column("last_used_at", Moment()),
    sa.Column("uses", sa.Integer, nullable=False),
    sa.Column("pinned", sa.Boolean, nullable=False),
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("applies_always", sa.Boolean, nullable=False),
    sa.Column("replaced_by", id_type()),
    # Set aside by "forget this", to be undone or to be deleted for good soon; counts as gone everywhere else.
    sa.Column("forgotten_at", Moment()),
    sa.Column("forgotten_by", id_type(), index=True),
    sa.Index("ix_memory_items_fifo", "type", "pinned", "updated_at"),
    sa.Index("ix_memory_items_always", "applies_always", "updated_at"),
    **UTF8,
)

memory_keywords = sa.Table(
    "memory_keywords",
    metadata,
    sa.Column("keyword", sa.String(60), primary_key=True),
    id_column("item_id", primary_key=True),
    sa.Index("ix_memory_keywords_item", "item_id", "keyword"),
    **UTF8,
)

memory_dropped = sa.Table(
    "memory_dropped",
    metadata,
    sa.Column("type", sa.String(20), primary_key=True),
    sa.Column("dropped", sa.Integer, nullable=False),
    **UTF8,
)

# `scope` is a chat's id, or "" for all chats; a switch that was never set is null.
memory_switches = sa.Table(
    "memory_switches",
    metadata,
    id_column("scope", primary_key=True),
    sa.Column("extraction", sa.Boolean),
    sa.Column("injection", sa.Boolean),
    **UTF8,
)
