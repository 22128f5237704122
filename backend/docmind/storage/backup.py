"""Backups: one zip file with all tables as lines of JSON, the documents' files, and a checksum of each.

The tables are plain values and not a database's own format, so a backup of SQLite can be restored into MySQL and back.
The search index, pictures and the workflows' own database are left out: they are made again from what is kept.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from docmind.errors import Conflict, InvalidInput
from docmind.storage.database import Database
from docmind.storage.files import DocumentFiles, as_storage_error
from docmind.storage.migrations import current_revision, migrate

FORMAT = 1
_MANIFEST = "manifest.json"
_REVISION_TABLE = "alembic_version"
_ROWS_AT_ONCE = 500
_CHUNK = 1_048_576
# Names in a backup are data: nothing else may become a path.
_FILE = re.compile(r"(uploads|tree_index)/[0-9a-f]{16}/(pages/)?[A-Za-z0-9_.-]+")
_TABLE = re.compile(r"tables/([a-z0-9_]+)\.jsonl")
_STORED = (".pdf", ".jpg")


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds. `rows` by table."""

    path: Path
    rows: dict[str, int]
    files: int
    size_bytes: int
    skipped: tuple[str, ...] = ()


class _Archive:
    """A zip in the making that remembers the checksum of all that goes in."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3)
        self.sums: dict[str, str] = {}

    def add(self, name: str, chunks: Iterator[bytes]) -> None:
        info = zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        digest = hashlib.sha256()
        with self._zip.open(info, "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
        self.sums[name] = digest.hexdigest()

    def close(self, manifest: dict[str, Any]) -> None:
        self._zip.writestr(_MANIFEST, json.dumps({**manifest, "sha256": self.sums}, indent=1))
        self._zip.close()


def back_up(database: Database, files: DocumentFiles, target: Path, *, version: str) -> BackedUp:
    """Write a backup to `target`, also while a server runs. Complete or not there: written aside, forced to disk, renamed.

    A document that is deleted meanwhile is left out, tables and files alike; its id is in `skipped`.
    """
    if target.exists():
        raise Conflict(f"{target} exists already", advice="Give another name; a backup never replaces a file.")
    part = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with part.open("wb") as file:
            archive = _Archive(file)
            with _snapshot(database) as connection:
                revision = current_revision(connection)
                tables = _our_tables(connection)
                kept, skipped = _add_documents(archive, connection, tables, files)
                rows = {
                    table.name: _add_rows(archive, connection, table, skipped if table.name == "documents" else set())
                    for table in tables
                }
            archive.close(
                {
                    "format": FORMAT,
                    "docmind": version,
                    "revision": revision,
                    "made_at": datetime.now(UTC).isoformat(),
                    "rows": rows,
                }
            )
            file.flush()
            os.fsync(file.fileno())
        part.rename(target)
    except OSError as exc:
        raise as_storage_error(exc) from exc
    finally:
        part.unlink(missing_ok=True)
    return BackedUp(target, rows, kept, target.stat().st_size, tuple(sorted(skipped)))


@contextmanager
def _snapshot(database: Database) -> Iterator[sa.Connection]:
    """Reads that all see one moment."""
    if database.is_sqlite:
        with database.read() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection
            connection.rollback()
        return
    with database.engine.connect() as connection:
        yield connection.execution_options(isolation_level="REPEATABLE READ")


def _our_tables(connection: sa.Connection) -> list[sa.Table]:
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != _REVISION_TABLE]


def _add_documents(
    archive: _Archive, connection: sa.Connection, tables: list[sa.Table], files: DocumentFiles
) -> tuple[int, set[str]]:
    """The files of every document; how many, and which documents' files have gone since the snapshot."""
    documents = next((table for table in tables if table.name == "documents"), None)
    if documents is None:
        return 0, set()
    count, skipped = 0, set()
    for document_id, status in connection.execute(sa.select(documents.c.id, documents.c.status)).all():
        with files.lock(document_id):
            source = files.source(document_id)
            folder = files.published(document_id)
            if not source.exists() and not folder.exists():
                skipped.add(document_id)
                continue
            for path in _files_of(source, folder, with_folder=status.startswith("ready")):
                archive.add(_name_of(path, files), _chunks(path))
                count += 1
    return count, skipped


def _files_of(source: Path, folder: Path, *, with_folder: bool) -> Iterator[Path]:
    if source.exists():
        yield source
    if with_folder and folder.exists():
        yield from sorted(path for path in folder.iterdir() if path.is_file() and not path.name.endswith(".tmp"))
        yield from sorted((folder / "pages").glob("*.txt"))


