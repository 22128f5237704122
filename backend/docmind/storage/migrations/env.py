"""Alembic's entry: it is handed the open connection by migrate()."""

from __future__ import annotations

from alembic import context

from docmind.storage.database import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
