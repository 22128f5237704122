"""Read and write the structure JSON of PageIndex, so that its users can bring their trees along and take ours away.

Its nodes are {title, node_id, start_index, end_index, summary, nodes}, pages counted from 1, under "structure" or bare.
"""

from __future__ import annotations

from typing import Any

from docmind.domain.pages import DocumentId
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.errors import InvalidInput
from docmind.indexing.ranges import MAX_DEPTH, Section, build_ranges

_MAX_NODES = 100_000


def tree_from_pageindex(raw: Any, *, document_id: DocumentId, page_count: int) -> Tree:
    """A tree that covers the document, with the titles and start pages given. Raises InvalidInput on another shape.

    Ends are computed anew: theirs may overlap or leave pages out.
    """
    nodes = raw.get("structure", raw.get("nodes")) if isinstance(raw, dict) else raw
    if not isinstance(nodes, list):
        raise InvalidInput('expected a list of nodes, or an object with "structure"')
    sections: list[Section] = []
    stack: list[tuple[Any, int]] = [(node, 1) for node in reversed(nodes)]
    while stack:
        node, level = stack.pop()
        if not isinstance(node, dict) or not isinstance(node.get("title"), str):
            raise InvalidInput('every node needs a "title"')
        if len(sections) >= _MAX_NODES:
            raise InvalidInput(f"more than {_MAX_NODES} nodes")
        start = node.get("start_index", node.get("physical_index"))
        is_page = isinstance(start, int) and not isinstance(start, bool) and 1 <= start <= page_count
        sections.append(
            Section(min(level, MAX_DEPTH), node["title"], start if is_page else None, NodeSource.BOOKMARK, at_top=False)
        )
        children = node.get("nodes") or []
        if not isinstance(children, list):
            raise InvalidInput('"nodes" of a node must be a list')
        stack.extend((child, level + 1) for child in reversed(children))
    return build_ranges(document_id, page_count, sections, source="bookmarks")


def tree_to_pageindex(tree: Tree, *, name: str) -> dict[str, Any]:
    """The tree as PageIndex writes it."""
    return {"doc_name": name, "structure": [_node(node) for node in tree.nodes]}


def _node(node: Node) -> dict[str, Any]:
    """Depth is bounded by the tree builder, so recursion is safe."""
    written: dict[str, Any] = {
        "title": node.title,
        "node_id": node.node_id,
        "start_index": node.page_from,
        "end_index": node.page_to,
    }
    if node.summary:
        written["summary"] = node.summary
    if node.children:
        written["nodes"] = [_node(child) for child in node.children]
    return written
