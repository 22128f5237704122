"""OCR of a ready document's scanned pages: read each, keep what was read, renew text, tree and search index on the way.

Every page's result is a file, so that after a kill the work goes on at the next page.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import structlog

from docmind.domain.document import Document
from docmind.domain.ocr import (
    OcrPage,
    OcrProgress,
    OcrReader,
    OcrState,
    needs_ocr,
    ocr_progress,
    with_ocr_progress,
)
from docmind.domain.pages import DocumentId, Page, PageKind
from docmind.domain.tree import Tree
from docmind.errors import DocmindError, DocumentDeleted, DocumentNotReady, ShuttingDown
from docmind.flows.revising import Revising
from docmind.indexing.build import build_tree, is_useful, with_headings, with_titles
from docmind.library.documents import Documents
from docmind.library.page_ocr import KeptOcr, TreeSources
from docmind.library.pages import load_facts
from docmind.storage.files import DocumentFiles

log = structlog.get_logger()

# Renewing costs the cutting of all the document's words anew: it may take a tenth of the time, and not more.
_RENEW_SHARE = 10
_RENEW_FIRST_S = 5.0
# A garbled page's own text is kept where OCR finds hardly anything in its place.
_LEAST_LETTERS = 12


class ReadingScans:
    """Blocking. `stopped` is asked between pages: the work then ends as after a kill."""

    def __init__(
        self, *, files: DocumentFiles, documents: Documents, reader: OcrReader, kept: KeptOcr, revising: Revising
    ) -> None:
        self._files = files
        self._documents = documents
        self._reader = reader
        self._kept = kept
        self._revising = revising

    def waiting(self) -> list[Document]:
        """Documents whose OCR has not come to its end, oldest first."""
        found = [document for document in self._documents.find_all() if document.status.is_readable]
        return [document for document in reversed(found) if _is_unfinished(document)]

    def ask(self, document_id: DocumentId) -> Document:
        """Have the pages that need it read, also after a failure or when OCR is off. Raises DocumentNotFound or
        DocumentNotReady. Nothing changes where nothing needs it, or where it is under way."""
        with self._files.lock(document_id):
            document = self._documents.get(document_id)
            if not document.status.is_readable:
                raise DocumentNotReady(f"{document.name} is not ready: its status is {document.status.value}")
            if _is_unfinished(document):
                return document
            wanted = [number for number in self._wanted(document) if self._kept.find(document_id, number) is None]
            if not wanted:
                return document
            before = ocr_progress(document)
            read = before.done if before is not None else 0
            return self._note(
                document, OcrProgress(OcrState.WAITING, read + len(wanted), read, job=uuid.uuid4().hex[:12])
            )

    @contextmanager
    def at_work(self, document_id: DocumentId) -> Iterator[bool]:
        """Hold the document's OCR while working at it; False when somebody else does. Let go when the process dies."""
        with self._files.try_lock(f"{document_id}.ocr") as got:
            yield got
            if got:
                self._files.forget_lock(f"{document_id}.ocr")

    def read(self, document_id: DocumentId, stopped: Callable[[], bool] = lambda: False) -> Iterator[OcrProgress]:
        """Read what waits, telling of each page. Ends early when it is stopped or the document is deleted."""
        document = self._documents.find(document_id)
        progress = ocr_progress(document) if document is not None else None
        if document is None or progress is None or not document.status.is_readable:
            return
        try:
            yield from self._read(document, replace(progress, state=OcrState.READING, done=0, failed=0), stopped)
        except (DocumentDeleted, ShuttingDown):
            return

    def _read(self, document: Document, progress: OcrProgress, stopped: Callable[[], bool]) -> Iterator[OcrProgress]:
        wanted = self._wanted(document, also_read=True)
        progress = replace(progress, pages=len(wanted))
        unjoined, renewed, cost = 0, time.monotonic() - _RENEW_FIRST_S, 0.0
        for number in wanted:
            if stopped():
                return
            was_kept = self._kept.find(document.id, number) is not None
            failed = 0 if was_kept else self._read_page(document, number)
            unjoined += not failed
            progress = replace(progress, done=progress.done + 1, failed=progress.failed + failed)
            if not was_kept:
                self._tell(document.id, progress)
                yield progress
                if unjoined and time.monotonic() - renewed > max(_RENEW_FIRST_S, _RENEW_SHARE * cost):
                    started = time.monotonic()
                    self._renew(document.id)
                    unjoined, renewed = 0, time.monotonic()
                    cost = renewed - started
        if unjoined:
            self._renew(document.id)
        all_failed = progress.failed == progress.pages
        progress = replace(progress, state=OcrState.FAILED if all_failed else OcrState.DONE)
        self._tell(document.id, progress)
        yield progress

    def _read_page(self, document: Document, number: int) -> int:
        """0 when the page was read and is kept, 1 when it cannot be read. Raises ShuttingDown or DocumentDeleted."""
        try:
            page = self._reader.read_page(self._files.readable_source(document.id), number)
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document.id} was deleted while it was read by OCR") from exc
        except ShuttingDown:
            raise
        except DocmindError as exc:
            log.warning("ocr_failed", document_id=document.id, page=number, code=exc.code)
            return 1
        self._kept.keep(document.id, page)
        return 0

    def _wanted(self, document: Document, *, also_read: bool = False) -> list[int]:
        try:
            facts = load_facts(self._files.published(document.id))
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document.id} was deleted meanwhile") from exc
        kinds = (PageKind.SCAN.value, PageKind.GARBLED.value)
        return [raw["number"] for raw in facts if raw["kind"] in kinds and (also_read or raw["text_source"] != "ocr")]

    def _tell(self, document_id: DocumentId, progress: OcrProgress) -> None:
        with self._files.lock(document_id):
            document = self._documents.find(document_id)
            if document is None:
                raise DocumentDeleted(f"document {document_id} was deleted while it was read by OCR")
            self._note(document, progress)

    def _note(self, document: Document, progress: OcrProgress) -> Document:
        extra = with_ocr_progress(document.extra, progress)
        return self._documents.change(document.id, document.extra["attempt"], extra=extra)

    # --- renew ------------------------------------------------------------------------------------------

    def _renew(self, document_id: DocumentId) -> None:
        sources = self._kept.tree_sources(document_id)

        def change(document: Document, pages: Sequence[Page], tree: Tree) -> tuple[Sequence[Page], Tree]:
            read = {page.number: self._kept.find(document.id, page.number) for page in pages if _was_scanned(page)}
            joined = [_joined(page, read.get(page.number)) for page in pages]
            return _with_tree(document, joined, tree, sources, [ocr for ocr in read.values() if ocr is not None])

        # What is replaced is put beside the result first, so that it is never lost.
        self._keep_replaced(document_id)
        self._revising.revise(document_id, change)

    def _keep_replaced(self, document_id: DocumentId) -> None:
        folder = self._files.published(document_id)
        for raw in load_facts(folder):
            if raw["kind"] == PageKind.GARBLED.value and raw["text_source"] != "ocr":
                page = self._kept.find(document_id, raw["number"])
                if page is not None and not page.replaced:
                    text = (folder / "pages" / f"{page.number:04d}.txt").read_bytes().decode("utf-8")
                    self._kept.keep(document_id, replace(page, replaced=text))


