"""`docmind eval --mode agent`: says what it will cost, asks, keeps a line for each answer, and goes on where it was stopped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import typer

from docmind.errors import InvalidInput, ModelNotConfigured
from docmind.flows.evaluate import Place
from docmind.flows.evaluate_agent import Line, ask_all, estimate, figures, left_to_ask, read_lines
from docmind.parts import Parts


def evaluate_agent(
    parts: Parts, places: Sequence[Place], *, results: Path, judge: bool, sure: bool, concurrency: int
) -> dict[str, Any]:
    """The figures over all answers in `results`, after asking what is not in it yet."""
    if parts.model is None:
        raise ModelNotConfigured("no model is configured")
    before = results.read_text(encoding="utf-8") if results.exists() else ""
    done = read_lines(before, model=parts.model.name)
    wanted = {place.question.id for place in places}
    done = {name: line for name, line in done.items() if name in wanted}
    left = left_to_ask(places, done)
    if left:
        _announce(parts, left, list(done.values()), sure=sure)
        with results.open("a", encoding="utf-8") as file:
            if before and not before.endswith("\n"):
                file.write("\n")
            lines = asyncio.run(_ask(parts, left, file, judge=judge, concurrency=concurrency))
        done |= {line["id"]: line for line in lines}
    return {"model": parts.model.name, "asked_now": len(left), **figures(list(done.values()))}


def _announce(parts: Parts, left: Sequence[Place], done: Sequence[Line], *, sure: bool) -> None:
    assert parts.model is not None
    guess = estimate(len(left), done, parts.model.card)
    price = (
        f"about {guess.cost:g} in the currency of MODEL_PRICES"
        if guess.cost is not None
        else "cost unknown: MODEL_PRICES"
    )
    basis = f"by the {len(done)} already answered" if done else "a guess before the first answer"
    typer.echo(
        f"{guess.questions} questions to {parts.model.name}: about {guess.input_tokens:,} tokens in, "
        f"{guess.output_tokens:,} out, {price} ({basis}).",
        err=True,
    )
    if not sure and not typer.confirm("Ask them?", err=True):
        raise InvalidInput("nothing was asked", advice="Add --yes to ask without this question.")


async def _ask(parts: Parts, left: Sequence[Place], file: Any, *, judge: bool, concurrency: int) -> list[Line]:
    lines: list[Line] = []
    grader = parts.model if judge else None
    try:
        async with aclosing(ask_all(left, parts.desk_for, judge=grader, concurrency=concurrency)) as answers:
            async for line in answers:
                lines.append(line)
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                said = line["failed"] or line["verdict"] or ("refused" if line["refused"] else "answered")
                typer.echo(f"{len(lines)}/{len(left)} {line['id']}: {said}, {line['seconds']} s", err=True)
    finally:
        await parts.close_models()
    return lines
