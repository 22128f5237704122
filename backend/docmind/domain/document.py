"""A document: what was uploaded, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from docmind.domain.pages import DocumentId


class DocumentStatus(StrEnum):
    """Stages of the upload flow; the last three are final."""

    KEPT = "kept"
    READING_PAGES = "reading_pages"
    BUILDING_TREE = "building_tree"
    READY = "ready"
    READY_WITH_WARNINGS = "ready_with_warnings"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        return self in (DocumentStatus.READY, DocumentStatus.READY_WITH_WARNINGS, DocumentStatus.FAILED)

    @property
    def is_readable(self) -> bool:
        return self in (DocumentStatus.READY, DocumentStatus.READY_WITH_WARNINGS)


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    """Something about the file a reader should know: a stable code, a sentence, and the page where it has one."""

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a document failed: an error code, a sentence and what to do."""

    code: str
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class Document:
    """`name` is the file's name as its user knows it: data, never a path. `pages_done` counts pages read so far."""

    id: DocumentId
    name: str
    kind: str
    size_bytes: int
    sha256: str
    status: DocumentStatus
    created_at: datetime
    page_count: int = 0
    pages_done: int = 0
    outline_source: str = ""
    title: str = ""
    author: str = ""
    warnings: tuple[ReadingWarning, ...] = ()
    problem: Problem | None = None
    seconds: float = 0.0
    has_labels: bool = False
    extra: dict[str, str] = field(default_factory=dict)
