"""checksums.json of a published document: the SHA-256 of each file that was made when it was read.

Pictures are left out: they are drawn later and can be drawn again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from docmind.storage.files import write_json

_NAME = "checksums.json"
_CHUNK = 1_048_576


def write_checksums(folder: Path) -> None:
    write_json(folder / _NAME, {path.relative_to(folder).as_posix(): file_sha256(path) for path in _files(folder)})


def broken_files(folder: Path) -> list[str]:
    """Names of the files that are missing or not as they were written. Empty for a document from before there were checksums."""
    try:
        sums: dict[str, str] = json.loads((folder / _NAME).read_bytes())
    except FileNotFoundError:
        return []
    except ValueError:
        return [_NAME]
    return [name for name, expected in sums.items() if _differs(folder / name, expected)]


def file_sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _differs(path: Path, expected: str) -> bool:
    try:
        return file_sha256(path) != expected
    except OSError:
        return True


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.iterdir() if path.is_file() and path.name != _NAME)
    yield from sorted((folder / "pages").glob("*.txt"))
