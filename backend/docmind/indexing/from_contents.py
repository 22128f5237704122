"""Titles and pages from a document's own contents page: from its links, or from its printed page numbers.

Links name physical pages. Printed numbers are mapped to physical pages by the offset at which most titles are found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docmind.domain.names import clean_title
from docmind.domain.pages import Page
from docmind.domain.reading import TitledLink
from docmind.domain.tree import NodeSource
from docmind.indexing.from_outline import TitleFinder

_SEARCHED_PAGES = 40
_MIN_ROWS = 5
_ROW = re.compile(r"^(?P<title>.*?[^\W\d_].*?)[\s.·•…_‧]*[\s.…·_](?P<page>\d{1,4})$")
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[\divxlc.\s-]+", re.IGNORECASE)
_BACK = re.compile(r"(?:back to )?(?:table of )?contents|index|目\s*[录錄]|top|back", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A title of the contents page and the physical page it leads to."""

    title: str
    page: int
    source: NodeSource


def entries_from_links(links: Sequence[TitledLink]) -> list[ContentsEntry]:
    """Entries of the pages that hold at least five links with titles."""
    entries: list[ContentsEntry] = []
    by_page: dict[int, dict[tuple[int, int], str]] = {}
    for place, link in enumerate(links):
        title = clean_title(link.text)
        if _PAGE_NUMBER.fullmatch(title) or _BACK.fullmatch(title) or len(title) < 3 or link.target <= link.page:
            continue
        rows = by_page.setdefault(link.page, {})
        # Filers link the number, the title and the page apart; the longest text for a target is the title.
        before = next(reversed(rows), None)
        if before is not None and before[1] == link.target and not title.casefold().startswith(("item", "part")):
            rows[before] = f"{rows[before]} {title}" if title not in rows[before] else rows[before]
        else:
            rows[place, link.target] = title
    for rows in by_page.values():
        if len(rows) >= _MIN_ROWS:
            entries.extend(ContentsEntry(title, target, NodeSource.LINK) for (_, target), title in rows.items())
    return entries


def entries_from_print(pages: Sequence[Page]) -> list[ContentsEntry]:
    """Entries of printed contents pages, each with the physical page on which its title was found."""
    rows = [row for page in pages[:_SEARCHED_PAGES] for row in contents_rows(page.text, len(pages), page.number)]
    if len(rows) < _MIN_ROWS:
        return []
    finder = TitleFinder(pages)
    offset = _offset(rows, finder, len(pages))
    if offset is None:
        return []
    return [
        ContentsEntry(title, printed + offset, NodeSource.CONTENTS_PAGE)
        for title, printed in rows
        if 1 <= printed + offset <= len(pages)
    ]


def contents_rows(text: str, page_count: int, page: int) -> list[tuple[str, int]]:
    """(title, printed page) of each row, when the page looks like a contents page: most rows end in numbers that ascend."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = [
        (clean_title(match["title"].rstrip(" .·•…_")), int(match["page"]))
        for line in lines
        if len(line) < 240 and (match := _ROW.match(line)) and int(match["page"]) <= page_count + 50
    ]
    if len(rows) < _MIN_ROWS or len(rows) < 0.35 * len(lines):
        return []
    steps = [later[1] - earlier[1] for earlier, later in pairwise(rows)]
    ascending = sum(step >= 0 for step in steps)
    if ascending < 0.85 * len(steps) or len({number for _, number in rows}) < _MIN_ROWS - 1:
        return []
    return rows


def _offset(rows: Sequence[tuple[str, int]], finder: TitleFinder, page_count: int) -> int | None:
    """Physical page minus printed page, as most titles have it; None when titles are not found where they should be."""
    found: Counter[int] = Counter()
    sample = rows[:: max(1, len(rows) // 25)]
    for title, printed in sample:
        for offset in range(-3, 31):
            number = printed + offset
            if 1 <= number <= page_count and finder.first_page(title, number, number) is not None:
                found[offset] += 1
    best = found.most_common(1)
    return best[0][0] if best and best[0][1] >= max(2, 0.3 * len(sample)) else None
