"""chats, messages, runs and their event log"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docmind.storage.columns import Moment, id_column, id_type, long_json, long_text

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chats",
        id_column(primary_key=True),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False, index=True),
        sa.Column("archived", sa.Boolean, nullable=False),
        sa.Column("leaf_id", id_type()),
        sa.Column("active_run_id", id_type()),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "messages",
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
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "runs",
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
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "run_events",
        sa.Column("run_id", id_type(60), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("step", sa.String(100), nullable=False),
        sa.Column("chunk", long_text(), nullable=False),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    for table in ("run_events", "runs", "messages", "chats"):
        op.drop_table(table)
