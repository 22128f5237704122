"""Choose the best source of structure that a document has, and build its tree from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docmind.domain.headings import PageStyle
from docmind.domain.names import clean_title
from docmind.domain.pages import DocumentId, Page
from docmind.domain.reading import OutlineEntry, TitledLink
from docmind.domain.tree import NodeSource, Tree
from docmind.indexing.from_contents import entries_from_links, entries_from_print
from docmind.indexing.from_headings import body_size, sections_from_headings
from docmind.indexing.from_outline import sections_from_outline
from docmind.indexing.merge import merge
from docmind.indexing.ranges import build_ranges, flat_pages
from docmind.indexing.running_lines import find_running_lines

_NOT_TELLING = re.compile(
    r"(?:slide|page|folie|seite|p\.?|sheet)?\s*(?:number)?\s*[\d.]*|.*\.(?:pdf|docx?|pptx?|xlsx?|indd|qxd|tif|jpe?g|html?)",
    re.IGNORECASE,
)


def build_tree(
    document_id: DocumentId,
    pages: Sequence[Page],
    styles: Sequence[PageStyle],
    outline: Sequence[OutlineEntry],
    links: Sequence[TitledLink] = (),
) -> Tree:
    """The tree of the document: from its bookmarks where they are of use, else from its contents page (links, then
    print) together with its headings, else its pages."""
    if is_useful(outline, len(pages)):
        return build_ranges(document_id, len(pages), sections_from_outline(outline, pages), source="bookmarks")
    entries, source = entries_from_links(links), "links"
    if not entries:
        entries, source = entries_from_print(pages), "contents page"
    sections = sections_from_headings(styles)
    if entries:
        sections = merge(sections, entries, pages)
    told = sum(section.source is not NodeSource.HEADING for section in sections)
    if sections:
        return build_ranges(document_id, len(pages), sections, source=source if told >= 3 else "headings")
    if outline:
        return build_ranges(document_id, len(pages), sections_from_outline(outline, pages), source="bookmarks")
    return flat_pages(document_id, [page.label for page in pages])


def is_useful(outline: Sequence[OutlineEntry], page_count: int) -> bool:
    """Bookmarks that tell of sections: not a single one, not slide numbers, not file names."""
    if len(outline) < 2 and page_count > 2:
        return False
    telling = sum(not _NOT_TELLING.fullmatch(clean_title(entry.title)) for entry in outline)
    return telling >= 0.5 * len(outline) and telling > 0


def with_headings(pages: Sequence[Page], styles: Sequence[PageStyle], tree: Tree) -> list[Page]:
    """The pages with the titles of sections that start on them, and their heads and feet."""
    running = find_running_lines(styles, body_size(styles))
    repeated = {
        style.page: tuple(text for text, y0, size in style.edge_lines if running.holds(text, y0, size, style.height))
        for style in styles
    }
    return [replace(page, running_lines=repeated.get(page.number, ())) for page in with_titles(pages, tree)]


def with_titles(pages: Sequence[Page], tree: Tree) -> list[Page]:
    """The pages with the titles of sections that start on them, as the tree has them."""
    titles: dict[int, list[str]] = {}
    for node in tree.walk():
        if node.source not in (NodeSource.PAGE, NodeSource.GAP):
            titles.setdefault(node.page_from, []).append(node.title)
    return [replace(page, headings=tuple(titles.get(page.number, ())[:50])) for page in pages]
