"""A mistake on the command line costs one plain line on standard error and exit 1, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.made_pdf import make_pdf

TEXT = ["The capital expenditure of the year was 15 million dollars and the net revenue was 90 million dollars."]


def docmind(home: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docmind", "--home", str(home), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment or None)


@pytest.mark.parametrize("words", [("ask", " ", "--offline"), ("search", "")])
def test_an_empty_question_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = docmind(tmp_path, *words)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("invalid_input: ")


def test_a_home_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")

    done = docmind(tmp_path / "home", "documents")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert str(tmp_path / "home") in done.stderr


def test_a_database_address_that_is_none_is_not_repeated(tmp_path: Path) -> None:
    done = docmind(tmp_path, "documents", DATABASE_URL="root:secret@somewhere")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "DATABASE_URL" in done.stderr
    assert "secret" not in done.stderr


def test_an_empty_library_says_where_it_was_looked_for(tmp_path: Path) -> None:
    listed = docmind(tmp_path, "documents")
    asked = docmind(tmp_path, "tree", "report")

    assert (listed.returncode, listed.stdout) == (0, "")
    assert str(tmp_path) in listed.stderr
    assert "the library is empty. " in asked.stderr


def test_an_offline_answer_shows_each_quote_once(tmp_path: Path) -> None:
    docmind(tmp_path / "home", "add", make_pdf(tmp_path / "report.pdf", TEXT))

    done = docmind(tmp_path / "home", "ask", "What was the capital expenditure?", "--offline")

    assert done.stdout.count("The capital expenditure of the year") == 1
    assert "1. report.pdf, page 1 (verified)\n" in done.stdout


def test_a_command_that_reads_pages_loads_neither_server_nor_model_nor_migrations(tmp_path: Path) -> None:
    docmind(tmp_path / "home", "add", make_pdf(tmp_path / "report.pdf", TEXT))
    script = (
        "import sys\n"
        "from docmind.cli.base import commands\n"
        "from docmind import cli\n"
        f"commands(['--home', {str(tmp_path / 'home')!r}, 'pages', 'report', '1'], standalone_mode=False)\n"
        "heavy = ('fastapi', 'dbos', 'openai', 'alembic', 'uvicorn', 'pymupdf')\n"
        "sys.exit(' '.join(name for name in heavy if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)

    assert "capital expenditure" in done.stdout
    assert done.stderr.strip() == ""
