"""What the commands share: the group they join, where the data lies, and how values are printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any

import typer

from docmind.errors import SettingsError
from docmind.logs import configure_logs
from docmind.parts import Parts, build_parts
from docmind.settings import Settings, load_settings

commands = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)

Home = Annotated[Path | None, typer.Option("--home", help="The folder for all data; DOCMIND_HOME says it too.")]
Doc = Annotated[str, typer.Argument(help="A document's id, or a part of its name that no other has.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


_home_before_command: ContextVar[Path | None] = ContextVar("home_before_command", default=None)


@commands.callback()
def root(home: Home = None) -> None:
    """Reads documents page by page and answers with citations."""
    _home_before_command.set(home)


def settings_for(home: Path | None) -> Settings:
    """Settings for the folder given after the command, else before it, else in the environment."""
    given = home if home is not None else _home_before_command.get()
    settings = load_settings(home=given) if given is not None else load_settings()
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise SettingsError(
            f"{settings.home} cannot be the folder for the data: {exc.strerror}",
            advice="Give another folder with --home or DOCMIND_HOME.",
        ) from exc
    return settings


@contextmanager
def parts_for(home: Path | None) -> Iterator[Parts]:
    settings = settings_for(home)
    configure_logs(settings.log_level)
    parts = build_parts(settings)
    try:
        yield parts
    finally:
        parts.close()


def tell_when_empty(parts: Parts) -> None:
    """A mistyped home is an empty library: say where it was looked for."""
    if not parts.documents.find_all(limit=1):
        home = parts.settings.home.resolve()
        typer.echo(f"No documents in {home} yet: docmind add FILE, or name another folder with --home.", err=True)


def bring_index_in_step(parts: Parts) -> None:
    """Before a search: index what the index lacks, as after an upgrade or when its file was lost."""
    for document in parts.reindexing.catch_up():
        typer.echo(f"indexed {document.name}", err=True)


def write_json_line(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
