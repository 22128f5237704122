"""Trees as files: tree.json of a document. The format is docs/tree-format.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docmind.domain.pages import DocumentId
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.errors import DocumentDamaged
from docmind.storage.files import write_json


def write_tree(folder: Path, tree: Tree) -> None:
    write_json(folder / "tree.json", tree_to_json(tree))


def load_tree(folder: Path) -> Tree:
    """Raises FileNotFoundError when the document is not there, DocumentDamaged when the file is no tree."""
    content = (folder / "tree.json").read_bytes()
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise DocumentDamaged("the document's tree cannot be read: its file is not JSON") from exc
    return tree_from_json(raw)


def tree_to_json(tree: Tree) -> dict[str, Any]:
    return {
        "document_id": tree.document_id,
        "page_count": tree.page_count,
        "source": tree.source,
        "nodes": [node_to_json(node) for node in tree.nodes],
    }


def tree_from_json(raw: Any) -> Tree:
    """Raises DocumentDamaged on anything that `tree_to_json` does not write."""
    try:
        return Tree(
            DocumentId(raw["document_id"]),
            raw["page_count"],
            tuple(_node_from_json(node) for node in raw["nodes"]),
            raw["source"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as exc:
        raise DocumentDamaged("the document's tree cannot be read: it is not of our format") from exc


def node_to_json(node: Node) -> dict[str, Any]:
    """Trees are at most a few dozen levels deep (indexing/build.py sees to it), so recursion is safe here."""
    return {
        "node_id": node.node_id,
        "title": node.title,
        "level": node.level,
        "page_from": node.page_from,
        "page_to": node.page_to,
        "source": node.source.value,
        "confidence": node.confidence,
        "page_known": node.page_known,
        "summary": node.summary,
        "children": [node_to_json(child) for child in node.children],
    }


def _node_from_json(raw: dict[str, Any]) -> Node:
    return Node(
        node_id=raw["node_id"],
        title=raw["title"],
        level=raw["level"],
        page_from=raw["page_from"],
        page_to=raw["page_to"],
        source=NodeSource(raw["source"]),
        confidence=raw["confidence"],
        page_known=raw["page_known"],
        summary=raw.get("summary"),
        children=tuple(_node_from_json(child) for child in raw["children"]),
    )
