"""Two server processes on one library: runs are followed from either, and a dead one's work goes on at the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library_home import a_pdf
from tests.runs.test_survival import Slow
from tests.scripted_model import ScriptedModel
from tests.served import Server, model_environment, reading_calls, text_of
from tests.servers.mariadb import MariaDb
from tests.servers.postgres import Postgres


@pytest.fixture
def pair(tmp_path: Path, mariadb: MariaDb, postgres: Postgres):
    """Workflows on Postgres, tables on MariaDB, one home folder."""
    slow = Slow()
    with ScriptedModel(slow) as model:
        environment = {
            **model_environment(model),
            "DATABASE_URL": mariadb.new_database("shared_tables"),
            "DBOS_DATABASE_URL": postgres.new_database("shared_workflows"),
        }
        first = Server(tmp_path / "home", environment)
        second = Server(tmp_path / "home", environment)
        yield first, second, slow, model
        first.kill()
        second.kill()


def test_two_processes_share_a_library_and_survive_one_another(
    pair: tuple[Server, Server, Slow, ScriptedModel],
):
    first, second, slow, model = pair
    document = first.upload(a_pdf("One", "Two"))
    assert second.document_when_final(document["id"])["status"] == "ready"

    # A run that was started on one is followed from the other, and stopped from there.
    slow.pace = 0.05
    chat = first.new_chat()
    run = first.start_run(chat, "When?")
    events = list(second.follow(run))
    assert events == list(first.follow(run))
    assert text_of(events) == second.messages(chat)[-1]["text"]
    chat = first.new_chat()
    run = first.start_run(chat, "When?")
    second.client.post(f"/api/runs/{run}/stop")
    assert second.run_when_final(run, 10)["status"] == "stopped"

    # One dies in the middle of an answer: the other goes on with it.
    slow.pace = 0.2
    chat = first.new_chat()
    calls = reading_calls(model)
    run = first.start_run(chat, "When?")
    first.first_events(run, 16)
    first.kill()
    slow.pace = 0.0
    assert second.run_when_final(run, 40)["status"] == "finished"
    events = list(second.follow(run))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.chunk["data"]["round"] for event in events if event.type == "data-withdrawn"] == [2]
    assert reading_calls(model) - calls == 3
    assert text_of(events) == second.messages(chat)[-1]["text"]
