"""Put a draft into memory: merged with what says the same, in place of what it contradicts, within its type's quota."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from docmind.memory.item import Draft, MemoryItem, MemoryType, Quotas, new_item_id
from docmind.memory.keywords import MAX_ASKED, keywords_of
from docmind.memory.likeness import contradicts, says_the_same
from docmind.memory.postings import find
from docmind.memory.rows import item_of, remove, row_of, write_keywords
from docmind.memory.tables import memory_dropped, memory_items

# Wishes are few and may share no word ("in English", "in Chinese"), so the newest are all compared.
COMPARED_WISHES = 300
COMPARED = 40
MAX_KEYWORDS = 12


class Outcome(StrEnum):
    ADDED = "added"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Kept:
    """`replaced` are ids of items that are history now, `dropped` is how many the quota cost."""

    item: MemoryItem
    outcome: Outcome
    replaced: tuple[str, ...] = ()
    dropped: int = 0


def keep(connection: sa.Connection, draft: Draft, *, at: datetime, quotas: Quotas) -> Kept:
    """Keep the draft. A second time changes nothing but `updated_at`: it is merged with the first."""
    alike = _of_same_turn(connection, draft) or _comparable(connection, draft)
    same = next((item for item in alike if says_the_same(draft.type, draft.content, item.content)), None)
    if same is not None:
        return Kept(_merge(connection, same, draft, at), Outcome.MERGED)
    item = MemoryItem(
        id=new_item_id(at),
        type=draft.type,
        content=draft.content,
        keywords=draft.keywords[:MAX_KEYWORDS],
        source=draft.source,
        created_at=at,
        updated_at=at,
        pinned=draft.pinned,
        always=draft.always and draft.type is MemoryType.PROCEDURAL,
        answer=draft.answer,
    )
    connection.execute(memory_items.insert(), row_of(item))
    write_keywords(connection, item)
    named = set(draft.replaces)
    replaced = tuple(old.id for old in alike if old.id in named or contradicts(draft.type, draft.content, old.content))
    for old in alike:
        if old.id in replaced:
            make_history(connection, old, item.id)
    return Kept(item, Outcome.ADDED, replaced, drop_beyond_quota(connection, draft.type, quotas))


def _of_same_turn(connection: sa.Connection, draft: Draft) -> list[MemoryItem]:
    """The raw item of this very turn, when the turn is remembered a second time."""
    if draft.type is not MemoryType.RAW or draft.source.message_id is None:
        return []
    query = _live(MemoryType.RAW).where(memory_items.c.message_id == draft.source.message_id)
    return [item_of(row) for row in connection.execute(query).mappings()]


def _comparable(connection: sa.Connection, draft: Draft) -> list[MemoryItem]:
    """Live items of the type that may say the same or the opposite."""
    if draft.type is MemoryType.PROCEDURAL:
        newest = _live(draft.type).order_by(memory_items.c.updated_at.desc()).limit(COMPARED_WISHES)
        return [item_of(row) for row in connection.execute(newest).mappings()]
    asked = dict.fromkeys(keywords_of(draft.content, draft.keywords)[:MAX_ASKED], 1.0)
    found = find(connection, asked, kind=draft.type, most=COMPARED).items
    named = [item for item in _by_ids(connection, draft.replaces, draft.type) if item not in found]
    return [*found, *named]


def _by_ids(connection: sa.Connection, ids: Sequence[str], kind: MemoryType) -> list[MemoryItem]:
    if not ids:
        return []
    return [item_of(row) for row in connection.execute(_live(kind).where(memory_items.c.id.in_(ids))).mappings()]


def _live(kind: MemoryType) -> sa.Select[tuple[object, ...]]:
    return sa.select(memory_items).where(
        memory_items.c.type == kind.value,
        memory_items.c.replaced_by.is_(None),
        memory_items.c.forgotten_at.is_(None),
    )


def _merge(connection: sa.Connection, old: MemoryItem, draft: Draft, at: datetime) -> MemoryItem:
    """The older item, said again now: it keeps its words and its id, and gains keywords."""
    words = dict.fromkeys((*old.keywords, *draft.keywords))
    merged = replace(
        old,
        keywords=tuple(words)[:MAX_KEYWORDS],
        updated_at=max(at, old.updated_at),
        pinned=old.pinned or draft.pinned,
    )
    values = {"keywords": list(merged.keywords), "updated_at": merged.updated_at, "pinned": merged.pinned}
    connection.execute(memory_items.update().where(memory_items.c.id == old.id).values(**values))
    write_keywords(connection, merged)
    return merged


def make_history(connection: sa.Connection, old: MemoryItem, newer_id: str) -> None:
    connection.execute(memory_items.update().where(memory_items.c.id == old.id).values(replaced_by=newer_id))
    write_keywords(connection, replace(old, replaced_by=newer_id))


def drop_beyond_quota(connection: sa.Connection, kind: MemoryType, quotas: Quotas) -> int:
    """First in, first out: delete the oldest unpinned items beyond the type's quota, and count them."""
    loose = sa.and_(memory_items.c.type == kind.value, memory_items.c.pinned.is_(False))
    count = connection.execute(sa.select(sa.func.count()).select_from(memory_items).where(loose)).scalar_one()
    excess = count - quotas.of(kind)
    if excess <= 0:
        return 0
    oldest = sa.select(memory_items.c.id).where(loose).order_by(memory_items.c.updated_at, memory_items.c.id)
    ids = list(connection.execute(oldest.limit(excess)).scalars())
    dropped = remove(connection, ids)
    count_dropped(connection, kind, dropped)
    return dropped


def count_dropped(connection: sa.Connection, kind: MemoryType, more: int) -> None:
    same = memory_dropped.c.type == kind.value
    added = connection.execute(memory_dropped.update().where(same).values(dropped=memory_dropped.c.dropped + more))
    if added.rowcount == 0:
        connection.execute(memory_dropped.insert(), {"type": kind.value, "dropped": more})
