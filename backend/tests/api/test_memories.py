"""Memory over real HTTP: what is told in one conversation, and what the next one is given."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.api.served import Asked, Served, serve, settings_for_tests
from tests.scripted_model import Reply, ScriptedModel

NOTHING = Reply('{"items": []}')


class Model:
    """Answers every question, extracts nothing, and keeps what it was sent."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.extractions: list[str] = []

    def __call__(self, request: Mapping[str, Any]) -> Reply:
        first = request["messages"][0]
        if first["role"] == "system":
            self.prompts.append(first["content"])
            return Reply("Hello.")
        self.extractions.append(json.dumps(request["messages"]))
        return NOTHING


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def served(tmp_path: Path, model: Model) -> Iterator[Served]:
    with (
        ScriptedModel(model) as scripted,
        serve(
            settings_for_tests(
                tmp_path,
                llm_base_url=scripted.base_url,
                llm_api_key="test-key",
                llm_model="scripted",
                memory_extraction=True,
            )
        ) as server,
    ):
        yield server


def memory_of(served: Served, asked: Asked) -> list[dict[str, Any]]:
    """What the run's trail says it was given."""
    events = served.events(asked.events)
    return next((event.chunk["data"]["items"] for event in events if event.type == "data-memory"), [])


def items_when(served: Served, count: int, **wanted: Any) -> list[dict[str, Any]]:
    """The items of the listing, once there are so many: turns are remembered in the background."""
    deadline = time.monotonic() + 20
    while True:
        listed = served.client.get("/api/memories", params=wanted).json()
        if listed["total"] >= count or time.monotonic() > deadline:
            assert listed["total"] == count, listed
            return listed["items"]
        time.sleep(0.1)


def test_two_rules_told_in_one_conversation_stand_in_the_next_and_one_after_the_other_is_deleted(served, model):
    served.events(served.ask("From now on formulas should be in LaTeX. Derivations come first.").events)
    rules = items_when(served, 2, type="procedural")

    given = memory_of(served, served.ask("Hello there"))

    assert {item["content"] for item in given} == {rule["content"] for rule in rules}
    assert "formulas should be in LaTeX" in model.prompts[-1]
    assert "Derivations come first" in model.prompts[-1]

    latex = next(rule for rule in rules if "LaTeX" in rule["content"])
    assert served.client.delete(f"/api/memories/{latex['id']}").status_code == 204
    given = memory_of(served, served.ask("Hello again"))

    assert [item["content"] for item in given] == ["Derivations come first"]
    assert "LaTeX" not in model.prompts[-1].partition("# What is known of the user")[2]
    assert "Derivations come first" in model.prompts[-1]


def test_switched_off_nothing_is_remembered_and_nobody_is_called(served: Served, model: Model):
    served.client.patch("/api/memories/switches", json={"extraction": False})
    quiet = served.client.post("/api/chats").json()["id"]
    served.events(served.ask("Remember that I work on RMSNorm and LayerNorm.", chat_id=quiet).events)
    served.client.patch("/api/memories/switches", json={"extraction": True})
    served.client.patch("/api/memories/switches", params={"chat_id": quiet}, json={"extraction": False})
    served.events(served.ask("Remember that I work on RMSNorm and LayerNorm.", chat_id=quiet).events)

    # A turn of another chat is remembered; when it is there, the two before it would be too.
    served.events(served.ask("Remember that I play the oboe.").events)
    items = items_when(served, 1, type="semantic")

    assert "oboe" in items[0]["content"]
    assert len(model.extractions) == 1


def test_injection_switched_off_gives_nothing_and_offers_no_tool(served: Served, model: Model):
    served.client.post("/api/memories", json={"type": "procedural", "content": "Write formulas in LaTeX"})
    chat = served.client.post("/api/chats").json()["id"]
    assert len(memory_of(served, served.ask("Hello", chat_id=chat))) == 1

    switched = served.client.patch("/api/memories/switches", params={"chat_id": chat}, json={"injection": False})

    assert switched.json() == {"extraction": True, "injection": False}
    assert memory_of(served, served.ask("Hello", chat_id=chat)) == []
    assert "LaTeX$" not in model.prompts[-1]
    assert "Write formulas in LaTeX\n" not in model.prompts[-1]


def test_forget_in_chat_takes_effect_at_once_and_can_be_undone(served: Served, model: Model):
    served.client.post("/api/memories", json={"type": "semantic", "content": "Works on RMSNorm in deep transformers"})

    asked = served.ask("Please forget that I work on RMSNorm.")
    given = memory_of(served, asked)

    assert [(item["reason"], item["undo"], item["content"]) for item in given] == [("forgotten", asked.run_id, "")]
    assert served.client.get("/api/memories").json()["total"] == 0
    assert "deep transformers" not in model.prompts[-1]

    undone = served.client.post(f"/api/memories/forgotten/{asked.run_id}/undo")
    assert [item["content"] for item in undone.json()["items"]] == ["Works on RMSNorm in deep transformers"]
    assert served.client.post(f"/api/memories/forgotten/{asked.run_id}/undo").status_code == 404
    assert served.client.get("/api/memories").json()["total"] == 1


def test_items_are_added_searched_changed_exported_and_imported(served: Served):
    api = served.client
    added = api.post("/api/memories", json={"type": "semantic", "content": "研究残差连接", "keywords": ["ResNet"]})
    assert (added.status_code, added.json()["outcome"]) == (201, "added")
    item = added.json()["item"]
    assert api.post("/api/memories", json={"type": "semantic", "content": "研究残差连接"}).json()["outcome"] == "merged"

    assert api.get("/api/memories", params={"q": "残差"}).json()["total"] == 1
    assert api.get("/api/memories", params={"q": "nothing"}).json()["total"] == 0
    assert api.patch(f"/api/memories/{item['id']}", json={"pinned": True}).json()["pinned"] is True
    assert api.get("/api/memories", params={"pinned": True}).json()["total"] == 1

    export = api.get("/api/memories/export").json()
    assert api.delete("/api/memories").json() == {"count": 1}
    assert api.post("/api/memories/import", json=export).json() == {"count": 1}
    assert api.get("/api/memories/export").json() == export


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/memories/nobody", None, 404),
        ("DELETE", "/api/memories/nobody", None, 404),
        ("PATCH", "/api/memories/nobody", {"pinned": True}, 404),
        ("POST", "/api/memories", {"type": "rule", "content": "x"}, 422),
        ("POST", "/api/memories", {"type": "semantic", "content": ""}, 422),
        ("POST", "/api/memories", {"type": "semantic", "content": " \n"}, 400),
        ("POST", "/api/memories", {"type": "semantic", "content": "x" * 5000}, 422),
        ("POST", "/api/memories/import", {"format": 9}, 400),
        ("POST", "/api/memories/import", {"format": 1, "items": [{"type": "semantic"}]}, 400),
        ("PATCH", "/api/memories/switches?chat_id=nobody", {"injection": False}, 404),
        ("POST", "/api/memories/forgotten/nobody/undo", None, 404),
    ],
)
def test_what_is_wrong_is_refused_with_a_code(served: Served, method, path, body, status):
    answer = served.client.request(method, path, json=body)

    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["code"]
