"""Turn a question into what is looked for: terms with weights, and phrases. Knows nothing of tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docmind.domain.normal_text import normalise
from docmind.domain.words import ASKING, CHINESE_STOP, STOP, chinese_words, cut

_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
_FISCAL = re.compile(r"\b(?:fy|fiscal\s+year|fiscal)\s*'?((?:19|20)\d{2})\b")
_FISCAL_SHORT = re.compile(r"\bfy\s*'?(\d{2})\b")
ASKING_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class Term:
    """One thing looked for. `tokens` stand next to one another (a Chinese word is several pairs); `shown` is for people."""

    tokens: tuple[str, ...]
    weight: float
    shown: str


def terms_of(question: str) -> tuple[Term, ...]:
    """What the question looks for, each once. A question of nothing but stop words is taken at its word."""
    text = normalise(question).text
    text = _FISCAL.sub(r"\1", text)
    text = _FISCAL_SHORT.sub(lambda found: f"20{found[1]}", text)
    terms: dict[tuple[str, ...], Term] = {}
    for word in _HAN_RUN.sub(" ", text).split():
        bare = word.strip(".,;:!?()[]{}\"'“”‘’<>/\\|`~@#$%^&*+=")
        if not bare or bare in STOP:
            continue
        for token in cut(bare):
            if token not in STOP:
                terms.setdefault((token,), Term((token,), ASKING_WEIGHT if bare in ASKING else 1.0, bare))
    for run in _HAN_RUN.findall(text):
        for word in chinese_words(run):
            if word not in CHINESE_STOP:
                tokens = tuple(cut(word))
                terms.setdefault(tokens, Term(tokens, 1.0, word))
    if not terms:
        for token in cut(text):
            terms.setdefault((token,), Term((token,), 1.0, token))
    return tuple(terms.values())
