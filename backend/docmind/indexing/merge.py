"""Bring contents pages and headings together: what both tell is certain, what only the contents page tells is added."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from docmind.domain.normal_text import normalise
from docmind.domain.pages import Page
from docmind.indexing.from_contents import ContentsEntry
from docmind.indexing.from_outline import TitleFinder
from docmind.indexing.numbering import read_numbering
from docmind.indexing.ranges import Section


def merge(headings: Sequence[Section], entries: Sequence[ContentsEntry], pages: Sequence[Page]) -> list[Section]:
    """Sections in reading order. An entry that no heading matches is added when its title stands on its page."""
    by_page: dict[int, list[Section]] = {}
    for section in headings:
        by_page.setdefault(section.page or 0, []).append(section)
    matched: list[int] = []
    missing: list[ContentsEntry] = []
    for entry in entries:
        heading = _match(entry, by_page)
        if heading is None:
            missing.append(entry)
        else:
            heading.source = entry.source
            heading.confidence = max(heading.confidence, 0.97)
            matched.append(heading.level)
    level = Counter(matched).most_common(1)[0][0] if matched else 1
    finder = TitleFinder(pages)
    added = [found for entry in missing if (found := _section(entry, level, finder, has_headings=bool(headings)))]
    return _in_reading_order(headings, added, finder)


def _match(entry: ContentsEntry, by_page: dict[int, list[Section]]) -> Section | None:
    wanted = _keys(entry.title)
    for page in (entry.page, entry.page + 1, entry.page - 1):
        for section in by_page.get(page, ()):
            if wanted & _keys(section.title):
                return section
    return None


def _keys(title: str) -> set[str]:
    """The title with and without its number, letters and figures only."""
    numbering = read_numbering(title)
    forms = {title, numbering.rest if numbering is not None else title}
    return {key for form in forms if (key := re.sub(r"[\W_]+", "", normalise(form).text))}


def _section(entry: ContentsEntry, level: int, finder: TitleFinder, *, has_headings: bool) -> Section | None:
    at = finder.place(entry.title, entry.page)
    if at is None and has_headings:
        return None
    return Section(
        level=level,
        title=entry.title,
        page=entry.page,
        source=entry.source,
        confidence=0.9 if at is not None else 0.6,
        at_top=at is None or at <= 60,
    )


def _in_reading_order(headings: Sequence[Section], added: Sequence[Section], finder: TitleFinder) -> list[Section]:
    """By page; on a page that gains sections, by where the titles stand. Looks at no other page: that takes time."""
    gaining = {section.page for section in added}
    placed: list[tuple[int, int, int, Section]] = []
    last_page = last_at = 0
    for place, section in enumerate([*headings, *added]):
        page = section.page or 1
        at = (finder.place(section.title, page) or 0) if page in gaining else 0
        if place < len(headings):
            at = max(at, last_at if page == last_page else 0)
            last_page, last_at = page, at
        placed.append((page, at, place, section))
    return [section for *_, section in sorted(placed, key=lambda item: item[:3])]
