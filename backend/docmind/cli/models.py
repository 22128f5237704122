"""`docmind models`: what the endpoint offers, and which model servers run on this machine."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence

import typer

from docmind.cli.base import AsJson, Home, commands, parts_for, write_json_line
from docmind.domain.ports import LocalServer, OfferedModel
from docmind.errors import ModelError
from docmind.parts import Parts


@commands.command()
def models(as_json: AsJson = False, home: Home = None) -> None:
    """List the models of LLM_BASE_URL, and of local servers on their usual ports."""
    with parts_for(home) as parts:
        offered, problem, local = asyncio.run(_find(parts))
        chosen = parts.settings.llm_model
    if as_json:
        write_json_line(
            {
                "chosen": chosen or None,
                "models": [dataclasses.asdict(model.card) for model in offered],
                "problem": problem,
                "local": [
                    {"name": each.name, "base_url": each.base_url, "models": [model.card.name for model in each.models]}
                    for each in local
                ],
            }
        )
        return
    for model in offered:
        mark = "*" if model.card.name == chosen else " "
        typer.echo(f"{mark} {model.card.name}  window {model.card.window}")
    if problem:
        typer.echo(problem, err=True)
    for server in local:
        typer.echo(f"{server.name} at {server.base_url}: {', '.join(model.card.name for model in server.models)}")


async def _find(parts: Parts) -> tuple[Sequence[OfferedModel], str | None, Sequence[LocalServer]]:
    local = await parts.local_servers()
    try:
        return await parts.offered_models(), None, local
    except ModelError as exc:
        return (), f"{exc.code}: {exc.message}. {exc.advice_now}", local
