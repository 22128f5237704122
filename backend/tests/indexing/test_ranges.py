"""Whatever an outline holds, its tree covers the document in order, nested, with ids of its own."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.pages import DocumentId, Page
from docmind.domain.reading import OutlineEntry
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.indexing.from_outline import sections_from_outline
from docmind.indexing.ranges import build_ranges
from docmind.library.trees import tree_from_json, tree_to_json

ID = DocumentId("0" * 16)


def pages(count: int) -> list[Page]:
    return [Page(n, f"Text of page {n}\nSection {n}\n", str(n)) for n in range(1, count + 1)]


def build_ranges_of(outline: list[OutlineEntry], count: int) -> Tree:
    return build_ranges(ID, count, sections_from_outline(outline, pages(count)), source="bookmarks")


def check(tree: Tree) -> None:
    """The promises that hold for every tree."""
    ids = [node.node_id for node in tree.walk()]
    assert len(ids) == len(set(ids))
    covered = {page for node in tree.nodes for page in range(node.page_from, node.page_to + 1)}
    assert covered == set(range(1, tree.page_count + 1))
    _check_siblings(tree.nodes, 1, tree.page_count)


def _check_siblings(nodes: tuple[Node, ...], first: int, last: int) -> None:
    start = first
    for node in nodes:
        assert first <= node.page_from <= node.page_to <= last
        assert node.page_from >= start
        assert node.title
        assert node.title.isprintable()
        start = node.page_from
        _check_siblings(node.children, node.page_from, node.page_to)


entries = st.lists(
    st.builds(
        OutlineEntry,
        level=st.integers(-2, 40),
        title=st.text(max_size=12) | st.sampled_from(["", "Section 3", "Same", "\x00\x01", "a\u202eb"]),
        page=st.none() | st.integers(-3, 40),
    ),
    max_size=40,
)


@settings(deadline=None, max_examples=300)
@given(entries, st.integers(1, 30))
def test_any_outline_gives_a_tree_that_covers_the_document(outline: list[OutlineEntry], count: int) -> None:
    check(build_ranges_of(outline, count))


@settings(deadline=None)
@given(entries, st.integers(1, 30))
def test_tree_is_the_same_after_its_file(outline: list[OutlineEntry], count: int) -> None:
    tree = build_ranges_of(outline, count)

    assert tree_from_json(tree_to_json(tree)) == tree


def test_every_entry_of_the_outline_is_kept() -> None:
    outline = [OutlineEntry(1, "A", 1), OutlineEntry(2, "B", None), OutlineEntry(1, "A", 3), OutlineEntry(1, "", 2)]

    tree = build_ranges_of(outline, 5)

    kept = [node for node in tree.walk() if node.source is NodeSource.BOOKMARK]
    assert sorted(node.title for node in kept) == ["(untitled)", "A", "A", "B"]


def test_pages_before_the_first_entry_become_a_node() -> None:
    tree = build_ranges_of([OutlineEntry(1, "Section 3", 3)], 5)

    assert [(n.title, n.page_from, n.page_to) for n in tree.nodes] == [("Front pages", 1, 2), ("Section 3", 3, 5)]
    assert tree.nodes[0].source is NodeSource.GAP


def test_entry_without_page_takes_its_first_childs() -> None:
    tree = build_ranges_of([OutlineEntry(1, "X", 1), OutlineEntry(1, "Part", None), OutlineEntry(2, "Y", 5)], 9)

    part = next(node for node in tree.walk() if node.title == "Part")
    assert (part.page_from, part.page_known) == (5, True)


def test_entry_without_page_is_looked_up_in_the_text() -> None:
    tree = build_ranges_of([OutlineEntry(1, "Section 2", None), OutlineEntry(1, "Section 7", None)], 9)

    assert [(node.title, node.page_from) for node in tree.nodes if node.source is NodeSource.BOOKMARK] == [
        ("Section 2", 2),
        ("Section 7", 7),
    ]


def test_entry_that_nobody_can_place_is_kept_as_unknown() -> None:
    tree = build_ranges_of([OutlineEntry(1, "Section 2", 2), OutlineEntry(1, "Nowhere", None)], 9)

    nowhere = next(node for node in tree.walk() if node.title == "Nowhere")
    assert not nowhere.page_known
    assert nowhere.page_from >= 1


def test_title_off_by_one_page_is_put_right() -> None:
    tree = build_ranges_of([OutlineEntry(1, "Section 4", 3), OutlineEntry(1, "Section 8", 8)], 9)

    section = next(node for node in tree.walk() if node.title == "Section 4")
    assert section.page_from == 4
    assert section.confidence < 1


def test_title_that_is_not_near_its_page_has_less_confidence() -> None:
    tree = build_ranges_of([OutlineEntry(1, "Something else", 3), OutlineEntry(1, "Section 8", 8)], 9)

    confidence = {node.title: node.confidence for node in tree.walk()}
    assert confidence["Something else"] < confidence["Section 8"]


def test_one_entry_out_of_order_does_not_move_the_others() -> None:
    outline = [OutlineEntry(1, f"Section {n}", n) for n in (1, 3, 5)]
    outline.insert(1, OutlineEntry(1, "Bad", 9))

    tree = build_ranges_of(outline, 9)

    assert {n.title: n.page_from for n in tree.nodes} == {"Section 1": 1, "Bad": 1, "Section 3": 3, "Section 5": 5}


def test_very_deep_and_very_long_outlines_end_in_a_bounded_tree() -> None:
    deep = build_ranges_of([OutlineEntry(n, f"L{n}", 1) for n in range(1, 5001)], 5)
    long = build_ranges_of([OutlineEntry(1, f"E{n}", 1 + n % 5) for n in range(20_000)], 5)

    assert max(node.level for node in deep.walk()) <= 32
    assert sum(1 for _ in deep.walk()) == 5000
    assert sum(1 for _ in long.walk()) == 20_000
