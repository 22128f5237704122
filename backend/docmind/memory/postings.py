"""Find items by keywords in bounded time: rare keywords first, so many postings and no more, newest first.

Rare keywords decide what is found; a keyword that thousands of items share only adds to items found by others, or stands
alone when the question has nothing rarer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from docmind.memory.item import MemoryItem, MemoryType
from docmind.memory.recall import rarity
from docmind.memory.rows import item_of
from docmind.memory.tables import memory_items, memory_keywords

# Beyond this a keyword is common whatever its exact count: counting further costs time and changes little.
COUNTED = 1_000
# Postings read for one question (about 1 ms a thousand), of all keywords and of one.
POSTINGS = 3_000
POSTINGS_EACH = 600
CANDIDATES = 40


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, the strongest first, with what `rank` needs: their keywords, and items by keyword and in all."""

    items: tuple[MemoryItem, ...]
    keywords: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]
    total: int


def find(
    connection: sa.Connection,
    asked: Mapping[str, float],
    *,
    kind: MemoryType | None = None,
    most: int = CANDIDATES,
) -> Found:
    """Items with the keywords asked for, of one type or of all."""
    total = count_items(connection)
    counts = _counts(connection, asked)
    rare_first = sorted(counts, key=lambda word: (counts[word], word))
    parts, left = [], POSTINGS
    for word in rare_first:
        weight = rarity(counts[word], total) * asked[word]
        take = min(POSTINGS_EACH, left)
        if take <= 0 or weight <= 0:
            break
        left -= min(take, counts[word])
        postings = (
            sa.select(memory_keywords.c.item_id, sa.literal(weight, sa.Float).label("weight"))
            .where(memory_keywords.c.keyword == word)
            .order_by(memory_keywords.c.item_id.desc())
            .limit(take)
            .subquery()
        )
        parts.append(sa.select(postings.c.item_id, postings.c.weight))
    if not parts:
        return Found((), {}, counts, total)
    every = sa.union_all(*parts).subquery()
    evidence = sa.func.sum(every.c.weight)
    best = (
        sa.select(every.c.item_id)
        .group_by(every.c.item_id)
        .order_by(evidence.desc(), every.c.item_id.desc())
        .limit(most if kind is None else 4 * most)
    )
    ids = list(connection.execute(best).scalars())
    wanted = sa.select(memory_items).where(memory_items.c.id.in_(ids), memory_items.c.forgotten_at.is_(None))
    if kind is not None:
        wanted = wanted.where(memory_items.c.type == kind.value)
    rows = {row["id"]: item_of(row) for row in connection.execute(wanted).mappings()}
    items = tuple(rows[item_id] for item_id in ids if item_id in rows)[:most]
    return Found(items, _keywords(connection, [item.id for item in items]), counts, total)


def _keywords(connection: sa.Connection, ids: list[str]) -> dict[str, frozenset[str]]:
    words: dict[str, set[str]] = {item_id: set() for item_id in ids}
    query = sa.select(memory_keywords.c.item_id, memory_keywords.c.keyword).where(memory_keywords.c.item_id.in_(ids))
    for item_id, word in connection.execute(query):
        words[item_id].add(word)
    return {item_id: frozenset(found) for item_id, found in words.items()}


def count_items(connection: sa.Connection) -> int:
    """About how many items there are, for rarity; beyond ten thousand the exact number no longer matters."""
    most = 10_000
    some = sa.select(memory_items.c.id).limit(most).subquery()
    return connection.execute(sa.select(sa.func.count()).select_from(some)).scalar_one()


def _counts(connection: sa.Connection, asked: Mapping[str, float]) -> dict[str, int]:
    """Items with each keyword, counted up to COUNTED; keywords that no item has are left out."""
    if not asked:
        return {}
    parts = []
    for word in asked:
        some = sa.select(memory_keywords.c.item_id).where(memory_keywords.c.keyword == word).limit(COUNTED).subquery()
        parts.append(
            sa.select(sa.literal(word, sa.String(60)).label("keyword"), sa.func.count().label("items")).select_from(
                some
            )
        )
    rows = connection.execute(sa.union_all(*parts)).all()
    return {row.keyword: row.items for row in rows if row.items}
