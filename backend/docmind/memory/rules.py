"""Plain statements that ask to be remembered or forgotten, read without a model: "remember that ...", "I prefer ...",
请记住……, 以后都用……, "forget this".

Only the user's own words are read. A question, a quotation or a pasted text is not a statement of the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docmind.memory.item import Draft, MemorySource, MemoryType
from docmind.memory.keywords import clean_text
from docmind.memory.own_words import has_secret, own_words, sentences

MAX_PER_TYPE = 3
MAX_CONTENT = 500

_POLITE = r"(?:(?:please|also|and|then|so|by the way|ok(?:ay)?|hi|hello|thanks)[,\s]+)*"
_REMEMBER = re.compile(
    rf"^{_POLITE}(?:remember|keep in mind|don'?t forget|make a note|take note|note)"
    r"(?:(?:\s+this|\s+the following)?\s*[:,]|\s+that\b)?\s*(?P<what>\S.{3,})$",
    re.IGNORECASE,
)
# "Remember the formula on page 3?" and "remember to cite page 3" are of this question.
_NOT_A_FACT = re.compile(
    r"^(?:when|how|where|what|why|who|the (?:formula|figure|table|page|equation|paper|one)|this\s*$|it\s*$)\b",
    re.IGNORECASE,
)
_POLITE_ZH = r"(?:请你?|麻烦|帮我|你要|那就?|另外|还有|顺便|对了|，|,|\s)*"
_REMEMBER_ZH = re.compile(
    rf"^{_POLITE_ZH}(?:记住|记得|牢记|别忘了|不要忘记)(?:一下|了)?\s*[，,：:]?\s*(?P<what>.{{2,}})$"
)

_ALWAYS = re.compile(
    rf"^{_POLITE}(?:(?:from now on|in (?:the )?future|going forward|always|never)\b[,\s]*(?P<after>.{{4,}})"
    r"|(?P<before>.{4,}?)[,\s]+(?:from now on|in (?:the )?future|going forward))$",
    re.IGNORECASE,
)
_ALWAYS_ZH = re.compile(
    rf"^{_POLITE_ZH}(?:以后|今后|从现在起|从现在开始|从今往后|往后|每次|总是|永远)\s*[，,]?\s*(?P<what>.{{2,}})$"
)
# "Formulas should be in LaTeX", "derivations come first", 公式要用LaTeX: how a part of answers should be.
_PARTS = (
    r"(?:your\s+|the\s+|all\s+|my\s+)*(?:answers?|replies|responses?|explanations?|formulas?|formulae|equations?|derivations?|proofs?|"
    r"citations?|references?|summaries|tables?|numbers?|units?|code|examples?|dates?|terms?|definitions?)"
)
_SHOULD = re.compile(
    rf"^{_POLITE}{_PARTS}\s+(?:(?:should|must|have to|need to|are to|ought to)\s+(?:always\s+)?(?:be|come|go|use|have|include|stay|follow|stand)\b"
    r"|(?:always\s+)?(?:come|go)(?:es)?\s+(?:first|last|before|after)\b).*$",
    re.IGNORECASE,
)
_SHOULD_ZH = re.compile(
    r"^(?:所有的?|你的)?(?:回答|答案|解释|公式|推导|证明|引用|总结|表格|数字|单位|代码|例子|日期|术语|定义)"
    r"(?:都|一律|统一|全部)?(?:要|应|应该|应当|必须|请|用|写成|放在?|尽量).{1,}$"
)
# "The equation should be on page 3": about the document that is read.
_OF_A_DOCUMENT = re.compile(
    r"\b(?:on|in|from) (?:page|section|chapter|figure|table|appendix|equation)\b|第.{1,4}[页章节]", re.IGNORECASE
)

_PREFER = re.compile(
    r"^(?:well,\s*)?i(?:'d| would)?\s+(?:always\s+|really\s+|much\s+)?(?:prefer|like|want|need)\s+(?P<what>.{4,})$",
    re.IGNORECASE,
)
_PREFER_STRONG = re.compile(r"\bprefer\b|\balways\b|\banswers?\b|\breplies\b|\bexplanations?\b", re.IGNORECASE)
_PREFER_ZH = re.compile(r"^我(?:更|比较|还是|一直)?(?:喜欢|偏好|习惯)(?P<what>.{2,})$")

_ABOUT = re.compile(
    r"^(?:i am|i'm|i work|i study|i research|my (?:field|research|thesis|name|job|major|topic|advisor|supervisor|speciality)\b)"
    r"\s*(?P<what>.{3,})$",
    re.IGNORECASE,
)
_ABOUT_ZH = re.compile(
    r"^(?:我是(?!不是|否|想|说|在问|要)|我在(?:研究|做|学|写|读)|我(?:主要)?研究|我(?:的)?(?:研究方向|研究领域|专业|课题|论文题目|论文|领域|导师|名字)(?:是|为|叫))"
    r"(?P<what>.{2,})$"
)
# "I am confused by", "I'm looking for": about this question, not about the user.
_PASSING = re.compile(
    r"^(?:confused|looking|trying|asking|wondering|not sure|unsure|sorry|reading|curious|interested to know|stuck|going|afraid|having|happy|"
    r"fine|ready|done|here|back|glad|guessing|thinking|talking|referring|still|also|very|so|really|just|getting|seeing|not)\b",
    re.IGNORECASE,
)
_STYLE = re.compile(
    r"\b(?:answers?|answering|repl(?:y|ies)|respon(?:d|ses?)|explain|explanations?|summar\w+|latex|markdown|bullets?|tables?|"
    r"short|shorter|brief|concise|long|longer|detailed|cit(?:e|es|ation|ations|ing)|formulas?|equations?|derivations?|english|chinese|"
    r"language|units?|format|steps?|examples?|write|use|show|give|start|avoid)\b|"
    r"回答|答案|解释|总结|公式|推导|引用|格式|中文|英文|英语|简短|简洁|详细|表格|列表|步骤|例子|单位|语言|先|用|不要|别",
    re.IGNORECASE,
)
_OF_THE_USER = re.compile(r"^(?:that\s+)?(?:i|i'm|my|we|our)\b|^我", re.IGNORECASE)
_WISHES = re.compile(r"\bprefer|\bwant|\blike|喜欢|偏好|希望", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|;)?\s+\band\b\s+|[，,]\s*(?:并且|而且|同时)?", re.IGNORECASE)

_FORGET = re.compile(
    rf"^{_POLITE}(?:(?:can|could) you\s+)?(?:forget|stop remembering|don'?t remember|do not remember|"
    r"(?:delete|remove|erase)(?=.*\bmemor))\s*(?:about\s+|that\s+)?(?P<what>.*?)(?:\s+(?:from|in) (?:your |the )?memory)?$",
    re.IGNORECASE,
)
_FORGET_ZH = re.compile(
    rf"^{_POLITE_ZH}(?:忘掉|忘记|忘了|别再?记住?|不要记住?|不用记住?|删掉?记忆)(?:关于)?\s*[，,：:]?\s*(?P<what>.*?)(?:吧|的?记忆)?$"
)
_FORGET_LAST = re.compile(
    r"^(?:this|that|it|these|those|what i (?:just )?said|everything i just said|the last (?:one|thing)|这个|这条|那个|那条|这些|刚才(?:说)?的|刚刚(?:说)?的|它|我刚才说的|我刚说的)?"
    r"(?:\s+please)?$",
    re.IGNORECASE,
)
# "Forget it, let us go on", "never mind": no wish about memory.
_FORGET_IDLY = re.compile(r"^(?:forget it|never ?mind|算了)\b", re.IGNORECASE)


def read_statements(message: str, *, source: MemorySource) -> tuple[Draft, ...]:
    """Items that the user's message states in plain words; at most three a type."""
    drafts: list[Draft] = []
    for sentence in _statements(message):
        kind = _kind_of(sentence)
        if kind is None or sum(draft.type is kind for draft in drafts) >= MAX_PER_TYPE or has_secret(sentence):
            continue
        content = clean_text(sentence, MAX_CONTENT)
        drafts.append(Draft(kind, content, always=kind is MemoryType.PROCEDURAL, source=source))
    return tuple(drafts)


