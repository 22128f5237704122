"""The workflow of OCR after "ready": on a queue of its own, a few documents at a time, and again after a kill.

What was read of a document lies in files (flows/read_scans.py), so the whole is one step: done again, it goes on at the next page.
"""

from __future__ import annotations

import asyncio
import threading

import structlog
from dbos import DBOS, SetWorkflowID

from docmind.domain.document import Document
from docmind.domain.ocr import ocr_progress
from docmind.domain.pages import DocumentId
from docmind.errors import DocmindError, StorageError
from docmind.runs.workplace import Workplace, workplace

log = structlog.get_logger()

_QUEUE = "ocr"


async def open_ocr_queue(*, workers: int) -> None:
    """A document keeps one child process busy: more of them at a time would only wait for one."""
    await DBOS.register_queue_async(_QUEUE, worker_concurrency=workers, on_conflict="always_update")


async def start_reading_scans(document: Document) -> None:
    """Queue the document's OCR, or join it: one workflow a job."""
    progress = ocr_progress(document)
    if progress is None or progress.state.is_final:
        return
    queue = await DBOS.retrieve_queue_async(_QUEUE)
    if queue is None:
        raise StorageError(f"the queue {_QUEUE} is not open")
    with SetWorkflowID(f"ocr-{document.id}-{progress.job}"):
        await queue.enqueue_async(read_scans_workflow, document.id)


async def resume_reading_scans() -> int:
    """Queue every document whose OCR has not come to its end. Gives their number."""
    waiting = await asyncio.to_thread(workplace().scans.waiting)
    for document in waiting:
        await start_reading_scans(document)
    return len(waiting)


@DBOS.workflow(name="read_scans")
async def read_scans_workflow(document_id: str) -> str:
    return await DBOS.run_step_async({"name": "read_scans"}, _read_scans, workplace(), DocumentId(document_id))


async def _read_scans(place: Workplace, document_id: DocumentId) -> str:
    key = f"ocr-{document_id}"
    task = asyncio.current_task()
    assert task is not None
    place.active[key] = task
    stop = threading.Event()
    try:
        with place.scans.at_work(document_id) as is_ours:
            if not is_ours:
                return "somebody else reads it"
            last = await asyncio.to_thread(_work, place, document_id, stop)
        if place.closing:
            # As in a crash, nothing must be recorded of this step: wait for the cancelling that follows.
            await asyncio.get_running_loop().create_future()
        return last
    finally:
        stop.set()
        place.active.pop(key, None)


def _work(place: Workplace, document_id: DocumentId, stop: threading.Event) -> str:
    last = "nothing to do"
    try:
        for progress in place.scans.read(document_id, lambda: stop.is_set() or place.closing):
            last = progress.state.value
    except DocmindError as exc:
        # The disk is full, the database is away: the document stays as it is, and OCR is tried again at the next start.
        log.error("ocr_broken_off", document_id=document_id, code=exc.code)
        return exc.code
    return last
