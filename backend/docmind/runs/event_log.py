"""The event log of runs: what happened, numbered from 1 without gaps, on disk before anyone sees it.

One writer thread gathers what all runs have emitted and commits it in one transaction; only then are followers told. So the
cost of a commit is shared by everything that streams at that moment, and a follower can never have seen an event that a crash
then takes back. Neighbouring text pieces of one run that wait for the same commit become one event.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, cast

import sqlalchemy as sa
import structlog

from docmind.errors import RunTakenOver
from docmind.runs.tables import run_events
from docmind.storage.database import Database

Chunk = dict[str, Any]
LAST_CHUNKS = ("finish", "abort", "error")
_DELTAS = ("text-delta", "reasoning-delta")
# Another process may be writing the run: with no word from this one, the table is asked this often.
_POLL_S = 0.5
_PAGE = 500

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    seq: int
    chunk: str  # JSON
    type: str


@dataclass(slots=True)
class _Entry:
    run_id: str
    step: str
    chunk: Chunk


@dataclass(slots=True, eq=False)
class _Follower:
    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self) -> None:
        # The follower's loop may have ended between the commit and this call.
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.news.set)


class EventLog:
    """Append from any thread; follow from any event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[_Entry | Future[None] | None] = queue.SimpleQueue()
        self._next_seq: dict[str, int] = {}
        self._followers: dict[str, set[_Follower]] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._write_forever, name="event-log", daemon=True)
        self._failure: BaseException | None = None
        self._thread.start()

    def append(self, run_id: str, chunk: Chunk, *, step: str = "") -> None:
        """Queue an event; it is on disk once a later flush() returns."""
        self._queue.put(_Entry(run_id, step, chunk))

    async def flush(self) -> None:
        """Wait until everything appended so far is on disk. Raises what kept it from getting there."""
        await asyncio.wrap_future(self._mark())

    def flush_blocking(self) -> None:
        self._mark().result()

    def _mark(self) -> Future[None]:
        done: Future[None] = Future()
        self._queue.put(done)
        return done

    def replay(self, run_id: str, after: int = 0, *, limit: int = _PAGE) -> list[LoggedEvent]:
        """Up to `limit` events with numbers above `after`, in order. Blocking."""
        with self._database.read() as connection:
            rows = connection.execute(
                sa.select(run_events.c.seq, run_events.c.chunk)
                .where(run_events.c.run_id == run_id, run_events.c.seq > after)
                .order_by(run_events.c.seq)
                .limit(limit)
            ).all()
        return [LoggedEvent(row.seq, row.chunk, json.loads(row.chunk)["type"]) for row in rows]

    def chunks_of_step(self, run_id: str, step: str) -> list[Chunk]:
        """What a step emitted so far; after a crash, what its broken-off try had said."""
        with self._database.read() as connection:
            rows = connection.execute(
                sa.select(run_events.c.chunk)
                .where(run_events.c.run_id == run_id, run_events.c.step == step)
                .order_by(run_events.c.seq)
            ).scalars()
            return [json.loads(chunk) for chunk in rows]

    def has_ended(self, run_id: str) -> bool:
        with self._database.read() as connection:
            last = connection.execute(
                sa.select(run_events.c.chunk)
                .where(run_events.c.run_id == run_id)
                .order_by(run_events.c.seq.desc())
                .limit(1)
            ).scalar_one_or_none()
        return last is not None and json.loads(last)["type"] in LAST_CHUNKS

    async def follow(self, run_id: str, after: int = 0) -> AsyncIterator[LoggedEvent]:
        """Events above `after`, then new ones as they are committed, until the run's last. Never starts any work."""
        follower = _Follower(asyncio.get_running_loop())
        with self._lock:
            self._followers.setdefault(run_id, set()).add(follower)
        try:
            while True:
                follower.news.clear()
                events = await asyncio.to_thread(self.replay, run_id, after)
                for event in events:
                    after = event.seq
                    yield event
                    if event.type in LAST_CHUNKS:
                        return
                if len(events) < _PAGE:
                    try:
                        await asyncio.wait_for(follower.news.wait(), _POLL_S)
                    except TimeoutError:
                        continue
        finally:
            with self._lock:
                followers = self._followers.get(run_id, set())
                followers.discard(follower)
                if not followers:
                    self._followers.pop(run_id, None)

    def delete(self, run_ids: Sequence[str]) -> None:
        self.flush_blocking()
        with self._database.transaction() as connection:
            connection.execute(run_events.delete().where(run_events.c.run_id.in_(run_ids)))

    def close(self) -> None:
        """Write what is queued and end the writer."""
        self._queue.put(None)
        self._thread.join()

    # --- the writer thread --------------------------------------------------------------------------

    def _write_forever(self) -> None:
        going = True
        while going:
            batch = [self._queue.get()]
            while not self._queue.empty() and len(batch) < 2_000:
                batch.append(self._queue.get())
            going = None not in batch
            # From here on a flush cannot be cancelled any more; one that was is nobody's.
            marks = [mark for mark in batch if isinstance(mark, Future) and mark.set_running_or_notify_cancel()]
            entries = _joined([entry for entry in batch if isinstance(entry, _Entry)])
            failure = self._write(entries) if entries else None
            for mark in marks:
                if failure is None:
                    mark.set_result(None)
                else:
                    mark.set_exception(failure)

    def _write(self, entries: list[_Entry]) -> Exception | None:
        """Commit the entries and tell the followers; what kept them from the disk, otherwise."""
        rows: list[dict[str, object]] = []

        def work(connection: sa.Connection) -> None:
            # Numbered once: a server that died while it committed may hold them already.
            if not rows:
                rows.extend(self._numbered(connection, entries))
            elif _is_there(connection, rows[0]):
                return
            connection.execute(run_events.insert(), rows)

        try:
            self._database.insist(work)
        except sa.exc.IntegrityError as exc:
            log.warning("run_taken_over", events=len(entries))
            self._forget(entries)
            taken = RunTakenOver("another process goes on with this run")
            taken.__cause__ = exc
            return taken
        except Exception as exc:  # noqa: BLE001
            # The edge of the writer's thread: whoever waits is told, and the next batch gets its turn.
            log.error("events_not_written", events=len(entries), error=type(exc).__name__)
            self._forget(entries)
            return exc
        for entry, row in zip(entries, rows, strict=True):
            self._next_seq[entry.run_id] = cast(int, row["seq"]) + 1
        self._forget([entry for entry in entries if entry.chunk["type"] in LAST_CHUNKS])
        with self._lock:
            told = {follower for run_id in {e.run_id for e in entries} for follower in self._followers.get(run_id, ())}
        for follower in told:
            follower.tell()
        return None

    def _forget(self, entries: list[_Entry]) -> None:
        for entry in entries:
            self._next_seq.pop(entry.run_id, None)

    def _numbered(self, connection: sa.Connection, entries: list[_Entry]) -> list[dict[str, object]]:
        numbers: dict[str, int] = {}
        rows: list[dict[str, object]] = []
        for entry in entries:
            seq = (
                numbers.get(entry.run_id) or self._next_seq.get(entry.run_id) or _highest(connection, entry.run_id) + 1
            )
            numbers[entry.run_id] = seq + 1
            chunk = json.dumps(entry.chunk, ensure_ascii=False, separators=(",", ":"))
            rows.append({"run_id": entry.run_id, "seq": seq, "step": entry.step, "chunk": chunk})
        return rows


