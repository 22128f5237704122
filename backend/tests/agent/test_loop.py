import asyncio
import time

import pytest

from docmind.agent.budget import Budget
from docmind.domain.answer import BudgetSpent, RoundStarted, TextDelta, TextWithdrawn, ToolReturned
from docmind.domain.pages import DocumentId
from docmind.flows.answer import Asked, answer
from tests.agent.desk import a_desk, a_model, finished, of_type, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, ScriptedModel, rounds

A = doc_id("a.pdf")
DEEP = "[" * 10_000 + "]" * 10_000


def a_library() -> MemoryLibrary:
    return MemoryLibrary(
        a=[f"Page {n} tells of item {n}." for n in range(1, 31)], secret=["The password is swordfish."]
    )


def read(pages: object, document: str = A) -> Call:
    return Call("get_page_content", {"doc_id": document, "pages": pages})


def results(server: ScriptedModel) -> list[str]:
    return [m["content"] for m in server.requests[-1].body["messages"] if m["role"] == "tool"]


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "{",
        "null",
        "[]",
        '"text"',
        "7",
        DEEP,
        '{"doc_id": ' + DEEP + "}",
        '{"doc_id": null}',
        '{"pages": {}}',
        "\ud83d{",
        "{}" * 9000,
    ],
    ids=[
        "empty",
        "cut off",
        "null",
        "list",
        "text",
        "number",
        "deep list",
        "deep object",
        "null id",
        "no id",
        "half emoji",
        "long",
    ],
)
async def test_malformed_arguments_become_an_error_for_the_model(arguments: str):
    script = rounds(Reply(calls=[Call("get_page_content", arguments)], piece=4000), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(a_library(), server))

    assert of_type(events, ToolReturned)[0].ok is False
    assert results(server)[0].startswith("Error: ")
    assert finished(events).mode == "agent"


async def test_unknown_tool_and_unknown_document_are_told_what_there_is():
    script = rounds(Reply(calls=[Call("delete_all"), read("1", "nope")]), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        await run("q", a_desk(a_library(), server))

    unknown_tool, unknown_document = results(server)
    assert "get_page_content" in unknown_tool
    assert A in unknown_document


async def test_no_tool_reaches_a_document_outside_the_scope():
    secret = doc_id("secret.pdf")
    calls = [
        read("1", secret),
        Call("get_document", {"doc_id": secret}),
        Call("get_document_structure", {"doc_id": secret}),
        Call("search_pages", {"query": "password", "doc_ids": [secret]}),
        Call("search_pages", {"query": "password"}),
        Call("list_documents"),
    ]
    library = a_library()
    with ScriptedModel(rounds(Reply(calls=calls), Reply(text="[[not found]]"))) as server:
        await run("q", a_desk(library, server), documents=(A,))

    assert not any("swordfish" in result or "secret.pdf" in result for result in results(server))
    assert all(name != "secret.pdf" for name, _ in library.opened)


async def test_third_identical_call_is_refused_and_a_model_that_always_repeats_is_stopped():
    def repeats(request):
        return Reply(calls=[read("1")]) if request.get("tool_choice") != "none" else Reply(text="Item 1 [a p.1].")

    with ScriptedModel(repeats) as server:
        events = await run("q", a_desk(a_library(), server, budget=Budget(rounds=6)))

    returned = of_type(events, ToolReturned)
    assert [event.ok for event in returned] == [True, True, False, False, False, False]
    assert "2 times already" in returned[2].summary
    done = finished(events)
    assert done.limit == "rounds"
    assert done.rounds == 7
    assert done.answer == "Item 1 [a.pdf p.1]."
    assert "budget of rounds" in server.requests[-1].body["messages"][-1]["content"]


async def test_last_call_that_still_calls_tools_is_asked_once_without_tools():
    def stubborn(request):
        return Reply(calls=[read("2")]) if request.get("tools") else Reply(text="[[not found]] I stop.")

    with ScriptedModel(stubborn) as server:
        done = finished(await run("q", a_desk(a_library(), server, budget=Budget(rounds=2), model=None)))

    assert done.answer == "Not found in the library. I stop."
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(tool_calls=3), "tool_calls"),
        (Budget(input_tokens=250), "input_tokens"),
        (Budget(output_tokens=50), "output_tokens"),
        (Budget(seconds=0.0), "seconds"),
    ],
)
async def test_each_budget_ends_the_reading_with_an_answer(budget: Budget, limit: str):
    page = iter(range(1, 31))

    def reads_on(request):
        if request.get("tool_choice") == "none":
            return Reply(text="[[not found]] Not reached.")
        return Reply(calls=[read(str(next(page)))])

    with ScriptedModel(reads_on) as server:
        events = await run("q", a_desk(a_library(), server, budget=budget))

    assert finished(events).limit == limit
    last = of_type(events, BudgetSpent)[-1]
    assert last.limit[limit] == budget.limits()[limit]


async def test_calls_beyond_the_budget_in_one_round_are_refused():
    calls = [read(str(n)) for n in range(1, 6)]
    with ScriptedModel(rounds(Reply(calls=calls), Reply(text="[[not found]]"))) as server:
        events = await run("q", a_desk(a_library(), server, budget=Budget(tool_calls=3)))

    assert sorted(event.ok for event in of_type(events, ToolReturned)) == [False, False, True, True, True]


async def test_page_budget_is_shared_among_the_calls_of_a_round_and_never_exceeded():
    calls = [read("1-10"), read("11-20"), read("21-30")]
    with ScriptedModel(rounds(Reply(calls=calls), Reply(calls=[read("5")]), Reply(text="[[not found]]"))) as server:
        done = finished(await run("q", a_desk(a_library(), server, budget=Budget(pages=10))))

    assert done.usage.pages_read == 10
    assert "used up" in results(server)[-1]


