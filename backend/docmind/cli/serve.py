"""`docmind serve` and `docmind openapi`. What the server needs is imported only here, so that the rest starts fast."""

from __future__ import annotations

import fcntl
import json
import sys
from typing import Annotated

import typer

from docmind.cli.base import Home, commands, settings_for
from docmind.errors import Conflict
from docmind.settings import load_settings


@commands.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen at")] = None,
    port: Annotated[int | None, typer.Option(help="The port.")] = None,
    home: Home = None,
) -> None:
    """Serve the API and the page."""
    import uvicorn

    from docmind.app import create_app

    settings = settings_for(home)
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = settings.model_copy(update=given)
    app = create_app(settings)
    with (settings.home / ".serving.lock").open("a") as lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if settings.shares_work else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            raise Conflict(
                f"another server already works in {settings.home}",
                advice="Stop it, or give another folder with --home.",
            ) from exc
        sys.stderr.write(f"DocMind serves http://{settings.host}:{settings.port}\n")
        uvicorn.run(
            app,
            host=settings.host,
            port=settings.port,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )


@commands.command()
def openapi() -> None:
    """Print the API's OpenAPI schema."""
    from docmind.app import create_app

    sys.stdout.write(
        json.dumps(create_app(load_settings()).openapi(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    )
