"""The command line: the flows without HTTP. Each file here holds one subject's commands and adds itself to `commands`."""

from __future__ import annotations

import typer

from docmind.errors import DocmindError

commands = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)


@commands.callback()
def root() -> None:
    """Reads documents page by page and answers with citations."""


def main() -> None:
    """Run a command. What we raise on purpose goes to standard error in one line, with exit 1."""
    try:
        commands()
    except DocmindError as exc:
        typer.echo(f"{exc.code}: {exc.message} {exc.advice_now}", err=True)
        raise SystemExit(1) from exc
