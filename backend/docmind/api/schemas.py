"""What goes over HTTP. Field names are those of docs/http-api.md; the page's types are generated from these."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from docmind.conversations.chat import Chat, Message
from docmind.domain.document import Document
from docmind.domain.pages import Page
from docmind.domain.search import Hit
from docmind.domain.tree import Node, Tree
from docmind.runs.run import Run


class Shape(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class ProblemOut(Shape):
    code: str
    message: str
    advice: str


class ErrorOut(Shape):
    error: ProblemOut


class WarningOut(Shape):
    code: str
    message: str
    page: int | None


class DocumentOut(Shape):
    id: str
    name: str
    kind: str
    size_bytes: int
    sha256: str
    status: Literal["kept", "reading_pages", "building_tree", "ready", "ready_with_warnings", "failed"]
    page_count: int
    pages_done: int
    outline_source: str
    title: str
    author: str
    has_labels: bool
    warnings: list[WarningOut]
    problem: ProblemOut | None
    created_at: datetime
    seconds: float

    @classmethod
    def of(cls, document: Document) -> DocumentOut:
        return cls.model_validate(document)


class UploadOut(Shape):
    document: DocumentOut
    duplicate: bool


class DocumentsOut(Shape):
    documents: list[DocumentOut]
    total: int


class RetryIn(BaseModel):
    password: str | None = Field(None, max_length=1_000)


class NodeOut(Shape):
    node_id: str
    title: str
    level: int
    page_from: int
    page_to: int
    source: str
    confidence: float
    page_known: bool
    summary: str | None
    children: list[NodeOut]


class TreeOut(Shape):
    document_id: str
    name: str
    page_count: int
    source: str
    nodes: list[NodeOut]

    @classmethod
    def of(cls, tree: Tree, name: str) -> TreeOut:
        return cls(
            document_id=tree.document_id,
            name=name,
            page_count=tree.page_count,
            source=tree.source,
            nodes=[_node(node) for node in tree.nodes],
        )


def _node(root: Node) -> NodeOut:
    """Built from the leaves up: a tree may be deeper than Python's stack."""
    built: dict[int, NodeOut] = {}
    for node in reversed(list(root.walk())):
        built[id(node)] = NodeOut.model_construct(
            node_id=node.node_id,
            title=node.title,
            level=node.level,
            page_from=node.page_from,
            page_to=node.page_to,
            source=node.source.value,
            confidence=node.confidence,
            page_known=node.page_known,
            summary=node.summary,
            children=[built[id(child)] for child in node.children],
        )
    return built[id(root)]


class PageOut(Shape):
    number: int
    label: str
    text: str
    kind: str
    kind_score: float
    kind_reason: str
    width_pt: float
    height_pt: float
    problem: str | None
    text_source: str

    @classmethod
    def of(cls, page: Page) -> PageOut:
        return cls.model_validate(page)


class PageKindOut(Shape):
    number: int
    kind: str
    kind_reason: str
    text_source: str
    problem: str | None


class PageKindsOut(Shape):
    """Pages that are not plain text, were read by OCR or could not be read."""

    pages: list[PageKindOut]


class BoxOut(Shape):
    left: float
    top: float
    right: float
    bottom: float


class BoxesOut(Shape):
    boxes: list[BoxOut]


class SnippetOut(Shape):
    text: str
    marks: list[tuple[int, int]]


class HitOut(Shape):
    document_id: str
    name: str
    page: int
    page_label: str
    score: float
    section: list[str]
    snippet: SnippetOut
    why: list[str]

    @classmethod
    def of(cls, hit: Hit) -> HitOut:
        return cls.model_validate(hit)


class HitsOut(Shape):
    hits: list[HitOut]


class ChatIn(BaseModel):
    title: str = Field("", max_length=300)


class ChatChangeIn(BaseModel):
    title: str | None = Field(None, max_length=300)
    archived: bool | None = None
    leaf_id: str | None = Field(None, max_length=64, description="A message of the branch to show")


