"""What a run survives: a repeated request, a killed server, a stop, a document that goes away under it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.library_home import a_pdf
from tests.scripted_model import Call, Reply, ScriptedModel
from tests.served import Server, model_environment, reading_calls, text_of
from tests.servers.nginx import Nginx

PDF = a_pdf("The lighthouse of Arkona was built in 1827.", "Its lamp burns seventeen litres of rapeseed oil.")
# Marked as not found, so that the reader asks for no citations: two rounds, always.
ANSWER = "[[not found]] " + "The lighthouse is in none of the documents. " * 10


class Slow:
    """A model that searches once and then answers slowly; `pace` seconds a piece, about 40 pieces."""

    def __init__(self) -> None:
        self.pace = 0.0
        self.script: Callable[[Mapping[str, Any]], Reply] | None = None

    def __call__(self, request: Mapping[str, Any]) -> Reply:
        if self.script is not None:
            return self.script(request)
        if request["messages"][-1]["role"] == "tool":
            return Reply(text=ANSWER, delay_s=self.pace)
        return Reply(text="Let me look.", calls=[Call("list_documents", {})])


@pytest.fixture(scope="module")
def slow():
    return Slow()


@pytest.fixture(scope="module")
def model(slow: Slow):
    with ScriptedModel(slow) as model:
        yield model


@pytest.fixture(scope="module")
def home_server(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel):
    server = Server(tmp_path_factory.mktemp("survival") / "home", model_environment(model))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def undisturbed(home_server: Server, slow: Slow):
    """The answer's text when nothing happens."""
    chat = home_server.new_chat()
    events = list(home_server.follow(home_server.start_run(chat, "When?")))
    text = home_server.messages(chat)[-1]["text"]
    assert text == text_of(events)
    assert len(text) > 300
    return text


@pytest.fixture
def server(home_server: Server, slow: Slow):
    slow.pace = 0.0
    return home_server


def test_the_same_request_gives_the_same_run(server: Server, model: ScriptedModel):
    chat = server.new_chat()
    calls = reading_calls(model)
    first = server.ask(chat, "When?", client_request_id="one").json()
    server.run_when_final(first["run_id"])
    again = server.ask(chat, "When?", client_request_id="one")
    assert (again.status_code, again.json()) == (202, first)
    assert reading_calls(model) - calls == 2
    assert len(server.messages(chat)) == 2


def test_a_request_id_with_other_content_is_refused(server: Server):
    chat = server.new_chat()
    server.run_when_final(server.start_run(chat, "When?", client_request_id="one"))
    refused = server.ask(chat, "Why?", client_request_id="one")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "request_id_reused")
    assert len(server.messages(chat)) == 2


def test_twenty_equal_requests_at_once_are_one_run(server: Server, model: ScriptedModel):
    chat = server.new_chat()
    calls = reading_calls(model)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: server.ask(chat, "When?", client_request_id="one"), range(20)))
    assert {answer.status_code for answer in answers} == {202}
    (run,) = {answer.json()["run_id"] for answer in answers}
    server.run_when_final(run)
    assert reading_calls(model) - calls == 2
    assert len(server.messages(chat)) == 2


def test_a_chat_that_is_being_answered_says_busy(server: Server, slow: Slow):
    slow.pace = 0.1
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    busy = server.ask(chat, "And why?")
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "chat_busy")
    assert server.client.get(f"/api/chats/{chat}").json()["chat"]["active_run_id"] == run
    server.client.post(f"/api/runs/{run}/stop")
    assert server.ask(chat, "And why?").status_code == 202


def test_closing_the_stream_stops_nothing_and_stopping_stops_the_model(
    server: Server, slow: Slow, model: ScriptedModel
):
    slow.pace = 0.1
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.first_events(run, 5)
    time.sleep(0.5)
    assert server.client.get(f"/api/runs/{run}").json()["status"] == "running"

    stopped = server.client.post(f"/api/runs/{run}/stop").json()
    assert stopped["status"] == "stopped"
    assert model.wait_for_hang_up(), "the model's request is closed too: nothing more is paid for"
    events = list(server.follow(run))
    assert events[-1].type == "abort"
    kept = server.messages(chat)[-1]
    assert kept["status"] == "stopped"
    assert kept["text"] == text_of(events)


