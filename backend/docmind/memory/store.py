"""Memory as it is kept: items, their keywords, what was dropped, switches. Knows no model. Blocking: call it from a thread.

Deleting is real: rows and keywords go in one transaction, SQLite overwrites their bytes (secure_delete) and its log is
emptied; docs/decisions/2026-12-01-memory.md says what that cannot reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import sqlalchemy as sa

from docmind.errors import InvalidInput, MemoryNotFound
from docmind.memory.item import Draft, MemoryItem, MemoryType, Quotas, Recalled, Switches
from docmind.memory.keeping import Kept, drop_beyond_quota, keep
from docmind.memory.keywords import asked_keywords, clean_text
from docmind.memory.postings import find
from docmind.memory.recall import TOP, rank
from docmind.memory.rows import item_of, remove, row_of, write_keywords
from docmind.memory.switches import read_switches, write_switches
from docmind.memory.tables import memory_dropped, memory_items, memory_keywords
from docmind.storage.database import Database

Result = TypeVar("Result")

# Rules that stand in every prompt: more would crowd out the question, and models follow long lists badly.
MOST_ALWAYS = 12
UNDO_FOR = timedelta(hours=1)
MAX_CONTENT = 2_000
MAX_KEYWORD = 60


@dataclass(frozen=True, slots=True)
class Recollection:
    """What a prompt is given: rules that always apply, and the items that the question called up, best first."""

    always: tuple[MemoryItem, ...] = ()
    recalled: tuple[Recalled, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeCount:
    """Live items and history of a type, its quota, and how many the quota has cost so far."""

    type: MemoryType
    items: int
    history: int
    quota: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items are meant. None means any."""

    query: str = ""
    type: MemoryType | None = None
    chat_id: str | None = None
    pinned: bool | None = None
    enabled: bool | None = None
    history: bool | None = False


_ALWAYS = (
    sa.select(memory_items)
    .where(
        memory_items.c.applies_always.is_(True),
        memory_items.c.enabled.is_(True),
        memory_items.c.replaced_by.is_(None),
        memory_items.c.forgotten_at.is_(None),
    )
    .order_by(memory_items.c.pinned.desc(), memory_items.c.updated_at.desc(), memory_items.c.id.desc())
    .limit(MOST_ALWAYS)
)


