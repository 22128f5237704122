"""What reading a file gives, before it becomes a tree: facts of the file, its outline, and its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from docmind.domain.headings import PageStyle
from docmind.domain.pages import Page


class OutlineEntry(NamedTuple):
    """A bookmark as the file has it; `page` is None when it leads nowhere in this file."""

    level: int
    title: str
    page: int | None


class TitledLink(NamedTuple):
    """A link inside the document: the text on it, where it stands and where it leads."""

    page: int
    text: str
    target: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """`labels` has an entry for each page, or none when the file defines no labels. `unlocked` says that a copy
    without a password was written."""

    page_count: int
    labels: tuple[str, ...] = ()
    attachments: int = 0
    unlocked: bool = False
    title: str = ""
    author: str = ""


class PageRead(NamedTuple):
    """A page, and what it shows of the document's structure (None when it could not be read)."""

    page: Page
    style: PageStyle | None


class Reading(Protocol):
    """A file that is open in a killable child process."""

    @property
    def facts(self) -> FileFacts: ...

    def outline(self) -> tuple[OutlineEntry, ...]:
        """The file's bookmarks. Raises UnreadableDocument when they cannot be read in time."""

    def titled_links(self, first: int, last: int) -> tuple[TitledLink, ...]:
        """Links on these pages, in reading order. Raises UnreadableDocument."""

    def pages(self) -> Iterator[PageRead]:
        """Every page once, in any order. One that cannot be read has `problem` set and no text."""


class DocumentReader(Protocol):
    def open(
        self, source: Path, *, password: str | None, unlocked_copy: Path, stopped: Callable[[], bool]
    ) -> AbstractContextManager[Reading]:
        """Raises UnreadableDocument where the file as a whole cannot be read. `stopped` is asked between pages."""
