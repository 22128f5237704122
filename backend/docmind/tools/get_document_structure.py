"""get_document_structure: the page-ranged tree of one document, or of one part of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import Field

from docmind.domain.tree import Node
from docmind.errors import ToolFailure
from docmind.tools.arguments import Arguments, DocId, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room


class GetDocumentStructureArguments(Arguments):
    doc_id: DocId
    node_id: str = Field("", max_length=100, description="Only the part below this node; empty for the whole document.")


class GetDocumentStructure:
    arguments = GetDocumentStructureArguments
    spec = tool_spec(
        "get_document_structure",
        "The table of contents of one document: node ids, titles and page ranges. Read this to decide which pages to open.",
        GetDocumentStructureArguments,
    )

    def __init__(self, room: Room) -> None:
        self._room = room

    async def run(self, given: GetDocumentStructureArguments, allowance: Allowance) -> ToolResult:
        return await asyncio.to_thread(self._run, given, allowance)

    def _run(self, given: GetDocumentStructureArguments, allowance: Allowance) -> ToolResult:
        document = self._room.find(given.doc_id)
        tree = self._room.tree(document)
        nodes: Sequence[Node] = tree.nodes
        if given.node_id:
            node = next((node for node in tree.walk() if node.node_id == given.node_id), None)
            if node is None:
                raise ToolFailure(
                    f'{document.id} has no node "{given.node_id[:60]}". Call get_document_structure without node_id to see them.'
                )
            nodes = (node,)
        lines, left_out = _outline(nodes, allowance.characters - 300)
        head = f"doc_id {document.id}, {document.page_count} pages, sections from {tree.source}\n"
        content = head + self._room.fenced("\n".join(lines))
        if left_out:
            content += f"\n[{left_out} deeper sections left out: call get_document_structure with the node_id of the part you want]"
        return ToolResult(content, f"{document.name}: {len(lines)} sections", cut=left_out > 0)


def _outline(nodes: Sequence[Node], room: int) -> tuple[list[str], int]:
    """Lines of the tree to the greatest depth that fits, and how many nodes are deeper or beyond."""
    every = [(node, depth) for top in nodes for node, depth in _with_depth(top)]
    lines: list[str] = []
    for deepest in range(max(depth for _, depth in every) if every else 0, -1, -1):
        lines = [_line(node, depth) for node, depth in every if depth <= deepest]
        if sum(len(line) + 1 for line in lines) <= room:
            return lines, len(every) - len(lines)
    fitting, used = [], 0
    for line in lines:
        used += len(line) + 1
        if used > room:
            break
        fitting.append(line)
    return fitting, len(every) - len(fitting)


def _with_depth(top: Node) -> list[tuple[Node, int]]:
    """The node and all below with depth from 0, in reading order, without recursion: outlines may be thousands deep."""
    found: list[tuple[Node, int]] = []
    stack = [(top, 0)]
    while stack:
        node, depth = stack.pop()
        found.append((node, depth))
        stack.extend((child, depth + 1) for child in reversed(node.children))
    return found


def _line(node: Node, depth: int) -> str:
    pages = f"p.{node.page_from}" if node.page_from == node.page_to else f"p.{node.page_from}-{node.page_to}"
    unsure = "" if node.page_known else " (pages uncertain)"
    summary = f" · {node.summary[:200]}" if node.summary else ""
    return f"{'  ' * min(depth, 12)}{node.node_id} · {node.title[:160]} · {pages}{unsure}{summary}"
