"""Find pages by words: an index in one SQLite file beside the library, derived and rebuildable.

FTS5 gathers candidates by BM25 over four fields (document name, section path, head of the page, body); they are then ranked by
how much of the question each holds and where. Safe from several threads and processes.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import SearchScope
from docmind.domain.search import Hit
from docmind.domain.tree import Tree
from docmind.domain.words import cut
from docmind.library.query import Term, terms_of
from docmind.library.snippets import snippet

# Raised when the cutter or the tables change: an older index is built anew.
INDEX_VERSION = 1
CANDIDATES = 120
_HEAD_CHARACTERS = 300
# Name, section, head, body: a word in a title says more than one in running text.
_FIELD_WEIGHTS = (1.0, 3.0, 2.0, 1.0)
_FIELDS = ("name", "section", "head", "body")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, document_id TEXT NOT NULL, number INTEGER NOT NULL, label TEXT NOT NULL, name TEXT NOT NULL,
    kind TEXT NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS pages_document ON pages (document_id);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(name, section, head, body, tokenize = "unicode61 remove_diacritics 0");
"""


@dataclass(frozen=True, slots=True)
class _Candidate:
    id: int
    document_id: str
    number: int
    label: str
    name: str
    section: tuple[str, ...]
    text: str
    score: float
    fields: tuple[str, str, str, str]


