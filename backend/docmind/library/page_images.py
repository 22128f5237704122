"""Pictures of pages: drawn when first asked for, kept with the document."""

from __future__ import annotations

import asyncio

from docmind.domain.document import Document
from docmind.domain.pages import Box, DocumentId
from docmind.domain.ports import PageImages, Shelf
from docmind.errors import DocumentDeleted, DocumentNotReady, InvalidPageRange
from docmind.library.page_ocr import KeptOcr
from docmind.library.pages import image_path
from docmind.storage.files import DocumentFiles, write_file

SCALE = 2.0
MAX_SIDE_PX = 4_000


class KeptPageImages:
    def __init__(self, shelf: Shelf, files: DocumentFiles, images: PageImages) -> None:
        self._ocr = KeptOcr(files)
        self._shelf = shelf
        self._files = files
        self._images = images
        self._drawing: dict[tuple[str, int], asyncio.Lock] = {}

    async def get(self, document_id: DocumentId, page: int) -> bytes:
        """JPEG of the page at twice its size. Raises RenderTimeout, RenderFailed, InvalidPageRange, DocumentNotReady."""
        document = await self._with_page(document_id, page)
        path = image_path(self._files.published(document.id), page)
        lock = self._drawing.setdefault((document_id, page), asyncio.Lock())
        try:
            async with lock:
                if path.exists():
                    return await asyncio.to_thread(path.read_bytes)
                source = self._files.readable_source(document.id)
                picture = await self._images.render(source, page, scale=SCALE, max_side_px=MAX_SIDE_PX)
                # The folder of a deleted document must not come back, so only its own subfolder is made.
                path.parent.mkdir(exist_ok=True)
                await asyncio.to_thread(write_file, path, picture)
                return picture
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document_id} was deleted while a page was drawn") from exc
        finally:
            self._drawing.pop((document_id, page), None)

    async def quote_boxes(self, document_id: DocumentId, page: int, quote: str) -> tuple[Box, ...]:
        """Rectangles of the quote's first place on the page, in points as displayed; none when it is not there."""
        document = await self._with_page(document_id, page)
        if (await asyncio.to_thread(self._shelf.read_page, document_id, page)).text_source == "ocr":
            return await asyncio.to_thread(self._ocr.quote_boxes, document_id, page, quote)
        try:
            return await self._images.quote_boxes(self._files.readable_source(document.id), page, quote)
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document_id} was deleted meanwhile") from exc

    async def _with_page(self, document_id: DocumentId, page: int) -> Document:
        document = await asyncio.to_thread(self._shelf.get_document, document_id)
        if not document.status.is_readable:
            raise DocumentNotReady(f"{document.name} is not ready: its status is {document.status.value}")
        if not 1 <= page <= document.page_count:
            raise InvalidPageRange(f"page {page} does not exist: {document.name} has pages 1-{document.page_count}")
        return document
