"""A home folder with real documents in it, read by the real reader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pymupdf

from docmind.domain.document import Document
from docmind.flows.ingest import ingest
from docmind.parts import Parts, build_parts
from docmind.settings import load_settings


def a_pdf(*pages: str, title: str = "") -> bytes:
    """A PDF with a line of text a page."""
    with pymupdf.open() as pdf:
        for text in pages or ("one", "two"):
            pdf.new_page().insert_text((72, 72), text)
        pdf.set_metadata({"title": title})
        return bytes(pdf.tobytes())


def parts_in(home: Path, database_url: str | None = None) -> Parts:
    return build_parts(load_settings(home=home, database_url=database_url, workers=1))


def add(parts: Parts, content: bytes, name: str = "paper.pdf") -> Document:
    """The document, read to its end."""
    kept = parts.shelving.keep(parts.shelving.receive([content], name))

    async def read() -> None:
        async for _ in ingest(kept.document, parts.stages):
            pass

    if kept.starts:
        asyncio.run(read())
    return parts.documents.get(kept.document.id)
