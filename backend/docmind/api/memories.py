"""Memory over HTTP: see, search, add, change, delete, bring back, export and import; and its switches."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from docmind.api.deps import Count, Given
from docmind.api.schemas import Shape
from docmind.memory.item import Draft, MemoryItem, MemoryType, Switches
from docmind.memory.store import Filter, MemoryStore, TypeCount
from docmind.memory.transfer import exported, item_value, read_export

router = APIRouter(prefix="/api/memories", tags=["memories"])

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,36}$")]
Keyword = Annotated[str, Field(min_length=1, max_length=60)]


class MemorySourceOut(Shape):
    chat_id: str | None
    message_id: str | None
    document_ids: list[str]


class MemoryOut(Shape):
    id: str
    type: MemoryType
    content: str
    keywords: list[str]
    source: MemorySourceOut
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None
    uses: int
    pinned: bool
    enabled: bool
    always: bool
    answer: str
    replaced_by: str | None

    @classmethod
    def of(cls, item: MemoryItem) -> MemoryOut:
        return cls.model_validate(item_value(item))


class MemoryCountOut(Shape):
    type: MemoryType
    items: int
    history: int
    quota: int
    dropped: int


class SwitchesOut(Shape):
    extraction: bool
    injection: bool


class SwitchesIn(BaseModel):
    extraction: bool | None = None
    injection: bool | None = None


class MemoriesOut(Shape):
    items: list[MemoryOut]
    total: int
    counts: list[MemoryCountOut]
    switches: SwitchesOut


class MemoryIn(BaseModel):
    type: MemoryType
    content: str = Field(min_length=1, max_length=2_000)
    keywords: list[Keyword] = Field(default_factory=list, max_length=12)
    pinned: bool = False
    always: bool = True


class MemoryKeptOut(Shape):
    """`outcome` is "merged" when something remembered already says the same; `replaced` are ids that are history now."""

    item: MemoryOut
    outcome: str
    replaced: list[str]


class MemoryChangeIn(BaseModel):
    content: str | None = Field(None, min_length=1, max_length=2_000)
    keywords: list[Keyword] | None = Field(None, max_length=12)
    pinned: bool | None = None
    enabled: bool | None = None
    always: bool | None = None


class CountOut(Shape):
    count: int


class ForgottenOut(Shape):
    items: list[MemoryOut]


@router.get("")
async def list_memories(
    given: Given,
    q: Annotated[str, Query(max_length=500)] = "",
    type: MemoryType | None = None,
    chat_id: Annotated[str | None, Query(max_length=36)] = None,
    pinned: bool | None = None,
    enabled: bool | None = None,
    history: bool = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    offset: Count = 0,
) -> MemoriesOut:
    """Items that hold every word of `q`, last said first; `history` gives those that newer ones replaced."""
    wanted = Filter(q, type, chat_id, pinned, enabled, history)
    return await asyncio.to_thread(_listed, given.memory, wanted, limit, offset)


def _listed(memory: MemoryStore, wanted: Filter, limit: int, offset: int) -> MemoriesOut:
    items, total = memory.find_all(wanted, limit=limit, offset=offset)
    return MemoriesOut(
        items=[MemoryOut.of(item) for item in items],
        total=total,
        counts=[_count(count) for count in memory.counts()],
        switches=_switches(memory.switches(wanted.chat_id)),
    )


@router.post("", status_code=201)
async def add(given: Given, wish: MemoryIn) -> MemoryKeptOut:
    draft = Draft(wish.type, wish.content, tuple(wish.keywords), always=wish.always, pinned=wish.pinned)
    kept = await asyncio.to_thread(given.memory.keep, draft)
    return MemoryKeptOut(item=MemoryOut.of(kept.item), outcome=kept.outcome.value, replaced=list(kept.replaced))


@router.delete("")
async def delete_all(
    given: Given, type: MemoryType | None = None, chat_id: Annotated[str | None, Query(max_length=36)] = None
) -> CountOut:
    """Delete for good: all, or those of a type, of a chat, or of both."""
    return CountOut(count=await asyncio.to_thread(given.memory.delete_all, type=type, chat_id=chat_id))


@router.get("/switches")
async def get_switches(given: Given, chat_id: Annotated[str | None, Query(max_length=36)] = None) -> SwitchesOut:
    """What holds for a chat, or for all. What is off for all is off for every chat."""
    return _switches(await asyncio.to_thread(given.memory.switches, chat_id))


@router.patch("/switches")
async def set_switches(given: Given, wish: SwitchesIn, chat_id: str | None = None) -> SwitchesOut:
    if chat_id is not None:
        await asyncio.to_thread(given.chats.get, chat_id)
    changed = await asyncio.to_thread(
        given.memory.set_switches, chat_id=chat_id, extraction=wish.extraction, injection=wish.injection
    )
    return _switches(changed)


@router.get("/export")
async def export(given: Given) -> dict[str, Any]:
    """Everything, history too, as `POST /api/memories/import` takes it."""
    return exported(await asyncio.to_thread(given.memory.export))


@router.post("/import")
async def import_memories(given: Given, wish: dict[str, Any]) -> CountOut:
    """Put items in, in place of those with the same id; the quotas hold."""
    items = await asyncio.to_thread(read_export, wish)
    return CountOut(count=await asyncio.to_thread(given.memory.import_items, items))


@router.post("/forgotten/{run_id}/undo")
async def undo(given: Given, run_id: str) -> ForgottenOut:
    """Bring back what was forgotten at the wish of a message, within an hour. `run_id` is the run that answered it."""
    items = await asyncio.to_thread(given.memory.undo_forget, run_id)
    return ForgottenOut(items=[MemoryOut.of(item) for item in items])


@router.get("/{item_id}")
async def get_memory(given: Given, item_id: str) -> MemoryOut:
    return MemoryOut.of(await asyncio.to_thread(given.memory.get, item_id))


@router.patch("/{item_id}")
async def change(given: Given, item_id: str, wish: MemoryChangeIn) -> MemoryOut:
    item = await asyncio.to_thread(
        given.memory.change,
        item_id,
        content=wish.content,
        keywords=wish.keywords,
        pinned=wish.pinned,
        enabled=wish.enabled,
        always=wish.always,
    )
    return MemoryOut.of(item)


@router.delete("/{item_id}", status_code=204)
async def delete(given: Given, item_id: str) -> None:
    """Delete for good, keywords too."""
    await asyncio.to_thread(given.memory.delete, item_id)


def _count(count: TypeCount) -> MemoryCountOut:
    return MemoryCountOut.model_validate(count)


def _switches(switches: Switches) -> SwitchesOut:
    return SwitchesOut.model_validate(switches)
