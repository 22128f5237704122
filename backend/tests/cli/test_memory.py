"""docmind memory: add, list, edit, delete, export and import, as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def docmind(home: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docmind", "--home", str(home), "memory", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_an_items_life_from_the_command_line(tmp_path: Path):
    home, file = tmp_path / "home", tmp_path / "memory.json"

    added = json.loads(docmind(home, "add", "Plays the oboe", "--keyword", "music", "--json").stdout)
    item_id = added["item"]["id"]
    assert docmind(home, "edit", item_id, "--pin").stdout.endswith("Plays the oboe [pinned]\n")
    assert "Plays the oboe" in docmind(home, "list", "oboe").stdout
    assert docmind(home, "export", file).stdout == "exported 1\n"

    assert docmind(home, "delete", item_id).stdout == "deleted 1\n"
    assert json.loads(docmind(home, "list", "--json").stdout) == {"items": [], "total": 0}
    assert docmind(home, "import", file).stdout == "imported 1\n"
    assert json.loads(docmind(home, "list", "--json").stdout)["items"][0]["keywords"] == ["music"]


def test_what_is_wrong_is_said_on_standard_error(tmp_path: Path):
    unknown = docmind(tmp_path, "delete", "nobody")
    assert (unknown.returncode, unknown.stderr.split(":")[0]) == (1, "memory_not_found")

    unclear = docmind(tmp_path, "delete")
    assert (unclear.returncode, unclear.stderr.split(":")[0]) == (1, "invalid_input")

    (tmp_path / "bad.json").write_text('{"format": 1, "items": [{"type": "rule"}]}')
    refused = docmind(tmp_path, "import", tmp_path / "bad.json")
    assert refused.returncode == 1
    assert "item 1" in refused.stderr
