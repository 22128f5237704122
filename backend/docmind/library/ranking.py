"""Rank the pages of one document for a question: named features with fixed weights, so that every hit can say why.

Knows nothing of tables or files. How rare a word is, is counted within the document: a company's name stands on every page of its
report and tells none of them apart. The weights were set on public questions (docs/decisions/2026-12-01-search.md).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from docmind.library.query import Query, Term

# Saturation of a word's count on a page, and how much long pages are held back (BM25's k1 and b).
_K1 = 1.2
_B = 0.5
_DENSE_K1 = 4.0
# Lines that are read together, for words that should stand near one another and for a whole passage.
_NEAR = 3
_PASSAGE = 10
# What a word adds the first time and each further time it stands in such lines: once is all, or less each time (as in BM25).
_ONCE = (1.0, 0.0)
_EACH_TIME = tuple((n + 1) * (_K1 + 1) / (n + 1 + _K1) - n * (_K1 + 1) / (n + _K1) for n in range(30))
# What a word that stands on every page of the document still counts.
_FLOOR = 0.3

WEIGHTS: dict[str, float] = {
    "bm25": 0.9, "dense": 1.2, "cover": 0.1, "head": 0.9, "section": 0.4, "phrase": 1.4, "near": 0.7, "passage": 0.6,
    "kind": 3.5, "figures": 1.4, "years": 1.5, "concept": 1.7, "defines": 0.1, "cue": 0.3, "beside": 0.7, "named": 1.2,
    "contents": -0.5, "early": 1.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageWords:
    """What ranking knows of a page: tokens of its fields between spaces (in the body a newline parts lines) and its facts."""

    number: int
    label: str
    section: str
    head: str
    body: str
    words: int
    figures: float
    kinds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Scored:
    page: PageWords
    score: float
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much each term tells the document's pages apart, as shares that add up to 1. Terms that it lacks are left out."""

    shares: Mapping[Term, float]
    total: float

    def cover(self, terms: Sequence[Term]) -> float:
        return sum(self.shares[term] for term in terms)


def rarity(terms: Sequence[Term], holding: Mapping[Term, int], pages: int) -> Rarity:
    """From how many of the document's `pages` hold each term."""
    weights = {
        term: term.weight * (_FLOOR + math.log(1.0 + (pages - holding[term] + 0.5) / (holding[term] + 0.5)))
        for term in terms
        if holding.get(term)
    }
    total = sum(weights.values())
    return Rarity({term: weight / total for term, weight in weights.items()}, total)


def rank_pages(
    query: Query, pages: Sequence[PageWords], rare: Rarity, covers: Mapping[int, float], *, mean_words: float
) -> list[Scored]:
    """The pages with their scores, best first. `covers` is the share of the question that each page of the document holds."""
    scored = []
    for page in pages:
        features = read_features(query, page, rare, covers, mean_words=mean_words)
        scored.append(Scored(page, sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items()), features))
    return sorted(scored, key=lambda each: (-each.score, each.page.number))


def read_features(
    query: Query, page: PageWords, rare: Rarity, covers: Mapping[int, float], *, mean_words: float
) -> dict[str, float]:
    """The page's features by name, all about between 0 and 1 (bm25 and dense up to 2.2)."""
    flat = page.body.replace("\n", " ")
    breaks = list(accumulate(len(line) + 1 for line in page.body.split("\n")))
    places = _places(flat, breaks, rare)
    share = rare.shares
    length = 1.0 - _B + _B * page.words / (mean_words or 1.0)
    counts = {term: len(lines) for term, lines in places.items()}
    cover = rare.cover(list(counts))
    beside = max(covers.get(page.number - 1, 0.0), covers.get(page.number + 1, 0.0))
    features = {
        "bm25": _gain(counts, share, _K1, length),
        "dense": _gain(counts, share, _DENSE_K1, length),
        "cover": cover,
        "head": _share_in(page.head, share),
        "section": _share_in(page.section, share),
        "near": _best_window(places, share, _NEAR, _ONCE),
        "passage": _best_window(places, share, _PASSAGE, _EACH_TIME),
        "beside": beside * cover,
        "early": 1.0 / math.sqrt(page.number),
        "figures": page.figures if query.wants_figure else 0.0,
        "contents": page.kinds.get("contents", 0.0) if "contents" not in query.kinds else 0.0,
    }
    features.update(_asked_features(query, page, flat, share))
    if query.cues:
        cued = _cued_lines(flat, breaks, query)
        features["cue"] = max(
            (share[term] for term, lines in places.items() if not cued.isdisjoint(lines)), default=0.0
        )
    return features


