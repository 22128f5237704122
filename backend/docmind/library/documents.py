"""The table of documents: what was uploaded, how far each has come, and which of several uploads of the same bytes came first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from docmind.domain.document import Document, DocumentStatus, Problem, ReadingWarning
from docmind.domain.normal_text import normalise
from docmind.domain.pages import DocumentId
from docmind.errors import AmbiguousDocument, DocumentDeleted, DocumentNotFound
from docmind.storage.columns import Moment, id_column, long_json, long_text
from docmind.storage.database import Database, metadata

documents = sa.Table(
    "documents",
    metadata,
    id_column(length=16, primary_key=True),
    sa.Column("name", sa.String(500), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("status", sa.String(30), nullable=False, index=True),
    sa.Column("created_at", Moment(), nullable=False, index=True),
    sa.Column("page_count", sa.Integer, nullable=False),
    sa.Column("pages_done", sa.Integer, nullable=False),
    sa.Column("outline_source", sa.String(30), nullable=False),
    sa.Column("title", long_text(), nullable=False),
    sa.Column("author", long_text(), nullable=False),
    sa.Column("warnings", long_json(), nullable=False),
    sa.Column("problem", long_json()),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("has_labels", sa.Boolean, nullable=False),
    sa.Column("extra", long_json(), nullable=False),
)


class Documents:
    """Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, document: Document) -> bool:
        """True when it is new; False when a document of this id is there already."""
        try:
            with self._database.transaction(durable=True) as connection:
                connection.execute(sa.insert(documents).values(**_to_row(document)))
        except IntegrityError:
            return False
        return True

    def find(self, document_id: str) -> Document | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(documents).where(documents.c.id == document_id)).mappings().first()
        return None if row is None else _from_row(row)

    def get(self, document_id: str) -> Document:
        document = self.find(document_id)
        if document is None:
            raise DocumentNotFound(f"no document has the id {document_id[:40]!r}")
        return document

    def find_by_reference(self, reference: str) -> Document:
        """The document with this id, or the only one whose name holds the text (a whole name wins).

        Raises DocumentNotFound or AmbiguousDocument, both naming what there is.
        """
        exact = self.find(reference)
        if exact is not None:
            return exact
        wanted = normalise(reference).text
        named = [(document, normalise(document.name).text) for document in self.find_all()]
        whole = [document for document, name in named if name == wanted or name.rsplit(".", 1)[0] == wanted]
        found = whole or [document for document, name in named if wanted and wanted in name]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{document.name} ({document.id})" for document in found[:5])
            raise AmbiguousDocument(f"{len(found)} documents fit {reference!r}: {names}")
        ids = ", ".join(f"{document.id} ({document.name})" for document, _ in named[:10])
        there = f"there are: {ids}" if ids else "the library is empty"
        raise DocumentNotFound(f"no document fits {reference[:80]!r}; {there}")

    def find_all(
        self,
        *,
        query: str = "",
        statuses: Sequence[DocumentStatus] = (),
        limit: int | None = None,
        offset: int = 0,
    ) -> Sequence[Document]:
        """Newest first; `query` is part of the name."""
        wanted = self._where(query, statuses)
        select = sa.select(documents).where(*wanted).order_by(documents.c.created_at.desc(), documents.c.id)
        if limit is not None:
            select = select.limit(limit).offset(offset)
        with self._database.read() as connection:
            return [_from_row(row) for row in connection.execute(select).mappings()]

    def count(self, *, query: str = "", statuses: Sequence[DocumentStatus] = ()) -> int:
        select = sa.select(sa.func.count()).select_from(documents).where(*self._where(query, statuses))
        with self._database.read() as connection:
            return int(connection.execute(select).scalar_one())

    @staticmethod
    def _where(query: str, statuses: Sequence[DocumentStatus]) -> list[sa.ColumnElement[bool]]:
        conditions: list[sa.ColumnElement[bool]] = []
        if query:
            conditions.append(documents.c.name.icontains(query, autoescape=True))
        if statuses:
            conditions.append(documents.c.status.in_([status.value for status in statuses]))
        return conditions

    def change(self, document_id: DocumentId, attempt: str, **fields: Any) -> Document:
        """Set fields of the document as this attempt left it. Raises DocumentDeleted when it is gone or begun anew."""
        with self._database.transaction() as connection:
            row = connection.execute(sa.select(documents).where(documents.c.id == document_id)).mappings().first()
            if row is None or row["extra"].get("attempt") != attempt:
                raise DocumentDeleted(f"document {document_id} was deleted while it was being read")
            document = replace(_from_row(row), **fields)
            values = _to_row(document)
            connection.execute(sa.update(documents).where(documents.c.id == document_id).values(**values))
        return document

    def renew(self, document_id: DocumentId, attempt: str) -> Document:
        """Begin a new attempt at a document that failed or was left behind."""
        with self._database.transaction(durable=True) as connection:
            row = connection.execute(sa.select(documents).where(documents.c.id == document_id)).mappings().first()
            if row is None:
                raise DocumentNotFound(f"no document has the id {document_id!r}")
            document = _from_row(row)
            document = replace(
                document,
                status=DocumentStatus.KEPT,
                pages_done=0,
                problem=None,
                warnings=(),
                extra={**document.extra, "attempt": attempt},
            )
            connection.execute(sa.update(documents).where(documents.c.id == document_id).values(**_to_row(document)))
        return document

    def is_current(self, document_id: DocumentId, attempt: str) -> bool:
        document = self.find(document_id)
        return document is not None and document.extra.get("attempt") == attempt

    def remove(self, document_id: DocumentId) -> bool:
        with self._database.transaction(durable=True) as connection:
            return connection.execute(sa.delete(documents).where(documents.c.id == document_id)).rowcount > 0


def document_to_json(document: Document) -> dict[str, Any]:
    """As it is written to document.json."""
    return {**_to_row(document), "created_at": document.created_at.isoformat()}


def document_from_json(raw: dict[str, Any]) -> Document:
    """The document as document.json keeps it. Raises KeyError, TypeError or ValueError when it is not one."""
    return _from_row({**raw, "created_at": datetime.fromisoformat(raw["created_at"])})


def _to_row(document: Document) -> dict[str, Any]:
    return {
        **asdict(document),
        "status": document.status.value,
        "warnings": [asdict(warning) for warning in document.warnings],
        "problem": asdict(document.problem) if document.problem else None,
        "extra": dict(document.extra),
    }


def _from_row(row: Any) -> Document:
    fields = dict(row)
    fields["id"] = DocumentId(fields["id"])
    fields["status"] = DocumentStatus(fields["status"])
    fields["warnings"] = tuple(ReadingWarning(**warning) for warning in fields["warnings"])
    fields["problem"] = Problem(**fields["problem"]) if fields["problem"] else None
    return Document(**fields)
