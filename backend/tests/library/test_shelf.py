"""What is kept of a document is either read whole or named as damaged; it never becomes an unnamed failure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from docmind.errors import DocumentDamaged
from docmind.parts import Parts
from tests.library_home import a_pdf, add, parts_in


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    opened = parts_in(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("content", [b"", b"[", b"{}", b"[1]", b'{"nodes": 3}', b"[" * 100_000, b"\xff"])
@pytest.mark.parametrize("name", ["tree.json", "pages.json"])
def test_a_damaged_file_is_named(parts: Parts, name: str, content: bytes) -> None:
    document = add(parts, a_pdf("alpha"))
    (parts.files.published(document.id) / name).write_bytes(content)

    read = parts.shelf.get_tree if name == "tree.json" else partial(parts.shelf.read_page, number=1)
    with pytest.raises(DocumentDamaged) as caught:
        read(document.id)

    assert "doctor --mend" in caught.value.advice_now


def test_a_missing_or_spoilt_page_text_is_named(parts: Parts) -> None:
    document = add(parts, a_pdf("alpha", "beta"))
    folder = parts.files.published(document.id) / "pages"
    (folder / "0001.txt").unlink()
    (folder / "0002.txt").write_bytes(b"\xff\xfe\xff")

    for page in (1, 2):
        with pytest.raises(DocumentDamaged):
            parts.shelf.read_page(document.id, page)
