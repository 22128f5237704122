"""A backup holds everything that was acknowledged, and comes back in any of the databases."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.conversations.store import Chats
from docmind.errors import Conflict, DatabaseTooNew, InvalidInput
from docmind.storage.backup import back_up, read_manifest, restore, verify
from docmind.storage.database import Database
from docmind.storage.files import DocumentFiles
from docmind.storage.migrations import migrate
from tests.library_home import a_pdf, add, parts_in


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A backup of a home with one document and two chats."""
    parts = parts_in(tmp_path / "home")
    add(parts, a_pdf("Alpha 😀", "Beta"), "名字.pdf")
    chats = Chats(parts.database)
    chats.create("Chat with 😀")
    chats.change(chats.create("Old one").id, archived=True)
    back_up(parts.database, parts.files, tmp_path / "b.zip", version="test")
    parts.close()
    return tmp_path / "b.zip"


def test_a_backup_comes_back_whole_in_every_database(made: Path, any_database_url: str, tmp_path: Path):
    home = tmp_path / "other"
    database = Database(any_database_url)
    restored = restore(database, DocumentFiles(home), made)
    database.close()
    assert restored.rows["documents"] == 1

    parts = parts_in(home, any_database_url)
    (document,) = parts.documents.find_all()
    assert (document.name, document.status.value, document.page_count) == ("名字.pdf", "ready", 2)
    assert "Beta" in parts.shelf.read_page(document.id, 2).text
    chats = Chats(parts.database)
    assert [chat.title for chat in chats.find_all()[0]] == ["Chat with 😀"]
    assert [chat.title for chat in chats.find_all(archived=True)[0]] == ["Old one"]
    back_up(parts.database, parts.files, tmp_path / "again.zip", version="test")
    first, again = read_manifest(made), read_manifest(tmp_path / "again.zip")
    parts.close()
    assert again["rows"] == first["rows"]
    same_files = {name: value for name, value in first["sha256"].items() if not name.startswith("tables/")}
    assert same_files.items() <= again["sha256"].items()


def test_a_backup_is_never_put_over_existing_data(made: Path, tmp_path: Path):
    parts = parts_in(tmp_path / "home")
    with pytest.raises(Conflict, match="rows in"):
        restore(parts.database, parts.files, made)
    parts.close()


def test_a_backup_never_replaces_a_file(made: Path, tmp_path: Path):
    parts = parts_in(tmp_path / "home")
    with pytest.raises(Conflict, match="exists already"):
        back_up(parts.database, parts.files, made, version="test")
    parts.close()


def test_a_damaged_backup_is_refused_before_anything_is_written(made: Path, tmp_path: Path):
    data = bytearray(made.read_bytes())
    with zipfile.ZipFile(made) as archive:
        member = next(info for info in archive.infolist() if info.filename.endswith("source.pdf"))
    data[member.header_offset + 200] ^= 0xFF
    made.write_bytes(bytes(data))
    assert [name.rpartition("/")[2] for name in verify(made)] == ["source.pdf"]
    database = Database.sqlite(tmp_path / "other" / "docmind.db")
    with pytest.raises(InvalidInput, match="damaged"):
        restore(database, DocumentFiles(tmp_path / "other"), made)
    assert sa.inspect(database.engine).get_table_names() == []
    database.close()


def test_something_else_than_a_backup_is_refused(tmp_path: Path):
    (tmp_path / "x.zip").write_bytes(b"not a zip")
    with pytest.raises(InvalidInput, match="not a backup"):
        read_manifest(tmp_path / "x.zip")


def test_a_backup_from_a_newer_program_is_refused(made: Path, tmp_path: Path):
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(newer, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "manifest.json":
                content = content.replace(b'"revision": "', b'"revision": "9')
            new.writestr(info.filename, content)
    database = Database.sqlite(tmp_path / "other" / "docmind.db")
    with pytest.raises(DatabaseTooNew):
        restore(database, DocumentFiles(tmp_path / "other"), newer)
    database.close()


def test_a_name_in_a_backup_cannot_lead_out_of_the_home(made: Path, tmp_path: Path):
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(hostile, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "manifest.json":
                content = content.replace(b'source.pdf"', b'../../../outside.pdf"')
            new.writestr(info.filename.replace("source.pdf", "../../../outside.pdf"), content)
    database = Database.sqlite(tmp_path / "other" / "docmind.db")
    with pytest.raises(InvalidInput, match="no place in a backup"):
        restore(database, DocumentFiles(tmp_path / "other"), hostile)
    database.close()
    assert not list(tmp_path.rglob("outside.pdf"))


def test_a_document_deleted_during_the_backup_is_left_out(tmp_path: Path):
    parts = parts_in(tmp_path / "home")
    gone = add(parts, a_pdf("gone"))
    parts.files.remove(parts.files.source(gone.id).parent)
    parts.files.remove(parts.files.published(gone.id))
    made = back_up(parts.database, parts.files, tmp_path / "b.zip", version="test")
    parts.close()
    assert made.skipped == (gone.id,)
    assert made.rows["documents"] == 0


def test_migrations_stop_at_the_revision_that_is_asked_for(tmp_path: Path):
    database = Database.sqlite(tmp_path / "docmind.db")
    migrate(database, to="0001")
    assert "chats" not in sa.inspect(database.engine).get_table_names()
    migrate(database)
    assert "chats" in sa.inspect(database.engine).get_table_names()
    database.close()
