"""Kinds of pages told by their words."""

from __future__ import annotations

from docmind.domain.pages import Page
from docmind.library.page_facts import facts_of

BALANCE = """Acme Corp.
Consolidated Balance Sheets
December 31, 2020 2019
Cash and cash equivalents 300 220
Total current assets 700 650
Goodwill 90 90
Total assets 1,900 1,800
Accounts payable 210 200
Total current liabilities 400 380
Retained earnings 800 760"""

CHINESE = """合并资产负债表
项目 2020年 2019年
货币资金 300 220
流动资产合计 700 650
资产总计 1,900 1,800
流动负债合计 400 380
负债合计 900 880"""


def facts(text: str):
    return facts_of(Page(number=1, text=text, label="1"))


def test_a_statement_is_told_by_title_and_rows_in_both_languages():
    assert facts(BALANCE).kinds["balance sheet"] == 1.0
    assert facts(CHINESE).kinds["balance sheet"] >= 0.9


def test_a_page_that_mentions_a_statement_is_none():
    talk = "See the consolidated balance sheets on page 40.\nTotal assets grew in 2020 as we opened stores.\nWe expect more."
    assert facts(talk).kinds.get("balance sheet", 0.0) < 0.3


def test_a_contents_page_is_told_by_its_rows_of_dots_or_numbers():
    rows = "\n".join(f"Chapter {number} of the book ........ {number * 7}" for number in range(1, 12))
    assert facts("Contents\n" + rows).kinds["contents"] == 1.0


def test_lines_are_kept_apart_and_a_split_word_is_put_together():
    body = facts("the net-\nwork is deep\nand wide").body
    assert " network" in body.replace("\n", " ")
    assert body.count("\n") == 2
