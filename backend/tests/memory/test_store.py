"""What memory keeps, merges, replaces, drops and really deletes, on each kind of database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.errors import InvalidInput, MemoryNotFound
from docmind.memory.item import Draft, MemorySource, MemoryType, Quotas, Switches
from docmind.memory.keeping import Outcome
from docmind.memory.store import UNDO_FOR, Filter, MemoryStore
from docmind.memory.tables import memory_keywords
from docmind.storage.database import Database
from docmind.storage.migrations import migrate

RAW, SEMANTIC, EPISODIC, PROCEDURAL = MemoryType


class Clock:
    """Goes on by a second at each look, so that no two items are of one age."""

    def __init__(self) -> None:
        self.now = datetime(2026, 6, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(any_database: Database, clock: Clock) -> MemoryStore:
    return MemoryStore(any_database, quotas=Quotas(raw=2, semantic=3, episodic=3, procedural=3), clock=clock)


def contents(store: MemoryStore, **wanted) -> list[str]:
    return [item.content for item in store.find_all(Filter(**wanted))[0]]


def test_an_item_comes_back_as_it_was_kept(store: MemoryStore):
    draft = Draft(
        SEMANTIC,
        "研究 RMSNorm 与 LayerNorm 的差别 🧪",
        keywords=("归一化",),
        source=MemorySource("chat-1", "message-1", ("0123456789abcdef",)),
    )

    kept = store.keep(draft)

    item = store.get(kept.item.id)
    assert kept.outcome is Outcome.ADDED
    assert item == kept.item
    assert (item.content, item.keywords, item.source) == (draft.content, draft.keywords, draft.source)


def test_a_near_duplicate_is_merged_and_gains_keywords(store: MemoryStore):
    first = store.keep(Draft(SEMANTIC, "I study normalisation layers such as RMSNorm.", keywords=("norm",))).item

    again = store.keep(Draft(SEMANTIC, "I study normalisation layers, such as RMSNorm", keywords=("LayerNorm",)))

    assert again.outcome is Outcome.MERGED
    assert again.item.id == first.id
    assert again.item.keywords == ("norm", "LayerNorm")
    assert [found.item.id for found in store.recall("LayerNorm?")] == [first.id]
    assert store.find_all(Filter())[1] == 1


def test_a_wish_for_another_number_is_no_duplicate_but_replaces(store: MemoryStore):
    store.keep(Draft(PROCEDURAL, "Keep answers under 200 words.", always=True))

    newer = store.keep(Draft(PROCEDURAL, "Keep answers under 500 words.", always=True))

    assert len(newer.replaced) == 1
    assert [item.content for item in store.always()] == ["Keep answers under 500 words."]


@pytest.mark.parametrize(
    ("kind", "older", "newer"),
    [
        (PROCEDURAL, "Answer in English.", "From now on answer in Chinese."),
        (PROCEDURAL, "以后都用中文回答", "以后请用英文回答"),
        (PROCEDURAL, "Keep answers short.", "Give detailed answers."),
        (PROCEDURAL, "Always write formulas in LaTeX.", "Don't use LaTeX for formulas."),
        (PROCEDURAL, "先给结论", "以后先推导再给结论"),
        (SEMANTIC, "My thesis is on RMSNorm.", "My thesis is on speculative decoding."),
        (SEMANTIC, "我的研究方向是图神经网络", "我的研究方向是扩散模型"),
    ],
)
def test_a_contradiction_replaces_the_older_and_keeps_it_as_history(store, kind, older, newer):
    old = store.keep(Draft(kind, older, always=True)).item

    kept = store.keep(Draft(kind, newer, always=True))

    assert kept.replaced == (old.id,)
    assert contents(store) == [newer]
    assert contents(store, history=True) == [older]
    assert store.get(old.id).replaced_by == kept.item.id
    assert all(found.item.id != old.id for found in store.recall(older))


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (PROCEDURAL, "Keep summaries short.", "Give detailed derivations."),
        (PROCEDURAL, "Write formulas in LaTeX.", "Answer in English."),
        (PROCEDURAL, "用中文回答，术语保留英文", "公式用 LaTeX"),
        (SEMANTIC, "My thesis is on RMSNorm.", "My advisor is Professor Li."),
        (EPISODIC, "Decided on 2026-06-01 to use AdamW.", "Decided on 2026-06-03 not to use AdamW."),
    ],
)
def test_what_does_not_contradict_stays(store, kind, one, other):
    store.keep(Draft(kind, one))
    store.keep(Draft(kind, other))

    assert set(contents(store)) == {one, other}


def test_each_type_has_its_quota_first_in_first_out_and_pinned_items_stay(store: MemoryStore):
    pinned = store.keep(Draft(SEMANTIC, "Owns a telescope", pinned=True)).item
    for instrument in ("violin", "harp", "oboe", "cello", "trumpet"):
        store.keep(Draft(SEMANTIC, f"Plays the {instrument}"))
    store.keep(Draft(EPISODIC, "Bought a harp on 2026-05-05"))

    assert contents(store, type=SEMANTIC) == ["Plays the trumpet", "Plays the cello", "Plays the oboe", pinned.content]
    assert contents(store, type=EPISODIC) == ["Bought a harp on 2026-05-05"]
    count = next(count for count in store.counts() if count.type is SEMANTIC)
    assert (count.items, count.quota, count.dropped) == (4, 3, 2)
    assert store.recall("violin") == ()


def test_what_is_said_again_is_young_again(store: MemoryStore):
    for wish in ("Plays the violin", "Plays the harp", "Plays the oboe"):
        store.keep(Draft(SEMANTIC, wish))
    store.keep(Draft(SEMANTIC, "plays the violin"))

    store.keep(Draft(SEMANTIC, "Plays the cello"))

    assert "Plays the violin" in contents(store)
    assert "Plays the harp" not in contents(store)


def test_the_same_turn_remembered_twice_makes_one_raw_item(store: MemoryStore):
    draft = Draft(
        RAW, "How does RMSNorm differ from LayerNorm?", answer="It leaves out the mean.", source=MemorySource("c", "m")
    )

    store.keep(draft)
    store.keep(draft)

    assert store.find_all(Filter(type=RAW))[1] == 1


def test_disabled_items_are_kept_but_not_recalled(store: MemoryStore):
    item = store.keep(Draft(PROCEDURAL, "Write formulas in LaTeX", always=True)).item

    store.change(item.id, enabled=False)

    assert store.always() == ()
    assert store.recall("LaTeX formulas") == ()
    store.change(item.id, enabled=True)
    assert store.always() != ()


def test_an_edited_item_is_found_by_its_new_words_only(store: MemoryStore):
    item = store.keep(Draft(SEMANTIC, "Works on protein folding")).item

    changed = store.change(item.id, content="Works on speech synthesis", keywords=["TTS"])

    assert changed.keywords == ("TTS",)
    assert store.recall("protein folding") == ()
    assert [found.matched for found in store.recall("speech TTS")] == [("speech", "tts")]
    with pytest.raises(InvalidInput):
        store.change(item.id, content=" \n ")
    with pytest.raises(MemoryNotFound):
        store.change("nobody", pinned=True)


def test_only_so_many_rules_ride_in_every_prompt(any_database: Database, clock: Clock):
    store = MemoryStore(any_database, clock=clock)
    nouns = [
        "tables",
        "figures",
        "codes",
        "units",
        "dates",
        "names",
        "titles",
        "quotes",
        "graphs",
        "maps",
        "lists",
        "notes",
        "links",
        "fonts",
        "colours",
    ]
    for noun in nouns:
        store.keep(Draft(PROCEDURAL, f"Show {noun} with care", always=True))
    first = store.find_all(Filter(query="tables"))[0][0]

    store.change(first.id, pinned=True)

    always = store.always()
    assert len(always) == 12
    assert always[0].content == "Show tables with care"


def test_forgotten_items_are_gone_at_once_and_come_back_within_the_hour(store: MemoryStore, clock: Clock):
    item = store.keep(Draft(SEMANTIC, "Allergic to peanuts")).item

    assert store.forget([item.id], by="run-1") == [item]
    assert (store.recall("peanuts"), contents(store), store.export()) == ((), [], [])
    with pytest.raises(MemoryNotFound):
        store.get(item.id)

    assert store.undo_forget("run-1") == [item]
    assert store.recall("peanuts")[0].item == item


def test_forgetting_under_the_same_name_again_takes_nothing_more(store: MemoryStore):
    one = store.keep(Draft(SEMANTIC, "Allergic to peanuts")).item
    other = store.keep(Draft(SEMANTIC, "Plays the oboe")).item

    store.forget([one.id], by="run-1")

    assert store.forget([other.id], by="run-1") == [one]
    assert store.get(other.id) == other


def test_after_an_hour_what_was_forgotten_is_deleted_for_good(store: MemoryStore, clock: Clock):
    item = store.keep(Draft(SEMANTIC, "Allergic to peanuts")).item
    store.forget([item.id], by="run-1")

    clock.now += UNDO_FOR

    with pytest.raises(MemoryNotFound):
        store.undo_forget("run-1")
    assert store.purge() == 0


def test_delete_one_a_type_a_chat_or_all(store: MemoryStore, any_database: Database):
    one = store.keep(Draft(SEMANTIC, "Plays the oboe")).item
    store.keep(Draft(EPISODIC, "Bought a harp", source=MemorySource(chat_id="chat-1")))
    store.keep(Draft(PROCEDURAL, "Use metric units"))
    store.keep(Draft(SEMANTIC, "Owns a telescope"))

    store.delete(one.id)
    assert store.delete_all(chat_id="chat-1") == 1
    assert store.delete_all(type=PROCEDURAL) == 1
    assert contents(store) == ["Owns a telescope"]
    assert store.delete_all() == 1
    with any_database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(memory_keywords)).scalar_one() == 0


def test_export_and_import_bring_everything_back(store: MemoryStore):
    store.keep(Draft(PROCEDURAL, "Answer in English", always=True))
    store.keep(Draft(PROCEDURAL, "Answer in Chinese", always=True))
    store.keep(Draft(SEMANTIC, "Plays the oboe", pinned=True))
    exported = store.export()
    store.delete_all()

    assert store.import_items(exported) == 3

    assert store.export() == exported
    assert [found.item.content for found in store.recall("oboe")] == ["Plays the oboe"]
    assert store.import_items([replace(exported[0], content="Answer in German")]) == 1
    assert len(store.export()) == 3


def test_search_takes_percent_signs_as_they_are(store: MemoryStore):
    store.keep(Draft(SEMANTIC, "Wants 95% confidence"))
    store.keep(Draft(SEMANTIC, "Plays the oboe"))

    assert contents(store, query="%") == ["Wants 95% confidence"]
    assert contents(store, query="OBOE") == ["Plays the oboe"]


def test_switches_hold_for_all_chats_and_a_chat_can_only_be_quieter(store: MemoryStore):
    assert store.switches("chat-1") == Switches(True, True)

    store.set_switches(chat_id="chat-1", injection=False)
    assert store.switches("chat-1") == Switches(True, False)
    assert store.switches("chat-2") == Switches(True, True)

    store.set_switches(extraction=False)
    store.set_switches(chat_id="chat-1", extraction=True, injection=True)
    assert store.switches("chat-1") == Switches(False, True)


def test_the_default_of_the_settings_holds_until_a_switch_is_set(any_database: Database):
    store = MemoryStore(any_database, switches=Switches(extraction=False, injection=False))

    assert store.switches() == Switches(False, False)
    assert store.set_switches(injection=True) == Switches(False, True)


def test_deleted_words_are_no_longer_in_sqlites_files(tmp_path: Path):
    database = Database.sqlite(tmp_path / "docmind.db")
    migrate(database)
    store = MemoryStore(database)
    item = store.keep(Draft(SEMANTIC, "The canary word is xylophonequartz", keywords=("zanzibarite",))).item
    store.keep(Draft(SEMANTIC, "Plays the oboe"))
    on_disk = lambda: b"".join(path.read_bytes().lower() for path in tmp_path.iterdir())  # noqa: E731
    assert b"xylophonequartz" in on_disk()

    store.delete(item.id)

    assert b"xylophonequartz" not in on_disk()
    assert b"zanzibarite" not in on_disk()
    assert b"oboe" in on_disk()
    database.close()
