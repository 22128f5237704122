"""What the endpoint offers, and the trace of a run, over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

from docmind.domain.answer import RunFinished
from docmind.flows.trace import replay, trace_from_json
from tests.api.served import answer_of, serve, settings_for_tests
from tests.scripted_model import ScriptedModel
from tests.scripted_model.obedient import obedient
from tests.small_pdf import GARDEN


def test_a_run_is_traced_and_its_trace_replays(tmp_path: Path):
    with ScriptedModel(obedient) as model:
        settings = settings_for_tests(
            tmp_path, llm_base_url=model.base_url, llm_api_key="sk-canary", llm_model="scripted"
        )
        with serve(settings) as served:
            served.upload(GARDEN)
            asked = served.ask("How many litres of water do tomatoes want in July?")
            told = answer_of(served.events(asked.events))
            trace = served.client.get(f"/api/runs/{asked.run_id}/trace")
            unknown = served.client.get("/api/runs/nope/trace")

    async def replayed() -> list[object]:
        return [event async for event in replay(trace_from_json(trace.json()))]

    assert trace.status_code == 200
    assert unknown.status_code == 404
    assert "sk-canary" not in trace.text
    assert [len(each["tools"]) > 0 for each in trace.json()["rounds"]] == [True, True, False]
    last = asyncio.run(replayed())[-1]
    assert isinstance(last, RunFinished)
    assert last.answer == told["answer"]


def test_models_of_the_endpoint_are_offered_and_a_dead_endpoint_is_a_problem(tmp_path: Path):
    with ScriptedModel(obedient, models=("b", "a")) as model:
        up = settings_for_tests(tmp_path / "up", llm_base_url=model.base_url, llm_api_key="sk-canary", llm_model="a")
        with serve(up) as served:
            offered = served.client.get("/api/models").json()
    down = settings_for_tests(tmp_path / "down", llm_base_url="http://127.0.0.1:9/v1", llm_model="a")
    with serve(down) as served:
        dead = served.client.get("/api/models").json()

    assert [each["name"] for each in offered["models"]] == ["a", "b"]
    assert (offered["chosen"], offered["problem"]) == ("a", None)
    assert dead["problem"]["code"] == "model_unreachable"
