"""The written set of backend/bench holds its bars; what is measured there is promised here."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from docmind.memory.item import Draft, MemoryType
from tests.memory.builders import a_store

_BENCH = Path(__file__).parents[2] / "bench" / "memory_recall.py"


def bench():
    spec = importlib.util.spec_from_file_location("memory_recall", _BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_right_item_is_among_the_first_five_and_unrelated_messages_get_nothing(tmp_path: Path):
    measured = bench().measure_recall(tmp_path)

    assert (measured["items"], measured["messages"]) == (120, 80)
    assert measured["right_in_top_5"] >= 0.95, measured["missed"]
    assert measured["silent_when_unrelated"] >= 0.95, measured["loud"]


def test_a_question_reads_a_bounded_part_of_a_large_memory(tmp_path: Path):
    """What grows with the memory would show here: the same questions, five times as many items."""
    measure = bench().measure_speed
    for name in ("small", "large"):
        (tmp_path / name).mkdir()
    small = measure(tmp_path / "small", 2_000, None)
    large = measure(tmp_path / "large", 10_000, None)

    assert large["p50_ms"] < 4 * small["p50_ms"]


def test_a_term_is_kept_whole_and_found_in_either_language(tmp_path: Path):
    store = a_store(tmp_path)
    store.keep(Draft(MemoryType.SEMANTIC, "Studies RMSNorm", keywords=("均方根归一化",)))
    store.keep(Draft(MemoryType.SEMANTIC, "Trades on 10-K filings"))

    assert [found.matched for found in store.recall("rmsnorm的推导")] == [("rmsnorm",)]
    assert [found.item.content for found in store.recall("均方根归一化是什么")] == ["Studies RMSNorm"]
    assert [found.item.content for found in store.recall("What does the 10-K say?")] == ["Trades on 10-K filings"]
    assert store.recall("What does page 10 say?") == ()


def test_a_raw_turn_needs_a_strong_match(tmp_path: Path):
    store = a_store(tmp_path)
    store.keep(Draft(MemoryType.RAW, "How does RMSNorm differ from LayerNorm in deep models?"))

    assert store.recall("What is RMSNorm?") == ()
    assert len(store.recall("RMSNorm or LayerNorm?")) == 1
