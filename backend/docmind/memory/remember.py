"""The end of a turn: what of it is worth keeping. With a model by what it proposes and the user said, without one by plain rules.

Meant to run in the background and to be run again after a crash: a second time merges with the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime

from docmind.domain.ports import ChatMessage, ChatModel, ChatRequest
from docmind.errors import ModelError, ModelStalled
from docmind.memory.extraction import SCHEMA, Extraction, read_extraction
from docmind.memory.item import Draft, MemoryItem, MemorySource, MemoryType
from docmind.memory.keeping import Kept
from docmind.memory.keywords import content_words
from docmind.memory.own_words import has_secret, own_words
from docmind.memory.prompts import prompt
from docmind.memory.rules import read_forget, read_statements
from docmind.memory.store import MemoryStore

SECONDS = 90.0
MAX_OUTPUT_TOKENS = 2_000
# Of a turn, for the model: wishes stand in what the user typed, the answer is only there to understand it.
QUESTION_CHARACTERS = 6_000
ANSWER_CHARACTERS = 3_000
KEPT_ANSWER_CHARACTERS = 4_000
KNOWN = 12
# A turn that names fewer things ("go on", "thanks!") will never be looked for.
RAW_WORDS = 2


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer. `at` is when it was asked."""

    chat_id: str
    message_id: str
    question: str
    answer: str
    at: datetime
    document_ids: tuple[str, ...] = ()

    @property
    def source(self) -> MemorySource:
        return MemorySource(self.chat_id, self.message_id, self.document_ids)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What came of a turn. `model_calls` is 0 when memory is off or there is no model; `problem` is the model's failure."""

    kept: tuple[Kept, ...] = ()
    unusable: int = 0
    model_calls: int = 0
    problem: str | None = None


async def remember(turn: Turn, memory: MemoryStore, *, model: ChatModel | None) -> Remembered:
    """Keep what is worth it. Switched off, nothing is called and nothing is kept."""
    switches = await asyncio.to_thread(memory.switches, turn.chat_id)
    if not switches.extraction or read_forget(turn.question) is not None:
        return Remembered()
    proposed = Extraction()
    calls, problem = 0, None
    if model is not None:
        known = await asyncio.to_thread(_known, memory, turn.question)
        try:
            async with asyncio.timeout(SECONDS):
                proposed, calls = await _ask(model, turn, known)
        except TimeoutError:
            problem = ModelStalled.code
        except ModelError as exc:
            problem = exc.code
    drafts = [*proposed.drafts, *_plain_statements(turn, proposed.drafts), *_raw(turn)]
    kept = [await asyncio.to_thread(memory.keep, draft, at=turn.at) for draft in drafts]
    return Remembered(tuple(kept), proposed.dropped, calls, problem or proposed.problem)


def _known(memory: MemoryStore, question: str) -> list[MemoryItem]:
    """Items that the turn may bring up to date."""
    found = memory.recollect(question)
    return [*found.always, *(each.item for each in found.recalled if each.item.type is not MemoryType.RAW)][:KNOWN]


async def _ask(model: ChatModel, turn: Turn, known: Sequence[MemoryItem]) -> tuple[Extraction, int]:
    """What the model proposes, and the calls it took: a bad answer is asked for once more."""
    wish = ChatMessage(
        "user",
        prompt(
            "extract",
            today=turn.at.date().isoformat(),
            known="\n".join(f"{item.id} ({item.type}): {item.content[:300]}" for item in known) or "(none)",
            question=turn.question[:QUESTION_CHARACTERS],
            answer=turn.answer[:ANSWER_CHARACTERS],
        ),
    )
    ids = {item.id for item in known}
    first = await _reply(model, (wish,))
    read = read_extraction(first.content, user_words=turn.question, source=turn.source, known=ids)
    if read.problem is None:
        return read, 1
    again = ChatMessage("user", prompt("repair", problem=read.problem))
    said = replace(first, content=first.content[:2_000] or "(nothing)", tool_calls=())
    second = await _reply(model, (wish, said, again))
    return read_extraction(second.content, user_words=turn.question, source=turn.source, known=ids), 2


async def _reply(model: ChatModel, messages: tuple[ChatMessage, ...]) -> ChatMessage:
    request = ChatRequest(messages, max_output_tokens=MAX_OUTPUT_TOKENS, json_schema=SCHEMA)
    reply = ChatMessage("assistant", "")
    async with aclosing(model.stream(request)) as pieces:
        async for piece in pieces:
            if piece.reply is not None:
                reply = piece.reply.message
    return reply


def _plain_statements(turn: Turn, proposed: Sequence[Draft]) -> tuple[Draft, ...]:
    """What the rules read, unless the model read the same message already: two wordings of one wish help nobody."""
    if any(draft.type in (MemoryType.SEMANTIC, MemoryType.PROCEDURAL) for draft in proposed):
        return ()
    return read_statements(turn.question, source=turn.source)


def _raw(turn: Turn) -> tuple[Draft, ...]:
    """The turn as it was, when it names something to find it by."""
    if len(content_words(own_words(turn.question))) < RAW_WORDS or has_secret(turn.question):
        return ()
    answer = turn.answer[:KEPT_ANSWER_CHARACTERS]
    return (Draft(MemoryType.RAW, turn.question.strip(), answer=answer, source=turn.source),)
