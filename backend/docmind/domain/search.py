"""What a keyword search gives back."""

from __future__ import annotations

from dataclasses import dataclass

from docmind.domain.pages import DocumentId


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of the page's own text, with the [start, end) character spans of the matched words in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One page found. `section` is its path of titles, outermost first; `why` names words, field and section."""

    document_id: DocumentId
    name: str
    page: int
    page_label: str
    score: float
    section: tuple[str, ...]
    snippet: Snippet
    why: tuple[str, ...] = ()
