"""docmind search | reindex: pages by their words, and the index they are found by."""

from __future__ import annotations

import dataclasses
import sys
import time
from typing import Annotated

import typer

from docmind.cli.base import AsJson, Home, bring_index_in_step, commands, parts_for, tell_when_empty, write_json_line
from docmind.domain.ports import SearchScope
from docmind.errors import InvalidInput


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
    if not query.strip():
        raise InvalidInput(
            "there is nothing to look for", advice='Put the words in quotes: docmind search "some words"'
        )
    with parts_for(home) as parts:
        tell_when_empty(parts)
        bring_index_in_step(parts)
        scope = SearchScope(tuple(parts.documents.find_by_reference(reference).id for reference in doc or ()))
        hits = parts.finder.search(query, scope, limit=limit)
    if as_json:
        write_json_line([dataclasses.asdict(hit) for hit in hits])
        return
    for hit in hits:
        label = f" ({hit.page_label})" if hit.page_label != str(hit.page) else ""
        sys.stdout.write(f"{hit.name}, page {hit.page}{label}  {' > '.join(hit.section)}\n    {hit.snippet.text}\n")


@commands.command()
def reindex(
    doc: Annotated[list[str] | None, typer.Option("--doc", help="Only this document: id or part of the name.")] = None,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Build the search index anew from the pages that are kept; a line for each document."""
    with parts_for(home) as parts:
        asked = [parts.documents.find_by_reference(reference).id for reference in doc or ()]
        started = time.monotonic()
        for document in map(parts.reindexing.one, asked) if asked else parts.reindexing.everything():
            seconds = round(time.monotonic() - started, 3)
            if as_json:
                write_json_line(
                    {
                        "document_id": document.id,
                        "name": document.name,
                        "pages": document.page_count,
                        "seconds": seconds,
                    }
                )
            else:
                typer.echo(f"{document.id}  {document.name}: {document.page_count} pages, {seconds} s")
            started = time.monotonic()
