"""Search over HTTP: the same engine as the agent's tool and the offline reader."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from docmind.api.deps import Given
from docmind.api.schemas import HitOut, HitsOut
from docmind.domain.pages import DocumentId
from docmind.domain.ports import SearchScope

router = APIRouter(prefix="/api/search", tags=["search"])


@router.get("")
async def search(
    given: Given,
    q: Annotated[str, Query(min_length=1, max_length=5_000)],
    doc: Annotated[list[str] | None, Query()] = None,
    section: Annotated[str | None, Query(max_length=500)] = None,
    kind: Annotated[list[str] | None, Query()] = None,
    k: Annotated[int, Query(ge=1, le=100)] = 10,
) -> HitsOut:
    """Pages that answer the words, best first. `doc`, `section` and `kind` narrow where to look."""
    for document_id in doc or ():
        await asyncio.to_thread(given.documents.get, document_id)
    scope = SearchScope(tuple(DocumentId(d) for d in doc or ()), section, tuple(kind or ()))
    hits = await asyncio.to_thread(given.finder.search, q, scope, limit=k)
    return HitsOut(hits=[HitOut.of(hit) for hit in hits])
