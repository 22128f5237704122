"""members: the processes that share the work"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docmind.storage.columns import id_column

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "members",
        id_column(primary_key=True),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("beats", sa.Integer, nullable=False),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    op.drop_table("members")
