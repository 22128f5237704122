"""What the database promises on SQLite, MariaDB and Postgres alike, and what a lost server does."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

import docmind.conversations.tables
import docmind.runs.tables  # noqa: F401
from docmind.errors import DatabaseTooNew, SettingsError
from docmind.storage.database import Database, metadata
from docmind.storage.migrations import migrate
from tests.servers.mariadb import MariaDb
from tests.servers.programs import free_port


@pytest.fixture
def own_mariadb(tmp_path: Path):
    """A server of this test's own, which it may kill."""
    server = MariaDb(tmp_path)
    server.start()
    yield server
    server.stop()


def test_the_migrations_make_the_tables_that_the_stores_declare(any_database: Database):
    wanted = {table.name for table in metadata.sorted_tables}
    with any_database.read() as connection:
        context = MigrationContext.configure(connection)
        differences = [
            difference
            for difference in compare_metadata(context, metadata)
            # A table whose store this test does not import is not a difference.
            if not (difference[0] in ("remove_table", "remove_index") and _table_of(difference) not in wanted)
        ]
    assert differences == []


def _table_of(difference: tuple) -> str:
    item = difference[1]
    return item.name if isinstance(item, sa.Table) else item.table.name


def test_two_processes_that_start_together_make_the_tables_once(any_database_url: str):
    failures: list[BaseException] = []

    def start() -> None:
        database = Database(any_database_url)
        try:
            migrate(database)
        except BaseException as exc:  # noqa: BLE001  a thread has no other way to tell
            failures.append(exc)
        finally:
            database.close()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []


def test_a_newer_database_is_refused(any_database: Database):
    with any_database.transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseTooNew):
        migrate(any_database)


def test_a_database_of_three_byte_characters_is_refused(mariadb: MariaDb):
    database = Database(mariadb.new_database("three_bytes", charset="utf8mb3"))
    with pytest.raises(SettingsError, match="utf8mb4"):
        database.check()
    database.close()


def test_a_connection_that_the_server_closed_is_replaced(mariadb: MariaDb):
    database = Database(mariadb.new_database("idle"))
    with database.read() as connection:
        own = connection.execute(sa.text("SELECT CONNECTION_ID()")).scalar_one()
    mariadb.execute(f"KILL {own}")
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT 1")).scalar_one() == 1
    database.close()


def test_work_that_may_be_repeated_waits_for_a_server_that_restarts(own_mariadb: MariaDb):
    database = Database(own_mariadb.new_database("marks"))
    with database.transaction() as connection:
        connection.execute(sa.text("CREATE TABLE marks (n INTEGER PRIMARY KEY)"))
    own_mariadb.kill()
    restart = threading.Timer(1.0, own_mariadb.start)
    restart.start()
    tries = []

    def mark(connection: sa.Connection) -> None:
        tries.append(1)
        connection.execute(sa.text("REPLACE INTO marks VALUES (1)"))

    database.insist(mark)
    restart.join()
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM marks")).scalar_one() == 1
    database.close()


def test_a_server_that_stays_away_is_an_error_in_bounded_time():
    database = Database(f"mysql+pymysql://root@127.0.0.1:{free_port()}/nowhere", server_away_s=0.5)
    with pytest.raises(sa.exc.OperationalError):
        database.insist(lambda _connection: None)
    database.close()


def test_a_mistake_is_not_tried_again(any_database: Database):
    tries = []

    def mistake(connection: sa.Connection) -> None:
        tries.append(1)
        connection.execute(sa.text("SELECT * FROM no_such_table"))

    with pytest.raises(sa.exc.DBAPIError):
        any_database.insist(mistake)
    assert tries == [1]