def read_forget(message: str) -> str | None:
    """What the message wants forgotten: words to find it by, "" for what was said last, None when it wants nothing."""
    for sentence in sentences(own_words(message)):
        plain = sentence.rstrip(" .。！!?？")
        found = _FORGET.match(plain) or _FORGET_ZH.match(plain)
        if found is None or _FORGET_IDLY.match(plain):
            continue
        what = found["what"].strip(" ,，")
        return "" if _FORGET_LAST.match(what) else what
    return None


def _statements(message: str) -> Iterator[str]:
    """Sentences; one that joins two statements is given as two."""
    for sentence in sentences(own_words(message)):
        if sentence.endswith(("?", "？")) or len(sentence) > MAX_CONTENT:
            continue
        plain = sentence.rstrip(" .。！!；;")
        parts = [part.strip() for part in _JOINED.split(plain) if part.strip()]
        if len(parts) > 1 and all(_kind_of(part) for part in parts):
            yield from parts
        else:
            yield plain


def _kind_of(sentence: str) -> MemoryType | None:
    if _ALWAYS.match(sentence) or _ALWAYS_ZH.match(sentence):
        return MemoryType.PROCEDURAL
    if (_SHOULD.match(sentence) or _SHOULD_ZH.match(sentence)) and not _OF_A_DOCUMENT.search(sentence):
        return MemoryType.PROCEDURAL
    found = _REMEMBER.match(sentence) or _REMEMBER_ZH.match(sentence)
    if found and not _NOT_A_FACT.match(found["what"]):
        return _style_or_fact(found["what"])
    found = _PREFER.match(sentence)
    if found and _PREFER_STRONG.search(sentence):
        return _style_or_fact(found["what"])
    found = _PREFER_ZH.match(sentence)
    if found:
        return _style_or_fact(found["what"])
    found = _ABOUT.match(sentence) or _ABOUT_ZH.match(sentence)
    if found and not _PASSING.match(found["what"].strip()):
        return MemoryType.SEMANTIC
    return None


def _style_or_fact(what: str) -> MemoryType:
    if _OF_THE_USER.match(what.strip()) and not _WISHES.search(what):
        return MemoryType.SEMANTIC
    return MemoryType.PROCEDURAL if _STYLE.search(what) else MemoryType.SEMANTIC
