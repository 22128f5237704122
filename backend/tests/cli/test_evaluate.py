"""`docmind eval` on a folder of real PDFs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docmind.cli import commands
from docmind.errors import InvalidInput
from tests.library_home import a_pdf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    (folder / "whales.pdf").write_bytes(a_pdf("Whales swim in cold water.", "Humpback whales sing long songs."))
    (folder / "cats.pdf").write_bytes(a_pdf("Cats sleep all day.", "Cats purr when they are content."))
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    lines = [
        {"id": "a", "doc_name": "whales", "question": "Which whales sing songs?", "evidence_pages_1based": [2]},
        {"id": "b", "doc_name": "cats", "question": "When do cats purr?", "evidence_pages_1based": [2]},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def evaluate(questions: Path, folder: Path, home: Path, *options: str) -> dict[str, object]:
    arguments = ["eval", str(questions), "--pdfs", str(folder), "--home", str(home), "--json", *options]
    result = CliRunner().invoke(commands, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("scope", ["document", "library"])
def test_search_is_measured_in_the_document_and_in_the_library(
    questions: Path, folder: Path, tmp_path: Path, scope: str
):
    figures = evaluate(questions, folder, tmp_path / "home", "--scope", scope)

    assert figures["documents"] == 2
    for name in ("any@1", "any@3", "any@5", "any@10", "all@5", "mrr"):
        assert figures[name] == 1.0


def test_the_offline_reader_is_measured_with_and_without_the_document(questions: Path, folder: Path, tmp_path: Path):
    details = tmp_path / "details.jsonl"

    figures = evaluate(questions, folder, tmp_path / "home", "--mode", "offline", "--details", str(details))

    assert figures["right_page_cited"] == 1.0
    assert figures["quotes_verified"] == 1.0
    assert figures["refused_without_document"] == 1.0
    lines = [json.loads(line) for line in details.read_text(encoding="utf-8").splitlines()]
    assert [line["document_removed"] for line in lines] == [False, False, True, True]


def test_a_folder_without_the_questions_documents_is_an_error(questions: Path, tmp_path: Path):
    (tmp_path / "empty").mkdir()

    with pytest.raises(InvalidInput, match="none of the questions' documents"):
        evaluate(questions, tmp_path / "empty", tmp_path / "home")
