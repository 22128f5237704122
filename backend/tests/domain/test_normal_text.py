"""Quotes are found however the page writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.normal_text import find_quote, normalise


def found(quote: str, text: str) -> str | None:
    span = find_quote(quote, text)
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("quote", "text", "original"),
    [
        ("office", "the of\u00ad fice is", "of\u00ad fice"),
        ("office", "the o\ufb03ce is", "o\ufb03ce"),
        ("Capital Expenditure", "total capital\n  expenditure of", "capital\n  expenditure"),
        ("information", "some infor-\nmation here", "infor-\nmation"),
        ("long-term debt", "the long-\nterm debt", "long-\nterm debt"),
        ("民生", "\u2ea0生", "\u2ea0生"),
        ("方法", "⽅法", "⽅法"),
        ("Müller", "by M¨uller and", "M¨uller"),
        ("Müller", "by Mu\u0308ller and", "Mu\u0308ller"),
        ("company's", "the company’s name", "company’s"),
        ("2017-2018", "in 2017–2018 we", "2017–2018"),
        ("ＡＢＣ", "the abc", "abc"),
        ("机器学习", "机器\n学习", "机器\n学习"),
    ],
)
def test_quote_is_found_as_the_page_writes_it(quote: str, text: str, original: str) -> None:
    assert found(quote, text) == original


@pytest.mark.parametrize(
    ("quote", "text"), [("art", "party"), ("100", "1000"), ("1-2", "12"), ("", "text"), ("  ", "text"), ("a b", "c d")]
)
def test_quote_that_is_not_there_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


def test_second_place_is_taken_when_the_first_is_inside_a_word() -> None:
    assert find_quote("art", "party art") == (6, 9)


@given(st.text())
def test_normal_text_points_back_into_the_original(text: str) -> None:
    normal = normalise(text)

    assert len(normal.text) == len(normal.origins)
    assert all(0 <= start < end <= len(text) for start, end in normal.origins)
    assert list(normal.origins) == sorted(normal.origins)


@given(st.text())
def test_normal_text_stays_the_same_when_normalised_again(text: str) -> None:
    once = normalise(text).text.lower()

    assert normalise(normalise(once).text).text == normalise(once).text
