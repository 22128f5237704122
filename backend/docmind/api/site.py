"""Serve the built page: hashed files for ever, index.html for every address of the page's own router."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response

from docmind.errors import NotFound

_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_ALWAYS_ASK = {"Cache-Control": "no-cache"}


def add_site(app: FastAPI, dist: Path) -> None:
    root = dist.resolve()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def site(path: str) -> Response:
        if path.startswith("api/") or path == "api":
            raise NotFound(f"there is no /{path[:200]}")
        index = root / "index.html"
        if not index.is_file():
            return PlainTextResponse(
                "The page is not built: run `make run`, or use the API under /api.", status_code=503
            )
        wanted = (root / path).resolve() if "\0" not in path else index
        if path and wanted.is_relative_to(root) and wanted.is_file():
            is_hashed = wanted.is_relative_to(root / "assets")
            return FileResponse(wanted, headers=_FOR_EVER if is_hashed else _ALWAYS_ASK)
        if "." in path.rsplit("/", 1)[-1] and path.startswith("assets/"):
            raise NotFound(f"there is no /{path[:200]}")
        return FileResponse(index, headers=_ALWAYS_ASK)
