"""What a scripted model answers: replies with the awkwardness of real endpoints, and failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool call. `arguments` may be text, to write what is no JSON."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    call_id: str = ""

    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True)
class Reply:
    """One reply, and how it travels.

    `piece` characters a delta; `chunk_bytes` splits the stream into TCP writes of that many bytes, wherever they fall;
    `cut_after` events the connection drops, `stall_after` events it falls silent; `usage` None leaves it out;
    `raw` plays these chunks instead; `whole` answers with one JSON reply although a stream was asked for.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"
    finish: str | None = ""
    usage: tuple[int, int] | None = (100, 20)
    piece: int = 12
    delay_s: float = 0.0
    chunk_bytes: int | None = None
    cut_after: int | None = None
    stall_after: int | None = None
    raw: Sequence[Mapping[str, Any]] | None = None
    whole: bool = False

    @property
    def finish_reason(self) -> str | None:
        if self.finish == "":
            return "tool_calls" if self.calls else "stop"
        return self.finish


@dataclass(frozen=True)
class Failure:
    """An HTTP error with the usual body."""

    status: int
    code: str | None = None
    message: str = "scripted failure"
    type: str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> bytes:
        error = {"message": self.message, "type": self.type, "param": self.param, "code": self.code}
        return json.dumps({"error": error}).encode()


Script = Callable[[Mapping[str, Any]], Reply | Failure]


def rounds(*written: Reply | Failure) -> Script:
    """Plays the written rounds in order; asking for more is a failure that a test sees."""
    left = list(written)

    def play(_: Mapping[str, Any]) -> Reply | Failure:
        return left.pop(0) if left else Failure(418, message="the script has no further round")

    return play
