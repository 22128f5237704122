"""Before an answer: what the prompt is told of the user, and what the trail shows of it. "Forget ..." is obeyed here too.

Switched off, nothing is looked up and nothing is told.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from docmind.memory.item import MemoryItem, MemoryType, Recalled
from docmind.memory.prompts import prompt
from docmind.memory.rules import read_forget
from docmind.memory.store import Filter, MemoryStore

# About 1,500 tokens at most, whatever is kept.
BLOCK_CHARACTERS = 4_500
LINE_CHARACTERS = 400
MOST_FORGOTTEN = 5
_ALWAYS_REASON = "always"


@dataclass(frozen=True, slots=True)
class Injection:
    """`text` for the system prompt, empty when there is nothing; `items` for the trail: what was given, and why."""

    text: str = ""
    items: tuple[dict[str, Any], ...] = ()


def prepare_injection(memory: MemoryStore, question: str, *, chat_id: str | None, run_id: str) -> Injection:
    """What memory gives to one answer. Blocking. Doing it again for the same run forgets nothing more."""
    forgotten = _forget(memory, question, chat_id=chat_id, run_id=run_id)
    if not memory.switches(chat_id).injection:
        return Injection(_told_of(forgotten), _forgotten_facts(forgotten, run_id))
    found = memory.recollect(question) if forgotten is None else memory.recollect("")
    given: list[tuple[MemoryItem, Recalled | None]] = [(item, None) for item in found.always]
    given += [(each.item, each) for each in found.recalled]
    lines, facts, left = [], [], BLOCK_CHARACTERS
    for item, why in given:
        line = _line(item)
        if len(line) > left:
            break
        left -= len(line)
        lines.append(line)
        facts.append(_fact(item, why))
    memory.mark_used([fact["id"] for fact in facts])
    block = prompt("block", fence=_fence(run_id), items="\n".join(lines)) if lines else ""
    text = "\n\n".join(part for part in (block, _told_of(forgotten)) if part)
    return Injection(text, (*facts, *_forgotten_facts(forgotten, run_id)))


def _line(item: MemoryItem) -> str:
    day = item.created_at.date().isoformat()
    content = " ".join(re.sub(r"</?memory", "(memory", item.content, flags=re.IGNORECASE).split())
    label = {
        MemoryType.PROCEDURAL: "how to answer",
        MemoryType.SEMANTIC: "the user",
        MemoryType.EPISODIC: f"event, noted {day}",
        MemoryType.RAW: f"asked on {day}",
    }[item.type]
    return f"- ({label}) {content[:LINE_CHARACTERS]}"


def _fact(item: MemoryItem, why: Recalled | None) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.type.value,
        "content": item.content[:LINE_CHARACTERS],
        "matched": list(why.matched) if why else [],
        "score": why.score if why else None,
        "reason": "keywords" if why else _ALWAYS_REASON,
    }


def _fence(run_id: str) -> str:
    """Closes the block; no item can know it."""
    return hashlib.sha256(f"memory {run_id}".encode()).hexdigest()[:8]


# --- "forget this" ------------------------------------------------------------------------------------


def _forget(memory: MemoryStore, question: str, *, chat_id: str | None, run_id: str) -> list[MemoryItem] | None:
    """What was set aside for this run; None when the message does not ask to forget."""
    what = read_forget(question)
    if what is None:
        return None
    return memory.forget([item.id for item in _meant(memory, what, chat_id)], by=run_id)


def _meant(memory: MemoryStore, what: str, chat_id: str | None) -> list[MemoryItem]:
    if not what:
        if chat_id is None:
            return []
        newest, _ = memory.find_all(Filter(chat_id=chat_id), limit=MOST_FORGOTTEN + 5)
        return [item for item in newest if item.source.message_id == newest[0].source.message_id]
    found = memory.recall(what, top=MOST_FORGOTTEN)
    # Half as strong as the best is something else that shares a word.
    return [each.item for each in found if each.score > 0.5 * found[0].score]


def _told_of(forgotten: list[MemoryItem] | None) -> str:
    if forgotten is None:
        return ""
    if not forgotten:
        return "The user asked to forget something, but nothing of it was remembered. Say so in one sentence."
    return (
        f"At the user's wish {len(forgotten)} remembered item(s) were just removed from memory; the user can undo it for an "
        "hour. Say so in one sentence, without repeating what they said."
    )


def _forgotten_facts(forgotten: list[MemoryItem] | None, run_id: str) -> tuple[dict[str, Any], ...]:
    """For the trail: that something went and how to undo it, not what: the trail outlives the item."""
    return tuple(
        {"id": item.id, "type": item.type.value, "content": "", "matched": [], "reason": "forgotten", "undo": run_id}
        for item in forgotten or ()
    )
