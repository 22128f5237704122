"""Weigh what was found: which passages answer a question, and whether there is enough to answer it at all.

Works on words alone, so it knows when a page speaks of the question's things, never whether it is right about them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docmind.agent.passages import Passage, figures_in, passages_of
from docmind.domain.pages import Page
from docmind.domain.search import Hit
from docmind.domain.words import ASKING, STOP, cut
from docmind.library.query import Query, Term

# What each sign adds to a passage's score; the share of the question's words it holds is between 0 and 1.
PHRASE = 0.3
HEADING_ABOVE = 0.5
FIGURE = 0.15
YEAR = 0.15
CUE = 0.12
DEFINES = 0.2
PAGE_FIRST = 0.6
TITLE_ALONE = -0.25
AGREEMENT_OF_ONE = 0.8

_DEFINES = re.compile(
    r"\b(?:is|are|refers? to|means|denotes?|is defined as|stands? for)\b(?:\s+(?:an?|the))?|是一[种个类]|是指|指的是|称为|定义为|就是|是.{2,20}的"
)
_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?:[a-z]*[A-Z][\w&.'’-]*|\d+[A-Z]\w*)(?:\s+(?:&\s+)?(?:[a-z]*[A-Z][\w&.'’-]*|\d+[A-Z]\w*))*",
    re.ASCII,
)
# Periods, currencies and countries' short names name no document.
_NO_NAME = re.compile(
    r"fy\d*|q[1-4]|usd|us|u\.s|m|i|yoy|january|february|march|april|may|june|july|august|september|october|november|december"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class ReadPage:
    """A page that was found and read. `identity` is what its document says of itself: name, title, first page."""

    hit: Hit
    page: Page
    rank: int
    identity: str

    @cached_property
    def tokens(self) -> str:
        """Of all passages: cutting the page once more would double the time of an answer."""
        return "".join(tokens for _, tokens in self.passages)

    @cached_property
    def around(self) -> str:
        """Tokens of the document and section that the page stands in."""
        return joined(" ".join((self.identity, *self.hit.section)))

    @cached_property
    def passages(self) -> tuple[tuple[Passage, str], ...]:
        """Each with its tokens."""
        return tuple((passage, joined(passage.text)) for passage in passages_of(self.page.text))


@dataclass(frozen=True, slots=True)
class Rated:
    """A passage of a page, and how well it answers."""

    passage: Passage
    read: ReadPage
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """Signs of the page that fits a question best, most of them between 0 and 1.

    `on_page` and `in_passage` are shares of the question's words; `phrases` of its phrases; `names_absent` of its names that neither
    the page nor its document's name and first page bear. `year_differs` says that the document is of another year; `agreement` is
    the share of the pages found that are of the same document. `score` is the search's for its best page, `lead` how far that is
    ahead of the last one, both in tens.
    """

    on_page: float
    in_passage: float
    phrases: float
    names_absent: float
    year_differs: float
    agreement: float
    score: float
    lead: float
    chinese: float


Rarity = Callable[[Sequence[str]], Mapping[str, float]]
"""How rare tokens are in the library: 0 (on every page) to 1 (on none)."""


def rate(query: Query, pages: Sequence[ReadPage]) -> list[Rated]:
    """Every passage that holds a word of the question, best first."""
    pool = [(read, passage, tokens) for read in pages for passage, tokens in read.passages]
    weights = _rarity_in(query.terms, [tokens for _, _, tokens in pool])
    total = sum(weights.values()) or 1.0
    rated: list[Rated] = []
    for read in pages:
        heading: frozenset[Term] = frozenset()
        for passage, tokens in read.passages:
            held = frozenset(term for term in query.terms if holds(tokens, term))
            if held or heading:
                share = sum(weights[term] for term in held) / total
                lent = sum(weights[term] for term in heading - held) / total
                score = (
                    share + HEADING_ABOVE * lent + _signs(query, passage, tokens, held) + PAGE_FIRST / (1 + read.rank)
                )
                rated.append(Rated(passage, read, score, share))
            heading = held if is_title(passage) else frozenset()
    return sorted(rated, key=lambda one: -one.score)


def _signs(query: Query, passage: Passage, tokens: str, held: frozenset[Term]) -> float:
    score = PHRASE * sum(phrase in tokens for phrase in query.phrases) / max(1, len(query.phrases))
    if query.wants_figure and figures_in(passage.text):
        score += FIGURE
    if query.years and any(year in passage.text or year in passage.columns for year in query.years):
        score += YEAR
    if any(cue in tokens for cue in query.cues):
        score += CUE
    if query.wants_definition and held and _DEFINES.search(passage.text):
        score += DEFINES
    if is_title(passage):
        score += TITLE_ALONE
    return score


def is_title(passage: Passage) -> bool:
    """Whether it only names what follows."""
    text = passage.text
    if passage.is_row or text[-1:] in ".!?;。！？；":
        return False
    return len(text) <= (30 if _HAN.search(text) else 80) and not figures_in(text[4:])


def weigh(
    query: Query, question: str, pages: Sequence[ReadPage], rarity: Rarity, *, one_document: bool = False
) -> Evidence:
    """The signs of the page that has most of the question. `one_document`: no other was searched, so agreement says nothing."""
    names = names_in(question)
    tokens = {
        token for form in (*names, *(form for term in query.terms for form in term.forms)) for token in form.split()
    }
    rare = rarity(tuple(tokens))
    weights = {
        term: term.weight * max(0.02, min(max(rare[token] for token in form.split()) for form in term.forms))
        for term in query.terms
    }
    telling = {name: max(rare[token] for token in name.split()) ** 2 for name in names}
    documents = [read.hit.document_id for read in pages]
    scores = [read.hit.score for read in pages]
    found = _Found(
        share={read.hit.document_id: documents.count(read.hit.document_id) / len(documents) for read in pages},
        is_one=one_document,
        score=scores[0] / 10,
        lead=(scores[0] - scores[-1]) / 10,
        chinese=bool(_HAN.search(question)),
    )
    return max((_signs_of(query, read, weights, telling, found) for read in pages), key=_promise)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the pages found have in common."""

    share: Mapping[str, float]
    is_one: bool
    score: float
    lead: float
    chinese: bool


