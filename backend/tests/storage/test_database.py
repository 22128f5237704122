from __future__ import annotations

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from docmind.errors import DatabaseTooNew, StorageError
from docmind.storage import migrations
from docmind.storage.database import Database
from docmind.storage.migrations import migrate, newest_revision


@pytest.fixture
def database(tmp_path: Path):
    database = Database.sqlite(tmp_path / "docmind.db")
    migrate(database)
    yield database
    database.close()


def test_a_new_database_gets_the_tables_and_a_second_start_changes_nothing(database: Database):
    migrate(database)
    assert "documents" in sa.inspect(database.engine).get_table_names()


def test_a_database_from_a_newer_program_is_refused_and_untouched(database: Database, tmp_path: Path):
    with database.transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    before = (tmp_path / "docmind.db").read_bytes()
    with pytest.raises(DatabaseTooNew, match="9999"):
        migrate(database)
    assert (tmp_path / "docmind.db").read_bytes() == before


def test_the_newest_script_by_name_is_the_head_of_the_migrations():
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))

    assert newest_revision() == scripts.get_current_head()


def test_a_failed_transaction_leaves_nothing(database: Database):
    with database.transaction() as connection:
        connection.execute(sa.text("CREATE TABLE marks (n INTEGER)"))

    def insert_and_fail():
        with database.transaction() as connection:
            connection.execute(sa.text("INSERT INTO marks VALUES (1)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        insert_and_fail()
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM marks")).scalar_one() == 0


def test_many_writers_wait_for_one_another(database: Database):
    other = Database(database.url)
    with database.transaction() as connection:
        connection.execute(sa.text("CREATE TABLE marks (n INTEGER)"))
    failures: list[Exception] = []

    def write(own: Database) -> None:
        try:
            for n in range(20):
                with own.transaction() as connection:
                    connection.execute(sa.text("INSERT INTO marks VALUES (:n)"), {"n": n})
        except sa.exc.OperationalError as exc:
            failures.append(exc)

    threads = [threading.Thread(target=write, args=(own,)) for own in (database, other) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert failures == []
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM marks")).scalar_one() == 200


def test_an_unknown_database_is_named(tmp_path: Path):
    with pytest.raises(StorageError, match="oracle"):
        Database("oracle://u:p@127.0.0.1/x")
