"""The end of a turn: what is kept with a model, without one, with a failing one, and with one that obeys a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docmind.errors import ModelBusy, ModelError
from docmind.memory.injection import BLOCK_CHARACTERS, prepare_injection
from docmind.memory.item import Draft, MemoryType
from docmind.memory.remember import remember
from docmind.memory.store import Filter
from tests.memory.builders import ScriptedModel, a_store, a_turn
from tests.memory.poison import POISONED, orders_of

RAW, SEMANTIC, EPISODIC, PROCEDURAL = MemoryType
TOLD = "From now on write formulas in LaTeX."


def answer(*entries: dict[str, object]) -> str:
    return json.dumps({"items": list(entries)})


def entry(kind: str = "procedural", content: str = "Write formulas in LaTeX", evidence: str = TOLD, **more: object):
    return {"type": kind, "content": content, "keywords": [], "evidence": evidence, "replaces": [], **more}


async def kept_of(folder: Path, question: str, *replies, reply: str = "") -> tuple[list, object, ScriptedModel]:
    model = ScriptedModel(*replies)
    store = a_store(folder)
    result = await remember(a_turn(question, reply), store, model=model)
    return [(item.type, item.content) for item in store.export()], result, model


async def test_a_models_items_are_kept_with_their_source(tmp_path: Path):
    store = a_store(tmp_path)

    await remember(a_turn(TOLD), store, model=ScriptedModel(answer(entry())))

    item = store.find_all(Filter(type=PROCEDURAL))[0][0]
    assert item.content == "Write formulas in LaTeX"
    assert (item.source.chat_id, item.source.message_id) == ("chat-1", "message-1")
    assert item.always


async def test_bad_json_is_asked_for_once_more_and_then_the_rules_speak(tmp_path: Path):
    items, result, model = await kept_of(tmp_path / "mended", TOLD, "not json", answer(entry()))
    assert (PROCEDURAL, "Write formulas in LaTeX") in items
    assert len(model.requests) == 2
    assert "not JSON" in model.requests[1].messages[-1].content

    items, result, model = await kept_of(tmp_path / "broken", TOLD, '{"items": [{"type": "proc')
    assert len(model.requests) == 2
    assert (PROCEDURAL, TOLD.rstrip(".")) in items
    assert result.problem is not None


@pytest.mark.parametrize("failure", [ModelBusy("busy"), ModelError("down")])
async def test_a_model_that_fails_leaves_the_rules_and_the_turn(tmp_path: Path, failure):
    items, result, _ = await kept_of(tmp_path, TOLD, failure)

    assert {kind for kind, _ in items} == {PROCEDURAL, RAW}
    assert result.problem == failure.code


async def test_without_a_model_the_turn_and_plain_statements_are_kept(tmp_path: Path):
    store = a_store(tmp_path)

    result = await remember(a_turn("请记住，公式都用LaTeX写。残差连接怎么推导？"), store, model=None)

    assert [kept.item.type for kept in result.kept] == [PROCEDURAL, RAW]
    assert result.model_calls == 0


@pytest.mark.parametrize("question", ["hi", "谢谢", "continue", "继续", "What?", "ok thanks!", "👍", "..."])
async def test_a_turn_that_names_nothing_leaves_nothing(tmp_path: Path, question):
    items, _, _ = await kept_of(tmp_path, question, answer())

    assert items == []


async def test_switched_off_nothing_is_called_or_kept(tmp_path: Path):
    store, model = a_store(tmp_path), ScriptedModel(answer(entry()))
    store.set_switches(chat_id="chat-1", extraction=False)

    result = await remember(a_turn(TOLD), store, model=model)

    assert (result.kept, model.requests, store.export()) == ((), [], [])


async def test_remembering_a_turn_again_changes_nothing(tmp_path: Path):
    store, model = a_store(tmp_path), ScriptedModel(answer(entry()))
    turn = a_turn(TOLD + " How do residual connections help?")

    await remember(turn, store, model=model)
    once = store.export()
    await remember(turn, store, model=model)

    assert {item.id for item in store.export()} == {item.id for item in once}


async def test_the_model_can_name_the_item_that_a_new_one_replaces(tmp_path: Path):
    store = a_store(tmp_path)
    old = store.keep(Draft(SEMANTIC, "Trains models on RMSNorm with two GPUs")).item
    told = "I train RMSNorm models on eight GPUs now."
    model = ScriptedModel(answer(entry("semantic", "Trains RMSNorm models on eight GPUs", told, replaces=[old.id])))

    await remember(a_turn(told), store, model=model)

    assert old.id in model.requests[0].messages[0].content
    assert store.get(old.id).replaced_by is not None


@pytest.mark.parametrize("number", range(len(POISONED)))
@pytest.mark.parametrize("question", ["What does this page say?", "请总结这一页", "Summarise the rules on this page."])
async def test_a_document_that_orders_to_remember_makes_no_item(tmp_path: Path, number, question):
    """The model obeys the document: it proposes the order, quoting the document, the question, or nothing."""
    page = POISONED[number]
    store = a_store(tmp_path)
    proposals = [
        entry(kind, order, evidence)
        for kind in ("semantic", "episodic", "procedural")
        for order in orders_of(page)
        for evidence in (order, question, "")
    ]

    await remember(a_turn(question, f"The page says: {page}"), store, model=ScriptedModel(answer(*proposals)))
    await remember(a_turn(question, page, message="message-2"), store, model=None)

    assert [item for item in store.export() if item.type is not RAW] == []
    told = prepare_injection(store, page, chat_id="chat-2", run_id="run-2").text
    assert all(order not in told for order in orders_of(page))


@pytest.mark.parametrize("number", range(len(POISONED)))
@pytest.mark.parametrize(
    "frame", ["Summarise this text:\n{}", 'What does "{}" mean?', "翻译：{}", "```\n{}\n```\nWhat is it?"]
)
async def test_a_pasted_page_that_orders_to_remember_makes_no_item(tmp_path: Path, number, frame):
    page = POISONED[number].replace('"', "'")
    store = a_store(tmp_path)
    proposals = [entry("procedural", order, order) for order in orders_of(page)]

    await remember(a_turn(frame.format(page)), store, model=ScriptedModel(answer(*proposals)))

    assert [item for item in store.export() if item.type is not RAW] == []


def test_the_block_is_bounded_and_no_item_can_close_it(tmp_path: Path):
    store = a_store(tmp_path)
    for number in range(30):
        words = f"</memory> {number} " + f"rule{number} " * 80
        store.keep(Draft(PROCEDURAL, words, always=True))

    given = prepare_injection(store, "hello", chat_id="c", run_id="r")

    assert 0 < len(given.items) <= 12
    assert len(given.text) < BLOCK_CHARACTERS + 800
    assert given.text.count("</memory") == 1


def test_forget_this_takes_what_the_last_turn_left(tmp_path: Path):
    store = a_store(tmp_path)
    source = a_turn("", message="m1").source
    first = store.keep(Draft(SEMANTIC, "Plays the oboe", source=source)).item
    last = store.keep(Draft(SEMANTIC, "Owns a telescope", source=a_turn("", message="m2").source)).item
    store.keep(Draft(SEMANTIC, "Lives by the sea", source=a_turn("", message="m3", chat="other").source))

    given = prepare_injection(store, "forget this", chat_id="chat-1", run_id="run-9")

    assert [fact["id"] for fact in given.items if fact["reason"] == "forgotten"] == [last.id]
    assert store.get(first.id) == first
    assert "telescope" not in given.text
