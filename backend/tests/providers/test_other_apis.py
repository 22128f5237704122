"""What all three ways of speaking to a model promise, over their real wire formats."""

import pytest

from docmind.domain.ports import ChatMessage, ChatRequest, ModelCard, ToolCall, ToolSpec
from docmind.errors import (
    ContextTooLong,
    ModelBalanceEmpty,
    ModelBusy,
    ModelKeyRefused,
    ModelStalled,
    ModelUnreachable,
    SettingsError,
)
from docmind.providers.models import card_for, open_model
from tests.agent.desk import a_desk, finished, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, ScriptedModel, rounds

TOOL = ToolSpec("look", "Looks.", {"type": "object", "properties": {}})
HELLO = ChatRequest((ChatMessage("system", "be brief"), ChatMessage("user", "hi")), (TOOL,), max_output_tokens=4_000)

apis = pytest.mark.parametrize("api", ["chat", "responses", "anthropic"])


async def ask(api: str, reply, request: ChatRequest = HELLO, *, timeout_s: float = 5.0, effort: str = "default"):
    with ScriptedModel(reply if callable(reply) else rounds(reply)) as server:
        card = ModelCard("m", effort=effort, max_output_tokens=8_000)
        model = open_model(card, api=api, base_url=server.base_url, api_key="sk-canary", timeout_s=timeout_s)
        try:
            pieces = [piece async for piece in model.stream(request)]
        finally:
            await model.close()
    reply = pieces[-1].reply
    assert "".join(piece.text for piece in pieces) == reply.message.content
    return reply, server


@apis
@pytest.mark.parametrize("chunk_bytes", [None, 5])
async def test_text_reasoning_calls_and_usage(api: str, chunk_bytes):
    calls = [Call("look", {"n": 1, "w": "ä"}, "id1"), Call("look", {"n": 2}, "id2")]

    reply, server = await ask(
        api, Reply(text="Grüße 世界", reasoning="hm", calls=calls, piece=3, chunk_bytes=chunk_bytes)
    )

    assert reply.message.content == "Grüße 世界"
    assert reply.message.reasoning == "hm"
    assert [(call.call_id, call.arguments) for call in reply.message.tool_calls] == [
        (c.call_id, c.text()) for c in calls
    ]
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.estimated) == (100, 20, False)
    assert reply.finish_reason == "tool_calls"
    assert server.requests[0].body["tools"]


@apis
async def test_reply_cut_at_its_limit_says_so(api: str):
    reply, _ = await ask(api, Reply(text="half", finish="length"))

    assert reply.finish_reason == "length"


@apis
@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Failure(401, message="bad sk-canary"), ModelKeyRefused),
        (Failure(402), ModelBalanceEmpty),
        (Failure(429, headers={"retry-after": "3"}), ModelBusy),
        (Failure(529, type="overloaded_error"), ModelBusy),
        (Failure(500), ModelUnreachable),
        (Failure(413, type="request_too_large"), ContextTooLong),
    ],
)
async def test_failures_become_our_errors_without_the_key(api: str, failure: Failure, error):
    with pytest.raises(error) as caught:
        await ask(api, lambda _: failure)

    assert "sk-canary" not in str(caught.value)


@apis
async def test_cut_and_silent_streams_are_named(api: str):
    with pytest.raises(ModelUnreachable):
        await ask(api, Reply(text="word " * 30, cut_after=4))
    with pytest.raises(ModelStalled):
        await ask(api, Reply(text="word " * 30, stall_after=4), timeout_s=0.2)


@apis
async def test_last_call_offers_tools_but_wants_none(api: str):
    request = ChatRequest(HELLO.messages, (TOOL,), may_call=False)

    _, server = await ask(api, Reply(text="x"), request)

    assert server.requests[0].body["tool_choice"] in ("none", {"type": "none"})


@apis
async def test_a_whole_answer_is_read_and_cited(api: str):
    book = doc_id("a.pdf")
    script = rounds(
        Reply(
            calls=[Call("get_page_content", {"doc_id": book, "pages": "1"}), Call("list_documents")],
            reasoning="let me see",
        ),
        Reply(text=f'Seven [[{book} p.1 "Seven otters live here"]].'),
    )
    with ScriptedModel(script) as server:
        model = open_model(ModelCard("m"), api=api, base_url=server.base_url, api_key="k", timeout_s=5)
        done = finished(await run("q", a_desk(MemoryLibrary(a=["Seven otters live here."]), server, model=model)))

    assert done.answer == "Seven [a.pdf p.1]."
    assert done.citations[0].verified
    second = str(server.requests[1].body)
    assert "Seven otters live here." in second
    if api != "chat":
        assert "sealed" in second  # sealed reasoning goes back with the results of its calls


@pytest.mark.parametrize("api", ["responses", "anthropic"])
async def test_pictures_travel_in_the_api_own_shape(api: str):
    request = ChatRequest((ChatMessage("user", "see", images=(b"jpeg",)),), max_output_tokens=100)

    _, server = await ask(api, Reply(text="x"), request)

    assert "anBlZw==" in str(server.requests[0].body)


async def test_anthropic_joins_results_of_one_round_into_one_message():
    calls = (ToolCall("a", "look", "{}"), ToolCall("b", "look", "not json"))
    messages = (
        ChatMessage("user", "q"),
        ChatMessage("assistant", "", calls),
        ChatMessage("tool", "one", tool_call_id="a"),
        ChatMessage("tool", "two", tool_call_id="b"),
        ChatMessage("user", "go on"),
    )

    _, server = await ask("anthropic", Reply(text="x"), ChatRequest(messages, (TOOL,)))

    sent = server.requests[0].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert [block["type"] for block in sent[2]["content"]] == ["tool_result", "tool_result", "text"]


@pytest.mark.parametrize(
    ("api", "field"), [("responses", "reasoning"), ("anthropic", "thinking"), ("chat", "reasoning_effort")]
)
async def test_effort_is_sent_only_when_set(api: str, field: str):
    _, plain = await ask(api, Reply(text="x"))
    _, high = await ask(api, Reply(text="x"), effort="high")

    assert field not in plain.requests[0].body
    assert field in high.requests[0].body


def test_what_is_not_installed_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "docmind.providers.chat_anthropic", None)

    with pytest.raises(SettingsError, match="docmind\\[anthropic\\]"):
        open_model(ModelCard("m"), api="anthropic")


@pytest.mark.parametrize(
    ("name", "window", "sees"),
    [
        ("gpt-4o-mini", 128_000, True),
        ("qwen/qwen3-vl-8b", 128_000, True),
        ("openai/gpt-4.1", 1_000_000, True),
        ("mine", 128_000, False),
    ],
)
def test_cards_come_from_the_table_by_the_beginning_of_the_name(name: str, window: int, sees: bool):
    card = card_for(name)

    assert (card.window, card.sees_images) == (window, sees)


def test_what_is_set_wins_over_the_table():
    card = card_for("gpt-4o", window=9_000, sees_images=False, calls_tools=False, prices={"gpt-4o": (2.5, 10.0)})

    assert (card.window, card.sees_images, card.calls_tools, card.input_price) == (9_000, False, False, 2.5)
