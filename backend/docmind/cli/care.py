"""docmind doctor | backup | restore: find and mend what is broken, keep the data safe and bring them back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from docmind import __version__
from docmind.cli.base import AsJson, Home, commands, parts_for, settings_for, write_json_line
from docmind.domain.finding import Finding
from docmind.flows.checkup import Checkup
from docmind.parts import Parts, named_database
from docmind.storage.backup import BackedUp, back_up
from docmind.storage.backup import restore as put_back
from docmind.storage.files import DocumentFiles


@commands.command()
def doctor(
    mend: Annotated[bool, typer.Option("--mend", help="Put right what can be.")] = False,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Check files, trees, the search index and the database against one another. Exit 1 when something is left broken."""
    left = 0
    with parts_for(home) as parts:
        for finding in findings_of(parts):
            mended = mend and finding.mend is not None
            if mended and finding.mend is not None:
                asyncio.run(_awaited(finding))
            left += not mended
            _tell_finding(finding, mended=mended, as_json=as_json)
    if left:
        raise SystemExit(1)
    if not as_json:
        typer.echo("all is well")


def findings_of(parts: Parts) -> Iterator[Finding]:
    """What is wrong, the database first: where it is damaged, nothing else can be trusted."""
    for problem in parts.database.integrity_problems():
        yield Finding(
            "database_damaged",
            f"the database: {problem}",
            "Stop the server and restore the newest backup into a new home.",
        )
    yield from Checkup(
        documents=parts.documents,
        files=parts.files,
        shelving=parts.shelving,
        stages=parts.stages,
        index=parts.finder,
    ).findings()


async def _awaited(finding: Finding) -> None:
    assert finding.mend is not None
    await finding.mend()


def _tell_finding(finding: Finding, *, mended: bool, as_json: bool) -> None:
    if as_json:
        write_json_line(
            {
                "code": finding.code,
                "subject": finding.subject,
                "message": finding.message,
                "advice": finding.advice,
                "can_mend": finding.mend is not None,
                "mended": mended,
            }
        )
        return
    state = "mended" if mended else "can be mended with --mend" if finding.mend is not None else "needs you"
    typer.echo(f"{finding.code}: {finding.message}. {finding.advice} ({state})")


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
