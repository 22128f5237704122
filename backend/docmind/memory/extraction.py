"""Read what a model answered when asked what to remember. The answer is untrusted: bad shapes are dropped, never raised on.

The model has seen text of documents, so it may have been talked into something. What it proposes must therefore rest on the
user's own words: it quotes them, and says little that they do not say. An order that only a document gives finds no
such words and makes no item.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from docmind.memory.item import Draft, MemorySource, MemoryType
from docmind.memory.keywords import clean_text, content_words
from docmind.memory.own_words import has_secret, own_words, sentences

MAX_PER_TYPE = 3
MAX_CONTENT = 500
MAX_KEYWORDS = 8
MAX_KEYWORD = 60
# How much of what an item says must stand in the user's own words: a wish nearly all, an event is told more freely.
RESTS_ON_USER = {MemoryType.SEMANTIC: 0.6, MemoryType.PROCEDURAL: 0.6, MemoryType.EPISODIC: 0.5}

SCHEMA: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["items"],
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["type", "content", "keywords", "evidence", "replaces"],
                "properties": {
                    "type": {"enum": ["semantic", "episodic", "procedural"]},
                    "content": {"type": "string"},
                    "keywords": {"type": "array", "items": {"type": "string"}},
                    "evidence": {"type": "string"},
                    "replaces": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)\n?\s*```", re.DOTALL)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"<[^>]{0,200}>|!?\[[^\]]{0,200}\]\([^)]{0,500}\)|https?://\S+")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}月\d{1,2}日")
# Words that bind future answers; an item that has them needs a user who gave orders.
_ORDERS = re.compile(
    r"\b(?:always|never|must|from now on|remember|ignore|every time|whenever|in (?:the )?future|do not|don'?t|only|should)\b"
    r"|以后|今后|必须|总是|永远|每次|记住|不要|务必|忽略|只能|应该|应当",
    re.IGNORECASE,
)
_ASKS_FOR = re.compile(r"\b(?:can|could|would|will) you\b|能不能|能否|可以.{0,12}吗|可否|请", re.IGNORECASE)
# Longer than any honest answer to the prompt; deeper JSON than the schema's is refused by shape anyway.
_MAX_ANSWER = 20_000


@dataclass(frozen=True, slots=True)
class Extraction:
    """What could be used of an answer. `problem` is set when the answer was not JSON of the right shape at all."""

    drafts: tuple[Draft, ...] = ()
    dropped: int = 0
    problem: str | None = None


def read_extraction(answer: str, *, user_words: str, source: MemorySource, known: Collection[str] = ()) -> Extraction:
    """The items of a model's answer that have the right shape and the user's words behind them.

    `known` are the ids of items that the model was shown: only those can be replaced.
    """
    try:
        parsed = json.loads(_bare_json(answer))
    except (ValueError, RecursionError) as exc:
        return Extraction(problem=f"not JSON ({type(exc).__name__})")
    entries = parsed.get("items") if isinstance(parsed, dict) else parsed
    if not isinstance(entries, list):
        return Extraction(problem='no list under "items"')

    own = own_words(user_words)
    drafts: list[Draft] = []
    counts = dict.fromkeys(MemoryType, 0)
    dropped = max(0, len(entries) - 4 * MAX_PER_TYPE * len(MemoryType))
    for entry in entries[: 4 * MAX_PER_TYPE * len(MemoryType)]:
        draft = _draft(entry, own, source, known)
        if draft is None or counts[draft.type] >= MAX_PER_TYPE:
            dropped += 1
            continue
        counts[draft.type] += 1
        drafts.append(draft)
    return Extraction(tuple(drafts), dropped)


def _bare_json(answer: str) -> str:
    """The answer without thoughts, a code fence, or words around its outermost braces."""
    answer = _THINKING.sub("", answer[:_MAX_ANSWER]).strip()
    fenced = _FENCE.search(answer)
    if fenced and answer[:1] not in "{[":
        answer = fenced.group(1).strip()
    if answer[:1] not in "{[":
        start, end = answer.find("{"), answer.rfind("}")
        if 0 <= start < end:
            return answer[start : end + 1]
    return answer


def _draft(entry: object, own: str, source: MemorySource, known: Collection[str]) -> Draft | None:
    if not isinstance(entry, Mapping):
        return None
    kind = _kind(entry.get("type"))
    content = plain_line(entry.get("content"), MAX_CONTENT)
    evidence = entry.get("evidence")
    if kind is None or len(content) < 4 or has_secret(content):
        return None
    if not _rests_on(own, kind, content, evidence if isinstance(evidence, str) else ""):
        return None
    replaces = entry.get("replaces")
    return Draft(
        type=kind,
        content=content,
        keywords=tuple(_keywords(entry.get("keywords"))),
        always=kind is MemoryType.PROCEDURAL,
        source=source,
        replaces=tuple(each for each in replaces if isinstance(each, str) and each in known)
        if isinstance(replaces, list)
        else (),
    )


def _kind(value: object) -> MemoryType | None:
    """One of the three types that a model may propose."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return MemoryType(word) if word in ("semantic", "episodic", "procedural") else None


