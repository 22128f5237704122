"""The tables of the page index: one SQLite file, derived from the library and rebuildable. Holds no ranking.

Pages lie in FTS5 with their tokens cut by us; the pages of a document have numbers in a row, so that a document is a range. A second
FTS5 table keeps which documents hold which token, and nothing else.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from docmind.domain.document import Document
from docmind.domain.pages import Page
from docmind.domain.tree import Tree
from docmind.library.document_match import DocumentFacts, KnownDocument, document_facts
from docmind.library.field_terms import joined
from docmind.library.page_facts import PageFacts, facts_of
from docmind.library.ranking import PageWords
from docmind.storage.wal import use_wal

# Raised when the cutter or the tables change: an older index is emptied and says so.
INDEX_VERSION = 3

_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    row INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, first_row INTEGER NOT NULL,
    pages INTEGER NOT NULL, mean_words REAL NOT NULL, facts TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS pages (
    row INTEGER PRIMARY KEY, number INTEGER NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, section TEXT NOT NULL,
    text TEXT NOT NULL, words INTEGER NOT NULL, figures REAL NOT NULL, kinds TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL);
INSERT OR IGNORE INTO changes VALUES (1, 0);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(section, head, body, tokenize = "unicode61 remove_diacritics 0 tokenchars '-.'");
CREATE VIRTUAL TABLE IF NOT EXISTS document_words USING fts5(
    body, detail = none, tokenize = "unicode61 remove_diacritics 0 tokenchars '-.'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(document_words, row);
"""
_TABLES = ("vocabulary", "documents", "pages", "changes", "words", "document_words")


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as it is shown in a hit."""

    number: int
    label: str
    section: tuple[str, ...]
    text: str


class SearchIndex:
    """The index at `path`. Safe from several threads and processes: a connection a thread, WAL, one short write a document."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = self.connection()
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, INDEX_VERSION):
            for table in _TABLES:
                connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {INDEX_VERSION}")
        self.needs_rebuild = version not in (0, INDEX_VERSION)

    def connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self._path, timeout=15, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            use_wal(connection.execute)
            for pragma in ("synchronous=NORMAL", "cache_size=-32000", "mmap_size=1073741824"):
                connection.execute(f"PRAGMA {pragma}")
            self._local.connection = connection
        return connection

    # --- writing ------------------------------------------------------------------------------------

    def add(self, document: Document, pages: Sequence[Page], tree: Tree) -> None:
        """Keep the document's pages, in place of what was there of it. Words are cut before the file is locked."""
        facts = [facts_of(page) for page in pages]
        sections = [_section(tree, page.number) for page in pages]
        about = document_facts(document.name, document.title, pages[0].text if pages else "")
        tokens = {token for each in facts for token in each.body.split()}
        tokens.update(token for section in sections for token in joined(" / ".join(section)).split())
        mean = sum(each.words for each in facts) / (len(facts) or 1)
        with self._writing() as connection:
            self._remove(connection, document.id)
            first = connection.execute("SELECT coalesce(max(row), 0) + 1 FROM pages").fetchone()[0]
            row = connection.execute(
                "INSERT INTO documents (document_id, name, first_row, pages, mean_words, facts) VALUES (?, ?, ?, ?, ?, ?)",
                (document.id, document.name, first, len(pages), mean, json.dumps(astuple(about), ensure_ascii=False)),
            ).lastrowid
            connection.executemany(
                "INSERT INTO pages (row, number, label, kind, section, text, words, figures, kinds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                _page_rows(first, pages, sections, facts),
            )
            connection.executemany(
                "INSERT INTO words (rowid, section, head, body) VALUES (?, ?, ?, ?)",
                [
                    (first + at, joined(" / ".join(section)), each.head, each.body)
                    for at, (section, each) in enumerate(zip(sections, facts, strict=True))
                ],
            )
            connection.execute(
                "INSERT INTO document_words (rowid, body) VALUES (?, ?)", (row, " ".join(sorted(tokens)))
            )

    def remove(self, document_id: str) -> None:
        with self._writing() as connection:
            self._remove(connection, document_id)

    def _remove(self, connection: sqlite3.Connection, document_id: str) -> None:
        found = connection.execute(
            "SELECT row, first_row, pages FROM documents WHERE document_id = ?", (document_id,)
        ).fetchone()
        if found is None:
            return
        row, first, count = found
        for table, key in (("words", "rowid"), ("pages", "row")):
            connection.execute(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", (first, first + count - 1))
        connection.execute("DELETE FROM document_words WHERE rowid = ?", (row,))
        connection.execute("DELETE FROM documents WHERE row = ?", (row,))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = self.connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("UPDATE changes SET count = count + 1")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    # --- reading ------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One state of the index for all reads inside: a document that goes meanwhile cannot lend its rows to another."""
        connection = self.connection()
        connection.execute("BEGIN")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")

    def changes(self) -> int:
        """Grows with every change of the library: what was read at another count is out of date."""
        return int(self.connection().execute("SELECT count FROM changes").fetchone()[0])

    def documents(self) -> list[KnownDocument]:
        rows = self.connection().execute(
            "SELECT row, document_id, name, first_row, pages, mean_words, facts FROM documents"
        )
        return [KnownDocument(row[0], row[1], row[2], row[3], row[4], row[5], _facts(row[6])) for row in rows]

    def documents_with(self, expression: str) -> set[int]:
        """Rows of the documents that hold every token of the expression."""
        found = self.connection().execute(
            "SELECT rowid FROM document_words WHERE document_words MATCH ?", (expression,)
        )
        return {row for (row,) in found}

    def tokens_from(self, start: str) -> list[tuple[str, int]]:
        """Tokens of the library that begin so, each with how many documents hold it."""
        found = self.connection().execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?", (start, start + "\U0010ffff")
        )
        return [(term, count) for term, count in found]

    def pages_with(self, expression: str, document: KnownDocument) -> list[int]:
        """Rows of the document's pages that match."""
        last = document.first_row + document.pages - 1
        found = self.connection().execute(
            "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?",
            (expression, document.first_row, last),
        )
        return [row for (row,) in found]

    def integrity_problems(self) -> list[str]:
        rows = self.connection().execute("PRAGMA integrity_check(20)").fetchall()
        return [str(row[0]) for row in rows if row[0] != "ok"]

    def page_total(self) -> int:
        return int(self.connection().execute("SELECT coalesce(sum(pages), 0) FROM documents").fetchone()[0])

    def pages_holding(self, token: str, *, at_most: int = 3_000) -> int:
        """How many pages hold the token, counted up to `at_most`: beyond that it is common, however large the library."""
        quoted = '"' + token.replace('"', '""') + '"'
        found = self.connection().execute(
            "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)", (quoted, at_most)
        )
        return int(found.fetchone()[0])

    def page_kinds(self, document: KnownDocument) -> dict[int, tuple[str, str, dict[str, float]]]:
        """For each row of the document's pages that is of some kind, or in a section: its kind, section and kinds by words."""
        last = document.first_row + document.pages - 1
        rows = self.connection().execute(
            "SELECT row, kind, section, kinds FROM pages WHERE row BETWEEN ? AND ?", (document.first_row, last)
        )
        return {row: (kind, section, json.loads(kinds) if kinds != "{}" else {}) for row, kind, section, kinds in rows}

    def read_words(self, rows: Iterable[int]) -> dict[int, PageWords]:
        wanted = ",".join(map(str, rows))
        found = self.connection().execute(
            "SELECT p.row, p.number, p.label, w.section, w.head, w.body, p.words, p.figures, p.kinds "
            f"FROM pages p JOIN words w ON w.rowid = p.row WHERE p.row IN ({wanted})"
        )
        return {
            row[0]: PageWords(row[1], row[2], row[3], row[4], row[5], row[6], row[7], json.loads(row[8]))
            for row in found
        }

    def read_pages(self, rows: Iterable[int]) -> dict[int, StoredPage]:
        wanted = ",".join(map(str, rows))
        found = self.connection().execute(
            f"SELECT row, number, label, section, text FROM pages WHERE row IN ({wanted})"
        )
        return {row[0]: StoredPage(row[1], row[2], tuple(json.loads(row[3])), row[4]) for row in found}


def _section(tree: Tree, number: int) -> list[str]:
    return [node.title for node in tree.path_to(number)] if tree.source != "pages" else []


def _page_rows(
    first: int, pages: Sequence[Page], sections: Sequence[Sequence[str]], facts: Sequence[PageFacts]
) -> list[tuple[object, ...]]:
    return [
        (
            first + at,
            page.number,
            page.label,
            page.kind.value,
            json.dumps(section, ensure_ascii=False),
            page.text,
            each.words,
            each.figures,
            json.dumps(each.kinds),
        )
        for at, (page, section, each) in enumerate(zip(pages, sections, facts, strict=True))
    ]


def _facts(text: str) -> DocumentFacts:
    parts, years, quarters, cover = json.loads(text)
    return DocumentFacts(tuple(parts), tuple(years), tuple(quarters), cover)
