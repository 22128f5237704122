"""Items as plain JSON values, for export and import. What comes in is checked: it may be anybody's file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from docmind.errors import InvalidInput
from docmind.memory.item import MemoryItem, MemorySource, MemoryType, new_item_id

FORMAT = 1
MOST_ITEMS = 100_000
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,36}$")]


class SourceFile(BaseModel):
    model_config = ConfigDict(extra="ignore")
    chat_id: Id | None = None
    message_id: Id | None = None
    document_ids: list[Id] = Field(default_factory=list, max_length=1_000)


class ItemFile(BaseModel):
    """One item of a file. Only type and content are needed."""

    model_config = ConfigDict(extra="ignore")
    id: Id | None = None
    type: MemoryType
    content: str = Field(min_length=1, max_length=2_000)
    keywords: list[str] = Field(default_factory=list, max_length=48)
    source: SourceFile = Field(default_factory=SourceFile)
    created_at: datetime | None = None
    updated_at: datetime | None = None
    last_used_at: datetime | None = None
    uses: int = Field(0, ge=0, le=1_000_000_000)
    pinned: bool = False
    enabled: bool = True
    always: bool = False
    answer: str = Field("", max_length=20_000)
    replaced_by: Id | None = None


def exported(items: Sequence[MemoryItem]) -> dict[str, Any]:
    return {"format": FORMAT, "items": [item_value(item) for item in items]}


def item_value(item: MemoryItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.type.value,
        "content": item.content,
        "keywords": list(item.keywords),
        "source": {
            "chat_id": item.source.chat_id,
            "message_id": item.source.message_id,
            "document_ids": list(item.source.document_ids),
        },
        "created_at": item.created_at.isoformat(),
        "updated_at": item.updated_at.isoformat(),
        "last_used_at": item.last_used_at.isoformat() if item.last_used_at else None,
        "uses": item.uses,
        "pinned": item.pinned,
        "enabled": item.enabled,
        "always": item.always,
        "answer": item.answer,
        "replaced_by": item.replaced_by,
    }


def read_export(value: Any) -> list[MemoryItem]:
    """The items of an export. Raises InvalidInput that names the first item which is wrong."""
    if not isinstance(value, dict) or value.get("format") != FORMAT or not isinstance(value.get("items"), list):
        raise InvalidInput(f'this is no export of memory: expected {{"format": {FORMAT}, "items": [...]}}')
    if len(value["items"]) > MOST_ITEMS:
        raise InvalidInput(f"{len(value['items'])} items are too many at once, {MOST_ITEMS} the most")
    now = datetime.now(UTC)
    # An id that stands twice would make two items of one: the last wins.
    items = [_item(number, entry, now) for number, entry in enumerate(value["items"], 1)]
    return list({item.id: item for item in items}.values())


def _item(number: int, entry: Any, now: datetime) -> MemoryItem:
    try:
        read = ItemFile.model_validate(entry)
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"item {number}: {where}: {first['msg']}") from exc
    created = _utc(read.created_at) or now
    return MemoryItem(
        id=read.id or new_item_id(created),
        type=read.type,
        content=read.content,
        keywords=tuple(read.keywords),
        source=MemorySource(read.source.chat_id, read.source.message_id, tuple(read.source.document_ids)),
        created_at=created,
        updated_at=_utc(read.updated_at) or created,
        last_used_at=_utc(read.last_used_at),
        uses=read.uses,
        pinned=read.pinned,
        enabled=read.enabled,
        always=read.always and read.type is MemoryType.PROCEDURAL,
        answer=read.answer,
        replaced_by=read.replaced_by,
    )


def _utc(at: datetime | None) -> datetime | None:
    """A time without a zone is taken as UTC."""
    return None if at is None else (at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC))
