"""Where workflows run in this process: DBOS, started once, and what its workflows are handed.

DBOS keeps one registry a process, so the workflows are module functions and find their tools here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dbos import DBOS, DBOSConfig

from docmind.errors import StorageError

if TYPE_CHECKING:
    from docmind.flows.answer import Asked, Desk
    from docmind.flows.read_scans import ReadingScans
    from docmind.flows.shelving import Shelving
    from docmind.flows.stages import IngestStages
    from docmind.library.documents import Documents
    from docmind.memory.remember import Remembered, Turn
    from docmind.runs.event_log import EventLog
    from docmind.runs.store import Runs

# The shape of our workflows, not the program's version: work that an older program left is finished by a newer one. Change
# it only when a step is removed or renamed, and say in the changelog that unfinished work must end first.
WORKFLOWS_VERSION = "docmind-workflows-1"
EXECUTOR = "docmind"


@dataclass(slots=True)
class Workplace:
    """`active` are the runs and ingests that work in this process, by id: cancelling the task ends the work."""

    log: EventLog
    runs: Runs
    documents: Documents
    shelving: Shelving
    stages: IngestStages
    scans: ReadingScans
    desk_for: Callable[[Asked, str | None], Desk]
    remember: Callable[[Turn], Awaitable[Remembered]] | None = None
    may_remember: Callable[[str], bool] = lambda _chat_id: True
    active: dict[str, asyncio.Task[object]] = field(default_factory=dict)
    closing: bool = False


_workplace: Workplace | None = None


def workplace() -> Workplace:
    if _workplace is None:
        raise StorageError("no workplace is open in this process")
    return _workplace


def open_workplace(place: Workplace, *, home: Path, database_url: str | None, executor: str = EXECUTOR) -> None:
    """Start DBOS in the running event loop; workflows that a dead process left go on at once."""
    global _workplace
    _workplace = place
    quiet = logging.getLogger("dbos")
    quiet.setLevel(logging.ERROR)
    config: DBOSConfig = {
        "name": "docmind",
        "system_database_url": database_url or f"sqlite:///{home / 'dbos.db'}",
        "application_version": WORKFLOWS_VERSION,
        "executor_id": executor,
        "log_level": "ERROR",
        "enable_otlp": False,
    }
    DBOS(config=config)
    DBOS.launch()


async def working_executors() -> list[str]:
    """Ids of the processes whose workflows are not done."""
    pending = await DBOS.list_workflows_async(status="PENDING", load_input=False, load_output=False)
    return sorted({workflow.executor_id for workflow in pending if workflow.executor_id})


async def recover_from(executors: list[str]) -> None:
    """Put the unfinished workflows of dead processes back in the queue; any living one takes them, each once."""
    await asyncio.to_thread(DBOS._recover_pending_workflows, executors)


def let_go_of_work(place: Workplace) -> None:
    """End what works here without closing it: another process has taken it up."""
    for task in list(place.active.values()):
        task.cancel()


async def close_workplace(place: Workplace, *, end_reading: Callable[[], None]) -> None:
    """Let go of running work as a crash would: it goes on at the next start. `end_reading` ends the child processes."""
    global _workplace
    place.closing = True
    await asyncio.to_thread(end_reading)
    for task in list(place.active.values()):
        task.cancel()
    if place.active:
        await asyncio.wait(list(place.active.values()), timeout=5)
    await asyncio.to_thread(DBOS.destroy)
    # DBOS made its own pool the loop's default and has just shut it down; whoever closes after us still needs one.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
    _workplace = None
