"""What the inside asks of the outside: Protocols that providers and stores fulfil."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from docmind.domain.answer import Usage
from docmind.domain.pages import Box, DocumentId
from docmind.domain.search import Hit

# --- chat models ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    call_id: str
    name: str
    arguments: str  # JSON text as written by the model: untrusted


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of the transcript in the Chat Completions shape. `reasoning` is only sent back where a provider wants it."""

    role: str  # "system", "user", "assistant", "tool"
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None
    images: tuple[bytes, ...] = ()  # JPEG


@dataclass(frozen=True, slots=True)
class ToolSpec:
    name: str
    description: str
    parameters: dict[str, object]  # JSON schema


@dataclass(frozen=True, slots=True)
class ChatRequest:
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int | None = None
    json_schema: dict[str, object] | None = None


@dataclass(frozen=True, slots=True)
class ChatPiece:
    """A piece of a streamed reply: any of its fields may be set. `reply` comes once, last, with the whole message."""

    text: str = ""
    reasoning: str = ""
    reply: ChatReply | None = None


@dataclass(frozen=True, slots=True)
class ChatReply:
    message: ChatMessage
    usage: Usage
    finish_reason: str


class ChatModel(Protocol):
    """Streams one reply. Raises ModelError subclasses only; closing the iterator stops the upstream request."""

    @property
    def name(self) -> str: ...

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]: ...


# --- PDF reading ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PdfQuote:
    """Where a quote stands on a page."""

    page: int
    boxes: tuple[Box, ...]
    text: str


class PageImages(Protocol):
    """Pictures and boxes of pages of a kept file, made on demand in a killable child process."""

    async def render(self, source: Path, page: int, *, scale: float, max_side_px: int) -> bytes: ...

    async def quote_boxes(self, source: Path, page: int, quote: str) -> tuple[Box, ...]: ...


# --- search -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Which pages may be found. Empty `documents` means the whole library."""

    documents: tuple[DocumentId, ...] = ()
    section: str | None = None
    kinds: tuple[str, ...] = field(default=())


class PageFinder(Protocol):
    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> Sequence[Hit]: ...
