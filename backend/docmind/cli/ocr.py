"""docmind ocr | read-scans: what OCR reads in a file, and OCR of the library's scanned pages without a server."""

from __future__ import annotations

from typing import Annotated

import typer

from docmind.cli.base import AsJson, Home, commands, parts_for, write_json_line
from docmind.domain.document import Document
from docmind.domain.ocr import OcrState, ocr_progress
from docmind.parts import Parts


@commands.command(name="read-scans")
def read_scans(
    doc: Annotated[
        str | None, typer.Argument(help="A document's id or a part of its name; all that wait otherwise.")
    ] = None,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Read the scanned pages of documents by OCR: those that wait, or of one document."""
    with parts_for(home) as parts:
        named = None if doc is None else parts.documents.find_by_reference(doc)
        for document in parts.scans.waiting() if named is None else [parts.scans.ask(named.id)]:
            read_document(parts, document, as_json=as_json)


def read_document(parts: Parts, document: Document, *, as_json: bool = False) -> None:
    """Read the document's scanned pages here, with a line for how far it is; a process that does so already is left to it."""
    with parts.scans.at_work(document.id) as ours:
        if not ours:
            typer.echo(f"{document.name}: another process reads its scanned pages", err=True)
            return
        last = ocr_progress(document)
        for progress in parts.scans.read(document.id):
            last = progress
            if not as_json:
                typer.echo(f"\r{document.name}: OCR of page {progress.done} of {progress.pages}", err=True, nl=False)
    if last is None:
        return
    if as_json:
        write_json_line(
            {
                "document_id": document.id,
                "name": document.name,
                "ocr": {"state": last.state.value, "pages": last.pages, "done": last.done, "failed": last.failed},
            }
        )
        return
    failed = f", {last.failed} of them cannot be read" if last.failed else ""
    state = "" if last.state is OcrState.DONE else f" ({last.state.value})"
    typer.echo(f"\r{document.name}: OCR of {last.done} pages{failed}{state}\033[K", err=True)