def _rests_on(own: str, kind: MemoryType, content: str, evidence: str) -> bool:
    """Whether the user's own words carry the item."""
    if _ORDERS.search(content) and not (_ORDERS.search(own) or _ASKS_FOR.search(own) or kind is MemoryType.PROCEDURAL):
        return False
    said = own
    if kind is not MemoryType.EPISODIC:
        if not stands_in(evidence, own) or _only_asks(evidence, own):
            return False
        said = _sentences_with(evidence, own)
    words = {word for word in content_words(_DATE.sub(" ", content)) if not word.isdigit()}
    if not words:
        return kind is not MemoryType.EPISODIC
    return len(words & _with_shared_beginnings(words, content_words(said))) / len(words) >= RESTS_ON_USER[kind]


def _with_shared_beginnings(words: Collection[str], said: Collection[str]) -> set[str]:
    """Words of the item that the user said, perhaps in another form: compare, comparison; 推导, 推导过程."""
    return {
        word for word in words if any(word == other or _common_start(word, other) >= _enough(word) for other in said)
    }


def _enough(word: str) -> int:
    return 5 if word.isascii() else 2


def _common_start(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _sentences_with(evidence: str, own: str) -> str:
    """The sentences of the user's that the quotation touches."""
    quoted = _squeezed(evidence)
    touched = [
        sentence for sentence in sentences(own) if quoted in _squeezed(sentence) or _squeezed(sentence) in quoted
    ]
    return " ".join(touched) or evidence


def _only_asks(evidence: str, own: str) -> bool:
    """A plain question is no statement about the user; "can you always answer in Chinese?" is a wish."""
    asked = [sentence for sentence in sentences(own) if _squeezed(evidence) in _squeezed(sentence)]
    return bool(asked) and all(sentence.endswith(("?", "？")) and not _ASKS_FOR.search(sentence) for sentence in asked)


def plain_line(value: object, longest: int) -> str:
    """One line of plain text without markup or addresses."""
    return clean_text(_MARKUP.sub(" ", value), longest) if isinstance(value, str) else ""


def _keywords(values: object) -> Iterator[str]:
    seen: set[str] = set()
    for value in values if isinstance(values, list) else []:
        keyword = plain_line(value, MAX_KEYWORD)
        if keyword and keyword.casefold() not in seen:
            seen.add(keyword.casefold())
            yield keyword
        if len(seen) >= MAX_KEYWORDS:
            return


def stands_in(evidence: str, user_words: str) -> bool:
    """Whether the quoted words stand in what the user wrote, case and white space aside. Too short a quote proves nothing."""
    needle = _squeezed(evidence)
    return len(needle) >= 4 and needle in _squeezed(user_words)


def _squeezed(text: str) -> str:
    return "".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
