"""Recall on a written set: 120 items and 80 messages with their right answers, and its speed with 100,000 items.

    .venv/bin/python backend/bench/memory_recall.py [--items 100000] [--database URL]

Prints one JSON object; exits 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.memory.item import Draft, MemoryItem, MemorySource, MemoryType, Quotas, new_item_id
from docmind.memory.keywords import keywords_of
from docmind.memory.rows import row_of
from docmind.memory.store import MemoryStore
from docmind.memory.tables import memory_items, memory_keywords
from docmind.storage.database import Database
from docmind.storage.migrations import migrate

HERE = Path(__file__).parent
RIGHT_IN_TOP_5 = 0.95
SILENT_WHEN_UNRELATED = 0.95
P95_MS = 10.0


def written_set(
    messages_file: str = "memory_messages.tsv",
) -> tuple[list[tuple[str, Draft]], list[tuple[str, frozenset[str]]]]:
    """Items with their names, and messages with the names of the items that would be right (none: nothing is)."""
    items = []
    for line in (HERE / "memory_items.tsv").read_text(encoding="utf-8").splitlines():
        name, kind, content, words = line.split("\t")
        keywords = tuple(word.strip() for word in words.split(",") if word.strip())
        items.append((name, Draft(MemoryType(kind), content, keywords)))
    messages = []
    for line in (HERE / messages_file).read_text(encoding="utf-8").splitlines():
        message, right = line.split("\t")
        messages.append((message, frozenset() if right == "-" else frozenset(right.split(","))))
    return items, messages


def measure_recall(folder: Path, messages_file: str = "memory_messages.tsv") -> dict[str, Any]:
    """Shares of messages that get a right item in the top 5, and of unrelated ones that get nothing."""
    items, messages = written_set(messages_file)
    database = Database.sqlite(folder / f"{messages_file}.db")
    migrate(database)
    store = MemoryStore(database)
    names = {store.keep(draft).item.id: name for name, draft in items}
    related = sum(bool(right) for _, right in messages)
    missed, loud, given = [], [], []
    for message, right in messages:
        found = store.recall(message)
        got = [(names[each.item.id], each.matched) for each in found]
        if right:
            given.append(len(got))
            if not right & {name for name, _ in got}:
                missed.append({"message": message, "right": sorted(right), "got": got})
        elif found:
            loud.append({"message": message, "got": got})
    database.close()
    return {
        "items": len(names),
        "messages": len(messages),
        "right_in_top_5": round(1 - len(missed) / related, 4),
        "silent_when_unrelated": round(1 - len(loud) / (len(messages) - related), 4),
        "mean_given": round(statistics.mean(given), 2),
        "missed": missed,
        "loud": loud,
    }


def fill(database: Database, count: int) -> None:
    """A memory as years would leave it: words drawn by Zipf's law, a few in every third item, most in a handful."""
    chance = random.Random(7)
    written, _ = written_set()
    common = sorted({word for _, draft in written for word in keywords_of(draft.content, draft.keywords)})
    words = common + [f"term{number:x}" for number in range(30_000)]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    kinds = [MemoryType.RAW, MemoryType.SEMANTIC, MemoryType.EPISODIC]
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for first in range(0, count, 5_000):
        rows, keywords = [], []
        for number in range(first, min(first + 5_000, count)):
            own = list(dict.fromkeys(chance.choices(words, cum_weights=weights, k=chance.randint(6, 14))))
            at = start + timedelta(minutes=5 * number)
            kind = MemoryType.PROCEDURAL if number % 500 == 0 else chance.choice(kinds)
            item = MemoryItem(
                new_item_id(at), kind, " ".join(own), (), MemorySource(), at, at, always=kind is MemoryType.PROCEDURAL
            )
            rows.append(row_of(item))
            keywords += [{"keyword": word, "item_id": item.id} for word in own]
        with database.transaction() as connection:
            connection.execute(memory_items.insert(), rows)
            connection.execute(memory_keywords.insert(), keywords)


def measure_speed(folder: Path, count: int, url: str | None) -> dict[str, Any]:
    """Milliseconds from question to items, standing rules included."""
    database = Database(url) if url else Database.sqlite(folder / "speed.db")
    migrate(database)
    with database.read() as connection:
        if connection.execute(sa.select(memory_items.c.id).limit(1)).first():
            raise SystemExit("give an empty database: this fills it")
    fill(database, count)
    store = MemoryStore(database, quotas=Quotas(count, count, count, count))
    _, messages = written_set()
    questions = [message for message, _ in messages]
    took, busy = [], []
    for _ in range(5):
        for question in [*questions, " ".join(questions[:8])]:
            began, worked = time.perf_counter(), time.thread_time()
            store.recollect(question)
            took.append(1000 * (time.perf_counter() - began))
            busy.append(1000 * (time.thread_time() - worked))
    database.close()
    took.sort()
    busy.sort()
    return {
        "items": count,
        "questions": len(took),
        "p50_ms": round(took[len(took) // 2], 2),
        "p95_ms": round(took[int(len(took) * 0.95)], 2),
        "max_ms": round(took[-1], 2),
        "p95_cpu_ms": round(busy[int(len(busy) * 0.95)], 2),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=100_000)
    options.add_argument("--database", help="measure the speed on this (empty) database instead of SQLite")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        recall = measure_recall(Path(folder))
        # Written after the stop words were settled, and never used to change them.
        unseen = measure_recall(Path(folder), "memory_unseen.tsv")
        speed = measure_speed(Path(folder), given.items, given.database)
    print(json.dumps({"recall": recall, "unseen": unseen, "speed": speed}, ensure_ascii=False, indent=1))
    within = (
        recall["right_in_top_5"] >= RIGHT_IN_TOP_5
        and recall["silent_when_unrelated"] >= SILENT_WHEN_UNRELATED
        and speed["p95_ms"] <= P95_MS
    )
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
