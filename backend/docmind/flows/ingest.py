"""Upload -> keep -> read pages -> build tree -> publish: the order of the stages, and what is told of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from docmind.domain.document import Document, DocumentStatus, Problem, ReadingWarning
from docmind.domain.pages import DocumentId
from docmind.errors import DocmindError, DocumentDeleted, ShuttingDown
from docmind.flows.stages import IngestStages


@dataclass(frozen=True, slots=True)
class DocumentKept:
    document_id: DocumentId
    name: str
    type: str = "kept"


@dataclass(frozen=True, slots=True)
class ReadingPages:
    """`done` of `total` pages are read; total is 0 until the file is open."""

    document_id: DocumentId
    done: int
    total: int
    type: str = "reading_pages"


@dataclass(frozen=True, slots=True)
class BuildingTree:
    document_id: DocumentId
    type: str = "building_tree"


@dataclass(frozen=True, slots=True)
class DocumentReady:
    """Final. With warnings the document can be read, but something about its file should be known."""

    document_id: DocumentId
    page_count: int
    outline_source: str
    warnings: tuple[ReadingWarning, ...]
    seconds: float
    type: str = "ready"


@dataclass(frozen=True, slots=True)
class DocumentFailed:
    """Final."""

    document_id: DocumentId
    problem: Problem
    seconds: float
    type: str = "failed"


IngestEvent = DocumentKept | ReadingPages | BuildingTree | DocumentReady | DocumentFailed


async def ingest(
    document: Document, stages: IngestStages, *, password: str | None = None
) -> AsyncIterator[IngestEvent]:
    """Read a kept document to its end. Ends without a final event only when the document was deleted meanwhile."""
    started = time.monotonic()
    yield DocumentKept(document.id, document.name)
    try:
        async for read in stages.read_pages(document, password=password):
            yield ReadingPages(document.id, read.done, read.total)
        yield BuildingTree(document.id)
        await stages.build_tree(document)
        ready = await stages.publish(document, seconds=time.monotonic() - started)
        yield ready_event(ready)
    except DocumentDeleted:
        await asyncio.to_thread(stages.forget, document)
    except ShuttingDown:
        # Not the document's fault: its next reading goes on from what is staged.
        return
    except DocmindError as exc:
        event = await fail(document, exc, stages, seconds=time.monotonic() - started)
        if event is not None:
            yield event


async def fail(
    document: Document, error: DocmindError, stages: IngestStages, *, seconds: float
) -> DocumentFailed | None:
    """Mark the document failed; None when it was deleted meanwhile."""
    try:
        failed = await asyncio.to_thread(lambda: stages.fail(document, error, seconds=seconds))
    except DocumentDeleted:
        await asyncio.to_thread(stages.forget, document)
        return None
    return DocumentFailed(document.id, failed.problem or Problem(error.code, error.message, error.advice_now), seconds)


def ready_event(document: Document) -> DocumentReady:
    is_clean = document.status is DocumentStatus.READY
    return DocumentReady(
        document.id,
        document.page_count,
        document.outline_source,
        document.warnings,
        document.seconds,
        type="ready" if is_clean else "ready_with_warnings",
    )
