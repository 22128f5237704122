import json

import pytest

from docmind.agent.rounds import ModelReply, Round, ToolDone
from docmind.agent.transcript import Opening, message_tokens, messages_for
from docmind.domain.answer import PageRef, Usage
from docmind.domain.ports import ChatMessage, ToolCall
from docmind.tools.result import ToolResult
from tests.agent.desk import a_desk, a_model, finished, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, ScriptedModel

BOOK = doc_id("book.pdf")
OPENING = Opening("rules", (), "What of item 7?")


def a_round(number: int, characters: int, *, counted: int = 0, estimated: int = 0) -> Round:
    call = ToolCall(f"c{number}", "get_page_content", json.dumps({"doc_id": BOOK, "pages": str(number)}))
    message = ChatMessage("assistant", "", (call,))
    text = f"Item {number} is here. " + "x " * (characters // 2)
    result = ToolResult(text, f"book.pdf p.{number}", read=(PageRef(BOOK, "book.pdf", number),))
    usage = Usage(input_tokens=counted, model_calls=1, estimated=counted == 0)
    reply = ModelReply(number, 0.0, 0.0, message=message, usage=usage, estimated_input=estimated)
    return Round(reply, (ToolDone(call, result, 0.0, 0.0),))


def size(messages) -> int:
    return sum(map(message_tokens, messages))


def test_nothing_is_left_out_while_all_fits():
    rounds = [a_round(n, 1_000) for n in range(1, 4)]

    messages = messages_for(OPENING, rounds, room=10_000)

    assert not any("[note:" in message.content for message in messages)


def test_oldest_results_become_notes_that_name_the_pages_and_how_to_see_them_again():
    rounds = [a_round(n, 6_000) for n in range(1, 9)]

    messages = messages_for(OPENING, rounds, room=10_000)

    notes = [message.content for message in messages if "[note:" in message.content]
    assert size(messages) <= 10_000
    assert "book.pdf p.1" in notes[0]
    assert "get_page_content" in notes[0]
    assert "x x x" in messages[-1].content
    assert len([m for m in messages if m.role == "tool"]) == 8


def test_beginning_of_the_request_stays_the_same_between_compactions():
    rounds = [a_round(n, 3_000) for n in range(1, 30)]
    changes = 0
    previous = None
    for count in range(1, 30):
        messages = messages_for(OPENING, rounds[:count], room=12_000)
        assert size(messages) <= 12_000
        if previous is not None and messages[: len(previous)] != previous:
            changes += 1
        previous = messages
    assert 1 <= changes <= 8


def test_one_huge_result_is_cut_to_what_fits():
    messages = messages_for(OPENING, [a_round(1, 400_000)], room=5_000)

    assert size(messages) <= 5_000
    assert "cut to fit" in messages[-1].content


def test_what_the_provider_counted_corrects_the_estimate():
    rounds = [a_round(n, 6_000, counted=4_000, estimated=2_000) for n in range(1, 9)]

    assert size(messages_for(OPENING, rounds, room=10_000)) <= 5_000


def test_old_turns_of_the_chat_give_way_first():
    history = tuple(ChatMessage("user" if n % 2 else "assistant", "word " * 800) for n in range(20))

    messages = messages_for(Opening("rules", history, "q"), [], room=8_000)

    assert size(messages) <= 8_000
    assert messages[-1].content == "q"
    assert messages[-2] == history[-1]


@pytest.mark.parametrize("characters_a_token", [3.3, 2.2])
async def test_long_run_never_goes_over_the_window(characters_a_token: float):
    """32 rounds over 60 pages with a small window, against an endpoint that counts more tokens than we estimate."""
    window, seen, refused = 24_000, [], 0
    library = MemoryLibrary()
    library.add("book.pdf", [f"Item {n} stands here. " + "lorem ipsum dolor " * 180 for n in range(1, 61)])

    def script(request):
        nonlocal refused
        tokens = int(len(json.dumps(request["messages"], ensure_ascii=False)) / characters_a_token)
        if tokens > window:
            refused += 1
            return Failure(400, "context_length_exceeded")
        seen.append(tokens)
        if request.get("tool_choice") == "none":
            return Reply(text=f'Item 60 [[{BOOK} p.60 "Item 60 stands here"]].', usage=(tokens, 20))
        number = len(seen)
        pages = f"{2 * number - 1}-{2 * number}" if number <= 30 else f"{number}"
        return Reply(calls=[Call("get_page_content", {"doc_id": BOOK, "pages": pages})], usage=(tokens, 20))

    with ScriptedModel(script) as server:
        done = finished(
            await run(
                "What is item 60?",
                a_desk(library, server, model=a_model(server, window=window, max_output_tokens=1_000)),
            )
        )

    assert refused == 0
    assert max(seen) <= window
    assert done.rounds == 33
    assert done.limit == "rounds"
    assert done.citations[0].verified
