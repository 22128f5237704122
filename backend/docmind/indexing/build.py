"""Choose the best source of structure that a document has, and build its tree from it."""

from __future__ import annotations

from collections.abc import Sequence

from docmind.domain.pages import DocumentId, Page
from docmind.domain.reading import OutlineEntry
from docmind.domain.tree import Tree
from docmind.indexing.from_outline import sections_from_outline
from docmind.indexing.ranges import build_ranges, flat_pages


def build_tree(document_id: DocumentId, pages: Sequence[Page], outline: Sequence[OutlineEntry]) -> Tree:
    """The tree of the document: from its bookmarks where it has some, else its pages as a list."""
    if outline:
        return build_ranges(document_id, len(pages), sections_from_outline(outline, pages), source="bookmarks")
    return flat_pages(document_id, [page.label for page in pages])
