"""Upload -> events -> tree -> ask -> stream -> citations, through HTTP, with a model and without."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.api.served import Served, answer_of, serve, settings_for_tests
from tests.scripted_model import Failure, Reply, Script, ScriptedModel, rounds
from tests.scripted_model.obedient import obedient
from tests.small_pdf import GARDEN, a_pdf

QUESTION = "How many litres of water do tomatoes want in July?"


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Served]:
    with serve(settings_for_tests(tmp_path)) as served:
        yield served


@contextmanager
def serve_with_model(home: Path, script: Script) -> Iterator[Served]:
    with ScriptedModel(script) as model:
        settings = settings_for_tests(home, llm_base_url=model.base_url, llm_api_key="test-key", llm_model="scripted")
        with serve(settings) as served:
            yield served


def test_an_upload_tells_its_stages_and_becomes_a_tree(offline: Served):
    answer = offline.client.post("/api/documents", files={"file": ("garden.pdf", GARDEN)})
    assert answer.status_code == 202
    document = answer.json()["document"]
    stages = [
        e.chunk["data"]["status"]
        for e in offline.events(f"/api/documents/{document['id']}/events")
        if e.type == "data-stage"
    ]
    assert stages[-1] == "ready"

    shown = offline.client.get(f"/api/documents/{document['id']}").json()
    assert (shown["status"], shown["page_count"], shown["outline_source"]) == ("ready", 4, "bookmarks")
    tree = offline.client.get(f"/api/documents/{document['id']}/tree").json()
    assert [(n["title"], n["page_from"], n["page_to"]) for n in tree["nodes"]][1:] == [
        ("Soil", 2, 2),
        ("Watering", 3, 4),
    ]
    assert tree["nodes"][-1]["children"][0]["title"] == "Frost"


def test_the_offline_reader_answers_with_a_verified_quote_and_says_why(offline: Served):
    document_id = offline.upload(GARDEN)
    asked = offline.ask(QUESTION)
    events = offline.events(asked.events)

    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert events[-1].type == "finish"
    answer = answer_of(events)
    assert answer["mode"] == "offline"
    assert answer["answer"].startswith("No model was used")
    first = answer["citations"][0]
    assert (first["document_id"], first["page"], first["verified"]) == (document_id, 3, True)
    assert "25 litres" in first["quote"]
    assert first["boxes"], "the quote has rectangles on its page"


def test_the_agent_turns_pages_and_cites_them(tmp_path: Path):
    with serve_with_model(tmp_path, obedient) as served:
        document_id = served.upload(GARDEN)
        events = served.events(served.ask(QUESTION, scope={"documents": [document_id]}).events)
        chat = served.client.get("/api/chats").json()["chats"][0]
        messages = served.client.get(f"/api/chats/{chat['id']}").json()["messages"]

    types = [event.type for event in events]
    assert types.count("start-step") >= 2
    assert "tool-input-available" in types
    assert "tool-output-available" in types
    answer = answer_of(events)
    assert answer["mode"] == "agent"
    assert any(c["page"] == 3 and c["verified"] for c in answer["citations"])
    assert messages[1]["text"] == answer["answer"]
    assert messages[1]["citations"][0]["document_removed"] is False


def test_an_endpoint_without_balance_leads_to_the_offline_reader(tmp_path: Path):
    with serve_with_model(tmp_path, rounds(Failure(402, message="Insufficient Balance"))) as served:
        served.upload(GARDEN)
        answer = answer_of(served.events(served.ask(QUESTION).events))
    assert answer["mode"] == "offline"
    assert answer["offline_reason"] == "model_balance_empty"
    assert "balance" in answer["answer"].splitlines()[0]


def test_what_the_library_does_not_hold_is_not_found_in_the_question_s_language(offline: Served):
    offline.upload(GARDEN)
    english = answer_of(offline.events(offline.ask("Who won the chess championship of 1972?").events))
    chinese = answer_of(offline.events(offline.ask("量子纠缠的定义是什么？").events))
    assert english["citations"] == chinese["citations"] == []
    assert "Not found" in english["answer"]
    assert "没有找到" in chinese["answer"]


def test_closing_the_stream_does_not_stop_a_run_and_a_later_one_gets_every_event(tmp_path: Path):
    with serve_with_model(tmp_path, rounds(Reply(text="word " * 60, delay_s=0.02))) as served:
        asked = served.ask("Say something.")
        seen = []
        for event in served.stream(asked.events):
            seen.append(event)
            if event.type == "text-delta":
                break
        whole = served.events(asked.events)
        rest = served.events(asked.events, after=seen[-1].number)
    assert whole[-1].type == "finish"
    assert [e.chunk for e in whole[: len(seen)]] == [e.chunk for e in seen]
    assert [e.number for e in rest] == [e.number for e in whole[len(seen) :]]


def test_stop_ends_the_run_and_the_upstream_request(tmp_path: Path):
    with serve_with_model(tmp_path, rounds(Reply(text="word " * 2_000, delay_s=0.02))) as served:
        asked = served.ask("Say something long.")
        for event in served.stream(asked.events):
            if event.type == "text-delta":
                break
        stopped = served.client.post(f"/api/runs/{asked.run_id}/stop").json()
        events = served.events(asked.events)
        message = served.client.get(f"/api/chats/{asked.chat_id}").json()["messages"][-1]
    assert stopped["status"] == "stopped"
    assert events[-1].type == "abort"
    assert (message["status"], message["text"].startswith("word word")) == ("stopped", True)


def test_twenty_uploads_of_one_file_at_once_are_one_document(offline: Served):
    data = a_pdf([f"Page {n} of a report on rivers." for n in range(1, 30)])
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(
                lambda n: offline.client.post("/api/documents", files={"file": (f"{n}.pdf", data)}).json(), range(20)
            )
        )
    assert len({answer["document"]["id"] for answer in answers}) == 1
    assert sum(not answer["duplicate"] for answer in answers) == 1
    assert offline.client.get("/api/documents").json()["total"] == 1


def test_deleting_leaves_nothing_and_the_page_is_not_found_again(offline: Served):
    document_id = offline.upload(GARDEN)
    assert offline.client.delete(f"/api/documents/{document_id}").status_code == 204
    assert offline.client.get(f"/api/documents/{document_id}").status_code == 404
    assert offline.client.get("/api/search", params={"q": "tomatoes"}).json()["hits"] == []
    left = [p for folder in ("uploads", "tree_index") for p in (offline.home / folder).rglob("*") if p.is_file()]
    assert left == []


def test_deleting_in_mid_ingest_leaves_nothing(offline: Served):
    data = a_pdf([f"Page {n}. " + "rivers and lakes " * 200 for n in range(1, 200)])
    document = offline.client.post("/api/documents", files={"file": ("r.pdf", data)}).json()["document"]
    assert offline.client.delete(f"/api/documents/{document['id']}").status_code == 204
    left = [p for folder in ("uploads", "tree_index") for p in (offline.home / folder).rglob("*") if p.is_file()]
    assert left == []
    assert offline.client.get("/api/documents").json()["total"] == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "empty_file"), (b"<html>no pdf</html>", "not_a_pdf"), (b"\x89PNG\r\n\x1a\n" + b"0" * 50, "not_a_pdf")],
)
def test_what_is_no_pdf_is_refused_with_a_code_and_nothing_is_stored(offline: Served, data: bytes, code: str):
    answer = offline.client.post("/api/documents", files={"file": ("x.pdf", data)})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == code
    assert offline.client.get("/api/documents").json()["total"] == 0


def test_a_hostile_file_name_is_only_a_name(offline: Served):
    for name in ("../../x.pdf", "/tmp/x.pdf", "..\\x.pdf", "CON", "a" * 300 + ".pdf", "%2e%2e%2fx.pdf"):
        data = a_pdf([f"A page of {name}"])
        document_id = offline.upload(data, name)
        assert (offline.home / "uploads" / document_id / "source.pdf").is_file()
    assert not (offline.home.parent / "x.pdf").exists()
