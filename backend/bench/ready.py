"""Ready time: the whole ingest (text, tree, kinds, search index) against a bare loop of page.get_text() over the same files."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import pymupdf

from docmind.errors import DocmindError
from docmind.flows.ingest import ingest
from docmind.parts import Parts, build_parts
from docmind.settings import Settings

_SKIPPED = ("bomb", "billion", "50000x")
_LONG = 100


def run(data: Path) -> list[dict[str, Any]]:
    """Wall seconds over all documents, and over those of more than 100 pages."""
    measured: list[tuple[int, float, float]] = []
    with tempfile.TemporaryDirectory() as home:
        parts = build_parts(Settings(_env_file=None, home=Path(home)))
        try:
            _warm(parts, data)
            for path in sorted(data.rglob("*.pdf")):
                if not any(word in path.name for word in _SKIPPED):
                    row = _measure(parts, path)
                    if row is not None:
                        measured.append(row)
        finally:
            parts.close()
    return [_row("all", measured), _row(f"over {_LONG} pages", [row for row in measured if row[0] > _LONG])]


def _warm(parts: Parts, data: Path) -> None:
    """Child processes and the stemmer's words stay warm in a server, so they are warm here."""
    for path in sorted(data.rglob("*10K.pdf"))[:2]:
        asyncio.run(_ingest(parts, path))


def _measure(parts: Parts, path: Path) -> tuple[int, float, float] | None:
    try:
        document = pymupdf.open(path)
        if document.needs_pass or not document.page_count:
            return None
        started = time.perf_counter()
        for page in document:
            page.get_text()
        bare = time.perf_counter() - started
        started = time.perf_counter()
        if not asyncio.run(_ingest(parts, path)):
            return None
    except (DocmindError, RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return None
    return document.page_count, bare, time.perf_counter() - started


async def _ingest(parts: Parts, path: Path) -> bool:
    """False when the document was there already."""
    kept = parts.shelving.keep(parts.shelving.receive([path.read_bytes()], path.name))
    if kept.starts:
        async for _ in ingest(kept.document, parts.stages):
            pass
    return kept.starts


def _row(name: str, measured: list[tuple[int, float, float]]) -> dict[str, Any]:
    bare, whole = sum(row[1] for row in measured), sum(row[2] for row in measured)
    return {
        "documents": f"{name}: {len(measured)}",
        "pages": sum(row[0] for row in measured),
        "bare_s": round(bare, 2),
        "ingest_s": round(whole, 2),
        "times": round(whole / bare, 2) if bare else "",
    }
