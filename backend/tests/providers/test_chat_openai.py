import pytest

from docmind.domain.ports import ChatMessage, ChatRequest, ModelCard, ToolCall, ToolSpec
from docmind.errors import ContextTooLong, ModelBusy, ModelError, ModelKeyRefused, ModelStalled, ModelUnreachable
from docmind.providers.chat_openai import ChatOpenAI
from tests.scripted_model import Call, Failure, Reply, ScriptedModel, rounds

TOOL = ToolSpec("look", "Looks.", {"type": "object", "properties": {}})


async def ask(reply, request: ChatRequest | None = None, *, timeout_s: float = 5.0, **card):
    """The pieces' text, their reasoning, the whole reply, and the requests that the endpoint saw."""
    script = reply if callable(reply) else rounds(reply)
    with ScriptedModel(script) as server:
        model = ChatOpenAI(ModelCard("m", **card), base_url=server.base_url, api_key="sk-canary", timeout_s=timeout_s)
        try:
            pieces = [
                piece async for piece in model.stream(request or ChatRequest((ChatMessage("user", "hi"),), (TOOL,)))
            ]
        finally:
            await model.close()
    text, reasoning = "".join(p.text for p in pieces), "".join(p.reasoning for p in pieces)
    assert pieces[-1].reply is not None
    assert text == pieces[-1].reply.message.content
    assert reasoning == (pieces[-1].reply.message.reasoning or "")
    return text, reasoning, pieces[-1].reply, server.requests


def chunk(**choice):
    return {"choices": [{"index": 0, **choice}]}


STOP = chunk(delta={}, finish_reason="stop")


@pytest.mark.parametrize("chunk_bytes", [1, 3, 7, 64])
async def test_text_survives_any_border_between_network_chunks(chunk_bytes: int):
    text, _, reply, _ = await ask(Reply(text="Grüße, 世界 😀 done", piece=1, chunk_bytes=chunk_bytes))

    assert text == "Grüße, 世界 😀 done"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 20)


async def test_several_calls_interleaved_by_index_are_put_together():
    calls = [Call("look", {"n": n, "word": "ä" * 9}, f"id{n}") for n in range(4)]

    _, _, reply, _ = await ask(Reply(calls=calls, piece=2))

    assert [(c.call_id, c.arguments) for c in reply.message.tool_calls] == [(c.call_id, c.text()) for c in calls]
    assert reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("fragments", "expected"),
    [
        ([{"id": "a", "function": {"name": "look", "arguments": "{}"}}], [("a", "{}")]),
        (
            [
                {"index": 0, "id": "a", "function": {"name": "look", "arguments": "{}"}},
                {"index": 0, "id": "b", "function": {"name": "look", "arguments": "{}"}},
            ],
            [("a", "{}"), ("b", "{}")],
        ),
        (
            [
                {"index": 0, "id": "a", "function": {"name": "look", "arguments": "{}"}},
                {"index": 1, "id": "a", "function": {"name": "look", "arguments": "{}"}},
            ],
            [("a", "{}"), ("a_2", "{}")],
        ),
        ([{"index": 0, "function": {"name": "look", "arguments": {"n": 1}}}], [("call_1", '{"n": 1}')]),
        ([{"index": 0, "id": "a", "function": {"name": "look", "arguments": None}}], [("a", "")]),
        (
            [
                {"index": 0, "id": "a", "function": {"name": "look", "arguments": '{"n"'}},
                {"index": 0, "id": "a", "function": {"name": "look", "arguments": ":1}"}},
            ],
            [("a", '{"n":1}')],
        ),
    ],
    ids=["no index", "index always 0", "same id twice", "no id, object arguments", "null arguments", "name repeated"],
)
async def test_odd_tool_call_fragments(fragments, expected):
    _, _, reply, _ = await ask(Reply(raw=[*(chunk(delta={"tool_calls": [f]}) for f in fragments), STOP]))

    assert [(c.call_id, c.arguments) for c in reply.message.tool_calls] == expected


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {},
        chunk(delta=None),
        chunk(delta={"content": None}),
        {"choices": [], "usage": None},
    ],
    ids=["empty choices", "null choices", "no choices", "null delta", "null content", "null usage"],
)
async def test_odd_chunks_are_skipped_and_missing_usage_is_estimated(odd):
    text, _, reply, _ = await ask(Reply(raw=[odd, chunk(delta={"content": "ok"}), odd, STOP]))

    assert text == "ok"
    assert reply.usage.estimated
    assert reply.usage.output_tokens >= 1


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_is_never_the_answer(field: str):
    text, reasoning, _, _ = await ask(Reply(text="answer", reasoning="let me think", reasoning_field=field))

    assert (text, reasoning) == ("answer", "let me think")


