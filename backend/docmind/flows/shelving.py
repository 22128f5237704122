"""Documents come and go: an upload becomes a document, a document is deleted, and a start clears what a kill left behind."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from docmind.domain.document import Document, DocumentStatus
from docmind.domain.names import clean_file_name
from docmind.domain.pages import DocumentId
from docmind.domain.ports import PageIndexer
from docmind.errors import DocumentNotFound, EmptyFile, NotAPdf
from docmind.library.documents import Documents, document_from_json
from docmind.storage.files import DocumentFiles, put_file, write_stream

_HEADER_WITHIN = 1_024
_PIECE = 65_536
_UPLOAD_IS_DEAD_AFTER_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that has arrived whole at `path`, which is ours to move. `name` is data."""

    path: Path
    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Kept:
    """`document` is the one with these bytes; `starts` says that its reading is to be started now, by the caller."""

    document: Document
    duplicate: bool
    starts: bool


class Shelving:
    """Calls block. `indexers` make pages findable; here they only forget documents."""

    def __init__(self, *, files: DocumentFiles, documents: Documents, indexers: Sequence[PageIndexer]) -> None:
        self._files = files
        self._documents = documents
        self._indexers = tuple(indexers)
        files.prepare()

    def receive(self, chunks: Iterable[bytes], name: str) -> Upload:
        """Write an upload's bytes to disk and hash them on the way. The caller's `keep` or `drop` follows."""
        path = self._files.new_incoming()
        digest, size = hashlib.sha256(), 0
        try:
            with path.open("wb") as file:
                for chunk in chunks:
                    write_stream(file, chunk)
                    digest.update(chunk)
                    size += len(chunk)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return Upload(path, name, digest.hexdigest(), size)

    def keep(self, upload: Upload) -> Kept:
        """Put the file in its place and its document in the table; the same bytes are the same document.

        Raises EmptyFile or NotAPdf, and then nothing is stored. A document that failed before is begun anew.
        """
        try:
            _check_header(upload)
            document_id = DocumentId(upload.sha256[:16])
            with self._files.lock(document_id):
                return self._keep_locked(upload, document_id)
        finally:
            upload.path.unlink(missing_ok=True)

    def _keep_locked(self, upload: Upload, document_id: DocumentId) -> Kept:
        found = self._documents.find(document_id)
        source = self._files.source(document_id)
        if found is not None and found.status is not DocumentStatus.FAILED:
            if not source.exists():
                self._put(upload, document_id)
            return Kept(found, duplicate=True, starts=False)
        self._put(upload, document_id)
        attempt = uuid.uuid4().hex[:12]
        if found is not None:
            return Kept(self._documents.renew(document_id, attempt), duplicate=True, starts=True)
        document = Document(
            id=document_id,
            name=clean_file_name(upload.name),
            kind="pdf",
            size_bytes=upload.size_bytes,
            sha256=upload.sha256,
            status=DocumentStatus.KEPT,
            created_at=datetime.now(UTC),
            extra={"attempt": attempt},
        )
        self._documents.add(document)
        return Kept(document, duplicate=False, starts=True)

    def _put(self, upload: Upload, document_id: DocumentId) -> None:
        source = self._files.source(document_id)
        source.parent.mkdir(parents=True, exist_ok=True)
        self._files.deleted_mark(document_id).unlink(missing_ok=True)
        put_file(upload.path, source)

    def retry(self, document_id: DocumentId) -> Document:
        """Begin a failed document anew. Raises DocumentNotFound."""
        with self._files.lock(document_id):
            if not self._files.source(document_id).exists():
                raise DocumentNotFound(f"the file of document {document_id} is gone")
            return self._documents.renew(document_id, uuid.uuid4().hex[:12])

    @contextmanager
    def at_work(self, document: Document) -> Iterator[bool]:
        """Hold the document's attempt while working at it; False when somebody else does. Let go when the process dies."""
        name = f"{document.id}.{document.extra['attempt']}"
        with self._files.try_lock(name) as got:
            yield got
            if got:
                self._files.forget_lock(name)

    def delete(self, document_id: DocumentId) -> None:
        """Remove the document with all that was made of it, also while it is being read. Raises DocumentNotFound."""
        with self._files.lock(document_id):
            found = self._documents.find(document_id)
            mark = self._files.deleted_mark(document_id)
            if found is not None and mark.parent.exists():
                mark.touch()
            if found is None or not self._documents.remove(document_id):
                raise DocumentNotFound(f"no document has the id {document_id!r}")
            self._remove_files(document_id)
            for indexer in self._indexers:
                indexer.remove_document(document_id)
            self._files.forget_lock(document_id)

    def _remove_files(self, document_id: DocumentId) -> None:
        self._files.remove(self._files.published(document_id))
        self._files.remove(self._files.source(document_id).parent)
        for staged in self._files.staging.glob(f"{document_id}.*"):
            if staged.is_dir():
                self._files.remove(staged)
            elif staged.name != f"{document_id}.lock":
                staged.unlink(missing_ok=True)

    def sweep(self) -> list[Document]:
        """After a start: remove what nobody owns, and give the unfinished documents that no living process works at."""
        known = {document.id: document for document in self._documents.find_all()}
        unfinished: list[Document] = []
        for document in known.values():
            if not document.status.is_final:
                with self._files.try_lock(f"{document.id}.{document.extra.get('attempt', '')}") as free:
                    if free:
                        unfinished.append(document)
        self._sweep_folders(known)
        return unfinished

    def _sweep_folders(self, known: dict[DocumentId, Document]) -> None:
        # The trees first: the mark of a delete lies with the upload, and must outlive what it speaks of.
        for folder in [*self._files.trees.glob("?" * 16), *self._files.uploads.glob("?" * 16)]:
            document_id = DocumentId(folder.name)
            if document_id not in known:
                with self._files.lock(document_id):
                    if self._documents.find(document_id) is None and not self._take_in(document_id):
                        self._files.remove(folder)
                        for indexer in self._indexers:
                            indexer.remove_document(document_id)
                    self._files.forget_lock(document_id)
        for staged in self._files.staging.iterdir():
            owner_id, _, attempt = staged.name.partition(".")
            owner = known.get(DocumentId(owner_id))
            is_ours = owner is not None and owner.extra.get("attempt") == attempt.removesuffix(".lock")
            if staged.is_dir() and not (is_ours and owner is not None and not owner.status.is_final):
                with self._files.try_lock(staged.name) as free:
                    if free:
                        shutil.rmtree(staged, ignore_errors=True)
                        self._files.forget_lock(staged.name)
        old = time.time() - _UPLOAD_IS_DEAD_AFTER_S
        for part in self._files.incoming.glob("*.part"):
            if part.stat().st_mtime < old:
                part.unlink(missing_ok=True)

    def _take_in(self, document_id: DocumentId) -> bool:
        """Whether a document that was read, but is missing in the table, is back there. A database that was lost or is
        an older copy must not cost the library its files."""
        if self._files.deleted_mark(document_id).exists():
            return False
        try:
            document = document_from_json(
                json.loads((self._files.published(document_id) / "document.json").read_bytes())
            )
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return False
        return document.id == document_id and self._documents.add(document)


def _check_header(upload: Upload) -> None:
    if upload.size_bytes == 0:
        raise EmptyFile(f"{clean_file_name(upload.name)} has 0 bytes")
    with upload.path.open("rb") as file:
        if b"%PDF-" not in file.read(_HEADER_WITHIN):
            raise NotAPdf(f"{clean_file_name(upload.name)} has no %PDF- mark in its first 1,024 bytes")
        file.seek(0)
        # Any PDF has an object near its start, so this reads no further than the first piece.
        tail = b""
        while piece := file.read(_PIECE):
            if b"obj" in tail + piece:
                return
            tail = piece[-2:]
    raise NotAPdf(f"{clean_file_name(upload.name)} has a PDF's first line, but nothing of a PDF after it")
