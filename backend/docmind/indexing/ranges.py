"""From a list of sections with start pages to a tree of page ranges that covers the document. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from docmind.domain.names import clean_title
from docmind.domain.pages import DocumentId
from docmind.domain.tree import Node, NodeSource, Tree

MAX_DEPTH = 32
FRONT_PAGES = "Front pages"


@dataclass(slots=True)
class Section:
    """A section before its range is known. `page` None: nobody knows where it starts.

    `at_top`: it begins at the top of its page, so that the section before it ends on the page before.
    """

    level: int
    title: str
    page: int | None
    source: NodeSource
    confidence: float = 1.0
    page_known: bool = True
    at_top: bool = True
    summary: str | None = None
    children: list[Section] = field(default_factory=list)
    last: int = 0


def build_ranges(document_id: DocumentId, page_count: int, sections: Sequence[Section], *, source: str) -> Tree:
    """A tree of the sections in their order: ranges nested and ordered, covering 1 to page_count, ids in reading order."""
    flat = list(sections)
    _place_unknown(flat, page_count)
    _put_in_order(flat)
    top = _nest(flat)
    first = flat[0].page if flat and flat[0].page else page_count + 1
    if first > 1 and page_count:
        top.insert(0, Section(1, FRONT_PAGES if flat else "", 1, NodeSource.GAP))
        if flat:
            flat.insert(0, top[0])
    _set_ends(top, page_count)
    return Tree(document_id, page_count, _freeze(top), source)


def flat_pages(document_id: DocumentId, labels: Sequence[str]) -> Tree:
    """A tree that lists the pages, for a document in which nothing better was found."""
    nodes = tuple(
        Node(
            node_id=f"{number:04d}",
            title=f"Page {number}" if label in ("", str(number)) else f"Page {number} ({clean_title(label)})",
            level=1,
            page_from=number,
            page_to=number,
            source=NodeSource.PAGE,
        )
        for number, label in enumerate(labels, start=1)
    )
    return Tree(document_id, len(labels), nodes, "pages")


def _place_unknown(sections: list[Section], page_count: int) -> None:
    """Give sections without a page one that fits: the next known start bounds it, the last known one is taken."""
    last = 1
    for section in sections:
        if section.page is None:
            section.page, section.page_known = last, False
            section.confidence = min(section.confidence, 0.2)
        section.page = min(max(section.page, 1), page_count)
        last = section.page


def _put_in_order(sections: list[Section]) -> None:
    """Make the starts ascend. Outliers of an ordered list are moved between their neighbours; a jumble is sorted."""
    pages = [section.page or 1 for section in sections]
    keep = _longest_ascending(pages)
    if len(keep) == len(sections):
        return
    if len(keep) < 0.6 * len(sections):
        _sort_siblings(sections)
        pages = [section.page or 1 for section in sections]
        keep = _longest_ascending(pages)
    kept = set(keep)
    last = 1
    for place, section in enumerate(sections):
        if place in kept:
            last = section.page or last
        else:
            section.page, section.page_known = last, False
            section.confidence = min(section.confidence, 0.3)


def _longest_ascending(pages: Sequence[int]) -> list[int]:
    """Places of a longest subsequence that never goes back."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, page in enumerate(pages):
        at = bisect_right(tails, page)
        before.append(places[at - 1] if at else -1)
        if at == len(tails):
            tails.append(page)
            places.append(place)
        else:
            tails[at] = page
            places[at] = place
    found: list[int] = []
    place = places[-1] if places else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def _sort_siblings(sections: list[Section]) -> None:
    """Sort sections of one parent by their start, each with all that is below it."""
    top = _nest(sections)
    ordered: list[Section] = []
    stack = sorted(top, key=lambda section: section.page or 1, reverse=True)
    while stack:
        section = stack.pop()
        ordered.append(section)
        stack.extend(sorted(section.children, key=lambda child: child.page or 1, reverse=True))
    sections[:] = ordered


def _nest(sections: Sequence[Section]) -> list[Section]:
    """Children below parents. A level may go down by one step only, and no deeper than MAX_DEPTH."""
    top: list[Section] = []
    path: list[Section] = []
    stated: list[int] = []
    for section in sections:
        section.children = []
        while stated and stated[-1] >= section.level:
            stated.pop()
            path.pop()
        if len(path) >= MAX_DEPTH:
            parent: Section | None = path[MAX_DEPTH - 2]
        else:
            parent = path[-1] if path else None
            stated.append(section.level)
            path.append(section)
        (parent.children if parent else top).append(section)
    return top


def _set_ends(top: Sequence[Section], page_count: int) -> None:
    stack: list[tuple[Sequence[Section], int]] = [(top, page_count)]
    while stack:
        siblings, end = stack.pop()
        for place, section in enumerate(siblings):
            start = section.page or 1
            follower = siblings[place + 1] if place + 1 < len(siblings) else None
            if follower is None:
                section.last = max(end, start)
            else:
                next_start = follower.page or 1
                section.last = max(_last_start(section), next_start - 1 if follower.at_top else next_start)
            if section.children:
                stack.append((section.children, section.last))


def _last_start(section: Section) -> int:
    """Where the last of its subsections starts: a section cannot end before that."""
    while section.children:
        section = section.children[-1]
    return section.page or 1


def _freeze(top: Sequence[Section]) -> tuple[Node, ...]:
    """Nodes from sections, ids given in reading order. Depth is bounded by _nest, so recursion is safe."""
    counter = iter(range(1, 1_000_000_000))

    def node(section: Section, level: int) -> Node:
        return Node(
            node_id=f"{next(counter):04d}",
            title=clean_title(section.title),
            level=level,
            page_from=section.page or 1,
            page_to=section.last,
            source=section.source,
            confidence=round(section.confidence, 2),
            page_known=section.page_known,
            summary=section.summary,
            children=tuple(node(child, level + 1) for child in section.children),
        )

    return tuple(node(section, 1) for section in top)
