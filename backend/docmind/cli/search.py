"""`docmind search`: pages by their words."""

from __future__ import annotations

import dataclasses
import sys
from typing import Annotated

import typer

from docmind.cli.base import AsJson, Home, commands, parts_for, write_json_line
from docmind.domain.ports import SearchScope


@commands.command()
def search(
    query: Annotated[str, typer.Argument(help="The words to look for.")],
    doc: Annotated[
        list[str] | None, typer.Option("--doc", help="Only in this document: id or part of the name.")
    ] = None,
    limit: Annotated[int, typer.Option("-k", min=1, max=1_000, help="How many pages at most.")] = 10,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Find the pages that answer a few words or a question."""
    with parts_for(home) as parts:
        scope = SearchScope(tuple(parts.documents.find_by_reference(reference).id for reference in doc or ()))
        hits = parts.finder.search(query, scope, limit=limit)
    if as_json:
        write_json_line([dataclasses.asdict(hit) for hit in hits])
        return
    for hit in hits:
        label = f" ({hit.page_label})" if hit.page_label != str(hit.page) else ""
        sys.stdout.write(f"{hit.name}, page {hit.page}{label}  {' > '.join(hit.section)}\n    {hit.snippet.text}\n")
