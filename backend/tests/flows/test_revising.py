"""A ready document's text and tree can be changed; readers see the old or the new, and nothing beside them is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import SearchScope
from docmind.domain.tree import Tree
from docmind.errors import DocumentNotFound
from docmind.indexing.from_json import tree_from_foreign_json
from docmind.library.checksums import broken_files
from docmind.parts import Parts
from docmind.storage import files as storage_files
from tests.library_home import a_pdf, add, parts_in


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    opened = parts_in(tmp_path)
    yield opened
    opened.close()


def zebra_on_page_2(document: Document, pages: Sequence[Page], tree: Tree) -> tuple[Sequence[Page], Tree]:
    changed = [replace(page, text="zebra", text_source="ocr") if page.number == 2 else page for page in pages]
    sections = [{"title": "Stripes", "start_index": 2}]
    return changed, tree_from_foreign_json(sections, document_id=document.id, page_count=len(pages))


def test_text_tree_and_search_show_the_change_and_the_rest_stays(parts: Parts) -> None:
    document = add(parts, a_pdf("alpha", "beta", "gamma"))
    assert parts.shelf.read_page(document.id, 2).text == "beta"

    revised = parts.revising.revise(document.id, zebra_on_page_2)

    assert [parts.shelf.read_page(document.id, n).text for n in (1, 2, 3)] == ["alpha", "zebra", "gamma"]
    assert parts.shelf.read_page(document.id, 2).text_source == "ocr"
    assert [node.title for node in parts.shelf.get_tree(document.id).nodes] == ["Front pages", "Stripes"]
    assert [hit.page for hit in parts.finder.search("zebra", SearchScope())] == [2]
    assert parts.finder.search("beta", SearchScope()) == []
    assert revised == parts.documents.get(document.id)
    assert broken_files(parts.files.published(document.id)) == []


@pytest.mark.parametrize("one_call", [True, False])
def test_pictures_and_transcripts_are_carried_over(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, one_call: bool
) -> None:
    if not one_call:
        monkeypatch.setattr(storage_files, "_LIBC", object())
    document = add(parts, a_pdf("alpha", "beta"))
    folder = parts.files.published(document.id)
    for name in ("images/0001.jpg", "vision/0001-model-abc.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("kept")

    parts.revising.revise(document.id, zebra_on_page_2)

    assert (folder / "images" / "0001.jpg").read_text() == "kept"
    assert (folder / "vision" / "0001-model-abc.json").read_text() == "kept"
    assert not [path for path in parts.files.staging.iterdir() if path.is_dir()]


def test_a_change_that_fails_leaves_the_document_as_it_was(parts: Parts) -> None:
    document = add(parts, a_pdf("alpha", "beta"))

    def fails(_: Document, pages: Sequence[Page], tree: Tree) -> tuple[Sequence[Page], Tree]:
        raise ValueError(f"{len(pages)} pages, and then no more")

    with pytest.raises(ValueError, match="2 pages"):
        parts.revising.revise(document.id, fails)

    assert parts.documents.get(document.id) == document
    assert parts.shelf.read_page(document.id, 2).text == "beta"
    assert not [path for path in parts.files.staging.iterdir() if path.is_dir()]


def test_a_document_that_is_not_there_is_named(parts: Parts) -> None:
    with pytest.raises(DocumentNotFound):
        parts.revising.revise(DocumentId("0" * 16), zebra_on_page_2)
