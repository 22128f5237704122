"""Bring a database up to this program's tables: Alembic's scripts in versions/, run at start.

A SQLite file is backed up before a change (<name>.backup-<revision>). A database newer than the program is refused, untouched.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from docmind.errors import DatabaseTooNew
from docmind.storage.database import Database


def migrate(database: Database) -> None:
    """Run what is missing. Raises DatabaseTooNew before anything is written."""
    script = ScriptDirectory(str(Path(__file__).parent))
    with database.read() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        connection.rollback()
    head = script.get_current_head()
    if current == head:
        return
    if current is not None and current not in {revision.revision for revision in script.walk_revisions()}:
        raise DatabaseTooNew(f"the database is at revision {current}, which this version does not know")
    if database.is_sqlite and current is not None:
        _back_up(Path(str(database.url.database)), current)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with database.transaction() as connection:
        _wait_for_others(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _wait_for_others(connection: sa.Connection) -> None:
    """Two processes that start together must not both create the tables. On SQLite the write lock does it."""
    backend = connection.dialect.name
    if backend in ("mysql", "mariadb"):
        connection.execute(sa.text("SELECT GET_LOCK('docmind_migrations', 60)"))
    elif backend == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(724150)"))


def _back_up(path: Path, revision: str) -> None:
    target = path.with_name(f"{path.name}.backup-{revision}")
    if target.exists():
        return
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
