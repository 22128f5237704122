"""Any bytes as a tree's JSON give a tree that covers the document, ordered and nested, or a named error."""

from __future__ import annotations

import json
import sys

import atheris

with atheris.instrument_imports(include=["docmind"]):
    from docmind.domain.pages import DocumentId
    from docmind.domain.tree import Tree
    from docmind.errors import DocmindError
    from docmind.indexing.from_json import tree_from_foreign_json
    from docmind.library.trees import tree_from_json, tree_to_json

ID = DocumentId("0" * 16)
# Bytes turn into JSON by these pieces, so that most inputs get past the JSON reader and reach ours.
PIECES = [
    *'[]{},:"',
    *(
        '"title":"A"',
        '"start_index":3',
        '"physical_index":1',
        '"page_from":2',
        '"nodes":[',
        '"children":[',
        '"summary":"s"',
    ),
    *("null", "true", "-1", "0", "1e9", "99999999999", "\\u202e", "{}", "[]", '{"title":"B","nodes":[', "]}"),
]


def check(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    page_count = provider.ConsumeIntInRange(1, 40)
    if provider.ConsumeBool():
        text = provider.ConsumeUnicode(400)
    else:
        text = "".join(PIECES[byte % len(PIECES)] for byte in provider.ConsumeBytes(80))
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return
    _check_loader(raw)
    try:
        tree = tree_from_foreign_json(raw, document_id=ID, page_count=page_count)
    except DocmindError:
        return
    _check_tree(tree)
    assert tree_from_json(tree_to_json(tree)) == tree


def _check_loader(raw: object) -> None:
    try:
        tree_from_json(raw)
    except DocmindError:
        return


def _check_tree(tree: Tree) -> None:
    ids = [node.node_id for node in tree.walk()]
    assert len(ids) == len(set(ids))
    covered = {page for node in tree.nodes for page in range(node.page_from, node.page_to + 1)}
    assert covered == set(range(1, tree.page_count + 1))
    waiting = [(tree.nodes, 1, tree.page_count)]
    while waiting:
        nodes, first, last = waiting.pop()
        start = first
        for node in nodes:
            assert start <= node.page_from <= node.page_to <= last
            start = node.page_from
            waiting.append((node.children, node.page_from, node.page_to))


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
