"""Pages of a document over HTTP: text, picture, and where a quote stands."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from docmind.api.deps import Given
from docmind.api.schemas import BoxesOut, BoxOut, PageOut
from docmind.domain.pages import DocumentId

router = APIRouter(prefix="/api/documents/{document_id}/pages/{number}", tags=["pages"])
Number = Annotated[int, Path(ge=1, le=1_000_000)]


@router.get("")
async def page(given: Given, document_id: str, number: Number) -> PageOut:
    return PageOut.of(await asyncio.to_thread(given.shelf.read_page, DocumentId(document_id), number))


@router.get("/image", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
async def image(given: Given, document_id: str, number: Number) -> Response:
    picture = await given.page_images.get(DocumentId(document_id), number)
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})


@router.get("/boxes")
async def boxes(
    given: Given, document_id: str, number: Number, quote: Annotated[str, Query(min_length=1, max_length=5_000)]
) -> BoxesOut:
    found = await given.page_images.quote_boxes(DocumentId(document_id), number, quote)
    return BoxesOut(boxes=[BoxOut.model_validate(box) for box in found])
