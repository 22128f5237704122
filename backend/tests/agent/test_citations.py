import pytest

from docmind.agent.citations import CitationChecker, PageText
from docmind.agent.marks import Reference
from docmind.domain.answer import PageRef
from docmind.domain.pages import DocumentId
from tests.agent.quote_set import PAGES, QUOTES

BOOK, NOTES = DocumentId("0123456789abcdef"), DocumentId("fedcba9876543210")


def a_checker(*, read: range | None = None, **more: str) -> CitationChecker:
    texts = {
        PageRef(BOOK, "Book one.pdf", n): PageText(str(n), (text,))
        for n, text in enumerate(PAGES, 1)
        if n in (read or range(1, 99))
    }
    texts |= {PageRef(NOTES, f"{name}.pdf", 1): PageText("i", (text,)) for name, text in more.items()}
    return CitationChecker(texts, texts)


def test_there_are_one_hundred_quotes():
    assert len(QUOTES) == 100
    assert len({(page, quote) for _, page, quote, _, _ in QUOTES}) == 100


@pytest.mark.parametrize(
    ("kind", "cited", "quote", "status", "page"), QUOTES, ids=[f"{i}-{q[0]}" for i, q in enumerate(QUOTES)]
)
def test_verdict(kind: str, cited: int, quote: str, status: str | None, page: int | None):
    citation = a_checker().check(Reference(BOOK, (cited,), quote), "")

    assert (citation and citation.status, citation and citation.page) == (status, page)
    if citation is not None:
        assert citation.verified == (status != "unverified")
        assert citation.mark == f"[Book one.pdf p.{page}]"


def test_verified_quote_is_given_as_it_stands_on_the_page():
    citation = a_checker().check(Reference(BOOK, (6,), "LAYER NORMALISATION (Ba et al., 2016)"), "")

    assert citation.quote == "Layer normalization (Ba et al., 2016)"


def test_page_that_was_not_read_cannot_be_cited():
    checker = a_checker(read=range(1, 3))

    assert checker.check(Reference(BOOK, (7,), "governed by the laws of Ireland"), "") is None
    assert checker.check(Reference(BOOK, (7,), ""), "It is governed by Irish law.") is None


def test_page_that_was_read_but_is_gone_proves_nothing():
    ref = PageRef(BOOK, "Book one.pdf", 1)

    citation = CitationChecker([ref], {}).check(Reference(BOOK, (1,), "Net cash"), "")

    assert (citation.verified, citation.status) == (False, "unverified")


@pytest.mark.parametrize(
    "name", [BOOK, BOOK[:8], "Book one.pdf", "Book one", "book ONE", f"doc_id {BOOK}", "Book one (2018 edition)"]
)
def test_documents_are_known_by_id_or_name(name: str):
    assert a_checker().check(Reference(name, (7,), "laws of Ireland"), "").document_id == BOOK


def test_a_quote_of_another_document_moves_there():
    citation = a_checker(notes="Remember that otters hold hands while sleeping.").check(
        Reference(BOOK, (1,), "otters hold hands while sleeping"), ""
    )

    assert (citation.document_id, citation.page_label, citation.status) == (NOTES, "i", "moved")


def test_a_short_quote_does_not_move():
    assert a_checker().check(Reference(BOOK, (1,), "Ireland"), "").status == "unverified"


def test_mark_without_quote_takes_the_sentence_that_says_it():
    citation = a_checker().check(Reference(BOOK, (6,), ""), "RMSNorm cut running time by 7% to 64%.")

    assert citation.verified
    assert citation.quote == "In our experiments RMSNorm reduced the running time by 7% to 64% on different models."


def test_mark_without_quote_is_unverified_when_the_number_is_not_on_the_page():
    citation = a_checker().check(
        Reference(BOOK, (6,), ""), "RMSNorm reduced the running time by 90% on different models."
    )

    assert not citation.verified


def test_mark_over_several_pages_names_the_one_where_the_quote_stands():
    assert a_checker().check(Reference(BOOK, (5, 6, 7), "laws of Ireland"), "").page == 7