def test_a_killed_server_goes_on_with_the_round_it_was_in(
    server: Server, slow: Slow, model: ScriptedModel, undisturbed: str
):
    slow.pace = 0.1
    chat = server.new_chat()
    calls = reading_calls(model)
    run = server.start_run(chat, "When?")
    before = next(
        list(events)
        for events in iter(lambda: server.first_events(run, 40), None)
        if any(event.type == "text-delta" and event.chunk["id"] == "t2" for event in events)
    )
    server.kill()
    slow.pace = 0.0
    server.start()
    assert server.run_when_final(run, 30)["status"] == "finished"
    after = list(server.follow(run))
    assert after[: len(before)] == before, "what was shown was on disk"
    assert [event.seq for event in after] == list(range(1, len(after) + 1))
    withdrawn = [event.chunk["data"] for event in after if event.type == "data-withdrawn"]
    assert withdrawn == [{"round": 2, "reason": "resumed"}]
    assert text_of(after) == undisturbed
    assert server.messages(chat)[-1]["text"] == undisturbed
    assert reading_calls(model) - calls == 3, "round 1 is not asked for again, round 2 is"


def test_a_run_that_was_kept_but_never_started_is_started(server: Server, undisturbed: str):
    """The moment between the message's commit and the workflow's start."""
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.run_when_final(run)
    server.stop()
    with sqlite3.connect(server.home / "docmind.db") as tables:
        tables.execute("UPDATE runs SET status = 'queued', ended_at = NULL WHERE id = ?", (run,))
        tables.execute("UPDATE messages SET status = 'running', text = '' WHERE run_id = ?", (run,))
        tables.execute("UPDATE chats SET active_run_id = ? WHERE id = ?", (run, chat))
        tables.execute("DELETE FROM run_events WHERE run_id = ?", (run,))
    tables.close()
    with sqlite3.connect(server.home / "dbos.db") as workflows:
        workflows.execute("DELETE FROM operation_outputs WHERE workflow_uuid = ?", (run,))
        workflows.execute("DELETE FROM workflow_status WHERE workflow_uuid = ?", (run,))
    workflows.close()
    server.start()
    assert server.run_when_final(run, 30)["status"] == "finished"
    assert server.messages(chat)[-1]["text"] == undisturbed


def test_a_run_whose_end_was_kept_but_not_said_gets_its_last_word(server: Server):
    """The moment between the answer's commit and its last event."""
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.run_when_final(run)
    whole = list(server.follow(run))
    server.stop()
    with sqlite3.connect(server.home / "docmind.db") as tables:
        tables.execute("DELETE FROM run_events WHERE run_id = ? AND seq = ?", (run, whole[-1].seq))
    tables.close()
    with sqlite3.connect(server.home / "dbos.db") as workflows:
        workflows.execute("UPDATE workflow_status SET status = 'PENDING' WHERE workflow_uuid = ?", (run,))
    workflows.close()
    server.start()
    assert list(server.follow(run)) == whole


def test_a_run_whose_workflow_is_lost_ends_as_failed(server: Server):
    """Its workflow ended in an error that the run never heard of."""
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.run_when_final(run)
    server.stop()
    with sqlite3.connect(server.home / "docmind.db") as tables:
        tables.execute("UPDATE runs SET status = 'running', ended_at = NULL WHERE id = ?", (run,))
        tables.execute("UPDATE chats SET active_run_id = ? WHERE id = ?", (run, chat))
        tables.execute("DELETE FROM run_events WHERE run_id = ? AND chunk LIKE '%\"finish\"%'", (run,))
    tables.close()
    with sqlite3.connect(server.home / "dbos.db") as workflows:
        workflows.execute("UPDATE workflow_status SET status = 'ERROR' WHERE workflow_uuid = ?", (run,))
    workflows.close()
    server.start()
    assert server.run_when_final(run, 30)["status"] == "failed"
    assert list(server.follow(run))[-1].type == "error"
    assert server.ask(chat, "Again?").status_code == 202


def test_a_stop_outlives_a_kill(server: Server, slow: Slow, model: ScriptedModel):
    slow.pace = 0.1
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.first_events(run, 8)
    server.kill()
    with sqlite3.connect(server.home / "docmind.db") as tables:
        tables.execute("UPDATE runs SET stop_requested = 1 WHERE id = ?", (run,))
    tables.close()
    calls = reading_calls(model)
    server.start()
    assert server.run_when_final(run, 30)["status"] == "stopped"
    assert reading_calls(model) == calls, "a stopped run calls no model"
    server.stop()
    server.start()
    assert server.client.get(f"/api/runs/{run}").json()["status"] == "stopped"
    assert list(server.follow(run))[-1].type == "abort"


