"""Steps that survive a crash: DBOS keeps each step's result, the event log keeps what each step said.

After a kill the workflow starts again from its beginning, kept steps give back their results without saying anything, and the
step that broke off is done again: what it had said is withdrawn first.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TypeVar

from dbos import DBOS

from docmind.agent.steps import Work
from docmind.domain.answer import AnswerEvent
from docmind.runs.chunks import Chunk, ChunkWriter
from docmind.runs.event_log import EventLog

Result = TypeVar("Result")
_PART = re.compile(r"^[tr](\d+)$")


class DurableSteps:
    """The Steps of one run inside its workflow."""

    def __init__(self, run_id: str, log: EventLog) -> None:
        self._run_id = run_id
        self._log = log

    async def run(self, name: str, work: Work[Result]) -> Result:
        # DBOS numbers a step when this is called, before the first await: steps started in order keep their order.
        return await DBOS.run_step_async({"name": name}, self._do, name, work)

    async def _do(self, name: str, work: Work[Result]) -> Result:
        for chunk in withdrawal(await asyncio.to_thread(self._log.chunks_of_step, self._run_id, name)):
            self._log.append(self._run_id, chunk, step=name)
        writer = ChunkWriter()

        def emit(event: AnswerEvent) -> None:
            for chunk in writer.chunks(event):
                self._log.append(self._run_id, chunk, step=name)

        try:
            return await work(emit)
        finally:
            for chunk in writer.close():
                self._log.append(self._run_id, chunk, step=name)
            await self._log.flush()


def withdrawal(said: Sequence[Chunk]) -> list[Chunk]:
    """What takes back the words of a broken-off step: open parts are ended, the round is withdrawn. Empty for a first try."""
    open_parts: dict[str, str] = {}
    rounds: dict[int, None] = {}
    for chunk in said:
        kind, _, edge = chunk["type"].rpartition("-")
        if kind in ("text", "reasoning"):
            if edge == "start":
                open_parts[chunk["id"]] = kind
            elif edge == "end":
                open_parts.pop(chunk["id"], None)
            if part := _PART.match(chunk["id"]):
                rounds[int(part[1])] = None
        elif chunk["type"] == "data-round":
            rounds[int(chunk["data"]["round"])] = None
    ends: list[Chunk] = [{"type": f"{kind}-end", "id": part} for part, kind in open_parts.items()]
    return ends + [{"type": "data-withdrawn", "data": {"round": number, "reason": "resumed"}} for number in rounds]
