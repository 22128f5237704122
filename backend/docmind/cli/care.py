"""docmind backup | restore: keep the data safe and bring them back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docmind import __version__
from docmind.cli.base import AsJson, Home, commands, parts_for, settings_for, write_json_line
from docmind.parts import named_database
from docmind.storage.backup import BackedUp, back_up
from docmind.storage.backup import restore as put_back
from docmind.storage.files import DocumentFiles


@commands.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to write, for example docmind-2026-12-01.zip.")],
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Write documents, chats and memory to one file. The server may be running."""
    with parts_for(home) as parts:
        made = back_up(parts.database, parts.files, target, version=__version__)
    _tell("backed up", made, as_json=as_json)


@commands.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `docmind backup` wrote.")],
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Put a backup into an empty home folder and database; what is there is never overwritten."""
    settings = settings_for(home)
    database = named_database(settings)
    try:
        restored = put_back(database, DocumentFiles(settings.home), source)
    finally:
        database.close()
    _tell("restored", restored, as_json=as_json)


def _tell(did: str, what: BackedUp, *, as_json: bool) -> None:
    if as_json:
        write_json_line(
            {
                "path": str(what.path),
                "rows": what.rows,
                "files": what.files,
                "size_bytes": what.size_bytes,
                "skipped": list(what.skipped),
            }
        )
        return
    rows = ", ".join(f"{count} {table}" for table, count in what.rows.items() if count)
    typer.echo(f"{did} {what.path}: {what.files} files; {rows or 'no rows'}")
    for document_id in what.skipped:
        typer.echo(f"left out {document_id}: its files were deleted meanwhile", err=True)