@pytest.mark.parametrize("piece", [1, 5, 100])
async def test_printed_think_block_is_reasoning(piece: int):
    text, reasoning, _, _ = await ask(Reply(text="<think>\nhm < 3\n</think>\n\nThe <think> tag.", piece=piece))

    assert text == "The <think> tag."
    assert reasoning.strip() == "hm < 3"


async def test_halves_of_an_emoji_in_two_pieces_are_joined_and_a_lone_half_is_replaced():
    text, _, _, _ = await ask(
        Reply(raw=[chunk(delta={"content": c}) for c in ("a\ud83d", "\ude00b", "\ud83d", "c")] + [STOP])
    )

    assert text == "a😀b\ufffdc"


async def test_endpoint_that_answers_with_whole_json_is_read_too():
    text, _, reply, _ = await ask(Reply(text="whole", calls=[Call("look", {}, "a")], whole=True))

    assert text == "whole"
    assert reply.message.tool_calls[0].name == "look"


async def test_reasoning_goes_back_with_tool_calls_only():
    earlier = ChatMessage("assistant", "", (ToolCall("a", "look", "{}"),), reasoning="because")
    messages = (
        ChatMessage("user", "q"),
        earlier,
        ChatMessage("tool", "r", tool_call_id="a"),
        ChatMessage("assistant", "said", reasoning="why"),
    )

    def deepseek(request):
        wrong = [m for m in request["messages"] if m.get("tool_calls") and "reasoning_content" not in m]
        return Failure(400, message="missing reasoning_content") if wrong else Reply(text="fine")

    text, _, _, seen = await ask(deepseek, ChatRequest(messages, (TOOL,)))

    assert text == "fine"
    assert "reasoning_content" not in seen[0].body["messages"][3]


async def test_what_a_provider_adds_to_a_call_is_handed_back():
    signed = {
        "index": 0,
        "id": "a",
        "function": {"name": "look", "arguments": "{}"},
        "extra_content": {"google": {"s": "x"}},
    }
    _, _, reply, _ = await ask(Reply(raw=[chunk(delta={"tool_calls": [signed]}), STOP]))
    messages = (ChatMessage("user", "q"), reply.message, ChatMessage("tool", "r", tool_call_id="a"))

    _, _, _, seen = await ask(Reply(text="ok"), ChatRequest(messages, (TOOL,)))

    assert seen[0].body["messages"][1]["tool_calls"][0]["extra_content"] == {"google": {"s": "x"}}


@pytest.mark.parametrize("param", ["stream_options", None])
async def test_refused_option_is_left_out_from_then_on(param):
    def strict(request):
        return Failure(400, param=param) if "stream_options" in request else Reply(text="ok", usage=None)

    text, _, _, seen = await ask(strict)

    assert text == "ok"
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Failure(400, "context_length_exceeded"), ContextTooLong),
        (Failure(400, type="exceed_context_size_error"), ContextTooLong),
        (Failure(413), ContextTooLong),
        (Failure(401, message="Incorrect API key provided: sk-canary"), ModelKeyRefused),
        (Failure(503, headers={"retry-after": "7"}), ModelBusy),
        (Failure(500), ModelUnreachable),
        (Failure(529), ModelBusy),
    ],
)
async def test_failures_become_our_errors_without_the_key(failure: Failure, error: type[ModelError]):
    with pytest.raises(error) as caught:
        await ask(lambda _: failure)

    assert "sk-canary" not in str(caught.value)


async def test_cut_connection_and_garbage_are_named():
    with pytest.raises(ModelUnreachable):
        await ask(Reply(text="word " * 20, cut_after=3))
    with pytest.raises(ModelUnreachable):
        await ask(Reply(raw=[{"error": {"message": "backend died", "code": 500}}]))


async def test_silence_is_named_even_when_the_headers_have_come():
    with pytest.raises(ModelStalled):
        await ask(Reply(text="word " * 20, stall_after=2), timeout_s=0.2)


async def test_unreachable_address_is_named():
    model = ChatOpenAI(ModelCard("m"), base_url="http://127.0.0.1:9/v1", timeout_s=2)
    with pytest.raises(ModelUnreachable):
        [piece async for piece in model.stream(ChatRequest((ChatMessage("user", "hi"),)))]
    await model.close()


async def test_effort_default_sends_nothing():
    _, _, _, plain = await ask(Reply(text="a"))
    _, _, _, high = await ask(Reply(text="a"), effort="high")

    assert "reasoning_effort" not in plain[0].body
    assert high[0].body["reasoning_effort"] == "high"
