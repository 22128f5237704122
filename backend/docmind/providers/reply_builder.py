"""Put a streamed reply together: pieces of text, reasoning in its several dresses, and tool calls in fragments.

Knows the shapes that endpoints send, not how they are fetched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docmind.domain.ports import ChatMessage, ToolCall

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


@dataclass
class ThinkSplitter:
    """Splits `<think>...</think>` at the start of the text, as small local servers print it, from the answer.

    Only a leading block is reasoning: an answer may well talk about the tag. `feed` gives (text, reasoning) pairs.
    """

    _held: str = ""
    _state: str = "start"  # start, thinking, after, text

    def feed(self, text: str) -> Iterator[tuple[str, str]]:
        self._held += text
        if self._state == "start":
            lead = self._held.lstrip()
            if lead.startswith(THINK_OPEN):
                self._state, self._held = "thinking", lead[len(THINK_OPEN) :]
            elif THINK_OPEN.startswith(lead):
                return
            else:
                self._state = "text"
        if self._state == "thinking":
            before, close, after = self._held.partition(THINK_CLOSE)
            if not close:
                keep = _overlap(self._held, THINK_CLOSE)
                ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
                if ready:
                    yield "", ready
                return
            if before:
                yield "", before
            self._state, self._held = "after", after
        if self._state == "after":
            self._held = self._held.lstrip()
            self._state = "text" if self._held else "after"
        if self._held:
            ready, self._held = self._held, ""
            yield ready, ""

    def end(self) -> Iterator[tuple[str, str]]:
        if self._held:
            yield ("", self._held) if self._state == "thinking" else (self._held, "")
        self._held = ""


def _overlap(text: str, tag: str) -> int:
    """Length of the longest end of `text` that begins `tag`."""
    return next((n for n in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:n])), 0)


def mended(text: str) -> str:
    """Text whose surrogate halves are joined, or replaced where one stands alone: nothing that stores text takes a lone one."""
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass
class _Seam:
    """Keeps back the first half of a surrogate pair that was cut between two pieces."""

    _half: str = ""

    def join(self, text: str) -> str:
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mended(text)


@dataclass
class _Fragment:
    call_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra: dict[str, Any] | None = None


class CallAssembler:
    """Tool calls from fragments. Fragments of several calls may come interleaved by index.

    Some servers leave the index out, or send 0 for every call: then a new id with a name begins a new call. Ids that are
    missing or repeated are replaced, because a result must find its call.
    """

    def __init__(self) -> None:
        self._fragments: dict[int, _Fragment] = {}
        self._place: dict[int, int] = {}

    def add(
        self, index: int | None, call_id: str, name: str, arguments: str, extra: dict[str, Any] | None = None
    ) -> None:
        key = index if index is not None else -1
        place = self._place.get(key)
        current = self._fragments.get(place) if place is not None else None
        if current is None or (call_id and current.call_id and call_id != current.call_id and name):
            place = len(self._fragments)
            self._place[key] = place
            current = self._fragments[place] = _Fragment()
        current.call_id = current.call_id or call_id
        if name != current.name:  # some send the name in pieces, some the whole name each time
            current.name += name
        if arguments:
            current.arguments.append(arguments)
        current.extra = extra or current.extra

    def calls(self) -> tuple[ToolCall, ...]:
        seen: set[str] = set()
        calls = []
        for place, fragment in self._fragments.items():
            call_id = fragment.call_id or f"call_{place + 1}"
            while call_id in seen:
                call_id = f"{call_id}_{place + 1}"
            seen.add(call_id)
            if fragment.name:
                calls.append(ToolCall(call_id, fragment.name, mended("".join(fragment.arguments)), fragment.extra))
        return tuple(calls)


def arguments_text(arguments: Any) -> str:
    """Arguments as JSON text: most endpoints send text, Ollama's older ones an object."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


class ReplyBuilder:
    """Collects what was streamed and gives the whole message at the end."""

    def __init__(self) -> None:
        self.calls = CallAssembler()
        self.finish_reason = ""
        self.extra: dict[str, Any] | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._think = ThinkSplitter()
        self._text_seam = _Seam()
        self._reasoning_seam = _Seam()

    def add_text(self, text: str) -> Iterator[tuple[str, str]]:
        """Gives (text, reasoning) to show."""
        for piece in self._think.feed(self._text_seam.join(text)):
            yield self._keep(piece)

    def add_reasoning(self, reasoning: str) -> Iterator[tuple[str, str]]:
        whole = self._reasoning_seam.join(reasoning)
        if whole:
            yield self._keep(("", whole))

    def end(self) -> Iterator[tuple[str, str]]:
        for piece in self._think.end():
            yield self._keep(piece)

    def _keep(self, piece: tuple[str, str]) -> tuple[str, str]:
        text, reasoning = piece
        if text:
            self._text.append(text)
        if reasoning:
            self._reasoning.append(reasoning)
        return piece

    @property
    def reasoning(self) -> str:
        return "".join(self._reasoning)

    @property
    def text(self) -> str:
        return "".join(self._text)

    def message(self) -> ChatMessage:
        return ChatMessage(
            role="assistant",
            content=self.text,
            tool_calls=self.calls.calls(),
            reasoning=self.reasoning or None,
            extra=self.extra,
        )