def _highest(connection: sa.Connection, run_id: str) -> int:
    return (
        connection.execute(sa.select(sa.func.max(run_events.c.seq)).where(run_events.c.run_id == run_id)).scalar_one()
        or 0
    )


def _is_there(connection: sa.Connection, row: dict[str, object]) -> bool:
    chunk = connection.execute(
        sa.select(run_events.c.chunk).where(run_events.c.run_id == row["run_id"], run_events.c.seq == row["seq"])
    ).scalar_one_or_none()
    return chunk is not None and chunk == row["chunk"]


def _joined(entries: list[_Entry]) -> list[_Entry]:
    """The entries with neighbouring deltas of one run, step and text joined. Order within each run is kept."""
    joined: list[_Entry] = []
    last_of: dict[str, _Entry] = {}
    for entry in entries:
        last = last_of.get(entry.run_id)
        if (
            last is not None
            and entry.chunk["type"] in _DELTAS
            and last.chunk["type"] == entry.chunk["type"]
            and last.chunk.get("id") == entry.chunk.get("id")
            and last.step == entry.step
        ):
            last.chunk = {**last.chunk, "delta": last.chunk["delta"] + entry.chunk["delta"]}
            continue
        joined.append(entry)
        last_of[entry.run_id] = entry
    return joined
