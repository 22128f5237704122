"""Documents over HTTP: upload, follow, list, show, retry, delete, and the file itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated, BinaryIO
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import FileResponse
from sse_starlette import EventSourceResponse

from docmind.api.deps import LARGEST, Count, Given
from docmind.api.gate import FILE_CSP
from docmind.api.schemas import DocumentOut, DocumentsOut, PageKindOut, PageKindsOut, RetryIn, TreeOut, UploadOut
from docmind.api.sse import position, stream, stream_once
from docmind.domain.document import DocumentStatus
from docmind.domain.pages import DocumentId
from docmind.errors import Conflict, DocumentNotFound
from docmind.runs.ingesting import final_chunk, ingest_run_id, start_ingest, stop_ingest

router = APIRouter(prefix="/api/documents", tags=["documents"])
_CHUNK = 1024 * 1024


@router.post("", status_code=202, responses={200: {"model": UploadOut}})
async def upload(
    given: Given,
    response: Response,
    file: Annotated[UploadFile, File()],
    password: Annotated[str | None, Form(max_length=1_000)] = None,
) -> UploadOut:
    """Keep the file and start reading it. The same bytes are the same document: 200 then, with `duplicate`."""
    received = await asyncio.to_thread(given.shelving.receive, _chunks(file.file), file.filename or "")
    kept = await asyncio.to_thread(given.shelving.keep, received)
    if kept.starts:
        await start_ingest(kept.document, password=password)
    else:
        response.status_code = 200
    return UploadOut(document=DocumentOut.of(kept.document), duplicate=kept.duplicate)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


@router.get("")
async def list_documents(
    given: Given,
    q: str = Query("", max_length=500),
    status: Annotated[list[DocumentStatus] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=5_000)] = 500,
    offset: Count = 0,
) -> DocumentsOut:
    found = await asyncio.to_thread(
        given.documents.find_all, query=q, statuses=tuple(status or ()), limit=limit, offset=offset
    )
    total = await asyncio.to_thread(given.documents.count, query=q, statuses=tuple(status or ()))
    return DocumentsOut(documents=[DocumentOut.of(document) for document in found], total=total)


@router.get("/{document_id}")
async def get_document(given: Given, document_id: str) -> DocumentOut:
    return DocumentOut.of(await asyncio.to_thread(given.documents.get, document_id))


@router.get("/{document_id}/events", response_class=EventSourceResponse)
async def document_events(
    given: Given, request: Request, document_id: str, after: Annotated[int | None, Query(ge=0, le=LARGEST)] = None
) -> EventSourceResponse:
    """The stages of the document's current attempt, as they come."""
    document = await asyncio.to_thread(given.documents.get, document_id)
    if document.status.is_final:
        # Its log may be older than the document's state, or have been written by no server at all.
        return stream_once([json.dumps(final_chunk(document)), '{"type":"finish"}'])
    return stream(given.log, ingest_run_id(document), position(request, after))


@router.post("/{document_id}/retry", status_code=202)
async def retry(given: Given, document_id: str, wish: RetryIn | None = None) -> DocumentOut:
    """Begin a failed document again, with a password if it wants one."""
    document = await asyncio.to_thread(given.documents.get, document_id)
    if document.status is not DocumentStatus.FAILED:
        raise Conflict(f"{document.name} has not failed: its status is {document.status.value}")
    document = await asyncio.to_thread(given.shelving.retry, DocumentId(document_id))
    await start_ingest(document, password=wish.password if wish else None)
    return DocumentOut.of(document)


@router.delete("/{document_id}", status_code=204)
async def delete(given: Given, document_id: str) -> None:
    """Remove the document and all that was made of it, also while it is being read."""
    document = await asyncio.to_thread(given.documents.get, document_id)
    await asyncio.to_thread(given.shelving.delete, DocumentId(document_id))
    await stop_ingest(document)
    await asyncio.to_thread(given.log.delete, [ingest_run_id(document)])


@router.get("/{document_id}/tree")
async def tree(given: Given, document_id: str) -> TreeOut:
    document = await asyncio.to_thread(given.documents.get, document_id)
    found = await asyncio.to_thread(given.shelf.get_tree, DocumentId(document_id))
    return TreeOut.of(found, document.name)


@router.get("/{document_id}/page-kinds")
async def page_kinds(given: Given, document_id: str) -> PageKindsOut:
    """What kind of page each is, of those that are more than plain text."""
    facts = await asyncio.to_thread(given.shelf.page_facts, DocumentId(document_id))
    telling = [page for page in facts if page["kind"] != "text" or page["text_source"] == "ocr" or page["problem"]]
    return PageKindsOut(pages=[PageKindOut.model_validate(page) for page in telling])


@router.get("/{document_id}/file", response_class=FileResponse)
async def source_file(given: Given, document_id: str) -> FileResponse:
    """The file as it was read (an encrypted one unlocked). Served so that no browser runs anything that is in it."""
    document = await asyncio.to_thread(given.documents.get, document_id)
    path = given.files.readable_source(document.id)
    if not await asyncio.to_thread(path.exists):
        raise DocumentNotFound(f"the file of {document.name} is gone")
    return FileResponse(
        path,
        media_type="application/pdf",
        headers={
            "Content-Disposition": f"inline; filename*=UTF-8''{quote(document.name)}",
            "Content-Security-Policy": FILE_CSP,
            "Cache-Control": "private, no-cache",
        },
    )