class ChatOut(Shape):
    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    archived: bool
    active_run_id: str | None

    @classmethod
    def of(cls, chat: Chat) -> ChatOut:
        return cls.model_validate(chat)


class ChatsOut(Shape):
    chats: list[ChatOut]
    total: int


class CitationOut(Shape):
    mark: str
    document_id: str
    name: str
    page: int
    page_label: str
    quote: str
    verified: bool
    status: str
    boxes: list[BoxOut]
    document_removed: bool = False


class EvidenceOut(Shape):
    """The text of a cited page as it was when it was read, and its checksum."""

    document_id: str
    name: str
    page: int
    sha256: str
    text: str


class ScopeOut(Shape):
    documents: list[str]


class MessageOut(Shape):
    id: str
    chat_id: str
    parent_id: str | None
    role: Literal["user", "assistant"]
    text: str
    created_at: datetime
    run_id: str | None
    status: Literal["running", "finished", "stopped", "failed"]
    scope: ScopeOut
    citations: list[CitationOut]
    evidence: list[EvidenceOut]
    mode: str | None
    model: str | None
    usage: dict[str, Any] | None
    offline_reason: str | None
    problem: ProblemOut | None
    siblings: list[str]

    @classmethod
    def of(cls, message: Message, present: set[str]) -> MessageOut:
        """`present` are the ids of documents that are still there."""
        citations = [{**c, "document_removed": c["document_id"] not in present} for c in message.citations]
        return cls.model_validate(
            {
                **{name: getattr(message, name) for name in cls.model_fields if hasattr(message, name)},
                "scope": {"documents": list(message.scope)},
                "citations": citations,
                "evidence": list(message.evidence),
                "siblings": list(message.siblings),
            }
        )


class ChatWithMessagesOut(Shape):
    chat: ChatOut
    messages: list[MessageOut]


class ScopeIn(BaseModel):
    documents: list[str] = Field(default_factory=list, max_length=1_000)


class RunIn(BaseModel):
    """`parent_id` puts the question after an earlier message ("" = at the start): an edited question is a branch.
    `regenerate` is the id of an answer to be written again; text may be empty then."""

    client_request_id: str = Field(min_length=1, max_length=200)
    text: str = Field("", max_length=100_000)
    scope: ScopeIn = Field(default_factory=ScopeIn)
    offline: bool = False
    model: str | None = Field(None, max_length=200)
    parent_id: str | None = Field(None, max_length=64)
    regenerate: str | None = Field(None, max_length=64)


class RunStartedOut(Shape):
    run_id: str
    message_id: str
    answer_message_id: str


class RunOut(Shape):
    id: str
    chat_id: str
    user_message_id: str
    answer_message_id: str
    status: Literal["queued", "running", "finished", "stopped", "failed"]
    stop_requested: bool
    created_at: datetime
    ended_at: datetime | None
    usage: dict[str, Any] | None
    problem: ProblemOut | None

    @classmethod
    def of(cls, run: Run) -> RunOut:
        return cls.model_validate(run)


class ModelOut(Shape):
    configured: bool
    name: str


class OfferedModelOut(Shape):
    name: str
    window: int
    max_output_tokens: int
    calls_tools: bool
    sees_images: bool
    input_price: float | None
    output_price: float | None


class LocalServerOut(Shape):
    name: str
    base_url: str
    models: list[str]


class ModelsOut(Shape):
    chosen: str | None
    models: list[OfferedModelOut]
    problem: ProblemOut | None
    local: list[LocalServerOut]


class HealthOut(Shape):
    status: Literal["ok"]
    version: str
    documents: int
    model: ModelOut


class SettingOut(Shape):
    name: str
    value: str | None
    secret: bool
    source: Literal["environment", "file", "default"]


class SettingsOut(Shape):
    settings: list[SettingOut]
