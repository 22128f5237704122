"""A document without bookmarks gets its sections from how its headings look."""

from __future__ import annotations

from docmind.domain.pages import DocumentId, Page
from docmind.domain.reading import TitledLink
from docmind.domain.spans import Span
from docmind.domain.tree import NodeSource
from docmind.indexing.build import build_tree, is_useful, with_headings
from docmind.indexing.from_contents import contents_rows
from docmind.indexing.numbering import read_numbering
from docmind.parsing.lines import as_text, read_lines
from docmind.parsing.stand_out import page_style

ID = DocumentId("0" * 16)
BODY = "ordinary words of a paragraph that goes on to the margin and then some"


def span(text: str, y: float, *, size: float = 10.0, bold: bool = False, x: float = 50.0) -> Span:
    width = 0.5 * size * len(text)
    return Span(x, y - 0.8 * size, x + width, y + 0.2 * size, y, size, bold, False, "Body", text)


def a_page(number: int, *headings: tuple[str, float, bool], head: str = "Annual Report", foot: str = "") -> list[Span]:
    """A page with a running head, headings of (text, size, bold) each above a paragraph, and a page number."""
    spans = [span(head, 30, size=9), span(foot or str(number), 770, size=9)]
    y = 80.0
    for text, size, bold in headings:
        spans.append(span(text, y + 14, size=size, bold=bold))
        y += 14 + size
        for _ in range(4):
            y += 12
            spans.append(span(BODY, y))
        y += 12
    for _ in range(10):
        y += 12
        spans.append(span(BODY, y))
    return spans


def tree_of(pages: list[list[Span]], links: list[TitledLink] | None = None):  # type: ignore[no-untyped-def]
    lines = [read_lines(page, 600) for page in pages]
    texts = [Page(n, as_text(one), str(n)) for n, one in enumerate(lines, start=1)]
    styles = [page_style(n, one, 600, 800) for n, one in enumerate(lines, start=1)]
    tree = build_tree(ID, texts, styles, (), links or [])
    return tree, with_headings(texts, styles, tree)


def test_sizes_give_levels_and_heads_and_feet_are_left_out() -> None:
    tree, pages = tree_of(
        [
            a_page(1, ("First chapter", 18, True), ("A part of it", 13, True)),
            a_page(2, ("Another part of it", 13, True)),
            a_page(3, ("Second chapter", 18, True)),
            a_page(4),
        ]
    )

    assert [(node.title, node.page_from, node.page_to) for node in tree.nodes] == [
        ("First chapter", 1, 2),
        ("Second chapter", 3, 4),
    ]
    assert [child.title for child in tree.nodes[0].children] == ["A part of it", "Another part of it"]
    assert tree.source == "headings"
    assert "Annual Report" in pages[1].running_lines
    assert pages[0].headings == ("First chapter", "A part of it")


def test_heading_on_two_lines_is_one_node() -> None:
    page = a_page(1)
    page += [
        span("A long title that goes on", 400, size=16, bold=True),
        span("over a second line", 419, size=16, bold=True),
    ]

    tree, _ = tree_of([page, a_page(2)])

    assert "A long title that goes on over a second line" in [node.title for node in tree.walk()]


def test_links_of_a_contents_page_name_their_source() -> None:
    names = ["Business", "Risk Factors", "Properties", "Legal Proceedings", "Selected Data"]
    pages = [a_page(1)] + [a_page(n, (name, 14, True)) for n, name in enumerate(names, start=2)]
    links = [TitledLink(1, name, n) for n, name in enumerate(names, start=2)]

    tree, _ = tree_of(pages, links)

    linked = [(node.title, node.page_from) for node in tree.walk() if node.source is NodeSource.LINK]
    assert linked == [(name, n) for n, name in enumerate(names, start=2)]
    assert tree.source == "links"


def test_printed_contents_are_mapped_over_the_offset_of_front_pages() -> None:
    names = ["Introduction", "Materials", "Methods of work", "Results found", "Discussion of them"]
    contents = [span(f"{name} {'. ' * 20}{n}", 80 + 20 * n) for n, name in enumerate(names, start=1)]
    pages = [a_page(1), contents] + [a_page(n, (name, 14, True), foot=str(n)) for n, name in enumerate(names, start=1)]

    tree, _ = tree_of(pages)

    told = [(n.title, n.page_from) for n in tree.walk() if n.source is NodeSource.CONTENTS_PAGE]
    assert told == [(name, n) for n, name in enumerate(names, start=3)]


def test_rows_of_a_money_table_are_not_a_contents_page() -> None:
    text = "\n".join(f"Revenue of kind {n} {amount}" for n, amount in enumerate((90, 12, 77, 3, 45, 8, 60)))

    assert contents_rows(text, 100, 3) == []


def test_numbering_of_many_kinds_is_read() -> None:
    read = {
        text: read_numbering(text)
        for text in ("1.2.3 Title", "Item 7A. Risk", "第三章 方法", "一、引言", "（二）方法", "Chapter 4: Work")
    }

    assert {text: number.rest for text, number in read.items() if number} == {
        "1.2.3 Title": "Title", "Item 7A. Risk": "Risk", "第三章 方法": "方法",
        "一、引言": "引言", "（二）方法": "方法", "Chapter 4: Work": "Work",
    }  # fmt: skip


def test_slide_numbers_and_file_names_are_no_useful_bookmarks() -> None:
    from docmind.domain.reading import OutlineEntry

    slides = [OutlineEntry(1, f"Slide Number {n}", n) for n in range(1, 9)]
    files = [OutlineEntry(1, "report_final.docx", 1), OutlineEntry(1, "annex.pdf", 4)]
    chapters = [OutlineEntry(1, "Introduction", 1), OutlineEntry(1, "Method", 4)]

    assert not is_useful(slides, 8)
    assert not is_useful(files, 8)
    assert is_useful(chapters, 8)


def test_document_without_any_structure_lists_its_pages() -> None:
    tree, _ = tree_of([[], []])

    assert [(node.title, node.source) for node in tree.nodes] == [
        ("Page 1", NodeSource.PAGE),
        ("Page 2", NodeSource.PAGE),
    ]
