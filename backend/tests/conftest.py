"""Fixtures that several folders of tests share: one empty database of each kind, on real servers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.storage.database import Database
from docmind.storage.migrations import migrate
from tests.servers.mariadb import MariaDb
from tests.servers.postgres import Postgres


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDb]:
    server = MariaDb(tmp_path_factory.mktemp("mariadb"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "mariadb", "postgres"])
def any_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind: what a store promises, it promises on all three."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'docmind.db'}"
    return request.getfixturevalue(request.param).new_database(f"t{uuid.uuid4().hex[:12]}")


@pytest.fixture
def any_database(any_database_url: str) -> Iterator[Database]:
    """The same with our tables."""
    database = Database(any_database_url)
    migrate(database)
    yield database
    database.close()
