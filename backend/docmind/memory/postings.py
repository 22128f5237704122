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
COUNTED = 500
COUNTED_ITEMS = 5_000
# Postings read for one question (about 1 ms a thousand), of all keywords and of one.
POSTINGS = 2_000
POSTINGS_EACH = 400
CANDIDATES = 24


# As text: building these from objects takes longer than running them. {at} is a number of ours, all values are bound.
_COUNT = (
    "SELECT {at} AS word, COUNT(*) AS items FROM "
    f"(SELECT item_id FROM memory_keywords WHERE keyword = :word{{at}} LIMIT {COUNTED}) AS counted{{at}}"
)
_POSTINGS = (
    "SELECT item_id, weight FROM (SELECT item_id, 1.0 * :weight{at} AS weight FROM memory_keywords "
    "WHERE keyword = :word{at} ORDER BY item_id DESC LIMIT :take{at}) AS postings{at}"
)
_BEST = "SELECT item_id FROM ({postings}) AS found GROUP BY item_id ORDER BY SUM(weight) DESC, item_id DESC LIMIT :most"

# Built once: a statement that is built anew is analysed anew.
_ITEMS = sa.select(memory_items).where(memory_items.c.id.in_(sa.bindparam("ids", expanding=True)))
_KEYWORDS = sa.select(memory_keywords.c.item_id, memory_keywords.c.keyword).where(
    memory_keywords.c.item_id.in_(sa.bindparam("ids", expanding=True))
)
_COUNT_ITEMS = sa.select(sa.func.count()).select_from(sa.select(memory_items.c.id).limit(COUNTED_ITEMS).subquery())


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
    parts: list[str] = []
    given: dict[str, object] = {"most": most if kind is None else 4 * most}
    left = POSTINGS
    for at, word in enumerate(rare_first):
        weight = rarity(counts[word], total) * asked[word]
        take = min(POSTINGS_EACH, left)
        if take <= 0 or weight <= 0:
            break
        left -= min(take, counts[word])
        parts.append(_POSTINGS.format(at=at))
        given |= {f"word{at}": word, f"weight{at}": weight, f"take{at}": take}
    if not parts:
        return Found((), {}, counts, total)
    ids = list(connection.execute(sa.text(_BEST.format(postings=" UNION ALL ".join(parts))), given).scalars())
    # By id alone, and sorted out here: SQLite would take a further condition for the better way in, and read everything.
    rows = connection.execute(_ITEMS, {"ids": ids}).mappings()
    known = {row["id"]: item_of(row) for row in rows if kind is None or row["type"] == kind.value}
    items = tuple(known[item_id] for item_id in ids if item_id in known)[:most]
    return Found(items, _keywords(connection, [item.id for item in items]), counts, total)


def _keywords(connection: sa.Connection, ids: list[str]) -> dict[str, frozenset[str]]:
    words: dict[str, set[str]] = {item_id: set() for item_id in ids}
    for item_id, word in connection.execute(_KEYWORDS, {"ids": ids}):
        words[item_id].add(word)
    return {item_id: frozenset(found) for item_id, found in words.items()}


def count_items(connection: sa.Connection) -> int:
    """About how many items there are, for rarity; beyond five thousand the exact number no longer matters."""
    return connection.execute(_COUNT_ITEMS).scalar_one()


def _counts(connection: sa.Connection, asked: Mapping[str, float]) -> dict[str, int]:
    """Items with each keyword, counted up to COUNTED; keywords that no item has are left out."""
    if not asked:
        return {}
    words = list(asked)
    query = " UNION ALL ".join(_COUNT.format(at=at) for at in range(len(words)))
    rows = connection.execute(sa.text(query), {f"word{at}": word for at, word in enumerate(words)})
    return {words[at]: items for at, items in rows if items}
