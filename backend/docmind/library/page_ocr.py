"""What OCR read, kept with the document: tree_index/<id>/ocr/0012.json a page, and what its tree was first made of.

Results stay when texts and tree are renewed; they go when the document goes or is read anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docmind.domain.headings import PageStyle, style_from_json
from docmind.domain.normal_text import find_quote
from docmind.domain.ocr import OcrPage, OcrWord, ocr_page_from_json, ocr_page_to_json
from docmind.domain.pages import Box, DocumentId
from docmind.domain.reading import OutlineEntry, TitledLink
from docmind.errors import DocumentDeleted
from docmind.storage.files import DocumentFiles, write_json

FOLDER = "ocr"


@dataclass(frozen=True, slots=True)
class TreeSources:
    """What the file itself said of its structure when it was read."""

    styles: tuple[PageStyle, ...]
    outline: tuple[OutlineEntry, ...]
    links: tuple[TitledLink, ...]


def keep_tree_sources(folder: Path) -> None:
    """Put aside what the tree of the document in the making was made of: with OCR it is made once more."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name in ("styles.json", "reading.json"):
        (folder / name).replace(folder / FOLDER / name)


class KeptOcr:
    """Calls block."""

    def __init__(self, files: DocumentFiles) -> None:
        self._files = files

    def find(self, document_id: DocumentId, page: int) -> OcrPage | None:
        try:
            raw: dict[str, Any] = json.loads(self._path(document_id, page).read_bytes())
            return ocr_page_from_json(raw)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def keep(self, document_id: DocumentId, page: OcrPage) -> None:
        """Raises DocumentDeleted."""
        path = self._path(document_id, page.number)
        try:
            # Only the subfolder: the folder of a deleted document must not come back.
            path.parent.mkdir(exist_ok=True)
            write_json(path, ocr_page_to_json(page))
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {document_id} was deleted while a page was read by OCR") from exc

    def forget(self, document_id: DocumentId, page: int) -> None:
        self._path(document_id, page).unlink(missing_ok=True)

    def tree_sources(self, document_id: DocumentId) -> TreeSources | None:
        folder = self._files.published(document_id) / FOLDER
        try:
            styles = json.loads((folder / "styles.json").read_bytes())
            reading = json.loads((folder / "reading.json").read_bytes())
        except FileNotFoundError:
            return None
        return TreeSources(
            tuple(style_from_json(raw) for raw in styles),
            tuple(OutlineEntry(*entry) for entry in reading["outline"]),
            tuple(TitledLink(*link) for link in reading["links"]),
        )

    def quote_boxes(self, document_id: DocumentId, page: int, quote: str) -> tuple[Box, ...]:
        """A box for each line of the quote's first place in what OCR read; none when it is not there."""
        kept = self.find(document_id, page)
        if kept is None:
            return ()
        span = find_quote(quote, kept.text)
        return () if span is None else _merged([_part(word, span) for word in kept.words if _touches(word, span)])

    def _path(self, document_id: DocumentId, page: int) -> Path:
        return self._files.published(document_id) / FOLDER / f"{page:04d}.json"


def _touches(word: OcrWord, span: tuple[int, int]) -> bool:
    return word.start < span[1] and word.end > span[0]


def _part(word: OcrWord, span: tuple[int, int]) -> Box:
    """The word's box, or the share of it that is in the span: characters are taken as equally wide."""
    first, last = max(word.start, span[0]), min(word.end, span[1])
    box, length = word.box, word.end - word.start
    if last - first == length or box.bottom - box.top > box.right - box.left:
        return box
    width = (box.right - box.left) / length
    return Box(box.left + (first - word.start) * width, box.top, box.left + (last - word.start) * width, box.bottom)


def _merged(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """One box for neighbours on a line, whichever way the line runs."""
    merged: list[Box] = []
    for box in boxes:
        last = merged[-1] if merged else None
        if last is not None and _are_neighbours(last, box):
            merged[-1] = Box(
                min(last.left, box.left),
                min(last.top, box.top),
                max(last.right, box.right),
                max(last.bottom, box.bottom),
            )
        else:
            merged.append(box)
    return tuple(merged)


def _are_neighbours(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    high, wide = (
        min(one.bottom - one.top, other.bottom - other.top),
        min(one.right - one.left, other.right - other.left),
    )
    # On a level line they share their height and stand less than two ems apart; on one that runs down, the other way round.
    level = down > 0.5 * high and across > -2.0 * high
    upright = across > 0.5 * wide and down > -2.0 * wide and down < 0.5 * high
    return level or upright