def _is_unfinished(document: Document) -> bool:
    progress = ocr_progress(document)
    return progress is not None and not progress.state.is_final


def _was_scanned(page: Page) -> bool:
    return needs_ocr(page) or page.text_source == "ocr"


def _joined(page: Page, read: OcrPage | None) -> Page:
    """The page with what OCR read in place of its own text, where that is worth more."""
    if read is None:
        return page
    text = read.text if read.corrected is None else read.corrected
    if page.kind is PageKind.GARBLED and sum(map(str.isalnum, text)) < _LEAST_LETTERS:
        return page
    return replace(page, text=text, text_source="ocr")


def _with_tree(
    document: Document, pages: Sequence[Page], tree: Tree, sources: TreeSources | None, read: Sequence[OcrPage]
) -> tuple[Sequence[Page], Tree]:
    """The tree made again with what OCR saw of headings, unless the file's own bookmarks tell it."""
    if sources is None and tree.source != "pages":
        return with_titles(pages, tree), tree
    outline = sources.outline if sources is not None else ()
    own = {style.page: style for style in sources.styles} if sources is not None else {}
    styles = own | {page.number: page.style for page in read if page.style is not None}
    ordered = [styles[number] for number in sorted(styles)]
    if not is_useful(outline, len(pages)):
        tree = build_tree(document.id, pages, ordered, outline, sources.links if sources is not None else ())
    return with_headings(pages, ordered, tree), tree
