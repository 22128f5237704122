"""The command line: the flows without HTTP. Each file here holds one subject's commands and adds itself to `commands`."""

from __future__ import annotations

import typer

from docmind.cli import ask as ask
from docmind.cli import care as care
from docmind.cli import documents as documents
from docmind.cli import evaluate as evaluate
from docmind.cli import memory as memory
from docmind.cli import models as models
from docmind.cli import ocr as ocr
from docmind.cli import search as search
from docmind.cli import serve as serve
from docmind.cli import trees as trees
from docmind.cli.base import commands
from docmind.errors import DocmindError

# Each import above adds a file's commands to the group.


def main() -> None:
    """Run a command. What we raise on purpose goes to standard error in one line, with exit 1."""
    try:
        commands()
    except DocmindError as exc:
        typer.echo(f"{exc.code}: {exc.told}", err=True)
        raise SystemExit(1) from exc
