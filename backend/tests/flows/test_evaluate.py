"""Questions with known pages: what is counted, and how."""

from __future__ import annotations

import json

import pytest

from docmind.domain.answer import Citation, WrittenAnswer
from docmind.domain.pages import DocumentId
from docmind.errors import InvalidInput
from docmind.flows.evaluate import (
    answer_figures,
    find_pages,
    judge,
    parse_questions,
    places_of,
    search_figures,
    without_document,
)
from tests.agent.library import MemoryLibrary, doc_id


def a_line(text: str, *pages: int, doc: str = "whales") -> str:
    return json.dumps({"id": text, "doc_name": doc, "question": text, "evidence_pages_1based": pages})


def a_library() -> MemoryLibrary:
    return MemoryLibrary(whales=["whales swim", "whales sing deep songs", "krill"], cats=["cats sing", "cats sleep"])


def the_documents() -> dict[str, DocumentId]:
    return {"whales": doc_id("whales.pdf"), "cats": doc_id("cats.pdf")}


def an_answer(document: str, page: int, quote: str) -> WrittenAnswer:
    name = f"{document}.pdf"
    mark = f"[{name} p.{page}]"
    return WrittenAnswer(
        mark, (Citation(mark, doc_id(name), name, page, str(page), quote, verified=True),), (), found=True
    )


def test_ranks_count_only_the_questions_own_pages_of_its_own_document():
    questions = parse_questions([a_line("whales sing", 2), a_line("sing", 2)])
    places, _ = places_of(questions, the_documents(), whole_library=True)

    figures = search_figures([find_pages(place, a_library()) for place in places])

    assert figures["questions"] == 2
    assert figures["any@1"] == 1.0
    assert figures["mrr"] == 1.0
    assert figures["right_document@1"] == 1.0


def test_within_the_document_no_other_document_is_searched():
    (place,), _ = places_of(parse_questions([a_line("cats sing", 2)]), the_documents(), whole_library=False)

    found = find_pages(place, a_library())

    assert {document for document, _ in found.first} == {doc_id("whales.pdf")}


def test_all_at_5_wants_every_page_and_any_wants_one():
    (place,), _ = places_of(parse_questions([a_line("whales", 2, 3)]), the_documents(), whole_library=True)

    figures = search_figures([find_pages(place, a_library())])

    assert (figures["any@1"], figures["any@3"], figures["all@5"], figures["mrr"]) == (0.0, 1.0, 0.0, 0.5)


def test_questions_whose_document_is_absent_are_left_out_and_named():
    questions = parse_questions([a_line("whales", 1), a_line("dogs", 1, doc="dogs")])

    places, left = places_of(questions, the_documents(), whole_library=True)

    assert [place.question.id for place in places] == ["whales"]
    assert [question.id for question in left] == ["dogs"]


def test_a_documents_name_may_carry_its_ending():
    places, _ = places_of(parse_questions([a_line("x", 1, doc="whales.pdf")]), the_documents(), whole_library=True)

    assert places[0].document_id == doc_id("whales.pdf")


def test_a_false_quote_is_not_counted_as_verified_whatever_it_says_of_itself():
    (place,), _ = places_of(parse_questions([a_line("sing", 2)]), the_documents(), whole_library=True)
    library = a_library()

    true = judge(place, lambda question, documents: an_answer("whales", 2, "deep songs"), library)
    false = judge(place, lambda question, documents: an_answer("whales", 1, "deep songs"), library)

    assert answer_figures([true])["quotes_verified"] == 1.0
    assert answer_figures([true])["right_page_cited"] == 1.0
    assert answer_figures([false])["quotes_verified"] == 0.0
    assert answer_figures([false])["right_page_cited"] == 0.0


def test_the_removed_document_is_not_among_those_asked():
    (place,), _ = places_of(parse_questions([a_line("sing", 2)]), the_documents(), whole_library=True)
    asked: list[tuple[DocumentId, ...]] = []

    def refuse(question: str, documents: tuple[DocumentId, ...]) -> WrittenAnswer:
        asked.append(documents)
        return WrittenAnswer("Not found.", (), (), found=False)

    other = without_document(place)
    assert other is not None
    figures = answer_figures([judge(place, refuse, a_library())], [judge(other, refuse, a_library())])

    assert asked[1] == (doc_id("cats.pdf"),)
    assert figures["refused"] == 1.0
    assert figures["refused_without_document"] == 1.0


def test_a_library_of_one_document_has_no_removed_case():
    (place,), _ = places_of(parse_questions([a_line("sing", 2)]), the_documents(), whole_library=False)

    assert without_document(place) is None


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"doc_name": "a", "question": "b", "evidence_pages_1based": ["x"]}']
)
def test_a_line_that_is_no_question_is_named(line: str):
    with pytest.raises(InvalidInput, match="line 2"):
        parse_questions([a_line("fine", 1), line])


def test_an_empty_file_is_an_error():
    with pytest.raises(InvalidInput, match="no question"):
        parse_questions(["", "  "])
