"""Which sentence of a page says what a claim says, by their words. For marks that came without a quote."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from docmind.domain.normal_text import normalise

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\uac00-\ud7a3]{2,}")
_CJK_RUN = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\Wa-z_])|(?<=[。！？；])|\n\s*\n")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "the and for with that this from are was were has have had not but its our their which will would can could may been being "
        "into than then there these those such also according document page",
    )
)
ENOUGH = 0.5
NUMBER_WEIGHT = 3
MAX_SENTENCE = 400


@dataclass(frozen=True, slots=True)
class Support:
    """`share` of the claim's weight that stands in the sentence; `is_enough` wants its numbers on the page too."""

    sentence: str
    share: float
    is_enough: bool


def best_support(claim: str, text: str) -> Support | None:
    """The passage of `text` that shares most with the claim, or None when they share nothing."""
    wanted = terms(claim)
    if not wanted or not text.strip():
        return None
    total = sum(wanted.values())
    best: tuple[float, str] = (0.0, "")
    for sentence in sentences(text):
        there = terms(sentence)
        share = sum(weight for term, weight in wanted.items() if term in there) / total
        if share > best[0]:
            best = (share, sentence)
    if best[0] == 0.0:
        return None
    on_page = terms(text)
    numbers_there = all(term in on_page for term in wanted if term[0].isdigit())
    return Support(best[1], best[0], best[0] >= ENOUGH and numbers_there)


def sentences(text: str) -> list[str]:
    """Sentences, and lines of what is no prose (tables, lists), each at most MAX_SENTENCE characters."""
    found: list[str] = []
    for part in _SENTENCE_END.split(text):
        piece = part.strip()
        if len(piece) > MAX_SENTENCE:
            found.extend(line.strip()[:MAX_SENTENCE] for line in piece.splitlines() if line.strip())
        elif piece:
            found.append(piece)
    return found


def terms(text: str) -> Counter[str]:
    """Weighted terms: words without stop words, pairs of CJK signs, numbers without thousands separators."""
    plain = normalise(text).text
    weights: Counter[str] = Counter()
    for number in _NUMBER.findall(plain):
        weights[number.replace(",", "")] = NUMBER_WEIGHT
    for word in _WORD.findall(plain):
        if word not in _STOP:
            weights[word] = 1
    for run in _CJK_RUN.findall(plain):
        for index in range(max(1, len(run) - 1)):
            weights[run[index : index + 2]] = 1
    return weights
