"""docmind add | pages | documents | delete: documents without HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from docmind.cli.base import AsJson, Doc, Home, commands, parts_for, tell_when_empty, write_json_line
from docmind.cli.ocr import read_document
from docmind.domain.document import Document
from docmind.domain.names import clean_file_name
from docmind.domain.ocr import ocr_progress
from docmind.domain.page_spec import parse_pages
from docmind.errors import DocmindError, InvalidInput
from docmind.flows.ingest import ingest
from docmind.flows.shelving import Kept
from docmind.library.samples import SampleLanguage, sample_in
from docmind.parts import Parts

_CHUNK = 1_048_576
_WAIT_S = 0.2


@commands.command()
def add(
    files: Annotated[list[Path] | None, typer.Argument(help="PDF files, or folders of them.")] = None,
    sample: Annotated[
        SampleLanguage | None, typer.Option(help="Add the sample document too, in English or Chinese.")
    ] = None,
    password: Annotated[str | None, typer.Option(help="The password of the files, where they ask for one.")] = None,
    as_json: AsJson = False,
    ocr: Annotated[bool, typer.Option(help="Read scanned pages by OCR, after all files are in the library.")] = True,
    home: Home = None,
) -> None:
    """Add documents to the library and read them; a line for each file. Then read their scanned pages by OCR."""
    found = [(path, path.name) for path in each_file(files or [])]
    if sample is not None:
        shipped = sample_in(sample)
        found.append((shipped.path, shipped.name))
    if not found:
        where = f"no PDF file in {', '.join(map(str, files))}" if files else "no file was named"
        raise InvalidInput(where, advice="Name PDF files, or folders of them; or say --sample en.")
    failed = False
    with parts_for(home) as parts:
        added: list[str] = []
        for path, name in found:
            line = add_one(parts, path, password, name=name)
            added.append(line["document_id"] or "")
            failed = failed or line["status"] == "failed"
            if as_json:
                write_json_line(line)
            else:
                typer.echo(_as_sentence(line))
            if line["status"] == "failed":
                typer.echo(f"{path.name}: {line['code']}: {line.pop('problem')}", err=True)
        if ocr:
            # Not before all files can be read: a scanned page takes seconds where others take milliseconds.
            for document in parts.scans.waiting():
                if document.id in added:
                    read_document(parts, document)
    if failed:
        raise SystemExit(1)


@commands.command()
def pages(
    doc: Doc,
    pages: Annotated[str, typer.Argument(metavar="RANGE", help='Pages such as "3", "2-4", "1,5-7" or "all".')],
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """The text of pages."""
    with parts_for(home) as parts:
        document = parts.shelf.find_by_reference(doc)
        selection = parse_pages(pages, page_count=document.page_count)
        read = [parts.shelf.read_page(document.id, number) for number in selection.numbers]
    if as_json:
        write_json_line(
            {
                "document_id": document.id,
                "name": document.name,
                "pages": [
                    {
                        "page": page.number,
                        "page_label": page.label,
                        "text": page.text,
                        "kind": page.kind.value,
                        "kind_score": page.kind_score,
                        "kind_reason": page.kind_reason,
                        "problem": page.problem,
                        "text_source": page.text_source,
                    }
                    for page in read
                ],
                "notes": list(selection.notes),
            }
        )
        return
    for page in read:
        label = "" if page.label == str(page.number) else f" (printed {page.label})"
        typer.echo(f"--- page {page.number}{label}")
        typer.echo(page.text)
    for note in selection.notes:
        typer.echo(note, err=True)


@commands.command()
def documents(as_json: AsJson = False, home: Home = None) -> None:
    """The documents of the library."""
    with parts_for(home) as parts:
        found = parts.documents.find_all()
        tell_when_empty(parts)
    if as_json:
        write_json_line([_line(document) for document in found])
        return
    for document in found:
        typer.echo(f"{document.id}  {document.status.value:<20} {document.page_count:>5} pages  {document.name}")


@commands.command()
def delete(doc: Doc, home: Home = None) -> None:
    """Delete a document and all that was made of it."""
    with parts_for(home) as parts:
        document = parts.documents.find_by_reference(doc)
        parts.shelving.delete(document.id)
    typer.echo(f"deleted {document.name} ({document.id})")


def each_file(paths: list[Path]) -> Iterator[Path]:
    """The files themselves, and every PDF below the folders."""
    for path in paths:
        if path.is_dir():
            yield from sorted(found for found in path.rglob("*") if found.suffix.lower() == ".pdf" and found.is_file())
        else:
            yield path


def add_one(parts: Parts, path: Path, password: str | None, *, name: str | None = None) -> dict[str, Any]:
    """Add one file and wait for its end. What fails is told in the line: the files after it still get their turn."""
    started = time.monotonic()
    try:
        with path.open("rb") as file:
            upload = parts.shelving.receive(iter(lambda: file.read(_CHUNK), b""), name or path.name)
    except OSError as exc:
        error = InvalidInput(f"{path} cannot be read: {exc.strerror}", advice="Check the path.")
        return _failed_line(path, error, time.monotonic() - started)
    try:
        kept = parts.shelving.keep(upload)
    except DocmindError as exc:
        return _failed_line(path, exc, time.monotonic() - started)
    document = asyncio.run(_read(parts, kept, password))
    return {**_line(document), "duplicate": kept.duplicate, "seconds": round(time.monotonic() - started, 3)}


async def _read(parts: Parts, kept: Kept, password: str | None) -> Document:
    """Read the document here, or wait for the process that already does."""
    document = kept.document
    while not document.status.is_final:
        with parts.shelving.at_work(document) as ours:
            if ours:
                async for _ in ingest(document, parts.stages, password=password):
                    pass
        if not ours:
            await asyncio.sleep(_WAIT_S)
        document = await asyncio.to_thread(parts.documents.get, document.id)
    return document


def _line(document: Document) -> dict[str, Any]:
    line: dict[str, Any] = {
        "document_id": document.id,
        "name": document.name,
        "pages": document.page_count,
        "status": document.status.value,
        "code": document.problem.code if document.problem else None,
        "outline_source": document.outline_source,
        "ocr": _ocr(document),
        "warnings": [
            {"code": warning.code, "message": warning.message, "page": warning.page} for warning in document.warnings
        ],
        "seconds": document.seconds,
    }
    if document.problem:
        line["problem"] = f"{document.problem.message} {document.problem.advice}"
    return line


def _ocr(document: Document) -> dict[str, Any] | None:
    progress = ocr_progress(document)
    if progress is None:
        return None
    return {"state": progress.state.value, "pages": progress.pages, "done": progress.done, "failed": progress.failed}


def _failed_line(path: Path, error: DocmindError, seconds: float) -> dict[str, Any]:
    return {
        "document_id": None,
        "name": clean_file_name(path.name),
        "pages": 0,
        "status": "failed",
        "code": error.code,
        "outline_source": "",
        "ocr": None,
        "warnings": [],
        "seconds": round(seconds, 3),
        "problem": error.told,
    }


def _as_sentence(line: dict[str, Any]) -> str:
    if line["status"] == "failed":
        return f"{line['name']}: failed ({line['code']})"
    count = f"{line['pages']} page" + ("" if line["pages"] == 1 else "s")
    seconds = "already there" if line.get("duplicate") else f"{line['seconds']} s"
    notes = "".join(f"\n  {warning['message']}" for warning in line["warnings"][:10])
    return f"{line['document_id']}  {line['name']}: {count}, {line['outline_source']}, {seconds}{notes}"
