"""Trees go out and come back on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_documents import docmind
from tests.made_pdf import make_pdf


def test_a_tree_written_for_pageindex_mended_and_imported_is_the_document_s_tree(tmp_path: Path) -> None:
    home = tmp_path / "home"
    docmind("add", make_pdf(tmp_path / "report.pdf", ["Alpha", "Beta", "Gamma"]), "--home", home)
    written = json.loads(docmind("tree", "report", "--pageindex", "--home", home).stdout)
    assert written["doc_name"] == "report.pdf"
    assert [node["start_index"] for node in written["structure"]] == [1, 2, 3]
    written["structure"] = [{"title": "Mended", "start_index": 1, "nodes": [{"title": "End", "start_index": 3}]}]
    (tmp_path / "mended.json").write_text(json.dumps(written))

    done = docmind("import-tree", "report", tmp_path / "mended.json", "--home", home)

    assert done.stdout.endswith("report.pdf: 2 nodes imported\n")
    tree = json.loads(docmind("tree", "report", "--json", "--home", home).stdout)
    assert tree["source"] == "imported"
    assert [(node["title"], node["page_from"], node["page_to"]) for node in tree["nodes"]] == [("Mended", 1, 3)]
    hits = json.loads(docmind("search", "gamma", "--json", "--home", home).stdout)
    assert json.dumps(hits).count("Mended") == 1


def test_what_is_no_tree_changes_nothing_and_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    docmind("add", make_pdf(tmp_path / "report.pdf", ["Alpha", "Beta"]), "--home", home)
    before = docmind("tree", "report", "--json", "--home", home).stdout
    for name, content in (
        ("deep", "[" * 100_000),
        ("text", "not json"),
        ("number", "1"),
        ("nameless", '[{"nodes": []}]'),
    ):
        (tmp_path / name).write_text(content)

        refused = docmind("import-tree", "report", tmp_path / name, "--home", home)

        assert (refused.returncode, refused.stdout) == (1, "")
        assert "invalid_input" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert docmind("tree", "report", "--json", "--home", home).stdout == before
