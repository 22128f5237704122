import json

import pytest

from docmind.domain.ports import ToolCall
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.tools.get_page_content import format_pages
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room
from docmind.tools.toolbox import Toolbox, capped
from tests.agent.library import MemoryLibrary, doc_id

BOOK = doc_id("book.pdf")
PAGES = 40
SPECS = [
    "1", "40", "1-3", "1,5-7", "1-9999", "all", "*", "5-", "-5", "0", "9-3", "", " ", "abc", "1;2", "1, 2 ,3", "p. 4", "pages 4-6",
    "第3页", "３", "2–4", "41", "99999999999999999999999", "-1", "0-0", "1-", "[1, 2]", "1.5", "1-2-3", "null",
]  # fmt: skip


def a_toolbox(library: MemoryLibrary | None = None) -> Toolbox:
    library = library or MemoryLibrary(book=[f"Page {n} of the book." for n in range(1, PAGES + 1)])
    return Toolbox(Room(library, (), run_id="r"), library)


async def call(toolbox: Toolbox, name: str, allowance: Allowance | None = None, **arguments) -> ToolResult:
    return await toolbox.run(ToolCall("c", name, json.dumps(arguments)), allowance or Allowance())


def test_there_are_thirty_ways_to_write_pages():
    assert len(SPECS) == 30


@pytest.mark.parametrize("spec", SPECS)
async def test_any_way_to_write_pages_gives_pages_of_the_document_or_says_what_is_expected(spec: str):
    result = await call(a_toolbox(), "get_page_content", Allowance(pages=10), doc_id=BOOK, pages=spec)

    numbers = [ref.page for ref in result.read]
    assert len(numbers) <= 10
    assert all(1 <= number <= PAGES for number in numbers)
    assert result.ok == bool(numbers)
    if not result.ok:
        assert "page" in result.content or "range" in result.content


@pytest.mark.parametrize(("pages", "expected"), [(3, [3]), (3.0, [3]), ([3, 4], [3, 4]), (["3", "5-6"], [3, 5, 6])])
async def test_pages_as_numbers_and_lists_are_understood(pages, expected):
    result = await call(a_toolbox(), "get_page_content", doc_id=BOOK, pages=pages)

    assert [ref.page for ref in result.read] == expected


async def test_what_was_left_out_is_told_with_how_to_ask_for_it():
    result = await call(a_toolbox(), "get_page_content", Allowance(pages=5), doc_id=BOOK, pages="all")

    assert result.cut
    assert 'pages="6-10"' in result.content


async def test_pages_that_do_not_fit_into_one_result_are_named():
    library = MemoryLibrary(book=["word " * 400] * 5)

    result = await call(a_toolbox(library), "get_page_content", Allowance(characters=5_000), doc_id=BOOK, pages="1-5")

    assert [ref.page for ref in result.read] == [1, 2]
    assert 'pages="3-5"' in result.content
    assert len(result.content) <= 5_000


async def test_a_long_page_can_be_read_on_where_it_was_cut():
    text = " ".join(f"w{n}" for n in range(5_000))
    toolbox = a_toolbox(MemoryLibrary(book=[text]))
    read, start = "", 0
    for _ in range(20):
        result = await call(
            toolbox, "get_page_content", Allowance(characters=6_000), doc_id=BOOK, pages="1", from_character=start
        )
        part = result.content.split(")\n", 1)[1].split("\n</data", 1)[0]
        read += part
        start += len(part)
        if not result.cut:
            break

    assert read == text


async def test_structure_is_cut_by_depth_and_each_part_can_be_asked_for():
    leaves = [
        [Node(f"{c}.{s}", f"Section {c}.{s} with a rather long title", 2, c, c, NodeSource.BOOKMARK) for s in range(60)]
        for c in range(1, 31)
    ]
    chapters = tuple(
        Node(f"{c}", f"Chapter {c}", 1, c, c, NodeSource.BOOKMARK, children=tuple(leaves[c - 1])) for c in range(1, 31)
    )

    class Deep(MemoryLibrary):
        def get_tree(self, document_id):
            return Tree(document_id, 30, chapters, "bookmarks")

    toolbox = a_toolbox(Deep(book=["x"] * 30))
    whole = await call(toolbox, "get_document_structure", Allowance(characters=4_000), doc_id=BOOK)
    part = await call(toolbox, "get_document_structure", Allowance(characters=6_000), doc_id=BOOK, node_id="7")
    wrong = await call(toolbox, "get_document_structure", doc_id=BOOK, node_id="99")

    assert "Chapter 30" in whole.content
    assert "1800 deeper sections left out" in whole.content
    assert len(whole.content) <= 4_000
    assert "Section 7.59" in part.content
    assert "Chapter 8" not in part.content
    assert not wrong.ok


async def test_search_says_that_found_pages_are_not_read_and_stays_in_the_documents_asked_for():
    library = MemoryLibrary(book=["Otters swim."], other=["Otters sleep."])

    result = await call(a_toolbox(library), "search_pages", query="otters", doc_ids=BOOK)

    assert result.read == ()
    assert [ref.document_id for ref in result.found] == [BOOK]
    assert "not read yet" in result.content


async def test_list_goes_on_where_it_was_cut():
    library = MemoryLibrary()
    for n in range(200):
        library.add(f"report number {n:03}.pdf", ["x"])
    toolbox = a_toolbox(library)

    first = await call(toolbox, "list_documents", Allowance(characters=3_000))
    start = int(first.content.split("start=")[1].split(",")[0])
    second = await call(toolbox, "list_documents", Allowance(characters=3_000), start=start)
    named = await call(toolbox, "list_documents", name_contains="number 199")

    assert first.content.count("report number") == start - 1
    assert f"report number {start - 1:03}" in second.content
    assert named.content.count("report number") == 1


@pytest.mark.parametrize("reference", [BOOK, BOOK[:8], "book.pdf", "book", f'"{BOOK}"', f"<{BOOK}>"])
async def test_a_document_is_known_by_id_beginning_or_name(reference: str):
    assert (await call(a_toolbox(), "get_document", doc_id=reference)).ok


async def test_a_name_that_several_documents_have_is_no_guess():
    library = MemoryLibrary(report_2021=["x"], report_2022=["y"])

    result = await call(a_toolbox(library), "get_document", doc_id="report")

    assert not result.ok
    assert "report_2021" in result.content
    assert "report_2022" in result.content


def test_central_limit_holds_whatever_a_tool_gives():
    result = capped(ToolResult("x" * 10_000, "s"), 1_000)

    assert len(result.content) <= 1_000
    assert result.cut
    assert "cut:" in result.content


def test_page_numbers_are_written_as_ranges():
    assert format_pages([1, 2, 3, 5, 8, 9]) == "1-3,5,8-9"
    assert format_pages([]) == ""