class MemoryStore:
    def __init__(
        self,
        database: Database,
        *,
        quotas: Quotas | None = None,
        switches: Switches | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = database
        self._quotas = quotas or Quotas()
        self._default = switches or Switches()
        self._clock = clock

    # --- keeping and finding --------------------------------------------------------------------------

    def keep(self, draft: Draft, *, at: datetime | None = None) -> Kept:
        """Keep a draft; see keeping.keep. Raises InvalidInput for an empty or over-long one."""
        draft = replace(draft, content=_content(draft.content, draft.type), keywords=_keywords(draft.keywords))
        return self._write(lambda db: keep(db, draft, at=at or self._clock(), quotas=self._quotas))

    def recall(self, question: str, *, top: int = TOP, kind: MemoryType | None = None) -> tuple[Recalled, ...]:
        """The items that the question calls up, best first; nothing rather than noise."""
        asked = asked_keywords(question)
        if not asked:
            return ()
        with self._database.read() as connection:
            found = find(connection, asked, kind=kind)
        ranked = rank(
            found.items,
            asked,
            keywords=found.keywords,
            counts=found.counts,
            total=found.total,
            now=self._clock(),
            top=top,
        )
        return tuple(ranked)

    def recollect(self, question: str) -> Recollection:
        """What a new turn's prompt is given: the rules that always apply, and beside them the best of the others."""
        always = self.always()
        standing = {item.id for item in always}
        recalled = [each for each in self.recall(question, top=TOP + len(always)) if each.item.id not in standing]
        return Recollection(always, tuple(recalled[:TOP]))

    def always(self) -> tuple[MemoryItem, ...]:
        """The rules that ride in every prompt: pinned first, then the newest, at most MOST_ALWAYS."""
        with self._database.read() as connection:
            return tuple(item_of(row) for row in connection.execute(_ALWAYS).mappings())

    def mark_used(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        change = (
            memory_items.update()
            .where(memory_items.c.id.in_(list(ids)))
            .values(uses=memory_items.c.uses + 1, last_used_at=self._clock())
        )
        self._write(lambda db: db.execute(change))

    # --- seeing ---------------------------------------------------------------------------------------

    def get(self, item_id: str) -> MemoryItem:
        """Raises MemoryNotFound."""
        with self._database.read() as connection:
            return _get(connection, item_id)

    def find_all(self, wanted: Filter, *, limit: int = 100, offset: int = 0) -> tuple[list[MemoryItem], int]:
        """Items, last said first, and how many there are in all."""
        where = _where(wanted)
        query = (
            sa.select(memory_items).where(where).order_by(memory_items.c.updated_at.desc(), memory_items.c.id.desc())
        )
        with self._database.read() as connection:
            total = connection.execute(sa.select(sa.func.count()).select_from(memory_items).where(where)).scalar_one()
            rows = connection.execute(query.limit(limit).offset(offset)).mappings()
            return [item_of(row) for row in rows], total

    def counts(self) -> list[TypeCount]:
        is_history = sa.case((memory_items.c.replaced_by.is_(None), 0), else_=1).label("is_history")
        query = (
            sa.select(memory_items.c.type, is_history, sa.func.count().label("items"))
            .where(memory_items.c.forgotten_at.is_(None))
            .group_by(memory_items.c.type, is_history)
        )
        with self._database.read() as connection:
            found = {(row.type, row.is_history): row.items for row in connection.execute(query)}
            dropped = {row.type: row.dropped for row in connection.execute(sa.select(memory_dropped))}
        return [
            TypeCount(
                kind,
                found.get((kind.value, 0), 0),
                found.get((kind.value, 1), 0),
                self._quotas.of(kind),
                dropped.get(kind.value, 0),
            )
            for kind in MemoryType
        ]

    # --- changing -------------------------------------------------------------------------------------

    def change(
        self,
        item_id: str,
        *,
        content: str | None = None,
        keywords: Sequence[str] | None = None,
        pinned: bool | None = None,
        enabled: bool | None = None,
        always: bool | None = None,
    ) -> MemoryItem:
        """The item as changed. Raises MemoryNotFound, or InvalidInput for an empty content."""

        def work(connection: sa.Connection) -> MemoryItem:
            old = _get(connection, item_id)
            item = replace(
                old,
                content=old.content if content is None else _content(content, old.type),
                keywords=old.keywords if keywords is None else _keywords(keywords),
                pinned=old.pinned if pinned is None else pinned,
                enabled=old.enabled if enabled is None else enabled,
                always=old.always if always is None else always and old.type is MemoryType.PROCEDURAL,
                updated_at=old.updated_at if content is None else self._clock(),
            )
            connection.execute(memory_items.update().where(memory_items.c.id == item_id), row_of(item))
            write_keywords(connection, item)
            return item

        return self._write(work)

    def delete(self, item_id: str) -> None:
        """Raises MemoryNotFound."""

        def work(connection: sa.Connection) -> None:
            _get(connection, item_id)
            remove(connection, [item_id])

        self._write(work, erase=True)

    def delete_all(self, *, type: MemoryType | None = None, chat_id: str | None = None) -> int:
        """Delete a type's items, a chat's, or all, history and forgotten ones too; how many."""
        wanted = Filter(type=type, chat_id=chat_id, history=None)

        def work(connection: sa.Connection) -> int:
            return remove(
                connection,
                list(connection.execute(sa.select(memory_items.c.id).where(_where(wanted, forgotten=None))).scalars()),
            )

        return self._write(work, erase=True)

    # --- "forget this", with undo ---------------------------------------------------------------------

    def forget(self, ids: Sequence[str], *, by: str) -> list[MemoryItem]:
        """Set items aside under a name (a run's id); for an hour they can come back. Under a name used before, nothing more."""

        def work(connection: sa.Connection) -> list[MemoryItem]:
            before = _forgotten(connection, by)
            if before:
                return before
            connection.execute(
                memory_items.update()
                .where(memory_items.c.id.in_(list(ids)), memory_items.c.forgotten_at.is_(None))
                .values(forgotten_at=self._clock(), forgotten_by=by)
            )
            connection.execute(memory_keywords.delete().where(memory_keywords.c.item_id.in_(list(ids))))
            return _forgotten(connection, by)

        return self._write(work) if ids else self.forgotten(by)

    def forgotten(self, by: str) -> list[MemoryItem]:
        with self._database.read() as connection:
            return _forgotten(connection, by)

    def undo_forget(self, by: str) -> list[MemoryItem]:
        """Bring back what was forgotten under this name. Raises MemoryNotFound when nothing is left of it."""
        self.purge()

        def work(connection: sa.Connection) -> list[MemoryItem]:
            items = _forgotten(connection, by)
            if not items:
                raise MemoryNotFound(
                    "nothing is left to bring back", advice="What was forgotten is deleted for good after an hour."
                )
            connection.execute(
                memory_items.update()
                .where(memory_items.c.forgotten_by == by)
                .values(forgotten_at=None, forgotten_by=None)
            )
            for item in items:
                write_keywords(connection, item)
            return items

        return self._write(work)

    def purge(self) -> int:
        """Delete for good what was forgotten more than an hour ago; how many."""
        old = sa.select(memory_items.c.id).where(memory_items.c.forgotten_at < self._clock() - UNDO_FOR)
        with self._database.read() as connection:
            if not connection.execute(old.limit(1)).first():
                return 0
        return self._write(lambda db: remove(db, list(db.execute(old).scalars())), erase=True)

    # --- export and import ----------------------------------------------------------------------------

    def export(self) -> list[MemoryItem]:
        """Everything, history too, oldest first."""
        query = sa.select(memory_items).where(memory_items.c.forgotten_at.is_(None)).order_by(memory_items.c.id)
        with self._database.read() as connection:
            return [item_of(row) for row in connection.execute(query).mappings()]

    def import_items(self, items: Iterable[MemoryItem]) -> int:
        """Put items in as they are, in place of those with the same id; the quotas hold. How many."""
        ready = [
            replace(item, content=_content(item.content, item.type), keywords=_keywords(item.keywords))
            for item in items
        ]

        def work(connection: sa.Connection) -> int:
            remove(connection, [item.id for item in ready])
            for item in ready:
                connection.execute(memory_items.insert(), row_of(item))
                write_keywords(connection, item)
            for kind in {item.type for item in ready}:
                drop_beyond_quota(connection, kind, self._quotas)
            return len(ready)

        return self._write(work)

    # --- switches -------------------------------------------------------------------------------------

    def switches(self, chat_id: str | None = None) -> Switches:
        """What holds for a chat, or for all. What is off for all is off for every chat."""
        with self._database.read() as connection:
            return read_switches(connection, chat_id, default=self._default)

    def set_switches(
        self, *, chat_id: str | None = None, extraction: bool | None = None, injection: bool | None = None
    ) -> Switches:
        """Change what is given; None leaves it."""
        self._write(lambda db: write_switches(db, chat_id, extraction=extraction, injection=injection))
        return self.switches(chat_id)

    def _write(self, work: Callable[[sa.Connection], Result], *, erase: bool = False) -> Result:
        def erasing(connection: sa.Connection) -> Result:
            if self._database.is_sqlite:
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            return work(connection)

        result = self._database.insist(erasing)
        if erase and self._database.is_sqlite:
            self._empty_log()
        return result

    def _empty_log(self) -> None:
        """SQLite's write-ahead log still holds the pages as they were; a checkpoint overwrites and cuts it.

        A reader in the middle of something makes it do less; the log is then emptied by a later one.
        """
        with self._database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _get(connection: sa.Connection, item_id: str) -> MemoryItem:
    query = sa.select(memory_items).where(memory_items.c.id == item_id, memory_items.c.forgotten_at.is_(None))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise MemoryNotFound(f"there is no memory item {item_id[:60]}")
    return item_of(row)


def _forgotten(connection: sa.Connection, by: str) -> list[MemoryItem]:
    query = sa.select(memory_items).where(memory_items.c.forgotten_by == by, memory_items.c.forgotten_at.is_not(None))
    return [item_of(row) for row in connection.execute(query.order_by(memory_items.c.id)).mappings()]


def _where(wanted: Filter, *, forgotten: bool | None = False) -> sa.ColumnElement[bool]:
    conditions: list[sa.ColumnElement[bool]] = [sa.true()]
    if forgotten is False:
        conditions.append(memory_items.c.forgotten_at.is_(None))
    if wanted.type is not None:
        conditions.append(memory_items.c.type == wanted.type.value)
    if wanted.chat_id is not None:
        conditions.append(memory_items.c.chat_id == wanted.chat_id)
    if wanted.pinned is not None:
        conditions.append(memory_items.c.pinned.is_(wanted.pinned))
    if wanted.enabled is not None:
        conditions.append(memory_items.c.enabled.is_(wanted.enabled))
    if wanted.history is not None:
        replaced = memory_items.c.replaced_by
        conditions.append(replaced.is_not(None) if wanted.history else replaced.is_(None))
    for word in wanted.query.split()[:8]:
        conditions.append(sa.func.lower(memory_items.c.content).contains(word.lower(), autoescape=True))
    return sa.and_(*conditions)


def _content(content: str, kind: MemoryType) -> str:
    """On one line; a raw item keeps the user's words as they are."""
    plain = content.strip() if kind is MemoryType.RAW else clean_text(content, len(content))
    if not plain:
        raise InvalidInput("a memory item needs words")
    if len(plain) > MAX_CONTENT:
        if kind is MemoryType.RAW:
            return plain[:MAX_CONTENT]
        raise InvalidInput(f"{len(plain)} characters are too many for a memory item, {MAX_CONTENT} the most")
    return plain


def _keywords(keywords: Sequence[str]) -> tuple[str, ...]:
    plain = (clean_text(word, MAX_KEYWORD) for word in keywords)
    return tuple(dict.fromkeys(word for word in plain if word))