async def test_rate_limit_waits_as_long_as_asked_and_then_goes_on():
    script = rounds(Failure(429, headers={"retry-after": "2"}), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(a_library(), server))

    assert finished(events).mode == "agent"
    assert server.requests[1].at - server.requests[0].at >= 2.0
    assert finished(events).usage.model_calls == 2


async def test_endless_rate_limit_ends_after_three_tries_in_the_offline_reader():
    with ScriptedModel(lambda _: Failure(429, headers={"retry-after": "0.1"})) as server:
        done = finished(await run("q", a_desk(a_library(), server)))

    assert len(server.requests) == 3
    assert done.offline_reason == "model_busy"


async def test_a_wait_longer_than_a_minute_goes_to_the_offline_reader_at_once():
    with ScriptedModel(lambda _: Failure(429, headers={"retry-after": "3600"})) as server:
        done = finished(await run("q", a_desk(a_library(), server)))

    assert len(server.requests) == 1
    assert done.offline_reason == "model_busy"


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (Failure(402), "model_balance_empty"),
        (Failure(429, "insufficient_quota"), "model_balance_empty"),
        (Failure(401), "model_key_refused"),
        (Failure(403), "model_key_refused"),
        (Failure(404, "model_not_found"), "model_not_available"),
    ],
)
async def test_failures_that_will_not_pass_are_not_retried(failure: Failure, code: str):
    with ScriptedModel(lambda _: failure) as server:
        done = finished(await run("q", a_desk(a_library(), server)))

    assert done.offline_reason == code
    assert len(server.requests) == 1
    assert done.answer.endswith("offline passage")


async def test_text_before_a_cut_is_withdrawn_and_the_round_tried_again():
    long = "Item one and more words here. " * 3
    script = rounds(Reply(text=long, cut_after=5), Reply(text="[[not found]] Whole."))
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(a_library(), server))

    assert of_type(events, TextWithdrawn)[0].round == 1
    assert finished(events).answer == "Not found in the library. Whole."
    after = events[events.index(of_type(events, TextWithdrawn)[0]) :]
    assert "".join(event.delta for event in of_type(after, TextDelta)) == finished(events).answer


async def test_a_stream_that_stalls_is_given_up_and_tried_again():
    script = rounds(Reply(text="abc " * 20, stall_after=3), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        library = a_library()
        done = finished(await run("q", a_desk(library, server, model=a_model(server, timeout_s=0.3))))

    assert done.mode == "agent"
    assert server.requests[0].hung_up or server.wait_for_hang_up()


async def test_closing_the_answer_closes_the_request_upstream():
    with ScriptedModel(lambda _: Reply(text="word " * 2000, delay_s=0.02)) as server:
        desk = a_desk(a_library(), server)
        events = answer(Asked("run-1", "q"), desk)
        async for event in events:
            if isinstance(event, TextDelta):
                break
        began = time.monotonic()
        await events.aclose()
        assert time.monotonic() - began < 1.0
        assert await asyncio.to_thread(server.wait_for_hang_up)
        assert server.requests[0].events_sent < 200
        await desk.model.close()


async def test_answer_without_proof_is_asked_for_again_once():
    script = rounds(
        Reply(calls=[read("1")]),
        Reply(text="Item 1, I am sure."),
        Reply(text='It is item 1 [[a p.1 "tells of item 1"]].'),
    )
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(a_library(), server))

    assert of_type(events, TextWithdrawn)[0].reason == "uncited"
    assert finished(events).answer == "It is item 1 [a.pdf p.1]."


async def test_a_greeting_is_answered_without_documents():
    with ScriptedModel(lambda _: Reply(text="Hello! Ask me about your documents.")) as server:
        done = finished(await run("hi", a_desk(a_library(), server)))

    assert done.answer.startswith("Hello!")
    assert len(server.requests) == 2


async def test_document_deleted_while_chatting_is_told_to_the_model():
    library = a_library()

    def script(request):
        if len(request["messages"]) > 3:
            return Reply(text="[[not found]]")
        library.remove(DocumentId(A))
        return Reply(calls=[read("1")])

    with ScriptedModel(script) as server:
        await run("q", a_desk(library, server), documents=(A,))

    assert "was deleted" in results(server)[0]


async def test_huge_page_stays_within_the_limit_of_a_result_and_says_how_to_go_on():
    library = a_library()
    big = library.add("big.pdf", ["x y z. " * 150_000])
    script = rounds(Reply(calls=[read("1", big)]), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        await run("q", a_desk(library, server))

    assert len(results(server)[0]) <= Budget().result_characters
    assert "from_character=" in results(server)[0]


async def test_request_that_is_too_long_for_the_model_is_recovered_once():
    library = a_library()
    big = library.add("big.pdf", ["word " * 6_000])

    def script(request):
        if sum(len(str(m["content"])) for m in request["messages"]) > 25_000:
            return Failure(400, "context_length_exceeded")
        if not any(m["role"] == "tool" for m in request["messages"]):
            return Reply(calls=[read("1", big)])
        return Reply(text="[[not found]]")

    with ScriptedModel(script) as server:
        done = finished(
            await run("q", a_desk(library, server, model=a_model(server, window=12_000, max_output_tokens=500)))
        )

    assert done.mode == "agent"


async def test_rounds_are_numbered_from_one_without_gaps():
    script = rounds(Reply(calls=[read("1")]), Reply(calls=[read("2")]), Reply(text='[[a p.2 "tells of item 2"]]'))
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(a_library(), server))

    assert [event.round for event in of_type(events, RoundStarted)] == [1, 2, 3]
