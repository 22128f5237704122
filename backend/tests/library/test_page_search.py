"""Pages found by words: documents by name and year, Chinese words of two characters, statements, deletion, several processes."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docmind.domain.document import Document, DocumentStatus
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import SearchScope
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.library.page_search import PageSearch

EVERYWHERE = SearchScope()

CASH_FLOW = """Consolidated Statements of Cash Flows
(in millions) 2020 2019
Cash flows from operating activities:
Net income 410 390
Depreciation and amortization 120 110
Net cash provided by operating activities 530 500
Cash flows from investing activities:
Purchases of property and equipment (210) (190)
Net cash used in investing activities (210) (190)
Dividends paid (40) (35)
Cash and cash equivalents at end of year 300 220"""
TALK = """Liquidity. Our capital expenditures were discussed with the board. Capital expenditures may rise.
We think about capital expenditures when we plan, and capital expenditures are funded by cash."""


def a_document(name: str, *, title: str = "") -> Document:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return Document(
        id=DocumentId(digest[:16]),
        name=name,
        kind="pdf",
        size_bytes=1,
        sha256=digest,
        status=DocumentStatus.READY,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        title=title,
    )


def put(finder: PageSearch, name: str, *texts: str, sections: tuple[str, ...] = ()) -> DocumentId:
    document = a_document(name)
    pages = [Page(number=number, text=text, label=str(number)) for number, text in enumerate(texts, 1)]
    titles = sections or tuple(f"Page {number}" for number in range(1, len(texts) + 1))
    nodes = tuple(
        Node(f"n{number}", title, 1, number, number, NodeSource.BOOKMARK) for number, title in enumerate(titles, 1)
    )
    finder.add_document(document, pages, Tree(document.id, len(pages), nodes, "bookmarks" if sections else "pages"))
    return document.id


@pytest.fixture
def finder(tmp_path: Path) -> PageSearch:
    return PageSearch(tmp_path / "search.db")


def test_a_chinese_word_of_two_characters_is_found_inside_a_longer_run(finder: PageSearch):
    put(finder, "书.pdf", "这一页讲的是别的事情。", "梯度在反向传播中逐层消失。")
    hits = finder.search("梯度", EVERYWHERE)
    assert [hit.page for hit in hits] == [2]


@pytest.mark.parametrize("text", ["the o\ufb03ce opened", "the of\u00ad fice opened", "the of-\nfice opened"])
def test_ligatures_and_hyphens_do_not_hide_a_word(finder: PageSearch, text: str):
    put(finder, "a.pdf", "nothing here", text)
    assert [hit.page for hit in finder.search("office", EVERYWHERE)] == [2]


def test_the_statement_itself_comes_before_pages_that_talk_of_it(finder: PageSearch):
    put(finder, "ACMEWORKS_2020_10K.pdf", "Cover", TALK, TALK, CASH_FLOW, TALK)
    hits = finder.search(
        "What is the FY2020 capital expenditure of Acme Works, from the cash flow statement?", EVERYWHERE
    )
    assert hits[0].page == 4
    assert any("cash flow statement" in reason for reason in hits[0].why)


def test_company_and_year_in_the_question_choose_the_document(finder: PageSearch):
    for name in ("ACMEWORKS_2019_10K.pdf", "ACMEWORKS_2020_10K.pdf", "OTHERMILLS_2020_10K.pdf"):
        put(finder, name, "Cover", CASH_FLOW)
    hits = finder.search("How much did Acme Works pay in dividends in FY2020?", EVERYWHERE)
    assert (hits[0].name, hits[0].page) == ("ACMEWORKS_2020_10K.pdf", 2)


def test_a_slip_in_the_name_is_forgiven(finder: PageSearch):
    for name in ("GLOBEXA_2020.pdf", "INITECH_2020.pdf"):
        put(finder, name, "Cover", CASH_FLOW)
    assert finder.search("dividends paid by Globxea in 2020", EVERYWHERE)[0].name == "GLOBEXA_2020.pdf"


def test_a_slip_in_a_word_is_read_as_the_word_the_library_has(finder: PageSearch):
    put(finder, "a.pdf", "nothing here", "advertising expense was 12")
    hits = finder.search("advertsing", EVERYWHERE)
    assert [hit.page for hit in hits] == [2]
    assert "advertsing (as advertis)" in " ".join(hits[0].why)


def test_a_common_word_in_a_file_name_does_not_outweigh_what_the_pages_hold(finder: PageSearch):
    put(finder, "display_user_manual.pdf", "the display shows a user menu", "safety")
    put(finder, "watch.pdf", "the user sees the display", "the resting heart rate is displayed to the user")
    put(finder, "notes.pdf", "a user and a display")
    assert finder.search("resting heart rate shown to the user on the display", EVERYWHERE)[0].name == "watch.pdf"


def test_a_question_in_english_finds_a_chinese_page_by_the_curated_terms(finder: PageSearch):
    put(finder, "书.pdf", "本章介绍卷积核的尺寸。", "本章介绍梯度消失的原因。")
    assert finder.search("vanishing gradient", EVERYWHERE)[0].page == 2


def test_a_page_named_by_its_number_is_found(finder: PageSearch):
    put(finder, "a.pdf", *[f"exhibit {number}" for number in range(1, 9)])
    assert finder.search("What is the exhibit on page six?", EVERYWHERE)[0].page == 6


def test_scope_keeps_to_its_documents_sections_and_kinds(finder: PageSearch):
    first = put(finder, "a.pdf", "apples", "apples", sections=("Fruit", "Trees"))
    put(finder, "b.pdf", "apples")
    inside = finder.search("apples", SearchScope((first,), section="trees"))
    assert [(hit.document_id, hit.page) for hit in inside] == [(first, 2)]
    assert finder.search("apples", SearchScope((first,), kinds=("scan",))) == []


def test_a_deleted_document_never_comes_back(finder: PageSearch):
    gone = put(finder, "a.pdf", "apples and pears")
    kept = put(finder, "b.pdf", "apples and plums")
    finder.remove_document(gone)
    assert {hit.document_id for hit in finder.search("apples", EVERYWHERE)} == {kept}
    assert finder.search("apples", SearchScope((gone,))) == []


def test_adding_again_replaces(finder: PageSearch):
    put(finder, "a.pdf", "apples", "pears", "plums")
    put(finder, "a.pdf", "grapes")
    assert finder.search("apples", EVERYWHERE) == []
    assert [hit.page for hit in finder.search("grapes", EVERYWHERE)] == [1]


@pytest.mark.parametrize(
    "query", ['"', "a* OR", "NEAR(x", "^", "-", "的", "what is the", "col:x", "'; DROP TABLE pages", "\x00"]
)
def test_nothing_in_a_question_is_taken_for_an_operator(finder: PageSearch, query: str):
    put(finder, "a.pdf", "apples")
    assert isinstance(finder.search(query, EVERYWHERE), list)


def test_marks_of_a_snippet_are_the_matched_words(finder: PageSearch):
    put(finder, "a.pdf", "Of fruit, the growers like apples best.")
    snippet = finder.search("growing apple", EVERYWHERE)[0].snippet
    assert "apples" in [snippet.text[left:right] for left, right in snippet.marks]


def test_an_older_index_is_emptied_and_says_so(tmp_path: Path):
    with sqlite3.connect(tmp_path / "search.db") as old:
        old.executescript("CREATE TABLE pages (id INTEGER PRIMARY KEY); PRAGMA user_version = 1;")
    old.close()
    finder = PageSearch(tmp_path / "search.db")
    assert finder.needs_rebuild
    put(finder, "a.pdf", "apples")
    assert len(finder.search("apples", EVERYWHERE)) == 1


def test_threads_read_while_another_writes(finder: PageSearch):
    put(finder, "kept.pdf", "apples")
    wrong: list[object] = []

    def read() -> None:
        for _ in range(40):
            hits = finder.search("apples", EVERYWHERE)
            if not any(hit.name == "kept.pdf" and "apples" in hit.snippet.text for hit in hits):
                wrong.append(hits)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(30):
        put(finder, f"{number % 5}.pdf", f"apples {number}", "pears")
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_another_process_adds_is_found(finder: PageSearch, tmp_path: Path):
    put(finder, "a.pdf", "apples")
    assert finder.search("quinces", EVERYWHERE) == []
    subprocess.run([sys.executable, __file__, str(tmp_path / "search.db")], check=True, timeout=60)
    assert [hit.name for hit in finder.search("quinces", EVERYWHERE)] == ["elsewhere.pdf"]


if __name__ == "__main__":
    put(PageSearch(Path(sys.argv[1])), "elsewhere.pdf", "quinces")
