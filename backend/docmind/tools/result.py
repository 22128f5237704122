"""What a tool gives back to the model and to the trail."""

from __future__ import annotations

from dataclasses import dataclass, field

from docmind.domain.answer import PageRef, Usage


@dataclass(frozen=True, slots=True)
class VisionNote:
    """A page that was looked at, or should have been: why, with which model, and what came of it ("kept" was paid before)."""

    page: PageRef
    reason: str
    model: str
    outcome: str  # "read", "kept", or the code of a problem
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`content` is for the model, `summary` one line for people.

    `read` are the pages whose text the model now has: only those can be cited. `found` are pages it was told about.
    `pictures` are pages whose image the model is shown; `unseen` are pages that needed eyes and had none, `looks` what each
    vision call was for and cost. `cut` when something asked for was left out; the content then says what, and how to ask for it.
    """

    content: str
    summary: str
    ok: bool = True
    read: tuple[PageRef, ...] = ()
    found: tuple[PageRef, ...] = ()
    pictures: tuple[PageRef, ...] = ()
    unseen: tuple[PageRef, ...] = ()
    looks: tuple[VisionNote, ...] = ()
    cut: bool = False
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one call may still spend: characters of its result, pages, and calls of the vision model."""

    characters: int = 40_000
    pages: int = 20
    vision_calls: int = 0
