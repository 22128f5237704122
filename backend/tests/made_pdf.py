"""Small PDFs for tests, and the parts that read them, with real child processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pymupdf
import pytest

from docmind.parts import Parts, build_parts
from docmind.settings import Settings

DATA = Path(__file__).parents[3] / "shared" / "data"

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the public documents are not beside the checkout")


def make_pdf(
    path: Path,
    texts: Sequence[str] = ("First page.",),
    *,
    outline: Sequence[tuple[int, str, int]] = (),
    password: str | None = None,
) -> Path:
    """A PDF with a page for each text. Outline entries are (level, title, page)."""
    document = pymupdf.open()
    for text in texts:
        page = document.new_page()
        page.insert_text((72, 72), text, fontsize=11)
    if outline:
        document.set_toc([list(entry) for entry in outline])
    if password:
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw=password + "!")
    else:
        document.save(path)
    document.close()
    return path


@contextmanager
def parts_in(home: Path, **settings: object) -> Iterator[Parts]:
    parts = build_parts(Settings(_env_file=None, home=home, **settings))
    try:
        yield parts
    finally:
        parts.close()


def files_of(home: Path) -> set[str]:
    """Everything below the home folder that belongs to documents."""
    return {
        str(Path(folder, name).relative_to(home))
        for top in ("uploads", "tree_index")
        for folder, _, names in os.walk(home / top)
        for name in names
    }
