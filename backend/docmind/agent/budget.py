"""What a run may spend, and what it has spent. Counted from the results of its steps alone."""

from __future__ import annotations

from dataclasses import dataclass

from docmind.domain.answer import Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run. `final_seconds` is the grace in which the last call may still answer after `seconds` are over.

    `input_tokens` None means no limit; the round limit bounds them anyway.
    """

    rounds: int = 32
    tool_calls: int = 128
    seconds: float = 1_200.0
    final_seconds: float = 120.0
    input_tokens: int | None = 2_000_000
    output_tokens: int | None = 100_000
    pages: int = 200
    vision_calls: int = 40
    pages_a_call: int = 20
    result_characters: int = 40_000

    def limits(self) -> dict[str, float]:
        every: dict[str, float | None] = {
            "rounds": self.rounds,
            "tool_calls": self.tool_calls,
            "seconds": self.seconds,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "pages": self.pages,
            "vision_calls": self.vision_calls,
        }
        return {name: value for name, value in every.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Spent:
    """`rounds` counts rounds that ended; the rest is in `usage`."""

    rounds: int
    seconds: float
    usage: Usage

    def amounts(self) -> dict[str, float]:
        return {
            "rounds": self.rounds,
            "tool_calls": self.usage.tool_calls,
            "seconds": round(self.seconds, 1),
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "pages": self.usage.pages_read,
            "vision_calls": self.usage.vision_calls,
        }


def limit_reached(budget: Budget, spent: Spent) -> str | None:
    """Name of the first budget that leaves no further round, or None. Pages and vision alone never end the reading."""
    amounts, limits = spent.amounts(), budget.limits()
    for name in ("seconds", "rounds", "tool_calls", "input_tokens", "output_tokens"):
        if name in limits and amounts[name] >= limits[name]:
            return name
    return None
