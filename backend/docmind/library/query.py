"""Turn a question into what is looked for: terms with weights, phrases, years, kinds of page. Knows nothing of tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from docmind.domain.normal_text import normal_form
from docmind.domain.words import ASKING, CHINESE_STOP, STOP, chinese_words, cut
from docmind.library.field_terms import Concept, field_terms, joined

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_FISCAL = re.compile(r"\b(?:fy|fiscal\s+year|fiscal|year)\s*'?((?:19|20)\d{2})\b")
_FISCAL_SHORT = re.compile(r"\bfy\s*'?(\d{2})\b")
_FISCAL_QUARTER = re.compile(r"\b(?:fy\s*)?((?:19|20)\d{2})\s*q([1-4])\b")
_QUARTER_FISCAL = re.compile(r"\bq([1-4])\s*(?:of\s*)?(?:fy|fiscal year|fiscal)?\s*'?((?:19|20)\d{2})\b")
_QUARTER_WORD = re.compile(r"\b(first|second|third|fourth)\s+(?:fiscal\s+)?quarter\b|第([一二三四])季度")
_YEAR = re.compile(r"(?<![\d.,])((?:19|20)\d{2})(?![\d.,]*\d)")
_PAGE = re.compile(r"\bpages?\s+(?:no\.?\s*|number\s*)?(\d{1,4}|[a-z]+)\b|第\s*(\d{1,4})\s*页")
_COUNTED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]  # fmt: skip
# Sentences that tell how to answer, not what about. Each ends at its full stop.
_MANNER = re.compile(
    r"(?:^|(?<=[.?!;:,])\s*)(?:"
    r"if\s[^.?!]*?\b(?:not|isn't)\b[^.?!]*?\b(?:metric|meaningful|relevant|useful|something)\b[^.?!]*"
    r"|(?:please\s+)?(?:answer|respond|reply)\s+(?:in|with|to|the)\s[^.?!:]*"
    r"|(?:please\s+)?round\b[^.?!]*"
    r"|(?:please\s+)?write\s+(?:down\s+)?(?:the|your)\s+answers?[^.?!]*"
    r"|(?:your|the)\s+answer\s+(?:should|needs?|shall|must)[^.?!]*"
    r"|(?:please\s+)?(?:give|return)\s+me\s+(?:an?|the)\s+(?:\w+\s+)?(?:integer|number|value|percentage)[^.?!]*"
    r"|assume\s+that\s+you\s+are[^.?!]*|approach\s+the\s+question[^.?!]*"
    r"|format\s+the\s+date\s+as[^.?!]*|for\s+example[^?!]*|e\.g\.[^?!]*"
    r"|we\s+(?:want|need)\s+to\s+calculate[^.?!]*"
    r")(?:[.?!;]|$)"
)
_DEFINITION = re.compile(
    r"(?:什么是|何为|是什么|的定义|\bwhat (?:is|are) (?:an?\s)?|\bdefine\b|\bdefinition of\b|\bstands? for\b)"
)
_FIGURE = re.compile(
    r"\bhow (?:much|many)\b|\bamount\b|\btotal\b|\brate\b|\bratio\b|\bpercent|\baverage\b|\bmargin\b"
    r"|\b(?:usd|million|billion|thousand)s?\b|多少|几[个种项]|比例|金额|数量"
)
# What an answer of a kind is likely to say near the words of its question.
_CUES = tuple(
    (re.compile(asked), tuple(f" {' '.join(cut(cue))} " for cue in cues.split("|")))
    for asked, cues in (
        (
            r"\bwhy\b|\bdrove\b|\bdriven\b|\breasons?\b|\bcauses?\b|为什么|原因|为何",
            "due to|because|driven by|primarily|as a result|reflecting|attributable to|因为|由于|因此|导致|原因|所以",
        ),
        (
            r"区别|不同|差异|比较|异同|\bdifferen|\bcompare",
            "区别|不同|相比|差异|联系|而言|difference|whereas|compared to|unlike",
        ),
        (
            r"优缺点|优点|缺点|优劣|优势|\badvantages?\b|\bbenefits?\b",
            "优点|缺点|优势|不足|advantage|advantages|disadvantages|benefit",
        ),
        (r"特点|特性|特征|\bcharacteristics?\b|\bfeatures?\b", "特点|特性|特征|具有|characteristics|features"),
        (
            r"步骤|如何|怎么|怎样|\bsteps?\b|\bhow (?:to|do|does|can)\b",
            "步骤|首先|然后|最后|方法|可以|step|steps|first|then",
        ),
        (
            r"哪些|分类|种类|类型|\bwhich\b|\btypes?\b|\bkinds?\b|\blist\b",
            "分为|包括|主要有|几种|几类|以下|如下|includes|including|following|consists of",
        ),
        (r"应用|场景|\bused for\b|\buses\b|\bapplications?\b", "应用|用于|场景|used for|used to|applications|applied"),
    )
)
ASKING_WEIGHT = 0.25
YEAR_WEIGHT = 0.35
CONCEPT_WEIGHT = 1.2
CONSUMED_WEIGHT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """One thing looked for, equal to itself alone. `tokens` stand next to one another (a Chinese word is several pairs).

    `shown` is for people; `forms` are the ways it may stand on a page, each its tokens between spaces.
    """

    tokens: tuple[str, ...]
    weight: float
    shown: str
    forms: tuple[str, ...]
    is_concept: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks for: `plain` is all of it in normal form, `text` without how to answer. `kinds` are kinds of page with how much they are wanted, 0 to 1."""

    text: str
    plain: str
    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    years: tuple[str, ...]
    quarters: tuple[str, ...]
    kinds: dict[str, float]
    pages: tuple[str, ...]
    wants_figure: bool
    wants_definition: bool
    cues: tuple[str, ...] = ()


