"""Choose the items that a question calls up: by keywords, weighted by rarity. No model, no vectors.

A keyword counts for what it tells apart: log((N + 1) / (n + 0.5)), N items, n of them with the keyword, with N taken
as no less than 200 so that a young memory does not call its every word common. Words of asking ("explain", "paper",
"page") count little. Below a floor nothing is injected: better to recall nothing than noise.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from docmind.memory.item import MemoryItem, MemoryType, Recalled
from docmind.memory.keywords import is_form_of_answer

TYPE_WEIGHT: Mapping[MemoryType, float] = {
    MemoryType.PROCEDURAL: 1.1,
    MemoryType.SEMANTIC: 1.0,
    MemoryType.EPISODIC: 0.9,
    MemoryType.RAW: 0.5,
}
PINNED_WEIGHT = 1.25
HALF_LIFE_DAYS = 180.0
SMALLEST_LIBRARY = 200
# One keyword as rare as one item in twenty of a small memory passes; a common one, or two words of asking, do not.
FLOOR = 2.4
# A raw turn shares words with everything asked again: it must share two that are rare.
RAW_FLOOR = 7.0
RAW_WORDS = 2
# The weight in the question from which a keyword says what it is about.
TELLING = 0.7
TOP = 5


def rarity(items_with_it: int, items: int) -> float:
    """How much a keyword tells apart, in nats; never below 0."""
    return max(0.0, math.log((max(items, SMALLEST_LIBRARY) + 1) / (items_with_it + 0.5)))


def rank(
    candidates: Iterable[MemoryItem],
    asked: Mapping[str, float],
    *,
    keywords: Mapping[str, Collection[str]],
    counts: Mapping[str, int],
    total: int,
    now: datetime,
    top: int = TOP,
) -> list[Recalled]:
    """The best `top` items, best first, all above the floor.

    `asked` maps each keyword of the question to its weight (1 for a content word, less for a word of asking);
    `keywords` gives those of each candidate by its id, `counts` gives the number of items with each keyword, `total` the number of items.
    """
    weights = {keyword: rarity(counts.get(keyword, 0), total) * weight for keyword, weight in asked.items()}
    found: list[Recalled] = []
    for item in candidates:
        if not item.is_recallable:
            continue
        own = keywords.get(item.id, ())
        matched = [keyword for keyword in weights if keyword in own and weights[keyword] > 0]
        evidence = sum(weights[keyword] * _fitting(item, keyword, asked) for keyword in matched)
        telling = sum(asked[keyword] * _fitting(item, keyword, asked) >= TELLING for keyword in matched)
        if not _is_enough(item, evidence, telling):
            continue
        score = evidence * TYPE_WEIGHT[item.type] * _recency(item, now) * (PINNED_WEIGHT if item.pinned else 1.0)
        # Of two items with the same shared words, the one that says little else is about them.
        score *= 0.75 + 0.25 * len(matched) / max(len(own), 1)
        matched.sort(key=lambda keyword: -weights[keyword])
        found.append(Recalled(item, round(score, 4), tuple(matched)))
    found.sort(key=lambda recalled: (-recalled.score, recalled.item.id))
    return _one_of_each(found)[:top]


def _fitting(item: MemoryItem, keyword: str, asked: Mapping[str, float]) -> float:
    """A word of asking tells little, but "a summary of chapter 2" calls up the rule about summaries."""
    if item.type is MemoryType.PROCEDURAL and is_form_of_answer(keyword):
        return TELLING / asked[keyword]
    return 1.0


def _is_enough(item: MemoryItem, evidence: float, telling: int) -> bool:
    if item.type is MemoryType.RAW:
        return evidence >= RAW_FLOOR and telling >= RAW_WORDS
    return evidence >= FLOOR and telling > 0


def _recency(item: MemoryItem, now: datetime) -> float:
    """Between 0.7 and 1: age breaks ties, it does not hide what is known."""
    last = item.last_used_at or item.created_at
    days = max(0.0, (now - last).total_seconds() / 86_400)
    return float(0.7 + 0.3 * 0.5 ** (days / HALF_LIFE_DAYS))


def _one_of_each(found: Sequence[Recalled]) -> list[Recalled]:
    """Without items that say the same again (a raw turn beside the fact drawn from it)."""
    kept: list[Recalled] = []
    seen: set[str] = set()
    for recalled in found:
        key = "".join(recalled.item.content.casefold().split())
        if key not in seen:
            seen.add(key)
            kept.append(recalled)
    return kept
