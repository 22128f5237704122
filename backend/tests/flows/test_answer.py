from docmind.domain.answer import CitationChecked, ModeChanged, TextDelta, ToolCalled, ToolReturned
from tests.agent.desk import a_desk, finished, of_type, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, ScriptedModel, rounds
from tests.scripted_model.obedient import obedient

REPORT = doc_id("report.pdf")
LIBRARY = {
    "report": ["Contents", "Capital expenditure was $1,577 million in 2018, against 1,373 in 2017.", "Risks are many."],
    "other": ["Nothing about money stands here."],
}


async def test_answer_cites_the_page_that_was_read():
    script = rounds(
        Reply(calls=[Call("search_pages", {"query": "capital expenditure"}), Call("list_documents")]),
        Reply(calls=[Call("get_page_content", {"doc_id": REPORT, "pages": "2"})]),
        Reply(text=f'It was $1,577 million [[{REPORT} p.2 "Capital expenditure was $1,577 million in 2018"]].'),
    )
    with ScriptedModel(script) as server:
        events = await run("What was the capital expenditure in 2018?", a_desk(MemoryLibrary(**LIBRARY), server))

    done = finished(events)
    assert done.answer == "It was $1,577 million [report.pdf p.2]."
    assert [(c.page, c.verified, c.quote) for c in done.citations] == [
        (2, True, "Capital expenditure was $1,577 million in 2018")
    ]
    assert done.found
    assert done.rounds == 3
    assert (done.usage.tool_calls, done.usage.pages_read, done.usage.model_calls) == (3, 1, 3)
    assert [event.citation for event in of_type(events, CitationChecked)] == list(done.citations)


async def test_streamed_text_of_the_last_round_is_the_answer_and_never_shows_half_a_mark():
    text = f'A [[{REPORT} p.2 "Capital expenditure was $1,577 million"]] and B.'
    script = rounds(
        Reply(calls=[Call("get_page_content", {"doc_id": REPORT, "pages": "2"})]), Reply(text=text, piece=1)
    )
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(MemoryLibrary(**LIBRARY), server))

    shown = [event.delta for event in of_type(events, TextDelta) if event.round == 2]
    assert "".join(shown) == finished(events).answer == "A [report.pdf p.2] and B."
    assert not any("[[" in delta for delta in shown)


async def test_all_calls_of_a_round_run_and_are_shown():
    calls = [
        Call("get_document_structure", {"doc_id": REPORT}),
        Call("list_documents"),
        Call("search_pages", {"query": "risks"}),
    ]
    script = rounds(Reply(calls=calls, piece=3, chunk_bytes=7), Reply(text="[[not found]]"))
    with ScriptedModel(script) as server:
        events = await run("q", a_desk(MemoryLibrary(**LIBRARY), server))

    assert [event.name for event in of_type(events, ToolCalled)] == [call.name for call in calls]
    assert {event.name for event in of_type(events, ToolReturned) if event.ok} == {call.name for call in calls}


async def test_obedient_model_answers_from_the_library_with_verified_quotes():
    with ScriptedModel(obedient) as server:
        events = await run("What was the capital expenditure in 2018?", a_desk(MemoryLibrary(**LIBRARY), server))

    done = finished(events)
    assert done.citations
    assert all(citation.verified for citation in done.citations)
    assert done.citations[0].page == 2


async def test_what_the_library_does_not_hold_is_said_in_the_question_language():
    with ScriptedModel(rounds(Reply(text="[[not found]] 我查了全部文档。"))) as server:
        done = finished(await run("火星的首都是什么？", a_desk(MemoryLibrary(**LIBRARY), server)))

    assert done.answer.startswith("文库中没有找到。")
    assert not done.found
    assert done.citations == ()


async def test_refused_key_leads_to_the_offline_reader_with_the_reason_in_the_first_line():
    with ScriptedModel(rounds(Failure(401, "invalid_api_key", "Incorrect API key: sk-canary"))) as server:
        events = await run("q", a_desk(MemoryLibrary(**LIBRARY), server))

    done = finished(events)
    assert done.mode == "offline"
    assert done.offline_reason == "model_key_refused"
    assert "key was refused" in done.answer.splitlines()[0]
    assert of_type(events, ModeChanged)[0].code == "model_key_refused"
    assert "sk-canary" not in repr(events)


async def test_without_a_model_the_offline_reader_answers():
    done = finished(await run("q", a_desk(MemoryLibrary(**LIBRARY), None)))

    assert done.offline_reason == "model_not_configured"
    assert done.answer.startswith("No model was used: none is configured")
