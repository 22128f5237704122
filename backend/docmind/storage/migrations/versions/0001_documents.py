"""documents"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docmind.storage.columns import Moment, id_column, long_json, long_text

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "documents",
        id_column(length=16, primary_key=True),
        sa.Column("name", sa.String(500), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("status", sa.String(30), nullable=False, index=True),
        sa.Column("created_at", Moment(), nullable=False, index=True),
        sa.Column("page_count", sa.Integer, nullable=False),
        sa.Column("pages_done", sa.Integer, nullable=False),
        sa.Column("outline_source", sa.String(30), nullable=False),
        sa.Column("title", long_text(), nullable=False),
        sa.Column("author", long_text(), nullable=False),
        sa.Column("warnings", long_json(), nullable=False),
        sa.Column("problem", long_json()),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("has_labels", sa.Boolean, nullable=False),
        sa.Column("extra", long_json(), nullable=False),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    op.drop_table("documents")
