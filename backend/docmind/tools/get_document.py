"""get_document: one document's facts and its top sections."""

from __future__ import annotations

import asyncio

from docmind.tools.arguments import Arguments, DocId, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room

TOP_SECTIONS = 40


class GetDocumentArguments(Arguments):
    doc_id: DocId


class GetDocument:
    arguments = GetDocumentArguments
    spec = tool_spec(
        "get_document",
        "Facts about one document: name, title, author, pages, warnings, and its top sections with their pages.",
        GetDocumentArguments,
    )

    def __init__(self, room: Room) -> None:
        self._room = room

    async def run(self, given: GetDocumentArguments, allowance: Allowance) -> ToolResult:
        return await asyncio.to_thread(self._run, given, allowance)

    def _run(self, given: GetDocumentArguments, allowance: Allowance) -> ToolResult:
        document = self._room.find(given.doc_id)
        tree = self._room.tree(document)
        facts = [
            f"name: {document.name}",
            f"title: {document.title}" if document.title else "",
            f"author: {document.author}" if document.author else "",
            f"kind: {document.kind}",
            f"sections come from: {tree.source}",
            *(f"warning: {warning.message}" for warning in document.warnings[:5]),
            "sections:",
            *(f"  {node.title[:120]} · p.{node.page_from}-{node.page_to}" for node in tree.nodes[:TOP_SECTIONS]),
        ]
        more = len(tree.nodes) - TOP_SECTIONS
        body = "\n".join(fact for fact in facts if fact)[: allowance.characters - 300]
        content = f"doc_id {document.id}, {document.page_count} pages\n" + self._room.fenced(body)
        if more > 0:
            content += f"\n[{more} more sections: get_document_structure]"
        return ToolResult(content, f"{document.name}: {document.page_count} pages", cut=more > 0)
