"""What an item of memory is. Knows nothing of models, tables or HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class MemoryType(StrEnum):
    """Raw: a turn as it was. Semantic: what the user knows, prefers, researches. Episodic: events and decisions with
    their date. Procedural: how answers should be."""

    RAW = "raw"
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


@dataclass(frozen=True, slots=True)
class MemorySource:
    """Where an item came from; all empty for one written by hand."""

    chat_id: str | None = None
    message_id: str | None = None
    document_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """`keywords` are the words it is found by beside those of its content, as people write them.

    `answer` is what a raw item's turn was answered: data that may come from documents, so it never stands in a system
    prompt and is not searched. `always` puts a procedural item into every prompt. `updated_at` is when it was last said:
    the first in of "first in, first out". `replaced_by` names the newer item that contradicts this one: it is history
    then, kept to be seen, never recalled.
    """

    id: str
    type: MemoryType
    content: str
    keywords: tuple[str, ...]
    source: MemorySource
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = None
    uses: int = 0
    pinned: bool = False
    enabled: bool = True
    always: bool = False
    answer: str = ""
    replaced_by: str | None = None

    @property
    def is_recallable(self) -> bool:
        return self.enabled and self.replaced_by is None


@dataclass(frozen=True, slots=True)
class Draft:
    """An item before it is kept: what extraction, a rule or a person proposes. `replaces` are ids it contradicts."""

    type: MemoryType
    content: str
    keywords: tuple[str, ...] = ()
    always: bool = False
    pinned: bool = False
    answer: str = ""
    source: MemorySource = field(default_factory=MemorySource)
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """An item chosen for a prompt, and why: its score and the keywords that the question shares with it."""

    item: MemoryItem
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Switches:
    """Whether turns are remembered, and whether what is remembered is put into prompts."""

    extraction: bool = True
    injection: bool = True


@dataclass(frozen=True, slots=True)
class Quotas:
    """Most items of each type; the oldest that is not pinned goes first. Raw turns live shortest."""

    raw: int = 500
    semantic: int = 2_000
    episodic: int = 2_000
    procedural: int = 200

    def of(self, kind: MemoryType) -> int:
        sizes: Mapping[MemoryType, int] = {
            MemoryType.RAW: self.raw,
            MemoryType.SEMANTIC: self.semantic,
            MemoryType.EPISODIC: self.episodic,
            MemoryType.PROCEDURAL: self.procedural,
        }
        return sizes[kind]


def new_item_id(at: datetime) -> str:
    """An id that sorts by time to the millisecond, so that an index of ids is also one of age."""
    return f"{max(0, int(at.timestamp() * 1000)):012x}{secrets.token_hex(10)}"
