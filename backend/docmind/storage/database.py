"""The database: an engine for SQLite, MySQL or MariaDB, and transactions. Knows no table; stores bring their own.

SQLite runs in WAL mode with a busy timeout, so readers never wait for the one writer. MySQL connections are
checked before use and recycled, and must speak utf8mb4 (its older "utf8" has three bytes and loses emoji).
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from docmind.errors import SettingsError, StorageError
from docmind.storage.wal import use_wal

Result = TypeVar("Result")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables register here; the migrations are held against it by a test."""

SQLITE_BUSY_MS = 15_000

# A server that restarts is back within this time; a run that waits is better than a run that is lost.
SERVER_AWAY_S = 30.0
# MySQL: cannot connect, gone away, lost while asking, shutting down, deadlock, lock wait timeout.
_MYSQL_PASSING = frozenset({2002, 2003, 2006, 2013, 2055, 1053, 1205, 1213})
# Postgres: serialization failure, deadlock, shutting down, crashed, starting.
_POSTGRES_PASSING = frozenset({"40001", "40P01", "57P01", "57P02", "57P03"})


class Database:
    """One database, shared by all stores of a process. Calls block: async code goes through a thread."""

    def __init__(self, url: URL | str, *, server_away_s: float = SERVER_AWAY_S) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError as exc:
            # The address may hold a password: it is not repeated.
            raise SettingsError("DATABASE_URL is not an address like mysql://user:password@host/name") from exc
        self._server_away_s = server_away_s
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite_engine(self.url) if self.is_sqlite else _server_engine(self.url)
        self._write_lock = threading.RLock()

    @classmethod
    def sqlite(cls, path: Path) -> Database:
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(URL.create("sqlite", database=str(path)))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._connect() as connection:
            yield connection

    def _connect(self) -> Connection:
        """A connection that works. A server that restarts is waited for: nothing was sent yet, so nothing can be doubled."""
        if self.is_sqlite:
            return self.engine.connect()
        return self._while_it_passes(self.engine.connect, self._server_away_s)

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[Connection]:
        """A write: committed at the end, rolled back on an error. `durable` survives a power cut too (synchronous=FULL).

        SQLite has one writer: threads of this process queue here in order, and BEGIN IMMEDIATE keeps a read that
        becomes a write from failing at once with "database is locked".
        """
        if not self.is_sqlite:
            with self._connect() as connection, connection.begin():
                yield connection
            return
        with self._write_lock, self.engine.connect() as connection:
            if durable:
                connection.exec_driver_sql("PRAGMA synchronous=FULL")
                connection.rollback()
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
                connection.commit()
            finally:
                connection.rollback()
                if durable:
                    connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
                    connection.rollback()

    def insist(self, work: Callable[[Connection], Result], *, durable: bool = False) -> Result:
        """`work` in a transaction, done again while the server is away or its locks cross.

        A server that dies while it commits may have committed: give only work whose second time changes nothing.
        """

        def once() -> Result:
            with self.transaction(durable=durable) as connection:
                return work(connection)

        return self._while_it_passes(once, self._server_away_s)

    @staticmethod
    def _while_it_passes(work: Callable[[], Result], for_s: float) -> Result:
        deadline = time.monotonic() + for_s
        wait_s = 0.05
        while True:
            try:
                return work()
            except DBAPIError as exc:
                if not passes(exc) or time.monotonic() + wait_s > deadline:
                    raise
            time.sleep(wait_s * random.uniform(0.5, 1.0))
            wait_s = min(wait_s * 2, 1.0)

    def check(self) -> None:
        """Raises StorageError when the database cannot be reached, SettingsError when its characters are too small."""
        with self.read() as connection:
            if self.is_sqlite:
                connection.execute(text("SELECT 1"))
                return
            if self.url.get_backend_name() in ("mysql", "mariadb"):
                charset = connection.execute(text("SELECT @@character_set_database")).scalar_one()
                if charset != "utf8mb4":
                    raise SettingsError(
                        f"the database's character set is {charset}, but utf8mb4 is needed",
                        advice="ALTER DATABASE ... CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                    )

    def integrity_problems(self) -> list[str]:
        """What the database itself finds wrong with its tables. Postgres checks pages as it reads them, so it is not asked."""
        backend = self.url.get_backend_name()
        with self.read() as connection:
            if self.is_sqlite:
                found = connection.execute(text("PRAGMA integrity_check")).scalars().all()
                return [problem for problem in found if problem != "ok"]
            if backend not in ("mysql", "mariadb"):
                return []
            quote = connection.dialect.identifier_preparer.quote
            names = [quote(name) for name in inspect(connection).get_table_names()]
            rows = connection.execute(text(f"CHECK TABLE {', '.join(names)}")).all() if names else []
            return [f"{row[0]}: {row[3]}" for row in rows if row[2] in ("error", "warning")]

    def close(self) -> None:
        self.engine.dispose()


def passes(exc: DBAPIError) -> bool:
    """Whether the same work may succeed a moment later: the server is away or starting, or two transactions crossed."""
    if exc.connection_invalidated:
        return True
    cause = exc.orig
    if cause is None:
        return False
    code = getattr(cause, "sqlstate", None)
    if code is not None:
        return code in _POSTGRES_PASSING
    if type(cause).__module__.startswith("psycopg"):
        # A connection that never came about has no SQLSTATE.
        return type(cause).__name__ == "OperationalError"
    return bool(cause.args) and cause.args[0] in _MYSQL_PASSING


def _sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": SQLITE_BUSY_MS / 1000, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: object, _entry: ConnectionPoolEntry) -> None:
        # We say BEGIN ourselves (see transaction): the driver's own habit begins too late.
        connection.isolation_level = None  # type: ignore[attr-defined]
        cursor = connection.cursor()  # type: ignore[attr-defined]
        cursor.execute(f"PRAGMA busy_timeout={SQLITE_BUSY_MS}")
        use_wal(cursor.execute)
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    return engine


def _server_engine(url: URL) -> Engine:
    backend = url.get_backend_name()
    if backend in ("mysql", "mariadb"):
        url = url.update_query_dict({"charset": "utf8mb4"})
    elif backend != "postgresql":
        raise StorageError(
            f"{backend} is not a database that DocMind can use: give sqlite, mysql+pymysql or postgresql"
        )
    # READ COMMITTED: MySQL's default would show a waiting transaction the rows as they were before it waited.
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_recycle=1800,
        pool_size=10,
        max_overflow=20,
        isolation_level="READ COMMITTED",
    )
