"""What of a page can be quoted: sentences and rows, each as it stands there."""

from __future__ import annotations

import pytest

from docmind.agent.passages import MAX_PASSAGE, figures_in, passages_of
from docmind.domain.normal_text import find_quote

STATEMENT = """Consolidated Statement of Cash Flows
Years ended December 31

(Millions)  2018  2017  2016
Cash Flows from Operating Activities
Net income  $  5,363  $  4,869  $  5,058
Purchases of property, plant and equipment (PP&E)  (1,577)  (1,373)  (1,420)
Proceeds from sale of businesses, net of cash
sold
846  1,065  142
"""


def texts(page: str) -> list[str]:
    return [passage.text for passage in passages_of(page)]


def test_a_row_is_quoted_whole_with_its_columns_and_unit():
    row = next(passage for passage in passages_of(STATEMENT) if "Purchases" in passage.text)

    assert row.text == "Purchases of property, plant and equipment (PP&E) (1,577) (1,373) (1,420)"
    assert row.is_row
    assert row.columns == "(Millions) 2018 2017 2016"


def test_the_unit_is_told_when_it_stands_in_another_line_than_the_columns():
    page = "(in thousands, except per share data)\nDecember 31,  2015  2014\nTotal assets  10,202,871  7,042,500\n"

    row = passages_of(page)[-1]

    assert row.columns == "December 31, 2015 2014"
    assert row.unit == "(in thousands, except per share data)"


def test_a_row_takes_its_wrapped_label_along():
    assert texts(STATEMENT)[-1] == "sold 846 1,065 142"


def test_sentences_run_over_line_ends_and_end_where_they_end():
    page = "Whales sing. Their songs carry for\nmany miles under water. Nobody knows why they sing.\n\nKrill drifts."

    assert texts(page) == [
        "Whales sing.",
        "Their songs carry for many miles under water.",
        "Nobody knows why they sing.",
        "Krill drifts.",
    ]


def test_shortened_words_and_numbers_of_lists_end_no_sentence():
    page = "Acme Inc. Sells tape in the U.S. Market. 1. First it buys. See No. 7 for more."

    assert texts(page) == ["Acme Inc. Sells tape in the U.S. Market.", "1. First it buys.", "See No. 7 for more."]


def test_chinese_sentences_end_at_their_full_stops():
    page = "监督学习使用已知正确答案的示例来训练网\n络。非监督学习则没有答案！"

    assert texts(page) == ["监督学习使用已知正确答案的示例来训练网 络。", "非监督学习则没有答案！"]


def test_a_sentence_without_end_is_cut_between_words():
    page = "word " * 400

    found = texts(page)

    assert all(len(text) <= MAX_PASSAGE and text.endswith("word") for text in found)


@pytest.mark.parametrize(
    "page",
    [
        STATEMENT,
        "Manage-\nment discussed the “quick ratio.” It rose. • One\n• Two points follow here",
        "第一步：数据集的创建和分类。第二步：数据增\n强（Data Augmentation）。",
        "A  B  C\n1  2  3\n\n\nx\n",
    ],
)
def test_every_passage_is_found_again_on_its_page(page: str):
    for text in texts(page):
        assert find_quote(text, page) is not None, text


def test_years_are_no_figures():
    assert figures_in("Year ended December 31, 2018") == 1
    assert figures_in("2018 2017") == 0
    assert figures_in("Net sales $ 32,765 (1,577) 4.5%") == 3
