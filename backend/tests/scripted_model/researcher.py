"""A model that works as a researcher would: which documents are there, how are they built, open the pages with the formulas, compare.

Plain rules over the messages it is sent. It opens only documents whose name the question mentions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.scripted_model.script import Call, Reply

LISTED = re.compile(r"^([0-9a-f]{16}) · (\S+)", re.MULTILINE)
STRUCTURE = re.compile(r"^doc_id ([0-9a-f]{16}), \d+ pages, sections", re.MULTILINE)
SECTION = re.compile(r"^\s*\S+ · ([^·\n]+) · p\.(\d+)(?:-(\d+))?", re.MULTILINE)
PAGE = re.compile(
    r"^## doc_id ([0-9a-f]{16}) p\.(\d+)[^\n]*\n<data (\w+)>\n(.*?)\n</data \3>", re.MULTILINE | re.DOTALL
)
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


def researcher(request: Mapping[str, Any]) -> Reply:
    messages: Sequence[Mapping[str, Any]] = request["messages"]
    question = next(str(m["content"]) for m in reversed(messages) if m["role"] == "user")
    results = "\n".join(str(m["content"]) for m in messages if m["role"] == "tool")
    names = dict(LISTED.findall(results))
    wanted = [doc_id for doc_id, name in names.items() if name.rsplit(".", 1)[0].lower() in question.lower()]
    if not names:
        return Reply(text="Which documents are there?", calls=[Call("list_documents")])
    trees = STRUCTURE.split(results)
    if len(trees) == 1:
        calls = [
            Call(tool, {"doc_id": doc_id}) for doc_id in wanted for tool in ("get_document", "get_document_structure")
        ]
        return Reply(text="How are they built?", calls=calls)
    pages = [(match[1], match[2], match[4]) for match in PAGE.finditer(results)]
    if not pages:
        calls = []
        for doc_id, tree in zip(trees[1::2], trees[2::2], strict=True):
            found = [
                (first, last or first) for title, first, last in SECTION.findall(tree) if "formula" in title.lower()
            ]
            calls += [
                Call("get_page_content", {"doc_id": doc_id, "pages": f"{first}-{last}"}) for first, last in found[:1]
            ]
        return Reply(text="These sections hold the formulas.", calls=calls)
    lines = ["The core formulas compared:", ""]
    for doc_id, page, text in pages:
        formula = FORMULA.search(text)
        sentence = next((line for line in text.splitlines() if line.lower().startswith("it ")), "")
        if formula:
            lines.append(f'- $${formula[1].strip()}$$ {sentence} [[{doc_id} p.{page} "{sentence.rstrip(".")}"]]')
    return Reply(text="\n".join(lines))