def _signs_of(
    query: Query, read: ReadPage, weights: Mapping[Term, float], names: Mapping[str, float], found: _Found
) -> Evidence:
    total = sum(weights.values()) or 1.0
    around, everywhere = read.around, read.tokens + read.around
    missing = sum(weight for term, weight in weights.items() if not holds(everywhere, term))
    untold = {term: weight for term, weight in weights.items() if not holds(around, term)}
    most = max(
        (sum(weight for term, weight in untold.items() if holds(tokens, term)) for _, tokens in read.passages),
        default=0.0,
    )
    absent = sum(weight for name, weight in names.items() if not _bears(everywhere, name))
    own_years = _YEAR.findall(read.hit.name)
    return Evidence(
        on_page=1 - missing / total,
        in_passage=most / sum(untold.values()) if untold else 1.0,
        phrases=sum(phrase in everywhere for phrase in query.phrases) / len(query.phrases) if query.phrases else 0.5,
        names_absent=absent / max(0.5, sum(names.values())),
        year_differs=float(bool(own_years and query.years) and not set(own_years) & set(query.years)),
        agreement=AGREEMENT_OF_ONE if found.is_one else found.share[read.hit.document_id],
        score=found.score,
        lead=found.lead,
        chinese=float(found.chinese),
    )


def _bears(tokens: str, name: str) -> bool:
    """Whether the name stands there, be it written as one word: ACMEWATERWORKS for Acme Water Works."""
    return name in tokens or name.replace(" ", "") in tokens.replace(" ", "")


def _promise(evidence: Evidence) -> float:
    return evidence.on_page + 0.3 * evidence.in_passage - 0.5 * evidence.names_absent - 0.3 * evidence.year_differs


def names_in(question: str) -> tuple[str, ...]:
    """Names that the question gives, each as its tokens between spaces: words with capitals that follow one another, and what is
    Latin in a Chinese question."""
    found: list[str] = []
    for match in _NAME.finditer(question):
        words = [word for word in re.split(r"\s+", match.group()) if not _is_no_name(word)]
        if words:
            found.append(joined(" ".join(words)))
    return tuple(dict.fromkeys(name for name in found if name.strip()))


def _is_no_name(word: str) -> bool:
    plain = word.lower().strip(".").removesuffix("'s").removesuffix("’s")
    return plain in STOP or plain in ASKING or bool(_NO_NAME.fullmatch(plain))


def _rarity_in(terms: Sequence[Term], passages: Sequence[str]) -> dict[Term, float]:
    """How much each term tells these passages apart."""
    count = len(passages)
    return {
        term: term.weight * math.log((count + 1) / (sum(holds(tokens, term) for tokens in passages) + 0.5))
        for term in terms
    }


def joined(text: str) -> str:
    return f" {' '.join(cut(text))} "


def holds(tokens: str, term: Term) -> bool:
    return any(form in tokens for form in term.forms)
