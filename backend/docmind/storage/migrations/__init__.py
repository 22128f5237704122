"""Bring a database up to this program's tables: Alembic's scripts in versions/, run at start.

A SQLite file is backed up before a change (<name>.backup-<revision>). A database newer than the program is refused, untouched.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from docmind.errors import DatabaseTooNew
from docmind.storage.database import Database


def migrate(database: Database, *, to: str | None = None) -> None:
    """Run what is missing, up to the revision `to` (the newest by default). Raises DatabaseTooNew before anything is written."""
    with database.read() as connection:
        current = current_revision(connection)
        connection.rollback()
    target = to or newest_revision()
    if current == target:
        return
    # Alembic takes long to import, and most starts find nothing to do.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(Path(__file__).parent))
    known = {revision.revision for revision in script.walk_revisions()}
    for revision in (current, target):
        if revision is not None and revision not in known:
            raise DatabaseTooNew(f"the data are at revision {revision}, which this version does not know")
    if database.is_sqlite and current is not None:
        _back_up(Path(str(database.url.database)), current)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with database.transaction() as connection:
        _wait_for_others(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, target)


def current_revision(connection: sa.Connection) -> str | None:
    """The revision that the database is at; None without our tables."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return None if revision is None else str(revision)


def newest_revision() -> str:
    """The revision that this program brings a database to: its scripts are named <revision>_<what it does>.py in order."""
    scripts = (Path(__file__).parent / "versions").glob("[0-9]*_*.py")
    return max(script.name.split("_", 1)[0] for script in scripts)


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
