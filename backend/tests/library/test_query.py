"""What a question looks for."""

from __future__ import annotations

import pytest

from docmind.library.query import read_query


def words(question: str) -> set[str]:
    return {term.shown for term in read_query(question).terms if term.weight >= 0.5}


def test_how_to_answer_is_not_looked_for():
    asked = "What is the quick ratio of Acme? Round your answer to two decimal places. If it is not a useful metric, say so."
    assert words(asked) >= {"quick", "ratio", "acme"}
    assert not words(asked) & {"round", "decimal", "places", "useful", "metric"}


@pytest.mark.parametrize("spelled", ["FY2018", "FY18", "fiscal 2018", "fiscal year 2018", "the year 2018"])
def test_years_are_one_year_however_they_are_written(spelled: str):
    assert read_query(f"net income in {spelled}").years == ("2018",)


@pytest.mark.parametrize(
    "spelled", ["Q2 of FY2023", "2023 Q2", "2023Q2", "the second quarter of 2023", "the second fiscal quarter of 2023"]
)
def test_quarters_are_one_quarter_however_they_are_written(spelled: str):
    query = read_query(f"net income in {spelled}")
    assert (query.quarters, query.years) == (("q2",), ("2023",))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("capital expenditure of Acme in 2018", "cash flow statement"),
        ("net PP&E at year end", "balance sheet"),
        ("公司的总资产是多少", "balance sheet"),
        ("what was the cost of goods sold", "income statement"),
        ("经营活动现金流", "cash flow statement"),
    ],
)
def test_a_term_of_the_field_says_on_which_kind_of_page_it_stands(question: str, kind: str):
    assert read_query(question).kinds.get(kind, 0) > 0


def test_a_statement_that_is_named_counts_more_than_one_that_is_guessed():
    kinds = read_query("According to the balance sheet, what is the net income?").kinds
    assert kinds["balance sheet"] > kinds["income statement"] > 0


@pytest.mark.parametrize(
    ("question", "page"),
    [("on page 14", "14"), ("on page fourteen", "14"), ("第3页写了什么", "3"), ("the cover page", "1")],
)
def test_a_page_named_in_words_or_figures(question: str, page: str):
    assert page in read_query(question).pages


def test_neighbouring_words_are_a_phrase():
    assert " vanish gradient " in read_query("the vanishing gradient in a network").phrases


def test_a_question_of_stop_words_alone_is_taken_at_its_word():
    assert read_query("to be or not to be").terms
