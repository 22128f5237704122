"""The sample document into the library, by one request."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from docmind.api.deps import Given
from docmind.api.schemas import DocumentOut, UploadOut
from docmind.library.samples import SampleLanguage, sample_in
from docmind.runs.ingesting import start_ingest

router = APIRouter(prefix="/api/samples", tags=["documents"])


@router.post("/{language}", status_code=202, responses={200: {"model": UploadOut}})
async def add_sample(given: Given, response: Response, language: SampleLanguage) -> UploadOut:
    """Keep the sample document in this language and start reading it; 200 with `duplicate` when it is there already."""
    sample = sample_in(language)
    content = await asyncio.to_thread(sample.path.read_bytes)
    received = await asyncio.to_thread(given.shelving.receive, [content], sample.name)
    kept = await asyncio.to_thread(given.shelving.keep, received)
    if kept.starts:
        await start_ingest(kept.document, password=None)
    else:
        response.status_code = 200
    return UploadOut(document=DocumentOut.of(kept.document), duplicate=kept.duplicate)
