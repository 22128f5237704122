"""get_page_image: show pages to a model that sees. Offered only then."""

from __future__ import annotations

import asyncio

from docmind.domain.answer import PageRef, Usage
from docmind.domain.page_spec import parse_pages
from docmind.errors import InvalidPageRange, ToolFailure
from docmind.tools.arguments import Arguments, DocId, PageSpec, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room

MAX_PICTURES = 4


class GetPageImageArguments(Arguments):
    doc_id: DocId
    pages: PageSpec


class GetPageImage:
    arguments = GetPageImageArguments
    spec = tool_spec(
        "get_page_image",
        f"Look at the picture of up to {MAX_PICTURES} pages yourself: figures, formulas, layout. Read their text first.",
        GetPageImageArguments,
    )

    def __init__(self, room: Room) -> None:
        self._room = room

    async def run(self, given: GetPageImageArguments, allowance: Allowance) -> ToolResult:
        document = await asyncio.to_thread(self._room.find, given.doc_id)
        most = min(MAX_PICTURES, allowance.vision_calls)
        if most < 1:
            raise ToolFailure("the pictures of this run's budget are used up; use the text")
        try:
            selection = parse_pages(given.pages, page_count=document.page_count, budget=most)
        except InvalidPageRange as exc:
            raise ToolFailure(exc.message) from exc
        pictures = tuple(PageRef(document.id, document.name, number) for number in selection.numbers)
        shown = ", ".join(f"p.{ref.page}" for ref in pictures)
        notes = "".join(f"\n[{note}]" for note in selection.notes)
        return ToolResult(
            f"Pictures of doc_id {document.id} {shown} follow.{notes}",
            f"looked at {document.name} {shown}",
            pictures=pictures,
            cut=bool(selection.notes),
            usage=Usage(vision_calls=len(pictures)),
        )
