"""What a tool gives back to the model and to the trail."""

from __future__ import annotations

from dataclasses import dataclass, field

from docmind.domain.answer import PageRef, Usage


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`content` is for the model, `summary` one line for people.

    `read` are the pages whose text the model now has: only those can be cited. `found` are pages it was told about.
    `cut` when something asked for was left out; the content then says what, and how to ask for it.
    """

    content: str
    summary: str
    ok: bool = True
    read: tuple[PageRef, ...] = ()
    found: tuple[PageRef, ...] = ()
    cut: bool = False
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one call may still spend: characters of its result, pages, and calls of the vision model."""

    characters: int = 40_000
    pages: int = 20
    vision_calls: int = 0