def test_a_server_that_is_asked_to_end_leaves_its_runs_to_the_next(server: Server, slow: Slow, undisturbed: str):
    slow.pace = 0.1
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.first_events(run, 8)
    server.stop()
    slow.pace = 0.0
    server.start()
    assert server.run_when_final(run, 30)["status"] == "finished"
    assert server.messages(chat)[-1]["text"] == undisturbed


def test_many_followers_see_the_same(server: Server, slow: Slow):
    slow.pace = 0.02
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    seen: list[list] = []
    threads = [threading.Thread(target=lambda: seen.append(list(server.follow(run)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(seen) == 8
    assert all(events == seen[0] for events in seen)


def test_a_chat_deleted_while_it_is_answered_leaves_nothing(server: Server, slow: Slow, model: ScriptedModel):
    slow.pace = 0.1
    chat = server.new_chat()
    run = server.start_run(chat, "When?")
    server.first_events(run, 17)
    assert server.client.delete(f"/api/chats/{chat}").status_code == 204
    assert model.wait_for_hang_up()
    assert server.client.get(f"/api/chats/{chat}").status_code == 404
    assert server.client.get(f"/api/runs/{run}").status_code == 404
    time.sleep(0.5)
    with sqlite3.connect(server.home / "docmind.db") as tables:
        for table, column in (("messages", "chat_id"), ("runs", "chat_id"), ("run_events", "run_id")):
            key = run if column == "run_id" else chat
            count = tables.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (key,)).fetchone()[0]
            assert (table, count) == (table, 0)
    tables.close()


def test_a_proxy_that_buffers_does_not_hold_a_stream_back(server: Server, slow: Slow, tmp_path: Path):
    slow.pace = 0.1
    proxy = Nginx(tmp_path, server.port)
    try:
        chat = server.new_chat()
        run = server.start_run(chat, "When?")
        asked = time.monotonic()
        through = httpx.Client(base_url=f"http://127.0.0.1:{proxy.port}", trust_env=False, timeout=30)
        with through, through.stream("GET", f"/api/runs/{run}/events") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in answer.headers
            first = next(line for line in answer.iter_lines() if line.startswith("data:"))
        assert '"start"' in first
        assert time.monotonic() - asked < 1
        assert server.client.get(f"/api/runs/{run}").json()["status"] == "running"
        server.client.post(f"/api/runs/{run}/stop")
    finally:
        proxy.stop()


def test_a_document_deleted_in_mid_run_stays_readable_as_evidence(server: Server, slow: Slow):
    document = server.document_when_final(server.upload(PDF)["id"])
    slow.script = lambda request: (
        Reply(text=f'It was built in 1827. [[{document["id"]} p.1 "was built in 1827"]]', delay_s=0.05)
        if request["messages"][-1]["role"] == "tool"
        else Reply(calls=[Call("get_page_content", {"doc_id": document["id"], "pages": "1"})])
    )
    try:
        chat = server.new_chat()
        run = server.start_run(chat, "When was it built?")
        assert server.run_when_final(run)["status"] == "finished"
        assert server.client.delete(f"/api/documents/{document['id']}").status_code == 204
        (citation,) = server.messages(chat)[-1]["citations"]
        assert (citation["verified"], citation["document_removed"]) == (True, True)
        (evidence,) = server.messages(chat)[-1]["evidence"]
        assert "built in 1827" in evidence["text"]
        run = server.start_run(chat, "And now?", scope={"documents": []})
        assert server.run_when_final(run)["status"] == "finished"
        errors = [event.chunk["errorText"] for event in server.follow(run) if event.type == "tool-output-error"]
        assert any(document["id"] in error for error in errors), errors
    finally:
        slow.script = None


def test_an_answer_written_again_and_an_edited_question_are_branches(server: Server):
    chat = server.new_chat()
    server.run_when_final(server.start_run(chat, "First?"))
    question, answer = server.messages(chat)
    server.run_when_final(server.start_run(chat, "", regenerate=answer["id"]))
    again = server.messages(chat)
    assert again[0]["id"] == question["id"]
    assert again[1]["siblings"] == [answer["id"], again[1]["id"]]
    server.run_when_final(server.start_run(chat, "Second?", parent_id=""))
    assert server.messages(chat)[0]["text"] == "Second?"
    server.client.patch(f"/api/chats/{chat}", json={"leaf_id": answer["id"]})
    assert [message["id"] for message in server.messages(chat)] == [question["id"], answer["id"]]
