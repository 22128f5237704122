"""Trees of PageIndex come in and go out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.pages import DocumentId
from docmind.domain.tree import NodeSource
from docmind.errors import InvalidInput
from docmind.indexing.from_json import tree_from_foreign_json, tree_to_pageindex
from docmind.library.trees import node_to_json

ID = DocumentId("0" * 16)
STRUCTURE = [
    {
        "title": "One",
        "node_id": "0001",
        "start_index": 1,
        "end_index": 3,
        "nodes": [{"title": "Sub", "start_index": 2}],
    },
    {"title": "Two", "start_index": 4, "end_index": 9},
]


def test_structure_comes_in_with_its_pages_and_goes_out_again() -> None:
    tree = tree_from_foreign_json({"structure": STRUCTURE}, document_id=ID, page_count=9)

    written = tree_to_pageindex(tree, name="a.pdf")["structure"]
    assert [(n["title"], n["start_index"]) for n in written] == [("One", 1), ("Two", 4)]
    assert written[0]["nodes"][0]["title"] == "Sub"
    assert written[1]["end_index"] == 9


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["title", "nodes", "structure", "start_index"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values, st.integers(1, 20))
def test_any_json_gives_a_whole_tree_or_a_named_error(raw: object, page_count: int) -> None:
    try:
        tree = tree_from_foreign_json(raw, document_id=ID, page_count=page_count)
    except InvalidInput:
        return
    assert {page for node in tree.nodes for page in range(node.page_from, node.page_to + 1)} == set(
        range(1, page_count + 1)
    )


def test_other_shapes_are_named() -> None:
    with pytest.raises(InvalidInput):
        tree_from_foreign_json("text", document_id=ID, page_count=3)


def test_our_own_format_comes_back_as_it_was_with_its_summaries() -> None:
    taken = tree_from_foreign_json(
        {
            "nodes": [
                {
                    "title": "One",
                    "page_from": 1,
                    "summary": "what it says",
                    "children": [{"title": "A", "page_from": 2}],
                }
            ]
        },
        document_id=ID,
        page_count=3,
    )

    again = tree_from_foreign_json(
        {"nodes": [node_to_json(node) for node in taken.nodes]}, document_id=ID, page_count=3
    )

    assert again == taken
    assert [(node.title, node.page_from, node.source, node.summary) for node in again.walk()] == [
        ("One", 1, NodeSource.IMPORTED, "what it says"),
        ("A", 2, NodeSource.IMPORTED, None),
    ]
