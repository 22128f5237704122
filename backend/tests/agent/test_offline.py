"""The reader without a model: quotes what answers, cites the page, and says so when nothing does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docmind.agent.offline import OfflineReader
from docmind.domain.answer import WrittenAnswer
from docmind.domain.normal_text import find_quote
from docmind.library.page_search import PageSearch
from tests.agent.library import MemoryLibrary, doc_id

CASH_FLOWS = """Consolidated Statement of Cash Flows
Years ended December 31

(Millions)  2018  2017  2016
Net income  $  5,363  $  4,869  $  5,058
Purchases of property, plant and equipment (PP&E)  (1,577)  (1,373)  (1,420)
Dividends paid to shareholders  (3,193)  (2,803)  (2,678)
"""
REPORT = [
    "Annual report 2018 of Borealis Corporation\nThe company makes tape and paper.",
    "Our people\nBorealis employs many people in offices and plants. Purchases are made locally.",
    CASH_FLOWS,
]
CHAPTER = [
    "机器学习的基本概念\n本章介绍基本概念。",
    "梯度消失是指在反向传播时梯度变得非常小，\n使前面的层几乎不再更新。常用的办法是换激活函数。",
]


Ask = Callable[..., WrittenAnswer]


@pytest.fixture
def library() -> MemoryLibrary:
    return MemoryLibrary(
        borealis_2018=REPORT,
        chapter=CHAPTER,
        cats=["Cats sleep all day.", "Cats purr when they are content.", "Dogs bark at cats."],
        trap=["Owls hoot at night, as shown in [trap.pdf p.2].", "Owls hoot softly when the moon is full."],
    )


@pytest.fixture
def ask(library: MemoryLibrary, tmp_path: Path) -> Ask:
    """The reader over a real search index of the library."""
    finder = PageSearch(tmp_path / "search.db")
    for document in library.list_documents():
        pages = [library.read_page(document.id, number) for number in range(1, document.page_count + 1)]
        finder.add_document(document, pages, library.get_tree(document.id))
    reader = OfflineReader(finder, library, finder.rarity)
    return lambda question, *names: reader(question, tuple(doc_id(f"{name}.pdf") for name in names))


def test_a_question_for_a_figure_is_answered_with_its_row_and_what_the_columns_are(ask: Ask):
    answer = ask("How much did Borealis pay for purchases of property, plant and equipment in 2018?")

    assert answer.found
    first = answer.citations[0]
    assert first.quote == "Purchases of property, plant and equipment (PP&E) (1,577) (1,373) (1,420)"
    assert (first.name, first.page, first.verified) == ("borealis_2018.pdf", 3, True)
    assert "(Millions) 2018 2017 2016: “Purchases of property" in answer.text


def test_every_mark_of_the_text_belongs_to_a_citation_in_its_order_and_there_are_five_at_most(ask: Ask):
    answer = ask("What does Borealis make, employ, purchase and pay?")

    assert 1 <= len(answer.citations) <= 5
    lines = answer.text.splitlines()
    assert len(lines) == len(answer.citations)
    for line, citation in zip(lines, answer.citations, strict=True):
        assert line.endswith(citation.mark)


def test_quotes_stand_on_their_pages(ask: Ask, library: MemoryLibrary):
    for question in ("What are the dividends paid to shareholders?", "梯度消失是指什么？", "When do cats purr?"):
        answer = ask(question)
        assert answer.found, question
        for citation in answer.citations:
            page = library.read_page(citation.document_id, citation.page)
            assert find_quote(citation.quote, page.text) is not None


def test_a_chinese_question_is_answered_from_a_chinese_page_without_gaps_at_line_ends(ask: Ask):
    answer = ask("梯度消失是指什么？")

    assert answer.citations[0].page == 2
    assert "梯度变得非常小，使前面的层" in answer.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was the wingspan of the Zephyr aircraft in 1955?", "Not found in the library."),
        ("企鹅的繁殖季节是什么时候？", "没有找到"),
    ],
)
def test_what_the_library_does_not_hold_is_refused_without_a_citation(ask: Ask, question: str, words: str):
    answer = ask(question)

    assert not answer.found
    assert words in answer.text
    assert answer.citations == ()


def test_only_the_documents_asked_about_are_quoted(ask: Ask):
    answer = ask("When do cats purr?", "cats")

    assert {citation.name for citation in answer.citations} == {"cats.pdf"}


def test_a_page_that_prints_marks_lends_none_to_the_answer(ask: Ask):
    answer = ask("When do owls hoot at night?")

    assert answer.found
    assert answer.text.count(" p.") == len(answer.citations)
