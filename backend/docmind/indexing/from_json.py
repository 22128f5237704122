"""Read trees made elsewhere, and write ours as others read them: the structure JSON of PageIndex, and our own format.

Nodes of PageIndex are {title, node_id, start_index, end_index, summary, nodes}, pages counted from 1, under "structure" or
bare. Ours (docs/tree-format.md) are read as well, so that a tree can be written out, mended by hand, and taken back.
"""

from __future__ import annotations

from typing import Any

from docmind.domain.names import clean_text
from docmind.domain.pages import DocumentId
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.errors import InvalidInput
from docmind.indexing.ranges import MAX_DEPTH, Section, build_ranges

_MAX_NODES = 100_000
_LONGEST_SUMMARY = 1000


def tree_from_foreign_json(raw: Any, *, document_id: DocumentId, page_count: int) -> Tree:
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
        summary = node.get("summary")
        sections.append(
            Section(
                min(level, MAX_DEPTH),
                node["title"],
                _start_page(node, page_count),
                NodeSource.IMPORTED,
                at_top=False,
                summary=clean_text(summary, longest=_LONGEST_SUMMARY) if isinstance(summary, str) and summary else None,
            )
        )
        children = node.get("nodes") or node.get("children") or []
        if not isinstance(children, list):
            raise InvalidInput('"nodes" of a node must be a list')
        stack.extend((child, level + 1) for child in reversed(children))
    return build_ranges(document_id, page_count, sections, source="imported")


def _start_page(node: dict[str, Any], page_count: int) -> int | None:
    """None where the node names no page of the document: its place is then the room between its neighbours."""
    start = next((node[name] for name in ("start_index", "physical_index", "page_from") if name in node), None)
    if isinstance(start, bool) or not isinstance(start, int):
        return None
    return start if 1 <= start <= page_count else None


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
