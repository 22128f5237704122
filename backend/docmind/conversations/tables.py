"""The tables of chats and messages."""

from __future__ import annotations

import sqlalchemy as sa

from docmind.storage.columns import Moment, id_column, id_type, long_json, long_text
from docmind.storage.database import metadata

chats = sa.Table(
    "chats",
    metadata,
    id_column(primary_key=True),
    sa.Column("title", sa.String(300), nullable=False),
    sa.Column("created_at", Moment(), nullable=False),
    sa.Column("updated_at", Moment(), nullable=False, index=True),
    sa.Column("archived", sa.Boolean, nullable=False),
    sa.Column("leaf_id", id_type()),
    sa.Column("active_run_id", id_type()),
)

messages = sa.Table(
    "messages",
    metadata,
    id_column(primary_key=True),
    sa.Column("chat_id", id_type(), nullable=False, index=True),
    sa.Column("parent_id", id_type()),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("text", long_text(), nullable=False),
    sa.Column("created_at", Moment(), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("run_id", id_type(), index=True),
    sa.Column("scope", long_json(), nullable=False),
    sa.Column("citations", long_json(), nullable=False),
    sa.Column("evidence", long_json(), nullable=False),
    sa.Column("mode", sa.String(20)),
    sa.Column("model", sa.String(200)),
    sa.Column("usage", long_json()),
    sa.Column("offline_reason", sa.String(60)),
    sa.Column("problem", long_json()),
)
