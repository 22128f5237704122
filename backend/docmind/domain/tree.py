"""The page-ranged tree of a document: the map the agent reads by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.pages import DocumentId


class NodeSource(StrEnum):
    """Where a node came from."""

    BOOKMARK = "bookmark"
    LINK = "link"
    CONTENTS_PAGE = "contents page"
    HEADING = "heading"
    IMPORTED = "imported"
    PAGE = "page"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Node:
    """A section: `title` is plain text (data, never HTML), level counts from 1, pages are physical and inclusive.

    `page_known` is False when the author's target was missing and the range is only the room between its
    neighbours. Children lie inside their parent's range, in order; ids are unique within the tree.
    """

    node_id: str
    title: str
    level: int
    page_from: int
    page_to: int
    source: NodeSource
    confidence: float = 1.0
    page_known: bool = True
    summary: str | None = None
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in reading order (no recursion: trees may be deep)."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Tree:
    """All nodes of a document. The top nodes together cover pages 1 to page_count."""

    document_id: DocumentId
    page_count: int
    nodes: tuple[Node, ...]
    source: str  # what most nodes came from: "bookmarks", "links", "contents page", "headings", "imported", "pages"

    def walk(self) -> Iterator[Node]:
        for node in self.nodes:
            yield from node.walk()

    def path_to(self, page: int) -> tuple[Node, ...]:
        """The chain of nodes, outermost first, whose ranges hold the page; the deepest, latest-starting one wins."""
        path: list[Node] = []
        level: tuple[Node, ...] = self.nodes
        while True:
            holding = [node for node in level if node.page_from <= page <= node.page_to]
            if not holding:
                return tuple(path)
            best = max(holding, key=lambda node: node.page_from)
            path.append(best)
            level = best.children