def _name_of(path: Path, files: DocumentFiles) -> str:
    root, top = (files.uploads, "uploads") if path.is_relative_to(files.uploads) else (files.trees, "tree_index")
    return f"{top}/{path.relative_to(root).as_posix()}"


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _add_rows(archive: _Archive, connection: sa.Connection, table: sa.Table, skipped: set[str]) -> int:
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        order = list(table.primary_key.columns) or list(table.columns)
        result = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(sa.select(table).order_by(*order))
        for row in result.mappings():
            if skipped and row["id"] in skipped:
                continue
            count += 1
            yield (json.dumps({key: _plain(value) for key, value in row.items()}, ensure_ascii=False) + "\n").encode()

    archive.add(f"tables/{table.name}.jsonl", lines())
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        raise TypeError("a column of bytes has no place in a backup yet")
    return value


# --- restore ------------------------------------------------------------------------------------------


def read_manifest(source: Path) -> dict[str, Any]:
    """What a backup says of itself. Raises InvalidInput when it is not one, or from a newer program."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest: dict[str, Any] = json.loads(archive.read(_MANIFEST))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as exc:
        raise InvalidInput(f"{source} is not a backup of DocMind: {exc}") from exc
    if manifest.get("format") != FORMAT:
        raise InvalidInput(f"{source} has the format {manifest.get('format')}, but this version reads {FORMAT}")
    return manifest


def verify(source: Path) -> list[str]:
    """Names of the members whose bytes are not those that were written, or that are missing."""
    broken = []
    sums: dict[str, str] = read_manifest(source)["sha256"]
    with zipfile.ZipFile(source) as archive:
        for name, expected in sums.items():
            try:
                with archive.open(name) as member:
                    digest = hashlib.sha256()
                    while chunk := member.read(_CHUNK):
                        digest.update(chunk)
            except (KeyError, zipfile.BadZipFile, zlib.error):
                broken.append(name)
                continue
            if digest.hexdigest() != expected:
                broken.append(name)
    return broken


def restore(database: Database, files: DocumentFiles, source: Path) -> BackedUp:
    """Put a backup into an empty database and home. Raises Conflict where there is something, InvalidInput on a broken file.

    The files come first and the rows last, in one transaction: until then a start sees an empty library.
    """
    manifest = read_manifest(source)
    if broken := verify(source):
        raise InvalidInput(f"{source} is damaged: {len(broken)} of its members differ, first {broken[0]}")
    with database.read() as connection:
        current = current_revision(connection)
    if current not in (None, manifest["revision"]):
        raise Conflict(
            f"the database is at revision {current}, the backup at {manifest['revision']}",
            advice="Restore into a new, empty database; it is brought up to date afterwards.",
        )
    migrate(database, to=manifest["revision"])
    _check_empty(database, files)
    with zipfile.ZipFile(source) as archive:
        names = list(manifest["sha256"])
        count = sum(_extract(archive, name, files) for name in names if not _TABLE.fullmatch(name))
        with database.transaction(durable=True) as connection:
            tables = {table.name: table for table in _our_tables(connection)}
            for table in tables.values():
                if f"tables/{table.name}.jsonl" in manifest["sha256"]:
                    _load_rows(archive, connection, table)
    migrate(database)
    return BackedUp(source, manifest["rows"], count, source.stat().st_size)


def _check_empty(database: Database, files: DocumentFiles) -> None:
    with database.read() as connection:
        for table in _our_tables(connection):
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one():
                raise Conflict(
                    f"the database has rows in {table.name} already",
                    advice="Restore into an empty home folder and database, then use those.",
                )
    if any(files.uploads.glob("?" * 16)) or any(files.trees.glob("?" * 16)):
        raise Conflict(
            f"{files.uploads.parent} holds documents already",
            advice="Restore into an empty home folder, then use that.",
        )


def _extract(archive: zipfile.ZipFile, name: str, files: DocumentFiles) -> int:
    if not _FILE.fullmatch(name) or ".." in name:
        raise InvalidInput(f"{name[:100]!r} has no place in a backup")
    top, _, rest = name.partition("/")
    path = (files.uploads if top == "uploads" else files.trees) / rest
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as member, path.open("wb") as file:
        shutil.copyfileobj(member, file, _CHUNK)
        file.flush()
        os.fsync(file.fileno())
    return 1


def _load_rows(archive: zipfile.ZipFile, connection: sa.Connection, table: sa.Table) -> None:
    rows: list[dict[str, Any]] = []
    with archive.open(f"tables/{table.name}.jsonl") as member:
        for line in io.TextIOWrapper(member, "utf-8"):
            rows.append({key: _typed(table.c[key], value) for key, value in json.loads(line).items()})
            if len(rows) == _ROWS_AT_ONCE:
                connection.execute(table.insert(), rows)
                rows = []
    if rows:
        connection.execute(table.insert(), rows)


def _typed(column: sa.Column[Any], value: Any) -> Any:
    """The value as this database's column wants it: MySQL keeps a yes as 1, SQLite and Postgres give it as True."""
    if value is None:
        return None
    if isinstance(column.type, sa.DateTime):
        return datetime.fromisoformat(value)
    if isinstance(column.type, sa.Boolean):
        return bool(value)
    if isinstance(column.type, sa.Integer):
        return int(value)
    return value
