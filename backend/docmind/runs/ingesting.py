"""The workflow of one upload: run the flow, log its stages, end it when the document is deleted.

The stages keep what they made in the document's staging folder, so the whole flow is one step: after a kill it is done again
and passes over what is there. A password is never written down: after a kill an encrypted document asks for it again.
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from dbos import DBOS, SetWorkflowID

from docmind.domain.document import Document, DocumentStatus
from docmind.domain.pages import DocumentId
from docmind.errors import DocmindError
from docmind.flows.ingest import (
    BuildingTree,
    DocumentFailed,
    DocumentKept,
    DocumentReady,
    IngestEvent,
    ReadingPages,
    fail,
    ingest,
)
from docmind.runs.chunks import Chunk
from docmind.runs.reading_scans import start_reading_scans
from docmind.runs.workplace import Workplace, workplace

log = structlog.get_logger()

_passwords: dict[str, str] = {}


def ingest_run_id(document: Document) -> str:
    """The id of the workflow and of the log: one for each attempt at a document."""
    return f"ingest-{document.id}-{document.extra['attempt']}"


async def start_ingest(document: Document, *, password: str | None = None) -> None:
    run_id = ingest_run_id(document)
    if password:
        _passwords[run_id] = password
    with SetWorkflowID(run_id):
        await DBOS.start_workflow_async(ingest_workflow, document.id, document.extra["attempt"])


async def stop_ingest(document: Document) -> None:
    """End the work at a document that was just deleted, if this process does it."""
    task = workplace().active.get(ingest_run_id(document))
    if task is not None:
        # The stages see for themselves that the document is gone; a cancelled thread could not be stopped anyway.
        await asyncio.wait([task], timeout=10)


async def resume_ingests() -> int:
    """Start every document that is not final and that no living process works at. Gives their number."""
    unfinished = await asyncio.to_thread(workplace().shelving.sweep)
    for document in unfinished:
        if document.extra.get("attempt"):
            await start_ingest(document)
    return len(unfinished)


@DBOS.workflow(name="ingest")
async def ingest_workflow(document_id: str, attempt: str) -> str:
    place = workplace()
    document = await asyncio.to_thread(place.documents.find, document_id)
    if document is None or document.extra.get("attempt") != attempt or document.status.is_final:
        return "nothing to do"
    last = await DBOS.run_step_async({"name": "ingest"}, _ingest, place, document)
    ready = await asyncio.to_thread(place.documents.find, document_id)
    if ready is not None and ready.status.is_readable:
        await start_reading_scans(ready)
    return last


async def _ingest(place: Workplace, document: Document) -> str:
    run_id = ingest_run_id(document)
    place.active[run_id] = _current_task()
    last = "deleted"
    try:
        with place.shelving.at_work(document) as is_ours:
            if not is_ours:
                return "somebody else reads it"
            try:
                async for event in ingest(document, place.stages, password=_passwords.pop(run_id, None)):
                    place.log.append(run_id, stage_chunk(event), step="ingest")
                    last = event.type
            except Exception as exc:
                log.exception("ingest_failed", document_id=document.id, error=type(exc).__name__)
                failed = await fail(document, _unexpected(exc), place.stages, seconds=0.0)
                if failed is not None:
                    place.log.append(run_id, stage_chunk(failed), step="ingest")
        if place.closing:
            # As in a crash, nothing must be recorded of this step: wait for the cancelling that follows.
            await asyncio.get_running_loop().create_future()
        place.log.append(run_id, {"type": "finish"}, step="ingest")
        await place.log.flush()
        return last
    finally:
        place.active.pop(run_id, None)


def _unexpected(exc: Exception) -> DocmindError:
    return (
        exc if isinstance(exc, DocmindError) else DocmindError(f"reading failed inside DocMind ({type(exc).__name__})")
    )


def _current_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


def stage_chunk(event: IngestEvent) -> Chunk:
    """The event as a chunk of the stream: always the status, with counts where there are some."""
    data: dict[str, Any] = {"document_id": event.document_id}
    match event:
        case DocumentKept():
            data |= {"status": DocumentStatus.KEPT.value}
        case ReadingPages():
            data |= {"status": DocumentStatus.READING_PAGES.value, "pages_done": event.done, "page_count": event.total}
        case BuildingTree():
            data |= {"status": DocumentStatus.BUILDING_TREE.value}
        case DocumentReady():
            data |= {"status": event.type, "pages_done": event.page_count, "page_count": event.page_count}
        case DocumentFailed():
            problem = event.problem
            data |= {
                "status": DocumentStatus.FAILED.value,
                "problem": {"code": problem.code, "message": problem.message, "advice": problem.advice},
            }
    return {"type": "data-stage", "data": data}


def final_chunk(document: Document) -> Chunk:
    """For a document whose log is gone or was never written here (read by the command line): where it stands."""
    data: dict[str, Any] = {
        "document_id": DocumentId(document.id),
        "status": document.status.value,
        "pages_done": document.pages_done,
        "page_count": document.page_count,
    }
    if document.problem is not None:
        problem = document.problem
        data["problem"] = {"code": problem.code, "message": problem.message, "advice": problem.advice}
    return {"type": "data-stage", "data": data}