def read_query(question: str) -> Query:
    """What the question looks for. A question of nothing but stop words is taken at its word."""
    plain = _plain(question)
    core = _MANNER.sub(" ", plain)
    if not _content(core):
        core = plain
    tokens = f" {' '.join(cut(core))} "
    concepts = _concepts(tokens)
    kinds = _kinds_asked(f" {' '.join(cut(plain))} ")
    for concept, _ in concepts:
        for kind in concept.on:
            kinds[kind] = max(kinds.get(kind, 0.0), 0.6)
    return Query(
        text=core,
        plain=plain,
        terms=_terms(core, concepts),
        phrases=_phrases(core),
        years=tuple(dict.fromkeys(_YEAR.findall(plain))),
        quarters=_quarters(plain),
        kinds=kinds,
        pages=_pages(plain),
        wants_figure=bool(_FIGURE.search(plain)),
        wants_definition=bool(_DEFINITION.search(plain)),
        cues=tuple(cue for asked, cues in _CUES if asked.search(plain) for cue in cues),
    )


def terms_of(question: str) -> tuple[Term, ...]:
    """What the question looks for, each once."""
    return read_query(question).terms


def _plain(question: str) -> str:
    """In normal form, with fiscal years as years and quarters as q1 to q4."""
    text = normal_form(question)
    text = _FISCAL_SHORT.sub(lambda found: f"20{found[1]}", text)
    text = _FISCAL_QUARTER.sub(r"q\2 \1", text)
    text = _QUARTER_FISCAL.sub(r"q\1 \2", text)
    return _FISCAL.sub(r"\1", text)


def _content(text: str) -> list[str]:
    return [token for token in cut(text) if token not in STOP and token not in ASKING]


def _concepts(tokens: str) -> list[tuple[Concept, tuple[str, ...]]]:
    """Concepts that the question names, longest names first; a name inside a longer one found already is passed over."""
    named = sorted(
        (
            (name, concept)
            for concept in field_terms().concepts
            for name in concept.names
            if f" {' '.join(name)} " in tokens
        ),
        key=lambda pair: -len(pair[0]),
    )
    found: list[tuple[Concept, tuple[str, ...]]] = []
    rest = tokens
    for name, concept in named:
        spelled = f" {' '.join(name)} "
        if spelled in rest and all(concept is not other for other, _ in found):
            found.append((concept, name))
            rest = rest.replace(spelled, " | ")
    return found


