"""Several processes that share the work: each says in a table that it lives, and what a silent one left goes on elsewhere.

A process counts its beats up; the others watch the count by their own clock, so that clocks need not agree. A process that
was only asleep finds its row gone: it lets go of its runs, which others have taken up by then, and goes on under its old id.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Sequence

import sqlalchemy as sa
import structlog

from docmind.runs.tables import members
from docmind.storage.database import Database

BEAT_S = 2.0
SILENT_S = 12.0

log = structlog.get_logger()


class Members:
    """`take_over` is given the ids of silent processes; `let_go` is called when this one was thought silent."""

    def __init__(
        self,
        database: Database,
        member_id: str,
        *,
        workers: Callable[[], Awaitable[Sequence[str]]],
        take_over: Callable[[list[str]], Awaitable[None]],
        let_go: Callable[[], None],
        beat_s: float = BEAT_S,
        silent_s: float = SILENT_S,
    ) -> None:
        self._database = database
        self._id = member_id
        self._workers = workers
        self._take_over = take_over
        self._let_go = let_go
        self._beat_s = beat_s
        self._silent_s = silent_s
        self._beats = 0
        self._heard: dict[str, tuple[int, float]] = {}

    async def run(self) -> None:
        """Beat and watch until cancelled."""
        await asyncio.to_thread(self._join)
        while True:
            await asyncio.sleep(self._beat_s)
            try:
                await self._once()
            except sa.exc.DBAPIError as exc:
                # The database is away: nobody can take anything over either.
                log.warning("beat_failed", error=type(exc.orig).__name__)

    async def leave(self) -> None:
        await asyncio.to_thread(self._forget, [self._id])

    async def _once(self) -> None:
        if not await asyncio.to_thread(self._beat):
            log.warning("thought_silent", member=self._id)
            self._let_go()
            await asyncio.to_thread(self._join)
        silent = self._silent_of(await asyncio.to_thread(self._counts), await self._workers())
        if silent:
            log.info("taking_over", members=silent)
            # First the work, then the row: a crash between the two takes over twice, which changes nothing.
            await self._take_over(silent)
            await asyncio.to_thread(self._forget, silent)

    def _silent_of(self, counts: dict[str, int], working: Sequence[str]) -> list[str]:
        """Who has work or a row, and has not beaten for long. One without a row is heard of from now on."""
        now = time.monotonic()
        watched = (set(counts) | set(working)) - {self._id}
        for member in watched:
            count = counts.get(member, -1)
            if self._heard.get(member, (None, 0.0))[0] != count:
                self._heard[member] = (count, now)
        self._heard = {member: heard for member, heard in self._heard.items() if member in watched}
        return sorted(member for member, (_, since) in self._heard.items() if now - since > self._silent_s)

    # --- the table ------------------------------------------------------------------------------------

    def _join(self) -> None:
        def work(connection: sa.Connection) -> None:
            connection.execute(members.delete().where(members.c.id == self._id))
            connection.execute(members.insert().values(id=self._id, host=socket.gethostname()[:200], beats=self._beats))

        self._database.insist(work)

    def _beat(self) -> bool:
        self._beats += 1
        beat = members.update().where(members.c.id == self._id).values(beats=self._beats)
        return self._database.insist(lambda connection: connection.execute(beat).rowcount == 1)

    def _counts(self) -> dict[str, int]:
        with self._database.read() as connection:
            return {row.id: row.beats for row in connection.execute(sa.select(members.c.id, members.c.beats))}

    def _forget(self, ids: Sequence[str]) -> None:
        gone = members.delete().where(members.c.id.in_(ids))
        self._database.insist(lambda connection: connection.execute(gone))
