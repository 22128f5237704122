"""An upload becomes a document: all of it or nothing, once, whoever else uploads, deletes or dies meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.document import Document, DocumentStatus
from docmind.errors import DocmindError, DocumentNotFound, EmptyFile, NotAPdf, RenderTimeout
from docmind.flows.ingest import (
    BuildingTree,
    DocumentFailed,
    DocumentKept,
    DocumentReady,
    IngestEvent,
    ReadingPages,
    ingest,
)
from docmind.flows.shelving import Kept
from docmind.parts import Parts
from tests.made_pdf import DATA, files_of, make_pdf, needs_data, parts_in


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with parts_in(tmp_path / "home", page_seconds=5, parse_seconds=10) as parts:
        yield parts


def keep(parts: Parts, path: Path) -> Kept:
    return parts.shelving.keep(parts.shelving.receive([path.read_bytes()], path.name))


async def read(parts: Parts, document: Document, password: str | None = None) -> list[IngestEvent]:
    return [event async for event in ingest(document, parts.stages, password=password)]


async def add(parts: Parts, path: Path, password: str | None = None) -> Document:
    kept = keep(parts, path)
    await read(parts, kept.document, password)
    return parts.documents.get(kept.document.id)


async def test_events_tell_the_stages_in_order_and_end_ready(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", ["One", "Two", "Three"], outline=[(1, "One", 1), (1, "Two", 2)])

    events = await read(parts, keep(parts, path).document)

    assert isinstance(events[0], DocumentKept)
    assert [event.done for event in events if isinstance(event, ReadingPages)][-1] == 3
    assert isinstance(events[-2], BuildingTree)
    assert isinstance(events[-1], DocumentReady)
    assert events[-1].page_count == 3


async def test_document_is_published_with_pages_and_tree(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", ["Alpha here", "Beta here"], outline=[(1, "Alpha", 1), (1, "Beta", 2)])

    document = await add(parts, path)

    assert document.status is DocumentStatus.READY
    assert parts.shelf.read_page(document.id, 2).text == "Beta here"
    assert [(n.title, n.page_from, n.page_to) for n in parts.shelf.get_tree(document.id).nodes] == [
        ("Alpha", 1, 1),
        ("Beta", 2, 2),
    ]
    on_disk = files_of(parts.settings.home)
    assert f"uploads/{document.id}/source.pdf" in on_disk
    assert {f"tree_index/{document.id}/{n}" for n in ("document.json", "tree.json", "pages/0001.txt")} <= on_disk


async def test_same_bytes_are_the_same_document_when_twenty_arrive_together(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf")

    kept = await asyncio.gather(*(asyncio.to_thread(keep, parts, path) for _ in range(20)))

    assert len({one.document.id for one in kept}) == 1
    assert sum(one.starts for one in kept) == 1
    assert sum(not one.duplicate for one in kept) == 1
    assert parts.documents.count() == 1
    assert not list((parts.settings.home / "uploads" / ".incoming").iterdir())


@pytest.mark.parametrize(
    ("content", "error"),
    [(b"", EmptyFile), (b"<html>no</html>", NotAPdf), (b"%PDF-1.3\nnothing of one\n%%EOF", NotAPdf)],
)
def test_file_that_is_no_pdf_is_refused_and_leaves_nothing(
    parts: Parts, tmp_path: Path, content: bytes, error: type[Exception]
) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(content)

    with pytest.raises(error):
        keep(parts, path)

    assert files_of(parts.settings.home) == set()
    assert parts.documents.count() == 0


async def test_locked_file_fails_until_its_password_is_given(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", ["Secret words"], password="open me")

    failed = await add(parts, path)
    wrong = await add(parts, path, "wrong")
    ready = await add(parts, path, "open me")

    assert (failed.status, failed.problem and failed.problem.code) == (DocumentStatus.FAILED, "encrypted")
    assert wrong.problem is not None
    assert wrong.problem.code == "encrypted"
    assert ready.status is DocumentStatus.READY
    assert parts.shelf.read_page(ready.id, 1).text == "Secret words"
    picture = await parts.page_images.get(ready.id, 1)
    assert picture[:2] == b"\xff\xd8"
    unlocked = parts.files.published(ready.id) / "unlocked.pdf"
    assert unlocked.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name",
    [
        "../x.pdf",
        "/tmp/x.pdf",
        "..\\x.pdf",
        "a\x00b.pdf",
        "%2e%2e%2fx.pdf",
        "x" * 300 + ".pdf",
        "CON",
        "a\u202efdp.exe",
    ],
)
async def test_name_of_a_file_never_becomes_a_path(parts: Parts, tmp_path: Path, name: str) -> None:
    path = make_pdf(tmp_path / "a.pdf")

    kept = parts.shelving.keep(parts.shelving.receive([path.read_bytes()], name))

    assert files_of(parts.settings.home) - {f"tree_index/.staging/{kept.document.id}.lock"} == {
        f"uploads/{kept.document.id}/source.pdf"
    }
    assert kept.document.name.isprintable()
    assert 0 < len(kept.document.name) <= 255


async def test_odd_but_legal_name_is_shown_as_given(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "ß 文 ' # % .pdf")

    document = await add(parts, path)

    assert document.name == "ß 文 ' # % .pdf"


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.1, 0.2, 0.4])
async def test_delete_in_the_middle_leaves_nothing_behind(parts: Parts, tmp_path: Path, delay_s: float) -> None:
    path = make_pdf(tmp_path / "a.pdf", [f"Page {n} with some words" for n in range(300)])
    document = keep(parts, path).document

    reading = asyncio.create_task(read(parts, document))
    await asyncio.sleep(delay_s)
    await asyncio.to_thread(parts.shelving.delete, document.id)
    await reading

    assert files_of(parts.settings.home) == set()
    assert parts.documents.count() == 0


async def test_document_deleted_and_uploaded_again_is_read_once_more(parts: Parts, tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", [f"Page {n}" for n in range(200)])
    first = keep(parts, path).document
    reading = asyncio.create_task(read(parts, first))
    await asyncio.sleep(0.1)
    await asyncio.to_thread(parts.shelving.delete, first.id)

    second = await add(parts, path)
    await reading

    assert second.status is DocumentStatus.READY
    assert parts.shelf.read_page(second.id, 200).text == "Page 199"


def test_deleting_what_is_not_there_is_named(parts: Parts) -> None:
    with pytest.raises(DocumentNotFound):
        parts.shelving.delete("0" * 16)  # type: ignore[arg-type]


async def test_stages_run_again_after_any_of_them_give_the_same_document(parts: Parts, tmp_path: Path) -> None:
    document = keep(parts, make_pdf(tmp_path / "a.pdf", ["One", "Two"])).document

    for _ in range(2):
        reads = [read async for read in parts.stages.read_pages(document)]
    sources = {await parts.stages.build_tree(document) for _ in range(2)}
    ready = [await parts.stages.publish(document, seconds=1.0) for _ in range(2)]

    assert reads[-1].done == 2
    assert sources == {"pages"}
    assert ready[0] == ready[1]
    assert parts.shelf.read_page(document.id, 1).text == "One"


KILLED_ADD = "import sys; from docmind.cli import main; sys.argv = ['docmind', 'add', *sys.argv[1:]]; main()"


@pytest.mark.parametrize("delay_s", [0.5, 0.7, 0.9, 1.2])
async def test_what_a_kill_interrupts_is_found_and_finished_by_the_next_start(tmp_path: Path, delay_s: float) -> None:
    home = tmp_path / "home"
    path = make_pdf(tmp_path / "a.pdf", [f"Page {n} with some words" for n in range(800)])
    process = subprocess.Popen([sys.executable, "-c", KILLED_ADD, str(path), "--home", str(home), "--json"])
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    process.wait()

    with parts_in(home) as parts:
        for document in parts.shelving.sweep():
            await read(parts, document)
        documents = parts.documents.find_all()
        left = {name for name in files_of(home) if not name.endswith(".part")}
        staged = [p.name for p in (home / "tree_index" / ".staging").iterdir() if p.is_dir()]

        assert all(document.status is DocumentStatus.READY for document in documents)
        assert staged == []
        assert documents or left == set()


async def test_document_at_work_elsewhere_is_not_swept(parts: Parts, tmp_path: Path) -> None:
    document = keep(parts, make_pdf(tmp_path / "a.pdf")).document
    swept: list[list[Document]] = []

    with parts.shelving.at_work(document) as ours:
        thread = threading.Thread(target=lambda: swept.append(parts.shelving.sweep()))
        thread.start()
        thread.join()

    assert ours
    assert swept == [[]]
    assert [found.id for found in parts.shelving.sweep()] == [document.id]


def test_sweep_removes_what_no_document_owns(parts: Parts) -> None:
    orphans = [
        parts.files.uploads / ("a" * 16),
        parts.files.trees / ("b" * 16),
        parts.files.staging / f"{'c' * 16}.dead",
    ]
    for orphan in orphans:
        orphan.mkdir(parents=True)
        (orphan / "x").write_text("x")

    parts.shelving.sweep()

    assert not any(orphan.exists() for orphan in orphans)


async def test_attachments_are_told_and_not_opened(parts: Parts, tmp_path: Path) -> None:
    import pymupdf

    pdf = pymupdf.open()
    pdf.new_page()
    pdf.embfile_add("evil.exe", b"MZ")
    pdf.save(tmp_path / "a.pdf")
    pdf.close()

    document = await add(parts, tmp_path / "a.pdf")

    assert document.status is DocumentStatus.READY_WITH_WARNINGS
    assert [warning.code for warning in document.warnings] == ["attachments_ignored"]


@pytest.mark.data
@needs_data
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("empty.pdf", "empty_file"),
        ("invalid.pdf", "not_a_pdf"),
        ("corrupted.pdf", "no_pages"),
        ("encrypted.pdf", "encrypted"),
        ("poppler-67295-0.pdf", "bad_page_count"),
    ],
)
async def test_bad_file_of_the_public_corpus_has_its_named_error(parts: Parts, name: str, code: str) -> None:
    path = DATA / "corpus" / name

    assert await code_of(parts, path) == code


async def code_of(parts: Parts, path: Path) -> str:
    """The error code that adding the file ends with."""
    try:
        kept = keep(parts, path)
    except DocmindError as exc:
        return exc.code
    last = (await read(parts, kept.document))[-1]
    return last.problem.code if isinstance(last, DocumentFailed) else "ready"


@pytest.mark.data
@needs_data
def test_corpus_names_every_expected_file() -> None:
    expected = json.loads((DATA / "corpus" / "expected.json").read_text())

    assert all((DATA / "corpus" / row["file"]).exists() for row in expected)


@pytest.mark.data
@needs_data
async def test_page_that_hangs_the_renderer_fails_alone(parts: Parts) -> None:
    document = await add(parts, DATA / "corpus" / "test_2548.pdf")

    with pytest.raises(RenderTimeout):
        await parts.page_images.get(document.id, 1)
    assert (await parts.page_images.get(document.id, 4))[:2] == b"\xff\xd8"
    assert document.page_count == 15


@pytest.mark.data
@needs_data
async def test_page_that_cannot_be_read_is_a_warning(parts: Parts) -> None:
    document = await add(parts, DATA / "corpus" / "Pages-tree-refs.pdf")

    assert document.status is DocumentStatus.READY_WITH_WARNINGS
    assert [(warning.code, warning.page) for warning in document.warnings] == [("page_not_parsed", 2)]


def test_child_processes_end_with_their_parent(tmp_path: Path) -> None:
    code = (
        "from docmind.providers.pdf_process import PdfProcess, ProcessLimits\n"
        "import sys\n"
        f"p = PdfProcess(ProcessLimits(memory_mb=1500)); p.ask_one('open', seconds=10, path={str(make_pdf(tmp_path / 'a.pdf'))!r},"
        " password=None, max_pages=10, unlocked_copy=None)\n"
        "print(p.pid, flush=True); sys.stdin.read()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())

    parent.send_signal(signal.SIGKILL)
    parent.wait()
    for pipe in (parent.stdin, parent.stdout):
        if pipe is not None:
            pipe.close()

    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _lives(child):
        time.sleep(0.05)
    assert not _lives(child)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
