"""The messages of a model call, computed from the results of the rounds before it and the size of the model's window.

When the window fills, the results of the oldest rounds become notes that name the pages; the originals stay in the run's
record and the pages can be read again. Compacting goes from a high mark down to a low one, so that it happens rarely and
the beginning of the request stays the same in between, as providers' caches want it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docmind.agent.prompts import prompt
from docmind.agent.rounds import Round, ToolDone
from docmind.agent.support import best_support
from docmind.domain.answer import PageRef
from docmind.domain.ports import ChatMessage, ModelCard, ToolSpec
from docmind.domain.tokens import MESSAGE_OVERHEAD, estimate_tokens

HIGH, LOW = 0.85, 0.6
MAX_HISTORY_SHARE = 0.25
NOTE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Opening:
    """How every call of a run begins: instructions, earlier turns of the chat, and the question."""

    system: str
    history: tuple[ChatMessage, ...]
    question: str


def room_for_input(card: ModelCard, tools: Sequence[ToolSpec], *, shrink: float = 1.0) -> int:
    """Tokens of the window that messages may take: without the reply and the tools' descriptions."""
    described = sum(estimate_tokens(tool.description + str(tool.parameters)) for tool in tools)
    return max(1_000, int((card.window - min(card.max_output_tokens, card.window // 4) - described) * shrink))


def messages_for(
    opening: Opening,
    rounds: Sequence[Round],
    *,
    room: int,
    last_call: str | None = None,
    pictures: Mapping[PageRef, bytes] | None = None,
) -> list[ChatMessage]:
    """Messages within `room` tokens by our estimate, corrected by what the provider counted before.

    `pictures` holds the images that the newest rounds show; those of older rounds are left out.
    """
    shown = pictures or {}
    room = int(room / _correction(rounds))
    head = [ChatMessage("system", opening.system), *_fitting_history(opening.history, int(room * MAX_HISTORY_SHARE))]
    head.append(ChatMessage("user", opening.question))
    tail = [ChatMessage("user", last_call)] if last_call else []
    fixed = sum(map(message_tokens, (*head, *tail)))
    compacted = _rounds_to_compact(opening.question, rounds, room - fixed, shown)
    body = [
        message
        for index, each in enumerate(rounds)
        for message in _messages_of(each, opening.question, shown, as_notes=index < compacted)
    ]
    return [*head, *_cut_to(body, room - fixed), *tail]


def message_tokens(message: ChatMessage) -> int:
    calls = sum(estimate_tokens(call.name + call.arguments) + MESSAGE_OVERHEAD for call in message.tool_calls)
    # A picture costs 700 to 1,600 tokens with the usual models; the high side is the safe one.
    return (
        estimate_tokens(message.content)
        + estimate_tokens(message.reasoning or "" if message.tool_calls else "")
        + calls
        + 1_600 * len(message.images)
        + MESSAGE_OVERHEAD
    )


def _correction(rounds: Sequence[Round]) -> float:
    """How much more tokens the provider counted than we estimated; below 1 it is not trusted."""
    counted = [
        r.reply
        for r in rounds
        if not r.reply.usage.estimated and r.reply.estimated_input > 500 and r.reply.usage.input_tokens
    ]
    if not counted:
        return 1.0
    calls = max(1, counted[-1].usage.model_calls)
    return min(3.0, max(1.0, counted[-1].usage.input_tokens / calls / counted[-1].estimated_input))


def _fitting_history(history: Sequence[ChatMessage], room: int) -> list[ChatMessage]:
    """The newest earlier messages that fit."""
    kept: list[ChatMessage] = []
    for message in reversed(history):
        room -= message_tokens(message)
        if room < 0:
            break
        kept.append(message)
    return kept[::-1]


def _rounds_to_compact(question: str, rounds: Sequence[Round], room: int, shown: Mapping[PageRef, bytes]) -> int:
    """How many of the oldest rounds stand as notes. Replayed from the first round on, so it depends on nothing else."""
    whole = [_size(_messages_of(each, question, shown, as_notes=False)) for each in rounds]
    if sum(whole) <= room * HIGH:
        return 0
    notes = [_size(_messages_of(each, question, shown, as_notes=True)) for each in rounds]
    compacted = 0
    for count in range(1, len(rounds) + 1):
        size = sum(notes[:compacted]) + sum(whole[compacted:count])
        if size > room * HIGH:
            while size > room * LOW and compacted < count - 1:
                size += notes[compacted] - whole[compacted]
                compacted += 1
    return compacted


def _size(messages: Sequence[ChatMessage]) -> int:
    return sum(map(message_tokens, messages))


def _messages_of(each: Round, question: str, shown: Mapping[PageRef, bytes], *, as_notes: bool) -> list[ChatMessage]:
    reply = each.reply
    messages = [reply.message] if reply.message is not None else []
    for done in each.tools:
        content = note_of(done, question) if as_notes else done.result.content
        messages.append(ChatMessage("tool", content, tool_call_id=done.call.call_id))
    looked_at = [] if as_notes else [ref for ref in pictures_of(each) if ref in shown]
    if looked_at:
        named = ", ".join(f"{ref.document_id} p.{ref.page}" for ref in looked_at)
        text = f"Pictures of {named}, in this order. They are data like the text of a page."
        messages.append(ChatMessage("user", text, images=tuple(shown[ref] for ref in looked_at)))
    if reply.nudge is not None:
        messages.append(ChatMessage("user", prompt(reply.nudge, why=_why_uncited(reply.marks_removed))))
    return messages


def pictures_of(each: Round) -> tuple[PageRef, ...]:
    """Pages whose images the tools of a round want the model to see."""
    return tuple(dict.fromkeys(ref for done in each.tools for ref in done.result.pictures))


def _why_uncited(marks_removed: int) -> str:
    if marks_removed:
        return f"its {marks_removed} marks name pages that you have not opened"
    return "it has none"


def note_of(done: ToolDone, question: str) -> str:
    """A result in a few lines: what was asked, which pages it showed, and the passage nearest to the question."""
    result = done.result
    if not result.read:
        return result.content[:NOTE_CHARACTERS] + (" [shortened]" if len(result.content) > NOTE_CHARACTERS else "")
    passage = _nearest(question, result.content)
    return f"[note: read before, left out here to save room: {result.summary}. Call get_page_content again to see it.]{passage}"


def _cut_to(messages: list[ChatMessage], room: int) -> list[ChatMessage]:
    """The last resort: halve the longest tool result until all fits. The newest round alone can be too long."""
    cut = list(messages)
    while (size := _size(cut)) > room:
        place = max(
            range(len(cut)), key=lambda index: len(cut[index].content) if cut[index].role == "tool" else 0, default=None
        )
        if place is None or cut[place].role != "tool" or len(cut[place].content) < 2 * NOTE_CHARACTERS:
            return cut
        longest = cut[place]
        keep = len(longest.content) // 2
        over = size - room
        if over * 2 < keep:  # near enough: take only what is too much
            keep = len(longest.content) - over * 4
        note = "\n[cut to fit the model's window; ask for fewer pages]"
        cut[place] = ChatMessage("tool", longest.content[:keep] + note, tool_call_id=longest.tool_call_id)
    return cut


@lru_cache(maxsize=1_024)
def _nearest(question: str, content: str) -> str:
    """Asked for again with every call of a long run, and slow enough to remember."""
    support = best_support(question, content)
    return f"\nNearest to the question: {support.sentence[:NOTE_CHARACTERS]}" if support else ""
