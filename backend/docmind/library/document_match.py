"""Which documents a question is about: by their names, years and quarters, first pages, and the words that they hold.

A reader picks the report by its company and its year before turning a page. Names are matched as people write them: "Acme Water
Works" names ACMEWATERWORKS_2020.pdf, and one slip of the pen is forgiven.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from docmind.domain.normal_text import normal_form
from docmind.domain.words import STOP, chinese_words
from docmind.library.field_terms import joined
from docmind.library.query import Query, Term

_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")
_QUARTER = re.compile(r"(?<![a-z0-9])q([1-4])(?![0-9])")
_NAME_PART = re.compile(r"[a-z]+[0-9]*[a-z]*|[0-9]+[a-z]+|[\u3400-\u9fff]+|[0-9]+")
_FISCAL_END = re.compile(
    r"(?:fiscal\s+year|year|quarter(?:ly\s+period)?|quarter|period|months)\s+ended:?[^.\n]{0,40}?((?:19|20)\d{2})|(20\d{2})\s*年\s*(?:年度|度)"
)
_COVER_CHARACTERS = 2_500
_RUN = 4

WEIGHTS = {"name": 4.0, "year": 2.0, "quarter": 1.0, "holds": 3.0, "cover": 1.0, "no_year": 0.3}


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What tells a document from others. `parts` are the pieces of its file name, in normal form; `cover` are tokens."""

    parts: tuple[str, ...]
    years: tuple[str, ...]
    quarters: tuple[str, ...]
    cover: str


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document of the index: its pages have the numbers `first_row` to `first_row + pages - 1` there."""

    row: int
    document_id: str
    name: str
    first_row: int
    pages: int
    mean_words: float
    facts: DocumentFacts


@dataclass(frozen=True, slots=True)
class Match:
    document: KnownDocument
    score: float
    features: Mapping[str, float]


def document_facts(name: str, title: str, first_page: str) -> DocumentFacts:
    stem = name.rsplit(".", 1)[0]
    plain = re.sub(r"[_\-.,()\[\]]+", " ", normal_form(stem))
    plain = re.sub(r"(?<=\d)(?=q[1-4]\b)", " ", plain)
    cover = normal_form(f"{title}\n{first_page[:_COVER_CHARACTERS]}")
    years = _YEAR.findall(plain) or [year for found in _FISCAL_END.findall(cover) for year in found if year]
    return DocumentFacts(
        parts=tuple(dict.fromkeys(_NAME_PART.findall(plain))),
        years=tuple(dict.fromkeys(years[:3])),
        quarters=tuple(dict.fromkeys(f"q{quarter}" for quarter in _QUARTER.findall(plain))),
        cover=joined(cover),
    )


class DocumentMatcher:
    """The documents of a library, ready to be matched. Built anew when the library changes."""

    def __init__(self, documents: Iterable[KnownDocument]) -> None:
        self.documents = {document.row: document for document in documents}
        self._common = Counter(part for document in self.documents.values() for part in document.facts.parts)

    def choose(
        self,
        query: Query,
        holding: Mapping[Term, set[int]],
        spoken_of: Callable[[str], set[int]],
        rows: Iterable[int] | None,
        *,
        limit: int,
    ) -> list[Match]:
        """The documents that fit best, best first. `holding` and `spoken_of` tell which documents hold a term or a word."""
        chosen = [self.documents[row] for row in (self.documents if rows is None else rows) if row in self.documents]
        total = len(self.documents)
        weights = {
            term: term.weight * math.log(1.0 + (total - len(held) + 0.5) / (len(held) + 0.5))
            for term, held in holding.items()
            if held
        }
        whole = sum(weights.values()) or 1.0
        runs = _runs(query.plain)
        names = {
            part: strength * min(self._telling(part), self._rare(len(spoken_of(part))))
            for part, strength in self._named(runs, query).items()
        }
        rough = [(document, self._features(query, document, names, weights, holding, whole)) for document in chosen]
        rough.sort(key=lambda pair: -_score(pair[1]))
        for document, features in rough[: limit * 4]:
            covered = sum(
                weight for term, weight in weights.items() if any(f in document.facts.cover for f in term.forms)
            )
            features["cover"] = covered / whole
        matches = [Match(document, _score(features), features) for document, features in rough[: limit * 4]]
        return sorted(matches, key=lambda match: (-match.score, match.document.row))[:limit]

    def _telling(self, part: str) -> float:
        """How much a part of a name tells documents apart: 0 when all have it, 1 when one has."""
        total = len(self.documents)
        return math.log(total / self._common[part]) / math.log(total) if total > 1 else 0.0

    def _rare(self, holding: int) -> float:
        """A part of a name that is a word of many documents ("manual", "contents") says little: from 0.2 up to 1."""
        total = len(self.documents)
        if total < 2 or holding <= 1:
            return 1.0
        return 0.2 + 0.8 * math.log(total / holding) / math.log(total)

    def _named(self, runs: Sequence[str], query: Query) -> dict[str, float]:
        """Parts of names that the question says, with how surely."""
        said = set(runs)
        alike: dict[str, list[str]] = defaultdict(list)
        for run in runs:
            if len(run) >= 3:
                alike[run[:2]].append(run)
        named: dict[str, float] = {}
        for part in self._common:
            if part.isdigit() or _YEAR.fullmatch(part):
                continue
            if part in said:
                named[part] = 1.0
            elif len(part) >= 4 and any(part.startswith(run) for run in alike.get(part[:2], ())):
                named[part] = 0.7
            elif len(part) >= 6 and any(one_slip(run, part) for run in alike.get(part[:2], ())):
                named[part] = 0.8
            elif part[0] >= "\u3400" and any(word in query.plain for word in chinese_words(part)):
                named[part] = 0.5
        return named

    def _features(
        self,
        query: Query,
        document: KnownDocument,
        names: Mapping[str, float],
        weights: Mapping[Term, float],
        holding: Mapping[Term, set[int]],
        whole: float,
    ) -> dict[str, float]:
        facts = document.facts
        features = {
            "name": min(1.5, sum(names.get(part, 0.0) for part in facts.parts)),
            "holds": sum(weight for term, weight in weights.items() if document.row in holding[term]) / whole,
        }
        if query.years:
            features["year"] = _year_fit(query, facts)
            if facts.quarters or query.quarters:
                features["quarter"] = 1.0 if set(facts.quarters) & set(query.quarters) else -0.5
        return features


def _score(features: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in features.items())


def _year_fit(query: Query, facts: DocumentFacts) -> float:
    """1 for the report of the last year asked about, less for one that still shows it beside its own."""
    if not facts.years:
        return 0.0
    last = max(query.years)
    best = max(facts.years)
    if best == last:
        return 1.0
    if int(best) - int(last) in (1, 2):
        return 0.4
    return 0.3 if best in query.years else -0.3


def _runs(plain: str) -> list[str]:
    """Words of the question, and up to four of them written as one; stop words alone name nothing."""
    words = re.findall(r"[a-z0-9]+", plain.replace("'s", ""))
    runs: dict[str, None] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + _RUN, len(words)) + 1):
            run = "".join(words[start:end])
            if len(run) >= 2 and not (end == start + 1 and run in STOP) and words[start] not in STOP:
                runs[run] = None
    return list(runs)


def one_slip(said: str, name: str) -> bool:
    """One letter missing, too many, wrong, or two turned round."""
    if abs(len(said) - len(name)) > 1 or said[0] != name[0] or len(said) < 5:
        return False
    at = next((index for index, (a, b) in enumerate(zip(said, name, strict=False)) if a != b), None)
    if at is None:
        return True
    rests = (
        (said[at + 1 :], name[at + 1 :]),
        (said[at + 1 :], name[at:]),
        (said[at:], name[at + 1 :]),
        (said[at + 1 : at + 2] + said[at : at + 1] + said[at + 2 :], name[at:]),
    )
    return any(left == right for left, right in rests)
