"""search_pages: pages by their words. What is found has not been read yet."""

from __future__ import annotations

import asyncio

from pydantic import Field

from docmind.domain.answer import PageRef
from docmind.domain.ports import PageFinder, SearchScope
from docmind.domain.search import Hit
from docmind.errors import ToolFailure
from docmind.tools.arguments import Arguments, DocIds, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room


class SearchPagesArguments(Arguments):
    query: str = Field(
        min_length=1, max_length=500, description="Words that the page should hold, in the document's language."
    )
    doc_ids: DocIds = Field(default_factory=list, max_length=200, description="Only in these documents; empty for all.")
    limit: int = Field(10, ge=1, le=30, description="How many pages to list.")


class SearchPages:
    arguments = SearchPagesArguments
    spec = tool_spec(
        "search_pages",
        "Find pages by keywords, over all documents of this question or some of them. Gives pages with snippets; "
        "open a page with get_page_content before you rely on it.",
        SearchPagesArguments,
    )

    def __init__(self, room: Room, finder: PageFinder) -> None:
        self._room = room
        self._finder = finder

    async def run(self, given: SearchPagesArguments, allowance: Allowance) -> ToolResult:
        return await asyncio.to_thread(self._run, given, allowance)

    def _run(self, given: SearchPagesArguments, allowance: Allowance) -> ToolResult:
        asked = tuple(dict.fromkeys(self._room.find(doc_id).id for doc_id in given.doc_ids))
        readable = {document.id for document in self._room.documents()}
        documents = asked or self._room.chosen
        if not readable:
            raise ToolFailure("no document can be read for this question")
        hits = self._finder.search(given.query, SearchScope(documents=documents), limit=given.limit)
        # The index may lag behind a deletion; the room decides what exists.
        hits = [hit for hit in hits if hit.document_id in readable]
        if not hits:
            return ToolResult(
                f'No page found for "{given.query[:100]}". Try other words, fewer words, or the document\'s own language.',
                "no page found",
            )
        lines, used = [], 0
        for hit in hits:
            line = _line(hit)
            used += len(line) + 1
            if used > allowance.characters - 300:
                break
            lines.append(line)
        found = tuple(PageRef(hit.document_id, hit.name, hit.page) for hit in hits[: len(lines)])
        return ToolResult(
            f"{len(lines)} pages, best first; not read yet.\n" + self._room.fenced("\n".join(lines)),
            f"{len(lines)} pages found",
            found=found,
            cut=len(lines) < len(hits),
        )


def _line(hit: Hit) -> str:
    label = f" (printed {hit.page_label})" if hit.page_label not in ("", str(hit.page)) else ""
    section = f" · {' > '.join(title[:80] for title in hit.section[-3:])}" if hit.section else ""
    return f"{hit.document_id} p.{hit.page}{label} · {hit.name[:120]}{section}\n    {' '.join(hit.snippet.text.split())[:400]}"
