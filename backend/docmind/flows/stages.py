"""The stages of an upload, each a call of its own that can be run again after a kill.

What is big goes through files in the document's staging folder; what is returned is small. The order of the
stages is flows/ingest.py. A new attempt at a document has a new staging folder, so that an old one still at work
cannot touch it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docmind.domain.document import Document, DocumentStatus, Problem, ReadingWarning
from docmind.domain.headings import PageStyle, style_from_json, style_to_json
from docmind.domain.names import clean_text
from docmind.domain.ocr import OcrProgress, OcrState, needs_ocr, ocr_progress, with_ocr_progress
from docmind.domain.pages import Page
from docmind.domain.ports import PageIndexer
from docmind.domain.reading import DocumentReader, OutlineEntry, Reading, TitledLink
from docmind.errors import (
    DocmindError,
    DocumentDeleted,
    PageNotParsed,
    UnreadableDocument,
)
from docmind.indexing.build import build_tree, is_useful, with_headings
from docmind.library.checksums import write_checksums
from docmind.library.documents import Documents, document_to_json
from docmind.library.page_ocr import keep_tree_sources
from docmind.library.pages import load_pages, write_facts, write_text
from docmind.library.trees import load_tree, write_tree
from docmind.storage.files import DocumentFiles, publish, write_json

_REPORT_EVERY_S = 0.25
_LINKS_WITHIN_PAGES = 15


@dataclass(frozen=True, slots=True)
class PagesRead:
    done: int
    total: int


class IngestStages:
    """Stages as calls. `attempt` names one reading of a document; it changes with each retry."""

    def __init__(
        self,
        *,
        files: DocumentFiles,
        documents: Documents,
        reader: DocumentReader,
        indexers: Sequence[PageIndexer],
        reads_scans: bool = True,
    ) -> None:
        self._files = files
        self._documents = documents
        self._reader = reader
        self._indexers = tuple(indexers)
        self._reads_scans = reads_scans
        files.prepare()

    # --- read pages ---------------------------------------------------------------------------------

    async def read_pages(self, document: Document, *, password: str | None = None) -> AsyncIterator[PagesRead]:
        """Read the file's pages into the staging folder, saying how many are done. Done already: says so at once.

        Raises UnreadableDocument when nothing can be read, DocumentDeleted when it was deleted meanwhile.
        """
        loop = asyncio.get_running_loop()
        progress: asyncio.Queue[PagesRead | None] = asyncio.Queue()

        def report(read: PagesRead | None) -> None:
            loop.call_soon_threadsafe(progress.put_nowait, read)

        def work() -> None:
            try:
                self._read_pages(document, password, report)
            finally:
                report(None)

        task = asyncio.create_task(asyncio.to_thread(work))
        try:
            while (read := await progress.get()) is not None:
                yield read
        finally:
            await task

    def _read_pages(self, document: Document, password: str | None, report: Callable[[PagesRead], None]) -> None:
        folder = self._staged(document)
        if (folder / "reading.json").exists():
            count = json.loads((folder / "reading.json").read_bytes())["page_count"]
            report(PagesRead(count, count))
            return
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "pages").mkdir(parents=True)
        self._change(document, status=DocumentStatus.READING_PAGES)
        stop = _Stop(lambda: not self._documents.is_current(document.id, document.extra["attempt"]))
        try:
            with self._reader.open(
                self._files.source(document.id),
                password=password,
                unlocked_copy=folder / "unlocked.pdf",
                stopped=stop.is_set,
            ) as reading:
                report(PagesRead(0, reading.facts.page_count))
                self._read_all(document, reading, folder, stop, report)
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document.id} was deleted while it was being read") from exc

    def _read_all(
        self, document: Document, reading: Reading, folder: Path, stop: _Stop, report: Callable[[PagesRead], None]
    ) -> None:
        total = reading.facts.page_count
        warnings = _warnings_of(reading)
        outline, outline_warning = _read_outline(reading)
        warnings.extend(outline_warning)
        links = () if is_useful(outline, total) else _read_links(reading)
        pages: list[Page] = []
        styles: list[PageStyle] = []
        reported = time.monotonic()
        for page, style in reading.pages():
            if style is not None:
                styles.append(style)
            write_text(folder, page)
            pages.append(replace(page, text=""))
            if page.problem is not None:
                warnings.append(_page_warning(page))
            if time.monotonic() - reported > _REPORT_EVERY_S:
                reported = time.monotonic()
                self._change(document, page_count=total, pages_done=len(pages))
                report(PagesRead(len(pages), total))
            if stop.is_set():
                break
        if stop.is_set() or len(pages) < total:
            raise DocumentDeleted(f"document {document.id} was deleted while it was being read")
        pages.sort(key=lambda page: page.number)
        _check_some_read(pages)
        write_facts(folder, pages)
        styles.sort(key=lambda style: style.page)
        write_json(folder / "styles.json", [style_to_json(style) for style in styles])
        write_json(
            folder / "reading.json",
            {
                "page_count": total,
                "has_labels": any(page.label != str(page.number) for page in pages),
                "title": clean_text(reading.facts.title, longest=500),
                "author": clean_text(reading.facts.author, longest=500),
                "warnings": [[warning.code, warning.message, warning.page] for warning in warnings],
                "outline": outline,
                "links": links,
            },
        )
        report(PagesRead(total, total))

    # --- build tree ---------------------------------------------------------------------------------

    async def build_tree(self, document: Document) -> str:
        """Build the tree from what was read; gives what it came from. Done already: only says so."""
        return await asyncio.to_thread(self._build_tree, document)

    def _build_tree(self, document: Document) -> str:
        folder = self._staged(document)
        try:
            reading = json.loads((folder / "reading.json").read_bytes())
            self._change(
                document,
                status=DocumentStatus.BUILDING_TREE,
                page_count=reading["page_count"],
                pages_done=reading["page_count"],
            )
            if (folder / "tree.json").exists():
                return load_tree(folder).source
            pages = load_pages(folder)
            styles = [style_from_json(raw) for raw in json.loads((folder / "styles.json").read_bytes())]
            outline = [OutlineEntry(*entry) for entry in reading["outline"]]
            links = [TitledLink(*link) for link in reading["links"]]
            tree = build_tree(document.id, pages, styles, outline, links)
            write_facts(folder, with_headings(pages, styles, tree))
            write_tree(folder, tree)
        except FileNotFoundError as exc:
            raise self._gone(document, exc) from exc
        return tree.source

    # --- publish ------------------------------------------------------------------------------------

    async def publish(self, document: Document, *, seconds: float) -> Document:
        """Make the document visible: searchable, its folder renamed into place, its status final."""
        return await asyncio.to_thread(self._publish, document, seconds)

    def _publish(self, document: Document, seconds: float) -> Document:
        folder, published = self._staged(document), self._files.published(document.id)
        with self._files.lock(document.id):
            attempt = document.extra["attempt"]
            if not self._documents.is_current(document.id, attempt):
                raise DocumentDeleted(f"document {document.id} was deleted while it was being read")
            if not folder.exists() and published.exists():
                return self._documents.get(document.id)
            done = folder
            try:
                reading = json.loads((done / "reading.json").read_bytes())
                tree, pages = load_tree(done), load_pages(done)
            except FileNotFoundError as exc:
                raise self._gone(document, exc) from exc
            warnings = tuple(ReadingWarning(*warning) for warning in reading["warnings"])
            ready = replace(
                self._documents.get(document.id),
                status=DocumentStatus.READY_WITH_WARNINGS if warnings else DocumentStatus.READY,
                page_count=reading["page_count"],
                pages_done=reading["page_count"],
                outline_source=tree.source,
                title=reading["title"],
                author=reading["author"],
                has_labels=reading["has_labels"],
                warnings=warnings,
                problem=None,
                seconds=round(seconds, 3),
            )
            ready = replace(ready, extra=with_ocr_progress(ready.extra, self._ocr_ahead(pages)))
            for indexer in self._indexers:
                indexer.add_document(ready, pages, tree)
            if done is folder:
                if ocr_progress(ready) is not None:
                    keep_tree_sources(folder)
                else:
                    for working in ("styles.json", "reading.json"):
                        (folder / working).unlink(missing_ok=True)
                write_json(folder / "document.json", document_to_json(ready))
                write_checksums(folder)
                if published.exists():
                    self._files.remove(published)
                publish(folder, published)
            changes = {name: getattr(ready, name) for name in ready.__dataclass_fields__ if name != "id"}
            return self._documents.change(document.id, attempt, **changes)

    def _ocr_ahead(self, pages: Sequence[Page]) -> OcrProgress | None:
        """What OCR has before it in the document; None when nothing."""
        waiting = sum(needs_ocr(page) for page in pages)
        if not waiting:
            return None
        state = OcrState.WAITING if self._reads_scans else OcrState.OFF
        return OcrProgress(state, waiting, job=uuid.uuid4().hex[:12])

    # --- failure ------------------------------------------------------------------------

    def fail(self, document: Document, error: DocmindError, *, seconds: float) -> Document:
        """Mark the document failed and remove what was made of it; its file stays for a retry."""
        with self._files.lock(document.id):
            self._files.remove(self._staged(document))
            return self._documents.change(
                document.id,
                document.extra["attempt"],
                status=DocumentStatus.FAILED,
                problem=Problem(error.code, error.message, error.advice_now),
                seconds=round(seconds, 3),
            )

    def forget(self, document: Document) -> None:
        """Remove what an attempt left behind after its document was deleted."""
        self._files.remove(self._staged(document))
        with self._files.lock(document.id):
            if self._documents.find(document.id) is None:
                self._files.forget_lock(document.id)

    # --- small --------------------------------------------------------------------------------------

    def _staged(self, document: Document) -> Path:
        return self._files.staged(document.id, document.extra["attempt"])

    def _change(self, document: Document, **fields: Any) -> None:
        self._documents.change(document.id, document.extra["attempt"], **fields)

    def _gone(self, document: Document, cause: FileNotFoundError) -> Exception:
        if self._documents.is_current(document.id, document.extra["attempt"]):
            return cause
        return DocumentDeleted(f"document {document.id} was deleted while it was being read")


class _Stop:
    """Whether to stop, asked between pages but looked up at most five times a second."""

    def __init__(self, look: Callable[[], bool]) -> None:
        self._look = look
        self._looked = 0.0
        self._stopped = False

    def is_set(self) -> bool:
        now = time.monotonic()
        if not self._stopped and now - self._looked > 0.2:
            self._looked = now
            self._stopped = self._look()
        return self._stopped


def _warnings_of(reading: Reading) -> list[ReadingWarning]:
    count = reading.facts.attachments
    if not count:
        return []
    files = "1 attached file" if count == 1 else f"{count} attached files"
    return [ReadingWarning("attachments_ignored", f"The PDF carries {files}; they are not opened or read.")]


def _read_outline(reading: Reading) -> tuple[tuple[OutlineEntry, ...], list[ReadingWarning]]:
    try:
        return reading.outline(), []
    except UnreadableDocument as exc:
        return (), [ReadingWarning("outline_unreadable", f"The bookmarks cannot be read: {exc.message}.")]


def _read_links(reading: Reading) -> tuple[TitledLink, ...]:
    """Links of a contents page. They only help, so a file that cannot give them loses nothing else."""
    try:
        return reading.titled_links(1, _LINKS_WITHIN_PAGES)
    except UnreadableDocument:
        return ()


def _page_warning(page: Page) -> ReadingWarning:
    code = page.problem or PageNotParsed.code
    return ReadingWarning(code, f"Page {page.number} cannot be read.", page.number)


def _check_some_read(pages: list[Page]) -> None:
    """Raises the error of the first page when none could be read: such a document is not ready in any sense."""
    if all(page.problem for page in pages):
        code = pages[0].problem
        for error in UnreadableDocument.__subclasses__():
            if error.code == code:
                raise error("no page of the document can be read")
        raise UnreadableDocument("no page of the document can be read")
