"""Sections from a file's bookmarks, repaired: every entry is kept, and its page is looked up where the file's is missing or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.names import UNTITLED, clean_title
from docmind.domain.normal_text import NormalText, find_quote, normalise
from docmind.domain.pages import Page
from docmind.domain.reading import OutlineEntry
from docmind.domain.tree import NodeSource
from docmind.indexing.ranges import Section


class TitleFinder:
    """Where titles stand in the text of pages. Normal forms are made once a page, when first needed."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self._normal: dict[int, NormalText] = {}

    def place(self, title: str, number: int) -> int | None:
        """Offset of the title in the page's text, or None."""
        if not 1 <= number <= len(self._pages):
            return None
        text = self._pages[number - 1].text
        if number not in self._normal:
            self._normal[number] = normalise(text)
        found = find_quote(title, text, normal=self._normal[number])
        return None if found is None else found[0]

    def first_page(self, title: str, first: int, last: int, *, at_most: int = 400) -> int | None:
        """The first page of first..last on which the title stands as a line of its own, or None."""
        for number in range(max(first, 1), min(last, len(self._pages), first + at_most) + 1):
            at = self.place(title, number)
            if at is not None and _is_own_line(self._pages[number - 1].text, at, title):
                return number
        return None

    def has_text(self, number: int) -> bool:
        return 1 <= number <= len(self._pages) and len(self._pages[number - 1].text) > 20


def _is_own_line(text: str, at: int, title: str) -> bool:
    start = text.rfind("\n", 0, at) + 1
    return at - start <= 12


def sections_from_outline(entries: Sequence[OutlineEntry], pages: Sequence[Page]) -> list[Section]:
    """A section for each entry, in the file's order. Entries whose page nobody knows have `page` None."""
    finder = TitleFinder(pages)
    sections = [
        Section(
            max(entry.level, 1), clean_title(entry.title), _in_document(entry.page, len(pages)), NodeSource.BOOKMARK
        )
        for entry in entries
    ]
    _fill_missing(sections, finder, len(pages))
    for section in sections:
        if section.page is not None and section.page_known:
            _check_title(section, finder)
    return sections


def _in_document(page: int | None, page_count: int) -> int | None:
    return page if page is not None and 1 <= page <= page_count else None


@dataclass(slots=True)
class _Room:
    first: int
    last: int


def _fill_missing(sections: Sequence[Section], finder: TitleFinder, page_count: int) -> None:
    """A missing page comes from the first child, else from the title's place in the text, else from the next sibling."""
    missing = [place for place, section in enumerate(sections) if section.page is None]
    if not missing:
        return
    known_after: list[int] = [page_count] * (len(sections) + 1)
    for place in range(len(sections) - 1, -1, -1):
        known_after[place] = sections[place].page or known_after[place + 1]
    last = 1
    budget = (
        200  # titles looked up in the text, each over its room: a bound for outlines of thousands of broken entries
    )
    for place, section in enumerate(sections):
        if section.page is None:
            after = sections[place + 1] if place + 1 < len(sections) else None
            room = _Room(last, max(known_after[place + 1], last))
            if after is not None and after.level > section.level and after.page is not None:
                section.page, section.confidence = after.page, 0.8
            elif budget and section.title != UNTITLED and len(section.title) > 3:
                budget -= 1
                section.page = finder.first_page(section.title, room.first, room.last)
                section.confidence = 0.8
            if section.page is None and after is not None and after.level == section.level and after.page is not None:
                section.page, section.page_known, section.confidence = after.page, False, 0.3
        last = section.page or last


def _check_title(section: Section, finder: TitleFinder) -> None:
    """Look the title up on its page and the two beside it: a neighbour that has it is a target off by one."""
    page = section.page or 1
    if section.title == UNTITLED or not finder.has_text(page):
        section.confidence = min(section.confidence, 0.7)
        return
    at = finder.place(section.title, page)
    if at is not None:
        section.at_top = at <= 60
        return
    for neighbour in (page + 1, page - 1):
        if finder.first_page(section.title, neighbour, neighbour) is not None:
            section.page = neighbour
            section.confidence = min(section.confidence, 0.8)
            at = finder.place(section.title, neighbour)
            section.at_top = at is not None and at <= 60
            return
    section.confidence = min(section.confidence, 0.5)
