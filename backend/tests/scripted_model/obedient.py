"""A model that does what the system prompt says, by plain rules: search, look at the tree, read, answer with quotes.

It knows nothing but the messages it is sent, so it works on any library. It is no language model: it picks sentences by words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.scripted_model.script import Call, Reply

HIT = re.compile(r"^([0-9a-f]{16}) p\.(\d+)", re.MULTILINE)
PAGE = re.compile(
    r"^## doc_id ([0-9a-f]{16}) p\.(\d+)[^\n]*\n<data (\w+)>\n(?:\(section: [^\n]*\)\n)?(.*?)\n</data \3>",
    re.MULTILINE | re.DOTALL,
)
WORD = re.compile(r"[a-z]{3,}|\d[\d,.]*|[\u4e00-\u9fff]{2}", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
CJK = re.compile(r"[\u4e00-\u9fff]")
STOP = {
    "the",
    "and",
    "what",
    "which",
    "how",
    "does",
    "was",
    "were",
    "are",
    "for",
    "with",
    "from",
    "this",
    "that",
    "who",
    "did",
}


def obedient(request: Mapping[str, Any]) -> Reply:
    """The next round for a request: what was done so far is read from its messages."""
    messages: Sequence[Mapping[str, Any]] = request["messages"]
    last_question = max(i for i, m in enumerate(messages) if m["role"] == "user" and not _is_ours(str(m["content"])))
    question = str(messages[last_question]["content"])
    results = [str(m["content"]) for m in messages[last_question:] if m["role"] == "tool"]
    may_call = bool(request.get("tools")) and request.get("tool_choice") != "none"
    pages = [match.groups() for result in results for match in PAGE.finditer(result)]
    if may_call and not results:
        return Reply(
            text=_say(question, "Let me see which pages speak of this.", "我先找出相关页面。"),
            calls=[Call("list_documents", {}), Call("search_pages", {"query": question})],
        )
    hits = [(doc_id, int(page)) for result in results for doc_id, page in HIT.findall(result)]
    if may_call and hits and not pages:
        return Reply(calls=_open(hits))
    if not pages:
        return Reply(
            text=_say(
                question, "[[not found]] I searched all documents for its words.", "[[not found]] 我已检索全部文档。"
            )
        )
    return Reply(text=_answer(question, pages))


def _is_ours(content: str) -> bool:
    return content.startswith(("This is the last call", "Your answer carries no mark", "You wrote a tool call"))


def _open(hits: Sequence[tuple[str, int]]) -> list[Call]:
    by_document: dict[str, list[int]] = {}
    for doc_id, page in hits[:5]:
        by_document.setdefault(doc_id, []).append(page)
    calls = [Call("get_document_structure", {"doc_id": doc_id}) for doc_id in list(by_document)[:2]]
    calls += [
        Call("get_page_content", {"doc_id": doc_id, "pages": ",".join(str(page) for page in sorted(set(pages))[:3])})
        for doc_id, pages in list(by_document.items())[:2]
    ]
    return calls


def _answer(question: str, pages: Sequence[tuple[str, ...]]) -> str:
    wanted = {word.lower() for word in WORD.findall(question)} - STOP
    scored = [
        (
            len(wanted & {word.lower() for word in WORD.findall(sentence)}) / (1 + len(sentence) / 400),
            -order,
            doc_id,
            page,
            sentence,
        )
        for order, (doc_id, page, _, text) in enumerate(pages)
        for sentence in SENTENCE.split(text)
        if len(sentence.strip()) >= (6 if CJK.search(sentence) else 20)
    ]
    best = sorted(scored, reverse=True)[:3]
    if not best or best[0][0] == 0:
        return _say(
            question,
            "[[not found]] The pages I opened do not answer it.",
            "[[not found]] 我打开的页面没有回答这个问题。",
        )
    lines = [
        f'- {" ".join(sentence.split())} [[{doc_id} p.{page} "{_quote(sentence)}"]]'
        for score, _, doc_id, page, sentence in best
        if score
    ]
    return _say(question, "This is what the pages say:\n\n", "原文如下：\n\n") + "\n".join(lines)


def _quote(sentence: str) -> str:
    words = sentence.replace('"', " ").split()
    return "".join(words)[:40] if CJK.search(sentence) else " ".join(words[:14])


def _say(question: str, english: str, chinese: str) -> str:
    return chinese if CJK.search(question) else english
