"""The tables of runs and of their event log."""

from __future__ import annotations

import sqlalchemy as sa

from docmind.storage.columns import Moment, id_column, id_type, long_json, long_text
from docmind.storage.database import metadata

runs = sa.Table(
    "runs",
    metadata,
    id_column(primary_key=True),
    sa.Column("chat_id", id_type(), nullable=False, index=True),
    sa.Column("client_request_id", sa.String(200), nullable=False),
    sa.Column("request_hash", sa.String(64), nullable=False),
    sa.Column("user_message_id", id_type(), nullable=False),
    sa.Column("answer_message_id", id_type(), nullable=False),
    sa.Column("request", long_json(), nullable=False),
    sa.Column("status", sa.String(20), nullable=False, index=True),
    sa.Column("stop_requested", sa.Boolean, nullable=False),
    sa.Column("created_at", Moment(), nullable=False),
    sa.Column("ended_at", Moment()),
    sa.Column("usage", long_json()),
    sa.Column("problem", long_json()),
    sa.UniqueConstraint("chat_id", "client_request_id"),
)

run_events = sa.Table(
    "run_events",
    metadata,
    sa.Column("run_id", id_type(60), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("step", sa.String(100), nullable=False),
    sa.Column("chunk", long_text(), nullable=False),
)

members = sa.Table(
    "members",
    metadata,
    id_column(primary_key=True),
    sa.Column("host", sa.String(200), nullable=False),
    sa.Column("beats", sa.Integer, nullable=False),
)
