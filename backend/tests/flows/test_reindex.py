"""The index is derived: whatever happens to its file, what is kept can be found again, and nothing that was deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from docmind.domain.pages import DocumentId
from docmind.domain.ports import SearchScope
from docmind.errors import DocumentNotFound
from docmind.parts import Parts
from tests.library_home import a_pdf, add, parts_in


def names(parts: Parts, query: str) -> list[str]:
    return [hit.name for hit in parts.finder.search(query, SearchScope())]


def lose_the_index(home: Path) -> None:
    for path in home.glob("search.db*"):
        path.unlink()


def test_a_lost_index_is_built_again_with_all_its_pages(tmp_path: Path):
    parts = parts_in(tmp_path)
    add(parts, a_pdf("whales sing", "krill drifts"), "whales.pdf")
    parts.close()
    lose_the_index(tmp_path)
    again = parts_in(tmp_path)
    assert names(again, "krill") == []

    indexed = list(again.reindexing.catch_up())

    assert [document.name for document in indexed] == ["whales.pdf"]
    assert names(again, "krill") == ["whales.pdf"]
    assert list(again.reindexing.catch_up()) == []
    again.close()


def test_what_was_deleted_leaves_the_index_and_never_comes_back(tmp_path: Path):
    parts = parts_in(tmp_path)
    document = add(parts, a_pdf("whales sing"), "whales.pdf")
    pages, tree = [parts.shelf.read_page(document.id, 1)], parts.shelf.get_tree(document.id)
    parts.shelving.delete(document.id)
    parts.finder.add_document(document, pages, tree)  # as an index from an older backup would hold it
    assert names(parts, "whales") == ["whales.pdf"]

    assert list(parts.reindexing.catch_up()) == []

    assert names(parts, "whales") == []
    with pytest.raises(DocumentNotFound):
        parts.reindexing.one(document.id)
    parts.close()


def test_everything_is_indexed_anew_and_found_once(tmp_path: Path):
    parts = parts_in(tmp_path)
    add(parts, a_pdf("whales sing"), "whales.pdf")
    add(parts, a_pdf("cats sleep"), "cats.pdf")

    indexed = list(parts.reindexing.everything())

    assert sorted(document.name for document in indexed) == ["cats.pdf", "whales.pdf"]
    assert names(parts, "whales") == ["whales.pdf"]
    parts.close()


def test_an_unknown_document_cannot_be_indexed(tmp_path: Path):
    parts = parts_in(tmp_path)
    with pytest.raises(DocumentNotFound):
        parts.reindexing.one(DocumentId("0" * 16))
    parts.close()
