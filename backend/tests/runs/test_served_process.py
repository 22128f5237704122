"""The reading loop through HTTP, with a real server and the real model client: upload, follow, ask, stream, cite."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library_home import a_pdf
from tests.scripted_model import ScriptedModel
from tests.scripted_model.obedient import obedient
from tests.served import Server, model_environment, reading_calls, text_of

PDF = a_pdf(
    "The lighthouse of Arkona was built in 1827 by Karl Friedrich Schinkel.",
    "Its lamp burns seventeen litres of rapeseed oil in a winter night.",
)


@pytest.fixture(scope="module")
def model():
    with ScriptedModel(obedient) as model:
        yield model


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel):
    server = Server(tmp_path_factory.mktemp("loop") / "home", model_environment(model))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def document(server: Server):
    document = server.upload(PDF, "Leuchtturm 名字.pdf")
    return server.document_when_final(document["id"])


def test_an_uploaded_pdf_becomes_a_readable_document(server: Server, document: dict):
    assert (document["status"], document["page_count"], document["name"]) == ("ready", 2, "Leuchtturm 名字.pdf")
    tree = server.client.get(f"/api/documents/{document['id']}/tree").json()
    assert [(node["page_from"], node["page_to"]) for node in tree["nodes"]] == [(1, 1), (2, 2)]
    page = server.client.get(f"/api/documents/{document['id']}/pages/2").json()
    assert "rapeseed" in page["text"]
    image = server.client.get(f"/api/documents/{document['id']}/pages/1/image")
    assert image.headers["content-type"] == "image/jpeg"
    assert image.content[:2] == b"\xff\xd8"
    found = server.client.get("/api/search", params={"q": "rapeseed oil"}).json()["hits"]
    assert [(hit["document_id"], hit["page"]) for hit in found] == [(document["id"], 2)]


def test_the_stages_of_an_upload_can_be_followed(server: Server):
    document = server.upload(a_pdf("Some other text", "and more"), "other.pdf")
    events = list(server.events(f"/api/documents/{document['id']}/events"))
    assert events[-1].type == "finish"
    assert events[-2].chunk["data"]["status"] == "ready"
    assert events[-2].chunk["data"]["page_count"] == 2


def test_the_same_bytes_are_the_same_document(server: Server, document: dict):
    again = server.client.post("/api/documents", files={"file": ("copy.pdf", PDF, "application/pdf")})
    assert again.status_code == 200
    assert again.json()["duplicate"] is True
    assert again.json()["document"]["id"] == document["id"]


def test_the_file_is_served_in_ranges_and_can_run_nothing(server: Server, document: dict):
    part = server.client.get(f"/api/documents/{document['id']}/file", headers={"Range": "bytes=0-4"})
    assert (part.status_code, part.content) == (206, b"%PDF-")
    assert part.headers["x-content-type-options"] == "nosniff"
    assert part.headers["content-security-policy"].startswith("sandbox")
    assert part.headers["content-type"] == "application/pdf"


def test_a_question_streams_to_an_answer_with_verified_citations(server: Server, document: dict):
    chat = server.new_chat()
    run = server.start_run(chat, "Who built the lighthouse of Arkona?", scope={"documents": [document["id"]]})
    events = list(server.follow(run))

    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    types = [event.type for event in events]
    assert types[0] == "start"
    assert types[-1] == "finish"
    assert "tool-input-available" in types
    assert "tool-output-available" in types
    answer = next(event.chunk["data"] for event in events if event.type == "data-answer")
    assert "Schinkel" in answer["answer"]
    (citation, *_) = answer["citations"]
    assert (citation["document_id"], citation["page"], citation["verified"]) == (document["id"], 1, True)
    assert citation["boxes"], "the quote has its rectangles on the page"

    question, answered = server.messages(chat)
    assert (question["role"], question["text"]) == ("user", "Who built the lighthouse of Arkona?")
    assert answered["text"] == answer["answer"]
    assert answered["citations"][0]["document_removed"] is False
    assert (answered["mode"], answered["model"], answered["status"]) == ("agent", "scripted", "finished")
    assert server.client.get(f"/api/runs/{run}").json()["status"] == "finished"


def test_without_a_model_the_offline_reader_answers_and_says_so(server: Server, document: dict):
    chat = server.new_chat()
    run = server.start_run(chat, "How many litres of rapeseed oil does the lamp burn?", offline=True)
    events = list(server.follow(run))
    answer = next(event.chunk["data"] for event in events if event.type == "data-answer")
    assert (answer["mode"], answer["offline_reason"]) == ("offline", "offline_asked")
    assert answer["citations"][0]["page"] == 2
    assert "seventeen litres" in answer["answer"]


def test_a_follow_up_knows_what_was_said(server: Server, model: ScriptedModel, document: dict):
    chat = server.new_chat()
    list(server.follow(server.start_run(chat, "Who built the lighthouse?")))
    list(server.follow(server.start_run(chat, "And what does its lamp burn?")))
    spoken = [message["content"] for message in model.requests[-1].body["messages"] if message["role"] == "user"]
    assert spoken[:2] == ["Who built the lighthouse?", "And what does its lamp burn?"]
    assert [message["role"] for message in server.messages(chat)] == ["user", "assistant"] * 2


def test_a_stream_cut_anywhere_goes_on_where_it_was(server: Server, model: ScriptedModel, document: dict):
    chat = server.new_chat()
    calls_before = reading_calls(model)
    run = server.start_run(chat, "Who built the lighthouse of Arkona?")
    whole = list(server.follow(run))
    calls = reading_calls(model) - calls_before
    for cut in range(0, len(whole), max(1, len(whole) // 20)):
        first = server.first_events(run, cut)
        rest = list(server.follow(run, after=first[-1].seq if first else 0))
        assert first + rest == whole
    assert reading_calls(model) - calls_before == calls, "looking on starts no work"
    assert text_of(whole) in server.messages(chat)[-1]["text"]


def test_what_does_not_exist_is_404_with_a_code(server: Server):
    for path, code in (
        ("/api/documents/0123456789abcdef", "document_not_found"),
        ("/api/chats/none", "chat_not_found"),
        ("/api/runs/none", "run_not_found"),
        ("/api/runs/none/events", "run_not_found"),
    ):
        answer = server.client.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)


def test_a_second_start_takes_seconds_and_keeps_everything(tmp_path: Path):
    server = Server(tmp_path / "home")
    document = server.upload(PDF)
    server.document_when_final(document["id"])
    chat = server.new_chat()
    list(server.follow(server.start_run(chat, "Who built the lighthouse?")))
    before = server.messages(chat)
    server.stop()
    server.start()
    # Seconds of the processor: a busy machine must not fail a test.
    assert server.cpu_seconds() < 8
    assert server.messages(chat) == before
    assert server.client.get(f"/api/documents/{document['id']}").json()["status"] == "ready"
    server.stop()


def test_settings_are_shown_without_their_secrets(tmp_path: Path):
    canary = "canary-8c1f"
    environment = {"LLM_API_KEY": canary, "LLM_MODEL": "m", "LLM_BASE_URL": f"http://user:{canary}@127.0.0.1:1/v1"}
    server = Server(tmp_path / "home", environment)
    answer = server.client.get("/api/settings")
    assert canary not in answer.text
    shown = {setting["name"]: setting for setting in answer.json()["settings"]}
    assert shown["LLM_API_KEY"] == {"name": "LLM_API_KEY", "value": None, "secret": True, "source": "environment"}
    assert shown["DOCMIND_TOKEN"] == {"name": "DOCMIND_TOKEN", "value": "", "secret": True, "source": "default"}
    assert shown["LLM_MODEL"]["value"] == "m"
    server.stop()