def _kinds_asked(tokens: str) -> dict[str, float]:
    return {
        kind.name: 1.0 for kind in field_terms().kinds if any(f" {' '.join(name)} " in tokens for name in kind.asked)
    }


def _terms(core: str, concepts: list[tuple[Concept, tuple[str, ...]]]) -> tuple[Term, ...]:
    consumed = {token for _, name in concepts for token in name}
    terms: dict[tuple[str, ...], Term] = {}
    for word in _words(core):
        tokens = tuple(cut(word))
        if not tokens or tokens in terms:
            continue
        weight = 1.0
        if word in ASKING:
            weight = ASKING_WEIGHT
        elif _YEAR.fullmatch(word):
            weight = YEAR_WEIGHT
        elif consumed.issuperset(tokens):
            weight = CONSUMED_WEIGHT
        terms[tokens] = Term(tokens, weight, word, (f" {' '.join(tokens)} ",))
    for concept, name in concepts:
        forms = tuple(dict.fromkeys(f" {' '.join(form)} " for form in concept.find))
        terms[("concept", *name)] = Term(name, CONCEPT_WEIGHT, concept.shown, forms, is_concept=True)
    if not terms:
        for token in cut(core):
            terms.setdefault((token,), Term((token,), 1.0, token, (f" {token} ",)))
    return tuple(terms.values())


def _words(core: str) -> list[str]:
    """Words worth looking for, English and Chinese, in no particular order."""
    words: list[str] = []
    for piece in _HAN_RUN.sub(" ", core).split():
        bare = piece.strip(".,;:!?()[]{}\"'“”‘’<>/\\|`~@#$%^&*+=_").removesuffix("'s")
        if not bare or bare in STOP:
            continue
        parts = [part for part in re.split(r"[/_&()]|--+", bare) if part and part not in STOP]
        words.extend(parts)
    for run in _HAN_RUN.findall(core):
        words.extend(word for word in chinese_words(run) if word not in CHINESE_STOP)
    return words


def _phrases(core: str) -> tuple[str, ...]:
    """Neighbouring words of the question that mean something together, each as its tokens between spaces."""
    found: list[str] = []
    for clause in re.split(r"[,.;:!?()，。；：？！、\n]+", _HAN_RUN.sub(" ", core)):
        words = clause.split()
        at = [index for index, word in enumerate(words) if word.strip("'\"") not in STOP and word not in ASKING]
        for left, right in pairwise(at):
            if right - left <= 2:
                found.append(joined(" ".join(words[left : right + 1])))
    for run in _HAN_RUN.findall(core):
        for word, after in pairwise(chinese_words(run)):
            if word not in CHINESE_STOP and after not in CHINESE_STOP and word + after in run:
                found.append(joined(word + after))
    return tuple(dict.fromkeys(phrase for phrase in found if phrase.strip().count(" ")))


def _quarters(plain: str) -> tuple[str, ...]:
    names = {
        "first": "q1",
        "second": "q2",
        "third": "q3",
        "fourth": "q4",
        "一": "q1",
        "二": "q2",
        "三": "q3",
        "四": "q4",
    }
    found = re.findall(r"\bq[1-4]\b", plain)
    found += [names[match[1] or match[2]] for match in _QUARTER_WORD.finditer(plain)]
    return tuple(dict.fromkeys(found))


def _pages(plain: str) -> tuple[str, ...]:
    """Pages that the question names by number: "page 14", "page fourteen", "the second page", "第3页"."""
    found: list[str] = []
    for match in _PAGE.finditer(plain):
        word = match[1] or match[2]
        if word.isdigit():
            found.append(str(int(word)))
        elif word in _COUNTED:
            found.append(str(_COUNTED.index(word) + 1))
    ordinals = {"first": "1", "cover": "1", "title": "1", "second": "2", "third": "3"}
    found += [ordinals[word] for word in re.findall(r"\b(first|second|third|cover|title)\s+page\b", plain)]
    return tuple(dict.fromkeys(found))
