"""What a vision model read from the picture of a page. Paid once: kept by page, model and picture."""

from __future__ import annotations

from dataclasses import dataclass

from docmind.domain.pages import DocumentId


@dataclass(frozen=True, slots=True)
class Transcript:
    """`text` is Markdown with $LaTeX$ and tables."""

    document_id: DocumentId
    page: int
    model: str
    image_sha256: str
    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
