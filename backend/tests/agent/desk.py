"""A desk with a scripted model, and the events of a run as a list."""

from __future__ import annotations

from typing import Any

from docmind.domain.answer import AnswerEvent, RunFinished
from docmind.domain.ports import ModelCard
from docmind.flows.answer import Asked, Desk, answer
from docmind.providers.chat_openai import ChatOpenAI
from tests.agent.library import MemoryLibrary, no_offline
from tests.scripted_model import ScriptedModel


def a_model(server: ScriptedModel, *, timeout_s: float = 5.0, key: str = "sk-canary", **card: Any) -> ChatOpenAI:
    return ChatOpenAI(ModelCard("scripted", **card), base_url=server.base_url, api_key=key, timeout_s=timeout_s)


def a_desk(library: MemoryLibrary, server: ScriptedModel | None, **given: Any) -> Desk:
    model = given.pop("model", None) or (a_model(server) if server is not None else None)
    return Desk(
        shelf=library,
        finder=library,
        offline=given.pop("offline", no_offline),
        model=model,
        **{"first_wait_s": 0.01, **given},
    )


async def run(question: str, desk: Desk, **asked: Any) -> list[AnswerEvent]:
    events = [event async for event in answer(Asked("run-1", question, **asked), desk)]
    if desk.model is not None:
        await desk.model.close()
    return events


def finished(events: list[AnswerEvent]) -> RunFinished:
    assert isinstance(events[-1], RunFinished)
    return events[-1]


def of_type(events: list[AnswerEvent], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
