"""Whatever is written as a page range gives pages of the document or a named error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.page_spec import parse_pages
from docmind.errors import InvalidPageRange


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [
        ("3", (3,)),
        ("2-4", (2, 3, 4)),
        ("1,5-7", (1, 5, 6, 7)),
        ("1-9999", tuple(range(1, 11))),
        ("all", tuple(range(1, 11))),
        ("*", tuple(range(1, 11))),
        ("8-", (8, 9, 10)),
        ("-3", (1, 2, 3)),
        ("0-2", (1, 2)),
        (" 2 , 2 ,1 ", (1, 2)),
        ("2 - 4", (2, 3, 4)),
        ("２－４", (2, 3, 4)),
        ("2–4", (2, 3, 4)),
        ("pages 2-4", (2, 3, 4)),
        ("p. 3", (3,)),
        ("第3页", (3,)),
        ("2 to 4", (2, 3, 4)),
        ("3;5", (3, 5)),
        ("[1, 2]", (1, 2)),
        ("3,99", (3,)),
    ],
)
def test_spec_selects_these_pages(spec: str, numbers: tuple[int, ...]) -> None:
    assert parse_pages(spec, page_count=10).numbers == numbers


@pytest.mark.parametrize(
    "spec", ["", " ", "0", "9-3", "abc", "-", "1-2-3", "99", "3.5", "1e3", "\x00", "99999999999999", "--1"]
)
def test_spec_that_selects_nothing_is_a_named_error(spec: str) -> None:
    with pytest.raises(InvalidPageRange):
        parse_pages(spec, page_count=10)


def test_notes_say_what_was_cut_to_the_document_and_to_the_budget() -> None:
    selection = parse_pages("1-9999", page_count=10, budget=4)

    assert selection.numbers == (1, 2, 3, 4)
    assert selection.notes == (
        "1-9999 cut to pages 1-10",
        "10 pages asked for, the first 4 given; ask for the others next",
    )


@given(st.text(alphabet="0123456789-,; alltop第页x", max_size=40) | st.text(max_size=40), st.integers(1, 50))
def test_any_text_gives_pages_of_the_document_or_a_named_error(spec: str, page_count: int) -> None:
    try:
        numbers = parse_pages(spec, page_count=page_count, budget=20).numbers
    except InvalidPageRange:
        return
    assert 1 <= len(numbers) <= 20
    assert list(numbers) == sorted(set(numbers))
    assert all(1 <= number <= page_count for number in numbers)
