"""What a question leads to: citations, usage, and the numbered events of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from docmind.domain.pages import Box, DocumentId


class AnswerMode(StrEnum):
    AGENT = "agent"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation mark of the answer. The n-th citation belongs to the n-th mark in the text.

    `mark` is the literal text in the answer, "[name p.12]". `quote` is the passage as it stands on the page
    when `verified`; `boxes` are its rectangles on the page. `status` is "verified", "moved" (the quote was
    found on another page that was read, and the citation now names that page) or "unverified".
    """

    mark: str  # mark_text(name, page)
    document_id: DocumentId
    name: str
    page: int
    page_label: str
    quote: str
    verified: bool
    status: str = "unverified"
    boxes: tuple[Box, ...] = ()


def verified_share(citations: Sequence[Citation]) -> float | None:
    """Share of the citations whose quote was found on a page that was read; None when nothing is cited."""
    return sum(citation.verified for citation in citations) / len(citations) if citations else None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them (estimated when it sends none), and what was spent of the run's budget."""

    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    pages_read: int = 0
    vision_calls: int = 0
    estimated: bool = False
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None and other.cost is None else (self.cost or 0.0) + (other.cost or 0.0)
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.model_calls + other.model_calls,
            self.tool_calls + other.tool_calls,
            self.pages_read + other.pages_read,
            self.vision_calls + other.vision_calls,
            self.estimated or other.estimated,
            cost,
        )


@dataclass(frozen=True, slots=True)
class PageRef:
    document_id: DocumentId
    name: str
    page: int


def mark_text(name: str, page: int) -> str:
    """The mark of a citation as it stands in an answer. Brackets in names would end the mark early, so they are turned round."""
    plain = " ".join(name.replace("[", "(").replace("]", ")").split())
    return f"[{plain} p.{page}]"


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer that is ready: `text` with its marks, the n-th citation belonging to the n-th mark."""

    text: str
    citations: tuple[Citation, ...]
    pages_read: tuple[PageRef, ...]
    found: bool


# --- events, in the order a run may emit them ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunStarted:
    run_id: str
    mode: AnswerMode
    model: str
    type: str = "run_started"


@dataclass(frozen=True, slots=True)
class MemoryUsed:
    """Memory items put into the system prompt: dicts with id, type, content, and the words that matched."""

    items: tuple[dict[str, Any], ...]
    type: str = "memory_used"


@dataclass(frozen=True, slots=True)
class RoundStarted:
    round: int
    type: str = "round_started"


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    round: int
    delta: str
    type: str = "reasoning"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Text of the round's message. The last round's text is the answer; earlier rounds' text is thinking aloud."""

    round: int
    delta: str
    type: str = "text"


@dataclass(frozen=True, slots=True)
class TextWithdrawn:
    """Forget what was streamed of this round: it will be repeated or replaced. `reason` is a code."""

    round: int
    reason: str
    type: str = "text_withdrawn"


@dataclass(frozen=True, slots=True)
class ToolCalled:
    round: int
    call_id: str
    name: str
    arguments: str  # the JSON text as the model wrote it: data
    type: str = "tool_called"


@dataclass(frozen=True, slots=True)
class ToolReturned:
    round: int
    call_id: str
    name: str
    ok: bool
    summary: str
    pages: tuple[PageRef, ...] = ()
    cut: bool = False
    seconds: float = 0.0
    type: str = "tool_returned"


@dataclass(frozen=True, slots=True)
class RoundEnded:
    round: int
    usage: Usage
    type: str = "round_ended"


@dataclass(frozen=True, slots=True)
class BudgetSpent:
    """Used and limit per name: rounds, tool_calls, seconds, input_tokens, output_tokens, pages, vision_calls."""

    used: dict[str, float]
    limit: dict[str, float]
    type: str = "budget"


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """From the agent to the offline reader: why, as an error code and a sentence for the user."""

    mode: AnswerMode
    code: str
    reason: str
    type: str = "mode_changed"


@dataclass(frozen=True, slots=True)
class CitationChecked:
    index: int
    citation: Citation
    type: str = "citation"


@dataclass(frozen=True, slots=True)
class RunFinished:
    """Final. `answer` is the whole text with its marks; `limit` names the budget that ended the reading, if one did."""

    answer: str
    citations: tuple[Citation, ...]
    usage: Usage
    mode: AnswerMode
    found: bool
    rounds: int
    limit: str | None = None
    offline_reason: str | None = None
    verified_share: float | None = None
    type: str = "run_finished"


@dataclass(frozen=True, slots=True)
class RunStopped:
    """Final: the user stopped it. `answer` is what had been written."""

    answer: str
    usage: Usage = field(default_factory=Usage)
    type: str = "run_stopped"


@dataclass(frozen=True, slots=True)
class RunFailed:
    """Final."""

    code: str
    message: str
    advice: str
    type: str = "run_failed"


AnswerEvent = (
    RunStarted
    | MemoryUsed
    | RoundStarted
    | ReasoningDelta
    | TextDelta
    | TextWithdrawn
    | ToolCalled
    | ToolReturned
    | RoundEnded
    | BudgetSpent
    | ModeChanged
    | CitationChecked
    | RunFinished
    | RunStopped
    | RunFailed
)
