"""Pages and ranges of pages. Pages count from 1 and ranges include both ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from docmind.errors import InvalidPageRange

DocumentId = NewType("DocumentId", str)
"""First 16 hex digits of the file's SHA-256."""


class PageKind(StrEnum):
    TEXT = "text"
    TABLE = "table"
    FORMULA = "formula"
    FIGURE = "figure"
    SCAN = "scan"
    GARBLED = "garbled"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle in points (1/72 inch) from the page's top left as displayed (rotation applied)."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it was read when the document was added.

    `text` is for reading (rows whole, columns in order, original characters). `label` is the printed
    page label, equal to str(number) when the file defines none. `problem` is an error code when the page
    could not be read; its text is then empty.
    """

    number: int
    text: str
    label: str
    width_pt: float = 0.0
    height_pt: float = 0.0
    kind: PageKind = PageKind.TEXT
    kind_score: float = 0.0
    kind_reason: str = ""
    headings: tuple[str, ...] = ()
    running_lines: tuple[str, ...] = ()
    problem: str | None = None
    text_source: str = "pdf"  # "pdf" or "ocr"


@dataclass(frozen=True, slots=True, order=True)
class PageRange:
    """Pages `first` to `last`, both included. Raises InvalidPageRange on 0, negatives and inverted ends."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if self.first < 1:
            raise InvalidPageRange(f"page {self.first} does not exist: pages start at 1")
        if self.last < self.first:
            raise InvalidPageRange(f"range {self.first}-{self.last} runs backwards")

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class PageSelection:
    """What a spec like "1,5-7" selects in a document: page numbers in ascending order, and what was cut and why."""

    numbers: tuple[int, ...]
    notes: tuple[str, ...] = field(default=())
