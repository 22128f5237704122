"""The doctor finds what was broken by hand, mends it, and then finds nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.cli.care import findings_of
from docmind.domain.document import DocumentStatus
from docmind.domain.pages import DocumentId
from docmind.domain.tree import Node, NodeSource, Tree
from docmind.flows.checkup import tree_gap
from docmind.library.trees import tree_to_json
from docmind.parts import Parts
from tests.library_home import a_pdf, add, parts_in

PDF = a_pdf("Alpha", "Beta", "Gamma")


@pytest.fixture
def parts(tmp_path: Path):
    parts = parts_in(tmp_path)
    yield parts
    parts.close()


def codes(parts: Parts) -> list[str]:
    return [finding.code for finding in findings_of(parts)]


def mend(parts: Parts) -> None:
    for finding in list(findings_of(parts)):
        if finding.mend is not None:
            asyncio.run(finding.mend())


def test_a_healthy_library_has_no_findings(parts: Parts):
    add(parts, PDF)
    assert codes(parts) == []


def test_a_changed_page_is_found_and_read_again(parts: Parts):
    document = add(parts, PDF)
    page = parts.files.published(document.id) / "pages" / "0002.txt"
    page.write_text("Something else")
    assert codes(parts) == ["pages_damaged"]
    mend(parts)
    assert codes(parts) == []
    assert "Beta" in page.read_text()


@pytest.mark.parametrize("name", ["tree.json", "pages.json", "pages/0003.txt", "checksums.json"])
def test_a_lost_or_broken_file_is_found_and_made_again(parts: Parts, name: str):
    document = add(parts, PDF)
    (parts.files.published(document.id) / name).write_text("{")
    assert codes(parts) == ["pages_damaged"]
    mend(parts)
    assert codes(parts) == []


def test_a_lost_folder_is_made_again(parts: Parts):
    document = add(parts, PDF)
    parts.files.remove(parts.files.published(document.id))
    assert codes(parts) == ["pages_missing"]
    mend(parts)
    assert codes(parts) == []
    assert parts.documents.get(document.id).status is DocumentStatus.READY


def test_a_damaged_source_is_put_aside_and_comes_back_with_the_same_upload(parts: Parts):
    document = add(parts, PDF)
    source = parts.files.source(document.id)
    source.write_bytes(PDF[:-40] + b"x" * 40)
    assert codes(parts) == ["source_damaged"]
    mend(parts)
    assert codes(parts) == ["source_missing"]
    assert source.with_name("source.pdf.damaged").exists()
    add(parts, PDF)
    assert codes(parts) == []
    assert source.read_bytes() == PDF


def test_a_document_that_nobody_works_at_is_read_to_its_end(parts: Parts):
    kept = parts.shelving.keep(parts.shelving.receive([PDF], "paper.pdf"))
    assert codes(parts) == ["unfinished"]
    mend(parts)
    assert codes(parts) == []
    assert parts.documents.get(kept.document.id).status is DocumentStatus.READY


def test_documents_whose_rows_were_lost_are_taken_in_again(parts: Parts):
    document = add(parts, PDF, "名字.pdf")
    with parts.database.transaction() as connection:
        connection.execute(sa.text("DELETE FROM documents"))
    assert codes(parts) == ["orphaned"]
    mend(parts)
    assert codes(parts) == []
    assert parts.documents.get(document.id) == document


def test_a_start_with_a_lost_database_keeps_the_library(tmp_path: Path):
    parts = parts_in(tmp_path)
    document = add(parts, PDF, "名字.pdf")
    parts.close()
    for file in tmp_path.glob("docmind.db*"):
        file.unlink()
    parts = parts_in(tmp_path)
    parts.shelving.sweep()
    assert parts.documents.find_all() == [document]
    parts.close()


def test_a_delete_that_was_killed_half_way_is_finished(parts: Parts):
    document = add(parts, PDF)
    parts.files.deleted_mark(document.id).touch()
    with parts.database.transaction() as connection:
        connection.execute(sa.text("DELETE FROM documents"))
    mend(parts)
    assert codes(parts) == []
    assert parts.documents.find_all() == []
    assert not parts.files.published(document.id).exists()
    assert not parts.files.source(document.id).parent.exists()


def test_a_deleted_document_can_be_uploaded_again_after_a_killed_delete(parts: Parts):
    document = add(parts, PDF)
    parts.files.deleted_mark(document.id).touch()
    with parts.database.transaction() as connection:
        connection.execute(sa.text("DELETE FROM documents"))
    add(parts, PDF)
    parts.shelving.sweep()
    assert parts.documents.get(document.id).status is DocumentStatus.READY
    assert codes(parts) == []


def a_tree(*ranges: tuple[int, int], page_count: int, children: tuple[Node, ...] = ()) -> Tree:
    nodes = tuple(
        Node(
            f"{index}", f"Section {index}", 1, first, last, NodeSource.BOOKMARK, children=children if index == 1 else ()
        )
        for index, (first, last) in enumerate(ranges, 1)
    )
    return Tree(DocumentId("0" * 16), page_count, nodes, "bookmarks")


def test_a_tree_that_leaves_pages_out_is_named():
    assert tree_gap(a_tree((1, 3), (3, 9), page_count=9), 9) is None
    assert tree_gap(a_tree((1, 3), (6, 9), page_count=9), 9) == "pages 4-5 are in no section"
    assert tree_gap(a_tree((1, 3), page_count=9), 9) == "pages 4-9 are in no section"
    assert tree_gap(a_tree((1, 9), page_count=9), 12) == "it was built for 9 pages, the document has 12"


def test_a_section_outside_its_parent_is_named():
    child = Node("1.1", "Child", 2, 2, 5, NodeSource.BOOKMARK)
    assert tree_gap(a_tree((1, 3), (4, 9), page_count=9, children=(child,)), 9) == "section 1.1 does not lie within 1"


def test_a_tree_with_a_gap_is_built_again(parts: Parts):
    document = add(parts, PDF)
    folder = parts.files.published(document.id)
    (folder / "checksums.json").unlink()
    (folder / "tree.json").write_text(json.dumps(tree_to_json(a_tree((2, 3), page_count=3))))
    assert codes(parts) == ["tree_gap"]
    mend(parts)
    assert codes(parts) == []
