"""Cut text into the words it is found by: one cutter for keeping and for asking, English, Chinese and mixed.

English words become their stems; numbers lose their thousands marks; terms such as RMSNorm or 10-K stay whole. Of Chinese, every
pair of neighbouring characters is kept, so that any word of two characters or more is found wherever a dictionary would have
put its borders; `chinese_words` says which pairs belong together.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import lru_cache

import rjieba
import snowballstemmer

from docmind.domain.normal_text import normal_form

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)+|\d+(?![^\W_\u2e80-\u9fff]))"
    r"|(?P<han>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
    r"|(?P<word>[^\W_\u3400-\u9fff\uf900-\ufaff]+(?:['-][^\W_\u3400-\u9fff\uf900-\ufaff]+)*)"
)


class _Stemmer(threading.local):
    """One a thread: a snowball stemmer keeps the word it works on, so two threads in one would mix theirs."""

    def __init__(self) -> None:
        self.of = snowballstemmer.stemmer("english").stemWord


_stemmer = _Stemmer()

STOP = frozenset(
    [
        "a",
        "about",
        "above",
        "after",
        "again",
        "against",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "aren't",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "cannot",
        "can't",
        "could",
        "couldn't",
        "did",
        "didn't",
        "do",
        "does",
        "doesn't",
        "doing",
        "don't",
        "down",
        "during",
        "each",
        "few",
        "for",
        "from",
        "further",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "herself",
        "him",
        "himself",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "isn't",
        "it",
        "it's",
        "its",
        "itself",
        "let",
        "me",
        "more",
        "most",
        "my",
        "myself",
        "no",
        "nor",
        "not",
        "of",
        "off",
        "on",
        "once",
        "only",
        "or",
        "other",
        "ought",
        "our",
        "ours",
        "ourselves",
        "out",
        "over",
        "own",
        "per",
        "same",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "than",
        "that",
        "that's",
        "the",
        "their",
        "theirs",
        "them",
        "themselves",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "upon",
        "us",
        "very",
        "was",
        "wasn't",
        "we",
        "were",
        "weren't",
        "what",
        "what's",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "won't",
        "would",
        "you",
        "your",
        "yours",
        "yourself",
        "via",
        "within",
        "without",
    ]
)
"""Words without content: never looked for."""

ASKING = frozenset(
    [
        "according",
        "amount",
        "asked",
        "basing",
        "billion",
        "billions",
        "calculate",
        "clearly",
        "conclusions",
        "count",
        "decimal",
        "divided",
        "drawing",
        "enumerate",
        "examples",
        "float",
        "format",
        "integer",
        "items",
        "judgments",
        "line",
        "listed",
        "many",
        "million",
        "millions",
        "much",
        "outlined",
        "percent",
        "percents",
        "plainly",
        "primarily",
        "relying",
        "thousand",
        "thousands",
        "usd",
        "utilizing",
        "writhe",
        "answer",
        "base",
        "based",
        "basing",
        "compare",
        "compute",
        "describe",
        "detail",
        "details",
        "define",
        "definition",
        "discuss",
        "document",
        "explain",
        "find",
        "following",
        "give",
        "given",
        "identify",
        "information",
        "list",
        "mention",
        "mentioned",
        "name",
        "note",
        "number",
        "page",
        "paper",
        "please",
        "provide",
        "provided",
        "question",
        "refer",
        "report",
        "reported",
        "respond",
        "response",
        "say",
        "says",
        "section",
        "shown",
        "show",
        "shows",
        "state",
        "stated",
        "summarise",
        "summarize",
        "summary",
        "tell",
        "use",
        "used",
        "using",
    ]
)
"""Words of asking: they say what is wanted, seldom what the page says."""

CHINESE_STOP = frozenset(
    [
        "的",
        "了",
        "和",
        "与",
        "及",
        "或",
        "是",
        "在",
        "有",
        "为",
        "对",
        "中",
        "上",
        "下",
        "这",
        "那",
        "其",
        "之",
        "等",
        "也",
        "都",
        "就",
        "而",
        "被",
        "把",
        "从",
        "向",
        "到",
        "以",
        "于",
        "由",
        "如",
        "何",
        "吗",
        "呢",
        "吧",
        "啊",
        "什么",
        "怎么",
        "怎样",
        "如何",
        "为什么",
        "哪些",
        "哪个",
        "哪里",
        "多少",
        "几个",
        "请",
        "请问",
        "一下",
        "一个",
        "一种",
        "可以",
        "能否",
        "是否",
        "有哪些",
        "是什么",
        "我们",
        "他们",
        "它们",
        "根据",
        "关于",
        "以及",
        "并且",
        "但是",
        "因为",
        "所以",
        "如果",
        "那么",
        "这个",
        "那个",
        "这些",
        "那些",
        "进行",
        "通过",
        "介绍",
        "说明",
        "简述",
        "解释",
        "列出",
        "告诉",
        "给出",
        "文档",
        "文章",
        "本文",
        "论文",
        "书中",
        "哪",
        "谁",
        "吗",
    ]
)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The word's form for finding: its stem when it is plain English letters, else itself."""
    if word.isascii() and word.isalpha() and len(word) > 3:
        return str(_stemmer.of(word))
    return word


def cut(text: str) -> list[str]:
    """All finding forms of a text in their order; pairs of characters for Chinese."""
    return list(_cut(normal_form(text)))


def _cut(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        token = match.group()
        if kind == "han":
            yield from _pairs(token)
        elif kind == "number":
            yield token.replace(",", "")
        else:
            yield from _word(token)


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


@lru_cache(maxsize=200_000)
def _word(token: str) -> tuple[str, ...]:
    """Forms of one token. Kept, because a library says the same words again and again: cutting costs a third with it."""
    token = token.removesuffix("'s")
    parts = [part for part in re.split(r"['-]", token) if part]
    whole = ("".join(parts),) if len(parts) > 1 else ()
    return (*whole, *(stem(part) for part in parts))


def chinese_words(text: str) -> list[str]:
    """The Chinese words of a normalised text, of two characters or more, as a dictionary cuts them."""
    return [word for word in rjieba.cut(text) if len(word) > 1 and "\u3400" <= word[0] <= "\u9fff"]


def is_chinese(text: str) -> bool:
    """Whether the text is to be answered in Chinese: a good part of its letters are Chinese characters."""
    han = sum("\u3400" <= char <= "\u9fff" for char in text)
    latin = sum(char.isascii() and char.isalpha() for char in text)
    return han > 0 and han * 3 >= latin
