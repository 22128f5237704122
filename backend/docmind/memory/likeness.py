"""Whether two items say the same, or the newer takes back the older. Pure text; a miss leaves both, which does less harm.

Two wishes contradict when they set the same thing (language, length, order, ...) of the same object to different values,
or when one forbids what the other asks. Two facts contradict when both say what "my thesis" (or field, name, ...) is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docmind.domain.words import stem
from docmind.memory.item import MemoryType
from docmind.memory.keywords import content_words, keywords_of

SAME = 0.8
OPPOSITE = 0.5

_NEGATION = re.compile(
    r"\b(?:not|never|no|without|avoid|stop|skip|don'?t|do not|doesn'?t|shouldn'?t|no longer|isn'?t|aren'?t)\b"
    r"|不要|不用|不再|不必|无需|不需要|不想|不喜欢|讨厌|不是|禁止|避免|别(?:再|用|写|给|加|放)",
    re.IGNORECASE,
)
_Values = Mapping[str, re.Pattern[str]]


def _values(**patterns: str) -> _Values:
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}


_SLOTS: Mapping[str, _Values] = {
    "language": _values(
        english=r"\benglish\b|英文|英语",
        chinese=r"\bchinese\b|\bmandarin\b|中文|汉语|简体",
        german=r"\bgerman\b|德语|德文",
        french=r"\bfrench\b|法语|法文",
        japanese=r"\bjapanese\b|日语|日文",
        spanish=r"\bspanish\b|西班牙语",
    ),
    "length": _values(
        short=r"\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|terse)\b|简短|简洁|精简|简明|短一点",
        long=r"\b(?:long(?:er)?|detailed|thorough|in depth|at length|full detail)\b|详细|详尽|长一点|深入",
    ),
    "order": _values(
        derivation=r"\b(?:derivations?|proofs?|steps?|reasoning)\b.{0,20}\bfirst\b|先[^再后，,]{0,4}(?:推导|证明|步骤|过程)",
        result=r"\b(?:conclusions?|results?|answers?|summary|bottom line)\b.{0,20}\bfirst\b|先[^再后，,]{0,4}(?:结论|结果|答案|总结)",
    ),
    "form": _values(
        list=r"\bbullet(?:s| points?)?\b|\bnumbered list|列表|要点|分点",
        prose=r"\bprose\b|\bparagraphs?\b|\bfull sentences\b|段落|连贯",
    ),
    "units": _values(metric=r"\bmetric\b|\bSI units?\b|公制|国际单位", imperial=r"\bimperial\b|英制"),
    "citing": _values(
        apa=r"\bAPA\b", mla=r"\bMLA\b", chicago=r"\bchicago style", ieee=r"\bIEEE\b", gbt=r"GB/?T\s*7714"
    ),
    "formulas": _values(latex=r"\blatex\b|\btex\b", plain=r"\bplain[- ]text\b|\bunicode\b|纯文本"),
}
# What a wish is about; answers as a whole when it names none.
_OBJECTS = re.compile(
    r"\b(summar\w*|derivation\w*|proof\w*|table\w*|code|example\w*|quote\w*|quotation\w*|title\w*|introduction\w*|"
    r"translation\w*|comment\w*|caption\w*)|(总结|摘要|推导|证明|表格|代码|例子|引文|标题|翻译|注释)",
    re.IGNORECASE,
)
_FACT = re.compile(
    r"(?:\b(?:my|the user'?s|user'?s)\s+(?P<en>[a-z]+(?:\s+[a-z]+)?)\s+(?:is|are)(?:\s+now)?\s+"
    r"|(?:我|用户)的?(?P<zh>研究方向|研究领域|专业|课题|论文题目|论文|导师|名字|学校|单位|职业|领域)(?:现在|目前)?(?:是|为|改为|叫))"
    r"(?P<value>[^。.;；]+)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def says_the_same(kind: MemoryType, newer: str, older: str) -> bool:
    """Whether the two are near duplicates. Numbers must agree: "under 200 words" is not "under 500 words"."""
    if contradicts(kind, newer, older) or bool(_NEGATION.search(newer)) != bool(_NEGATION.search(older)):
        return False
    if set(_NUMBER.findall(newer)) != set(_NUMBER.findall(older)):
        return False
    if _squeezed(newer) == _squeezed(older):
        return True
    ours, theirs = set(keywords_of(newer)), set(keywords_of(older))
    return bool(ours) and len(ours & theirs) / len(ours | theirs) >= SAME


def contradicts(kind: MemoryType, newer: str, older: str) -> bool:
    """Whether the newer takes the older back. Events and turns never do: what happened has happened."""
    if kind is MemoryType.PROCEDURAL:
        return _other_value(newer, older) or _other_number(newer, older) or _forbids(newer, older)
    if kind is MemoryType.SEMANTIC:
        return _other_fact(newer, older) or _forbids(newer, older)
    return False


def _other_value(newer: str, older: str) -> bool:
    if _NEGATION.search(newer) or _NEGATION.search(older):
        return False
    for slot, values in _SLOTS.items():
        # An order names what comes first: that is its value, not its object.
        if slot != "order" and _objects(newer) != _objects(older):
            continue
        ours, theirs = _set_to(values, newer), _set_to(values, older)
        # Two values in one wish ("Chinese, with the English terms") are no plain setting.
        if len(ours) == len(theirs) == 1 and ours != theirs:
            return True
    return False


def _set_to(values: _Values, text: str) -> set[str]:
    return {name for name, pattern in values.items() if pattern.search(text)}


def _objects(text: str) -> set[str]:
    return {stem((english or chinese).lower()) for english, chinese in _OBJECTS.findall(text)}


def _other_number(newer: str, older: str) -> bool:
    """The same wish with another number: at most 200 words, now 500."""
    ours, theirs = _NUMBER.findall(newer), _NUMBER.findall(older)
    if not ours or not theirs or set(ours) == set(theirs):
        return False
    plain_new = set(keywords_of(_NUMBER.sub(" ", newer)))
    plain_old = set(keywords_of(_NUMBER.sub(" ", older)))
    return bool(plain_new) and len(plain_new & plain_old) / len(plain_new | plain_old) >= 0.6


def _forbids(newer: str, older: str) -> bool:
    """One of the two forbids, and they speak of the same thing."""
    if bool(_NEGATION.search(newer)) == bool(_NEGATION.search(older)):
        return False
    ours = content_words(_NEGATION.sub(" ", newer))
    theirs = content_words(_NEGATION.sub(" ", older))
    smaller = min(len(ours), len(theirs))
    return smaller > 0 and len(ours & theirs) / smaller > OPPOSITE


def _other_fact(newer: str, older: str) -> bool:
    ours, theirs = _FACT.search(newer), _FACT.search(older)
    if ours is None or theirs is None:
        return False
    names = [(match["zh"] or match["en"] or "").lower() for match in (ours, theirs)]
    return names[0] == names[1] and _squeezed(ours["value"]) != _squeezed(theirs["value"])


def _squeezed(text: str) -> str:
    return "".join(re.findall(r"[^\W_]+", text.casefold()))
