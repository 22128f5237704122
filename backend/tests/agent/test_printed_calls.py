import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.agent.printed_calls import CallGate, read_calls
from docmind.domain.answer import TextDelta, ToolReturned
from tests.agent.desk import a_desk, a_model, finished, of_type, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Failure, Reply, ScriptedModel, rounds

A = doc_id("a.pdf")
CALL = json.dumps({"name": "get_page_content", "arguments": {"doc_id": A, "pages": "1"}})
PRINTED = [
    f"<tool_call>\n{CALL}\n</tool_call>",
    f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL.replace('1', '1')}</tool_call>",
    CALL,
    f"```json\n{CALL}\n```",
    f"[{CALL}]",
    json.dumps({"tool": "get_page_content", "args": {"doc_id": A, "pages": 1}}),
    json.dumps(
        {
            "type": "function",
            "function": {"name": "get_page_content", "arguments": json.dumps({"doc_id": A, "pages": "1"})},
        }
    ),
    f'<function=get_page_content>{{"doc_id": "{A}", "pages": "1"}}</function>',
    f"<function=get_page_content>\n<parameter=doc_id>\n{A}\n</parameter>\n<parameter=pages>\n1\n</parameter>\n</function>",
    f"[TOOL_CALLS][{CALL}]",
    f"I will open it.\n\n<tool_call>{CALL}</tool_call>",
    f"I will open it.\n{CALL}",
]


def a_library() -> MemoryLibrary:
    return MemoryLibrary(a=["Seven otters live here."])


@pytest.mark.parametrize("printed", PRINTED, ids=range(len(PRINTED)))
@pytest.mark.parametrize("piece", [1, 9, 5000])
async def test_printed_call_is_run_and_never_shown(printed: str, piece: int):
    with ScriptedModel(rounds(Reply(text=printed, piece=piece), Reply(text="Seven [a p.1].", piece=piece))) as server:
        events = await run("q", a_desk(a_library(), server))

    assert of_type(events, ToolReturned)[0].ok
    assert finished(events).answer == "Seven [a.pdf p.1]."
    first = "".join(event.delta for event in of_type(events, TextDelta) if event.round == 1)
    assert "{" not in first
    assert "<" not in first


@pytest.mark.parametrize(
    "printed",
    [
        '<tool_call>{"name": "get_page_content", "argum',
        '<tool_call>{"name": "format_disk", "arguments": {}}</tool_call>',
        "<function=rm>{}",
    ],
)
async def test_unreadable_printed_call_is_shown_once_and_asked_for_again_once(printed: str):
    with ScriptedModel(
        lambda request: Reply(text=printed if len(request["messages"]) < 6 else "[[not found]]")
    ) as server:
        events = await run("q", a_desk(a_library(), server))

    assert not of_type(events, ToolReturned)
    assert sum("wrote a tool call as text" in str(m["content"]) for m in server.requests[-1].body["messages"]) == 1
    assert "".join(e.delta for e in of_type(events, TextDelta) if e.round == 1) == printed
    assert finished(events).mode == "agent"


async def test_json_that_is_an_answer_is_shown_as_it_is():
    text = 'As JSON:\n```json\n{"otters": 7}\n```\nand {"name": "x"} [a p.1].'
    open_it = Reply(text=CALL)
    with ScriptedModel(rounds(open_it, Reply(text=text, piece=2))) as server:
        done = finished(await run("q", a_desk(a_library(), server)))

    assert done.answer == text.replace("[a p.1]", "[a.pdf p.1]")


async def test_model_without_tools_is_led_by_a_plan_in_text():
    script = rounds(
        Reply(text=json.dumps({"calls": [json.loads(CALL), {"tool": "list_documents", "arguments": {}}]})),
        Reply(text=f'Seven [[{A} p.1 "Seven otters live here"]].'),
    )
    with ScriptedModel(script) as server:
        desk = a_desk(a_library(), server, model=a_model(server, calls_tools=False))
        done = finished(await run("q", desk))

    assert done.answer == "Seven [a.pdf p.1]."
    assert all("tools" not in request.body for request in server.requests)
    last = server.requests[-1].body["messages"]
    assert [m["role"] for m in last] == ["system", "user", "assistant", "user"]
    assert "Result of get_page_content" in last[-1]["content"]
    assert "get_document_structure" in last[0]["content"]


async def test_endpoint_that_refuses_tools_is_asked_by_a_plan_in_text():
    def refuses(request):
        if request.get("tools"):
            return Failure(400, message="this model does not support tools")
        return Reply(text=CALL) if len(request["messages"]) == 2 else Reply(text="Seven [a p.1].")

    with ScriptedModel(refuses) as server:
        done = finished(await run("q", a_desk(a_library(), server)))

    assert done.mode == "agent"
    assert done.answer == "Seven [a.pdf p.1]."


@given(st.text(alphabet='a<tool_call>{"name":[]}`json\n ', max_size=60), st.integers(1, 5))
def test_gate_loses_no_text(text: str, size: int):
    gate = CallGate()
    passed = "".join(gate.feed(text[at : at + size]) for at in range(0, len(text), size))

    assert passed + gate.held() == text


@given(st.text(max_size=100))
def test_no_text_breaks_the_reader_of_calls(text: str):
    assert read_calls("<tool_call>" + text, {"x"}) == () or "x" in text
