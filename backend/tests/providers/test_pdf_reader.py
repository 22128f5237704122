"""A bad page costs that page: the child process that reads PDFs may die, hang or starve, and its parent goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.errors import Encrypted, NotAPdf, ParserCrashed, ParseTimeout
from docmind.providers.pdf_pictures import PdfPictures
from docmind.providers.pdf_process import PdfProcess, PdfProcesses, ProcessLimits
from docmind.providers.pdf_reader import PdfReader, ReadingLimits
from tests.made_pdf import make_pdf

LIMITS = ReadingLimits(open_s=10, page_s=5, max_pages=1000)


@pytest.fixture
def processes() -> Iterator[PdfProcesses]:
    made = PdfProcesses(2, ProcessLimits(memory_mb=1500, test_hooks=True))
    yield made
    made.close()


def read_texts(processes: PdfProcesses, path: Path, tmp_path: Path, limits: ReadingLimits = LIMITS) -> dict[int, str]:
    reader = PdfReader(processes, limits)
    with reader.open(path, password=None, unlocked_copy=tmp_path / "u.pdf", stopped=lambda: False) as reading:
        return {page.number: page.problem or page.text for page, _ in reading.pages()}


def test_every_page_is_read_once_when_two_children_share_a_document(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", [f"Page number {n}" for n in range(1, 151)])

    texts = read_texts(processes, path, tmp_path)

    assert texts == {n: f"Page number {n}" for n in range(1, 151)}


def test_crash_in_the_child_is_an_error_and_the_next_request_has_a_new_child() -> None:
    process = PdfProcess(ProcessLimits(memory_mb=1500, test_hooks=True))
    try:
        with pytest.raises(ParserCrashed):
            process.ask_one("crash", seconds=10)
        with pytest.raises(ParserCrashed):
            process.ask_one("crash", seconds=10)
    finally:
        process.end()


def test_child_killed_between_two_pages_costs_at_most_a_page(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", [f"Page number {n}" for n in range(1, 31)])
    reader = PdfReader(processes, LIMITS)

    with reader.open(path, password=None, unlocked_copy=tmp_path / "u.pdf", stopped=lambda: False) as reading:
        found = {}
        for page, _ in reading.pages():
            found[page.number] = page
            if page.number == 5:
                reading._process._process.kill()  # type: ignore[attr-defined]

    assert sorted(found) == list(range(1, 31))
    assert sum(page.problem is not None for page in found.values()) <= 1
    assert found[30].text == "Page number 30"


def test_listening_half_way_leaves_nothing_for_the_next_owner(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", [f"Page number {n}" for n in range(1, 31)])
    reader = PdfReader(processes, LIMITS)
    with reader.open(path, password=None, unlocked_copy=tmp_path / "u.pdf", stopped=lambda: False) as reading:
        next(pages := reading.pages())
        pages.close()  # type: ignore[attr-defined]

    assert len(read_texts(processes, path, tmp_path)) == 30


def test_page_that_takes_too_long_is_given_up(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf")
    reader = PdfReader(processes, LIMITS)

    with reader.open(path, password=None, unlocked_copy=tmp_path / "u.pdf", stopped=lambda: False) as reading:
        reading._limits = ReadingLimits(open_s=10, page_s=0.0, max_pages=10)  # type: ignore[attr-defined]
        pages = [page for page, _ in reading.pages()]

    assert [page.problem for page in pages] == [ParseTimeout.code]


def test_html_named_pdf_is_not_a_pdf(processes: PdfProcesses, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_text("<html><body>%PD F</body></html>")

    with pytest.raises(NotAPdf):
        read_texts(processes, path, tmp_path)


def test_locked_file_is_named(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", password="x")

    with pytest.raises(Encrypted):
        read_texts(processes, path, tmp_path)


async def test_quote_has_boxes_on_its_line_as_displayed(processes: PdfProcesses, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", ["Some words before the quoted passage here"])
    pictures = PdfPictures(processes, page_s=10, max_pixels=10_000_000, max_pages=100)

    (box,) = await pictures.quote_boxes(path, 1, "quoted  PASSAGE")

    assert 72 < box.left < box.right < 400
    assert 55 < box.top < 72 < box.bottom < 80
    assert await pictures.quote_boxes(path, 1, "not there at all") == ()


async def test_picture_is_scaled_down_to_the_pixel_limit(processes: PdfProcesses, tmp_path: Path) -> None:
    import pymupdf

    path = make_pdf(tmp_path / "a.pdf")
    pictures = PdfPictures(processes, page_s=10, max_pixels=100_000, max_pages=100)

    picture = pymupdf.Pixmap(await pictures.render(path, 1, scale=2.0, max_side_px=4000))

    assert picture.width * picture.height <= 101_000
