"""What the inside asks of the outside: Protocols that providers and stores fulfil."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from docmind.domain.answer import Usage
from docmind.domain.document import Document
from docmind.domain.pages import Box, DocumentId, Page
from docmind.domain.search import Hit
from docmind.domain.transcript import Transcript
from docmind.domain.tree import Tree

# --- chat models ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    call_id: str
    name: str
    arguments: str  # JSON text as written by the model: untrusted
    extra: dict[str, Any] | None = None  # the provider's own, handed back unchanged


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of the transcript in the Chat Completions shape. `reasoning` is only sent back where a provider wants it."""

    role: str  # "system", "user", "assistant", "tool"
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None
    images: tuple[bytes, ...] = ()  # JPEG
    extra: dict[str, Any] | None = None  # the provider's own (signatures, sealed reasoning), handed back unchanged


@dataclass(frozen=True, slots=True)
class ToolSpec:
    name: str
    description: str
    parameters: dict[str, object]  # JSON schema


@dataclass(frozen=True, slots=True)
class ChatRequest:
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    may_call: bool = True  # False: the tools stay listed (caches and providers want that) but a call is not wanted
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


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known of a model. `window` and `max_output_tokens` in tokens; prices per million tokens, None when unknown.

    `effort` "default" sends nothing. A model that calls no tools is led by a JSON plan in text.
    """

    name: str
    window: int = 128_000
    max_output_tokens: int = 8_192
    calls_tools: bool = True
    sees_images: bool = False
    effort: str = "default"
    input_price: float | None = None
    output_price: float | None = None


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that an endpoint lists."""

    card: ModelCard
    owner: str = ""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A model server found on this machine, and what it offers."""

    name: str
    base_url: str
    models: tuple[OfferedModel, ...]


class ChatModel(Protocol):
    """Streams one reply. Raises ModelError subclasses only; closing the iterator stops the upstream request.

    Makes one attempt: the caller retries, because it knows the run's deadline.
    """

    @property
    def name(self) -> str: ...

    @property
    def card(self) -> ModelCard: ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]: ...

    async def close(self) -> None:
        """Let go of the connections that the running event loop opened."""


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


# --- the library ------------------------------------------------------------------------------------


class Shelf(Protocol):
    """The documents of the library, by id. Blocking: call it from a thread.

    Raises DocumentNotFound, DocumentDeleted or DocumentNotReady; `read_page` raises InvalidPageRange beyond the end.
    """

    def list_documents(self) -> Sequence[Document]: ...

    def get_document(self, document_id: DocumentId) -> Document: ...

    def get_tree(self, document_id: DocumentId) -> Tree: ...

    def read_page(self, document_id: DocumentId, number: int) -> Page: ...


class PagePictures(Protocol):
    """JPEG of a page of the library. Raises RenderTimeout, RenderFailed, NotFound or DocumentNotReady."""

    async def get(self, document_id: DocumentId, page: int) -> bytes: ...


class Transcripts(Protocol):
    """What vision models read, kept with the document. Blocking."""

    def find(self, document_id: DocumentId, page: int, *, model: str, image_sha256: str) -> Transcript | None: ...

    def keep(self, transcript: Transcript) -> None: ...

    def of_page(self, document_id: DocumentId, page: int) -> Sequence[Transcript]: ...


# --- search -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Which pages may be found. Empty `documents` means the whole library."""

    documents: tuple[DocumentId, ...] = ()
    section: str | None = None
    kinds: tuple[str, ...] = field(default=())


class PageIndexer(Protocol):
    """Makes the pages of a document findable. Adding a document again replaces it. Blocking."""

    def add_document(self, document: Document, pages: Sequence[Page], tree: Tree) -> None: ...

    def remove_document(self, document_id: DocumentId) -> None: ...


class PageFinder(Protocol):
    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> Sequence[Hit]: ...
