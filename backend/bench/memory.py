"""Memory: the peak of this process and of its children while the largest document of the data is read."""

from __future__ import annotations

import asyncio
import resource
import tempfile
from pathlib import Path
from typing import Any

from docmind.flows.ingest import ingest
from docmind.parts import build_parts
from docmind.settings import Settings


def run(data: Path) -> list[dict[str, Any]]:
    """Run it alone (`--only memory`): the peak of this process holds what other benches used."""
    path = data / "made" / "many_pages_5000.pdf"
    if not path.exists():
        return []
    with tempfile.TemporaryDirectory() as home:
        parts = build_parts(Settings(_env_file=None, home=Path(home)))
        with path.open("rb") as file:
            kept = parts.shelving.keep(parts.shelving.receive(iter(lambda: file.read(1_048_576), b""), path.name))
        asyncio.run(_read(parts, kept.document))
        parts.close()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [{"document": path.name, "parent_mb": round(own), "largest_child_mb": round(child)}]


async def _read(parts: Any, document: Any) -> None:
    async for _ in ingest(document, parts.stages):
        pass