def _places(flat: str, breaks: Sequence[int], rare: Rarity) -> dict[Term, list[int]]:
    """The lines on which each term stands, a line as often as the term stands on it."""
    places: dict[Term, list[int]] = {}
    for term in rare.shares:
        lines = [bisect_right(breaks, at) for form in term.forms for at in _all_places(flat, form)]
        if lines:
            places[term] = lines
    return places


def _gain(counts: Mapping[Term, int], share: Mapping[Term, float], k1: float, length: float) -> float:
    return sum(share[term] * count * (k1 + 1) / (count + k1 * length) for term, count in counts.items())


def _share_in(field: str, share: Mapping[Term, float]) -> float:
    return sum(part for term, part in share.items() if any(form in field for form in term.forms)) if field else 0.0


def _best_window(
    places: Mapping[Term, Sequence[int]], share: Mapping[Term, float], length: int, steps: Sequence[float]
) -> float:
    """The most that `length` neighbouring lines hold together; `steps[n]` is what a term adds that stands there n times already."""
    events = sorted((line, index) for index, lines in enumerate(places.values()) for line in lines)
    shares = [share[term] for term in places]
    counts = [0] * len(shares)
    last = len(steps) - 1
    best = now = 0.0
    first = 0
    for line, index in events:
        while events[first][0] <= line - length:
            left = events[first][1]
            counts[left] -= 1
            now -= shares[left] * steps[min(counts[left], last)]
            first += 1
        now += shares[index] * steps[min(counts[index], last)]
        counts[index] += 1
        if now > best:
            best = now
    return best


def _asked_features(query: Query, page: PageWords, body: str, share: Mapping[Term, float]) -> dict[str, float]:
    """Features that only some questions ask for."""
    features: dict[str, float] = {}
    if query.phrases:
        stands = [phrase in body or phrase in page.head for phrase in query.phrases]
        features["phrase"] = sum(stands) / math.sqrt(len(stands))
    if query.kinds:
        features["kind"] = max(wanted * page.kinds.get(kind, 0.0) for kind, wanted in query.kinds.items())
    if query.years:
        features["years"] = sum(f" {year} " in body for year in query.years) / len(query.years)
    concepts = [term for term in share if term.is_concept]
    if concepts:
        starts = "\n" + page.body.lstrip()
        features["concept"] = sum(any("\n" + form[1:] in starts for form in term.forms) for term in concepts) / len(
            concepts
        )
    if query.wants_definition:
        features["defines"] = _defines(body, list(share))
    if query.pages:
        features["named"] = float(str(page.number) in query.pages or page.label in query.pages)
    return features


def _cued_lines(flat: str, breaks: Sequence[int], query: Query) -> set[int]:
    """Lines on or just before which a word stands that an answer of this kind likely says."""
    cued: set[int] = set()
    for cue in query.cues:
        for at in _all_places(flat, cue):
            line = bisect_right(breaks, at)
            cued.update((line - 1, line))
    return cued


def _all_places(flat: str, form: str) -> Iterator[int]:
    at = flat.find(form)
    while at >= 0:
        yield at
        at = flat.find(form, at + len(form) - 1)


_DEFINING = (
    " is a ", " is an ", " is the ", " are a ", " refer to ", " is defin ", " are defin ", " mean that ", " stand for ",
)  # fmt: skip


def _defines(body: str, known: Sequence[Term]) -> float:
    for term in known:
        for form in term.forms:
            start = body.find(form)
            while start >= 0:
                after = body[start + len(form) - 1 : start + len(form) + 30]
                if after.startswith(_DEFINING) or "是" in after[1:3]:
                    return 1.0
                start = body.find(form, start + 1)
    return 0.0
