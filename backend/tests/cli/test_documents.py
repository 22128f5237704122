"""docmind add, tree and pages print what they promise, and errors go to standard error with exit 1."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.made_pdf import make_pdf


def docmind(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docmind", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_add_prints_a_line_a_file_and_fails_when_one_failed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    make_pdf(tmp_path / "in" / "good.pdf")
    (tmp_path / "in" / "bad.pdf").write_bytes(b"")

    done = docmind("--home", tmp_path / "home", "add", tmp_path / "in", "--json")

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [(line["name"], line["status"], line["code"]) for line in lines] == [
        ("bad.pdf", "failed", "empty_file"),
        ("good.pdf", "ready", None),
    ]
    wanted = {"document_id", "name", "pages", "status", "code", "outline_source", "warnings", "seconds"}
    assert all(wanted <= line.keys() for line in lines)
    assert "empty_file" in done.stderr


def test_tree_and_pages_take_a_part_of_the_name_and_home_on_either_side(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "report.pdf", ["Alpha", "Beta"], outline=[(1, "Alpha", 1), (2, "Beta", 2)])
    docmind("add", path, "--home", tmp_path / "home")

    tree = json.loads(docmind("tree", "repo", "--json", "--home", tmp_path / "home").stdout)
    pages = json.loads(docmind("--home", tmp_path / "home", "pages", "report.pdf", "2-9", "--json").stdout)

    assert {"document_id", "name", "pages", "nodes"} <= tree.keys()
    (node,) = tree["nodes"]
    assert (node["title"], node["level"], node["page_from"], node["page_to"], node["source"]) == (
        "Alpha", 1, 1, 2, "bookmark",
    )  # fmt: skip
    assert node["children"][0]["title"] == "Beta"
    assert [(page["page"], page["text"]) for page in pages["pages"]] == [(2, "Beta")]
    assert pages["notes"] == ["2-9 cut to pages 2-2"]


def test_unknown_document_and_bad_range_are_errors_on_standard_error(tmp_path: Path) -> None:
    docmind("add", make_pdf(tmp_path / "a.pdf"), "--home", tmp_path / "home")

    unknown = docmind("tree", "nothing", "--json", "--home", tmp_path / "home")
    backwards = docmind("pages", "a", "9-3", "--json", "--home", tmp_path / "home")

    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "document_not_found" in unknown.stderr
    assert "a.pdf" in unknown.stderr
    assert (backwards.returncode, backwards.stdout) == (1, "")
    assert "invalid_page_range" in backwards.stderr


def test_deleted_document_is_gone(tmp_path: Path) -> None:
    docmind("add", make_pdf(tmp_path / "a.pdf"), "--home", tmp_path / "home")

    deleted = docmind("delete", "a.pdf", "--home", tmp_path / "home")

    assert deleted.returncode == 0
    assert json.loads(docmind("documents", "--json", "--home", tmp_path / "home").stdout) == []
    assert not [path for path in (tmp_path / "home" / "uploads").rglob("*") if path.is_file()]


def test_adding_what_is_no_pdf_or_already_there_says_so(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf")
    (tmp_path / "nothing").mkdir()
    docmind("add", path, "--home", tmp_path / "home")

    again = docmind("add", path, "--home", tmp_path / "home")
    empty = docmind("add", tmp_path / "nothing", "--home", tmp_path / "home")
    missing = docmind("add", tmp_path / "missing.pdf", "--home", tmp_path / "home")

    assert (again.returncode, "already there" in again.stdout) == (0, True)
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "no PDF file in" in empty.stderr
    assert missing.returncode == 1
    assert missing.stderr.endswith("No such file or directory. Check the path.\n")
