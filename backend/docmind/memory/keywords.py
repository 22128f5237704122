"""The words that an item is kept under and asked for by: the shared cutter's forms, with Chinese cut into dictionary words.

Pairs of characters, which page search uses, would match across the borders of words: a short item and a short question
share such a pair by chance too often for a memory that should rather stay silent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files

import rjieba

from docmind.domain.normal_text import normalise
from docmind.domain.words import ASKING, CHINESE_STOP, STOP, cut, stem

MAX_KEYWORD = 60
# More than any item or question needs; a pasted page must not become a thousand look-ups.
MAX_ASKED = 24
MAX_KEPT = 48
ASKING_WEIGHT = 0.35
PAIR_WEIGHT = 0.7

# 10-K, F-16, COVID-19: the cutter takes the number for itself.
_TERM = re.compile(r"\b(?=[a-z0-9-]*[a-z])(?=[a-z0-9-]*\d)[a-z0-9]+(?:-[a-z0-9]+)+\b")
_JOINS = str.maketrans("", "", "-")
_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

# Words in which wishes are said and turns are taken: they stand in every item and question, so they tell nothing apart.
_SAYING = frozenset((files(__package__) / "saying.txt").read_text(encoding="utf-8").split())
_SAYING_STEMS = frozenset(stem(word) for word in _SAYING)
_ASKING_STEMS = frozenset(stem(word) for word in ASKING) - _SAYING_STEMS
# Pairs with one of these cross the border of a word.
_BETWEEN = frozenset(
    "的了和与及或是在有为对这那其之也都就而被把从向到以于由吗呢吧啊我你他她它们个么什怎请很还不没会能要让给"
)
_STOP_FORMS = frozenset(stem(word) for word in STOP) | STOP


@lru_cache(maxsize=4_096)
def keywords_of(content: str, given: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The keywords that an item is kept under: the words it was given, then those of its content."""
    return _first(_forms(". ".join((*given, content))), MAX_KEPT)


def asked_keywords(question: str) -> dict[str, float]:
    """The question's keywords with their weights: 1 for a word of content, little for a word of asking.

    Chinese pairs that the dictionary did not take for words stand behind the words: it cuts "显存放得下" in the wrong place,
    and the item that is kept under 显存 should be found all the same.
    """
    words = _first(_forms(question), 4 * MAX_ASKED)
    weights = {word: ASKING_WEIGHT if is_asking(word) else 1.0 for word in words}
    for pair in _first(_pairs(question), 2 * MAX_ASKED):
        if not is_asking(pair):
            weights.setdefault(pair, PAIR_WEIGHT)
    best = sorted(weights, key=lambda form: -weights[form])[:MAX_ASKED]
    return {form: weights[form] for form in best}


def content_words(text: str) -> frozenset[str]:
    """The keywords of a text that say what it is about: without those of asking, wishing and turn-taking."""
    return frozenset(form for form in _forms(text) if not is_asking(form))


def is_asking(form: str) -> bool:
    """Whether a keyword says how something is asked or wished, not what about. A short number says as little."""
    return form in _SAYING_STEMS or form in _ASKING_STEMS or (form.isdigit() and len(form) < 3)


def is_form_of_answer(form: str) -> bool:
    """Words of asking that name a kind of answer (a summary, a list): a rule about answers may be about just that."""
    return form in _ASKING_STEMS


def clean_text(value: str, longest: int) -> str:
    """On one line, without control characters, at most `longest` characters."""
    plain = "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") else char for char in value)
    return " ".join(plain.split())[:longest].strip()


def _forms(text: str) -> Iterator[str]:
    """English forms and Chinese words, in their order, without words that hold nothing."""
    plain = normalise(text).text
    for run in re.split(r"([\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)", plain):
        if _HAN_RUN.fullmatch(run):
            yield from _chinese(run)
            continue
        yield from (match.group().translate(_JOINS) for match in _TERM.finditer(run))
        for form in cut(run):
            if form not in _STOP_FORMS and (len(form) > 1 or form.isdigit()) and len(form) <= MAX_KEYWORD:
                yield form


def _chinese(run: str) -> Iterator[str]:
    for word in rjieba.cut_for_search(run):
        if len(word) > 1 and word not in CHINESE_STOP and _HAN.match(word):
            yield word[:MAX_KEYWORD]


def _pairs(question: str) -> Iterator[str]:
    for run in _HAN_RUN.findall(normalise(question).text):
        for at in range(len(run) - 1):
            pair = run[at : at + 2]
            if not _BETWEEN.intersection(pair) and pair not in CHINESE_STOP:
                yield pair


def _first(forms: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms))[:most]
