import dataclasses
import json

import pytest

from docmind.agent.steps import InProcessSteps
from docmind.domain.answer import CitationChecked, ModeChanged, RoundStarted, TextDelta, ToolCalled, ToolReturned
from docmind.errors import InvalidInput
from docmind.flows.answer import Asked, answer_in_steps
from docmind.flows.trace import ReplayedSteps, replay, trace_from_json, trace_of, trace_to_json
from tests.agent.desk import a_desk, of_type
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, ScriptedModel, rounds

A = doc_id("a.pdf")
ASKED = Asked("run-7", "How many otters?", (A,), started_at=1_700_000_000.0 + 10**9)


def a_script():
    return rounds(
        Reply(
            text="Looking.", calls=[Call("search_pages", {"query": "otters"}), Call("list_documents")], reasoning="hm"
        ),
        Reply(calls=[Call("get_page_content", {"doc_id": A, "pages": "1"})]),
        Reply(text=f'Seven [[{A} p.1 "Seven otters live here"]].'),
    )


def a_library() -> MemoryLibrary:
    return MemoryLibrary(a=["Seven otters live here, says the sign."])


async def record(script):
    events = []
    with ScriptedModel(script) as server:
        desk = a_desk(a_library(), server)
        finished = await answer_in_steps(ASKED, desk, InProcessSteps(events.append))
        await desk.model.close()
    return trace_of(ASKED, finished), events


def told(events):
    """What a reader is told, without how it was cut into pieces and how long it took."""
    kinds = (RoundStarted, ToolCalled, ToolReturned, CitationChecked, ModeChanged)
    text: dict[int, str] = {}
    for event in of_type(events, TextDelta):
        text[event.round] = text.get(event.round, "") + event.delta
    return [e for e in events if isinstance(e, kinds) and not isinstance(e, ModeChanged)], text, events[-1]


async def test_trace_survives_json_and_replays_the_same_run_without_network_or_library():
    trace, events = await record(a_script())

    again = trace_from_json(json.loads(json.dumps(trace_to_json(trace))))
    replayed = [event async for event in replay(again)]

    assert again == trace
    assert told(replayed) == told(events)
    assert replayed[-1].answer == "Seven [a.pdf p.1]."


async def test_offline_run_is_replayed_too():
    trace, events = await record(lambda _: Failure(402))

    replayed = [event async for event in replay(trace_from_json(trace_to_json(trace)))]

    assert told(replayed) == told(events)
    assert of_type(replayed, ModeChanged)[0].code == "model_balance_empty"


async def test_trace_holds_no_key():
    trace, _ = await record(lambda _: Failure(401, message="bad key sk-canary"))

    assert "sk-canary" not in json.dumps(trace_to_json(trace))


async def test_what_is_no_trace_is_refused():
    trace, _ = await record(a_script())

    with pytest.raises(InvalidInput, match="version 99"):
        trace_from_json({**trace_to_json(trace), "version": 99})
    with pytest.raises(InvalidInput, match="not a trace"):
        trace_from_json({"version": 1})


@pytest.mark.parametrize("kept", range(7))
async def test_run_goes_on_after_a_crash_between_any_two_steps(kept: int):
    """The first `kept` steps come from the record, the others are done; the script only has rounds for those."""
    trace, _ = await record(a_script())
    order = ["round-1", "tool-1-1", "tool-1-2", "round-2", "tool-2-1", "round-3", "finish"]
    done_rounds = sum(name.startswith("round") for name in order[:kept])
    events = []

    class Resumed:
        async def run(self, name, work):
            if name in order[:kept]:
                return await ReplayedSteps(trace, lambda event: None).run(name, work)
            return await InProcessSteps(events.append).run(name, work)

    script = a_script()
    for _ in range(done_rounds):
        script({})
    with ScriptedModel(script) as server:
        desk = a_desk(a_library(), server)
        finished = await answer_in_steps(ASKED, desk, Resumed())
        await desk.model.close()

    same = dataclasses.replace(finished.answer, usage=trace.answer.usage)
    assert same == trace.answer
    assert len(server.requests) == 3 - done_rounds
    assert [event.round for event in of_type(events, RoundStarted)] == list(range(done_rounds + 1, 4))