class PageSearch:
    """The index at `path`. Fulfils domain.ports.PageFinder and PageIndexer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, INDEX_VERSION):
                connection.executescript("DROP TABLE IF EXISTS pages; DROP TABLE IF EXISTS words;")
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version = {INDEX_VERSION}")
        self.needs_rebuild = version not in (0, INDEX_VERSION)

    def add_document(self, document: Document, pages: Sequence[Page], tree: Tree) -> None:
        """Make the document's pages findable, in place of what was there of it."""
        name = " ".join(cut(f"{_readable_name(document.name)} {document.title}"))
        rows: list[tuple[object, ...]] = []
        words: list[tuple[str, str, str, str]] = []
        for page in pages:
            section = [node.title for node in tree.path_to(page.number)] if tree.source != "pages" else []
            rows.append(
                (
                    document.id,
                    page.number,
                    page.label,
                    document.name,
                    page.kind.value,
                    json.dumps(section, ensure_ascii=False),
                    page.text,
                )
            )
            head = " ".join((page.text[:_HEAD_CHARACTERS], *page.headings))
            words.append((name, " ".join(cut(" / ".join(section))), " ".join(cut(head)), " ".join(cut(page.text))))
        with self._transaction() as connection:
            self._remove(connection, document.id)
            for row, fields in zip(rows, words, strict=True):
                inserted = connection.execute(
                    "INSERT INTO pages (document_id, number, label, name, kind, section, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
                connection.execute(
                    "INSERT INTO words (rowid, name, section, head, body) VALUES (?, ?, ?, ?, ?)",
                    (inserted.lastrowid, *fields),
                )

    def remove_document(self, document_id: DocumentId) -> None:
        with self._transaction() as connection:
            self._remove(connection, document_id)

    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> list[Hit]:
        """Pages that answer the words, best first. Score is between 0 and about 2; `why` names words and fields."""
        terms = terms_of(query)
        if not terms:
            return []
        with self._connection() as connection:
            candidates = self._candidates(connection, terms, scope)
            rarity = self._rarity(connection, terms)
        best = max((candidate.score for candidate in candidates), default=1.0) or 1.0
        ranked = sorted(
            ((self._rank(candidate, terms, rarity, best), candidate) for candidate in candidates),
            key=lambda pair: (-pair[0], pair[1].document_id, pair[1].number),
        )
        return [_hit(candidate, score, terms) for score, candidate in ranked[:limit]]

    def page_counts(self) -> dict[DocumentId, int]:
        """How many pages of each document can be found."""
        with self._connection() as connection:
            rows = connection.execute("SELECT document_id, count(*) FROM pages GROUP BY document_id").fetchall()
        return {DocumentId(document_id): count for document_id, count in rows}

    def integrity_problems(self) -> list[str]:
        """What SQLite finds wrong with the file; empty when it is whole."""
        with self._connection() as connection:
            rows = connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [str(row[0]) for row in rows if row[0] != "ok"]

    # --- inside -------------------------------------------------------------------------------------

    def _candidates(
        self, connection: sqlite3.Connection, terms: Sequence[Term], scope: SearchScope
    ) -> list[_Candidate]:
        where, values = _filters(scope)
        rows = connection.execute(
            "SELECT p.id, p.document_id, p.number, p.label, p.name, p.section, p.text, "
            f"-bm25(words, {', '.join(map(str, _FIELD_WEIGHTS))}) AS score, w.name, w.section, w.head, w.body "
            "FROM words w JOIN pages p ON p.id = w.rowid "
            f"WHERE words MATCH ? {where} ORDER BY score DESC LIMIT {CANDIDATES}",
            (" OR ".join(_quoted(term) for term in terms), *values),
        ).fetchall()
        return [
            _Candidate(
                row[0],
                row[1],
                row[2],
                row[3],
                row[4],
                tuple(json.loads(row[5])),
                row[6],
                row[7],
                (row[8], row[9], row[10], row[11]),
            )
            for row in rows
        ]

    def _rarity(self, connection: sqlite3.Connection, terms: Sequence[Term]) -> dict[Term, float]:
        """How much each term tells apart, between 0 (on every page) and 1 (on none)."""
        total = connection.execute("SELECT count(*) FROM pages").fetchone()[0] or 1
        rarity: dict[Term, float] = {}
        for term in terms:
            count = connection.execute(
                "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT 20000)", (_quoted(term),)
            ).fetchone()[0]
            rarity[term] = max(0.05, 1.0 - count / total) * term.weight
        return rarity

    def _rank(self, candidate: _Candidate, terms: Sequence[Term], rarity: dict[Term, float], best: float) -> float:
        held = sum(rarity[term] for term in terms if any(_holds(field, term) for field in candidate.fields))
        coverage = held / (sum(rarity.values()) or 1.0)
        return round(candidate.score / best + coverage, 4)

    def _remove(self, connection: sqlite3.Connection, document_id: str) -> None:
        connection.execute(
            "DELETE FROM words WHERE rowid IN (SELECT id FROM pages WHERE document_id = ?)", (document_id,)
        )
        connection.execute("DELETE FROM pages WHERE document_id = ?", (document_id,))

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=15, isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-32000"):
                connection.execute(f"PRAGMA {pragma}")
            self._local.connection = connection
        yield connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


def _filters(scope: SearchScope) -> tuple[str, list[str]]:
    where = ""
    values: list[str] = []
    if scope.documents:
        where += f" AND p.document_id IN ({', '.join('?' * len(scope.documents))})"
        values.extend(scope.documents)
    if scope.kinds:
        where += f" AND p.kind IN ({', '.join('?' * len(scope.kinds))})"
        values.extend(scope.kinds)
    if scope.section:
        where += " AND instr(lower(p.section), lower(?)) > 0"
        values.append(scope.section)
    return where, values


def _quoted(term: Term) -> str:
    """The term as FTS5 wants it: a string, so that nothing in a question is taken for an operator."""
    return '"' + " ".join(term.tokens).replace('"', '""') + '"'


def _holds(field: str, term: Term) -> bool:
    return f" {' '.join(term.tokens)} " in f" {field} "


def _hit(candidate: _Candidate, score: float, terms: Sequence[Term]) -> Hit:
    why = []
    for field, words in zip(_FIELDS, candidate.fields, strict=True):
        found = [term.shown for term in terms if _holds(words, term)]
        if found:
            why.append(f"{field}: {', '.join(found)}")
    return Hit(
        document_id=DocumentId(candidate.document_id),
        name=candidate.name,
        page=candidate.number,
        page_label=candidate.label,
        score=score,
        section=candidate.section,
        snippet=snippet(candidate.text, terms),
        why=tuple(why),
    )


def _readable_name(name: str) -> str:
    """A file name as words: without its ending, underscores and camel humps parted."""
    stem = name.rsplit(".", 1)[0]
    return stem.replace("_", " ")
