"""Transcripts of page pictures as files: tree_index/<id>/vision/0012-<model>-<picture>.json."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from docmind.domain.pages import DocumentId
from docmind.domain.transcript import Transcript
from docmind.errors import DocumentDeleted
from docmind.storage.files import DocumentFiles, write_json


class KeptTranscripts:
    """Calls block. They go when the document goes."""

    def __init__(self, files: DocumentFiles) -> None:
        self._files = files

    def find(self, document_id: DocumentId, page: int, *, model: str, image_sha256: str) -> Transcript | None:
        path = self._path(document_id, page, model, image_sha256)
        return _load(path) if path.exists() else None

    def keep(self, transcript: Transcript) -> None:
        path = self._path(transcript.document_id, transcript.page, transcript.model, transcript.image_sha256)
        try:
            # Only the subfolder: the folder of a deleted document must not come back.
            path.parent.mkdir(exist_ok=True)
            write_json(path, asdict(transcript))
        except FileNotFoundError as exc:
            raise DocumentDeleted(f"document {transcript.document_id} was deleted while a page was looked at") from exc

    def of_page(self, document_id: DocumentId, page: int) -> Sequence[Transcript]:
        folder = self._files.published(document_id) / "vision"
        return [_load(path) for path in sorted(folder.glob(f"{page:04d}-*.json"))]

    def _path(self, document_id: DocumentId, page: int, model: str, image_sha256: str) -> Path:
        # Model names hold slashes and colons; the digest keeps apart what looks the same without them.
        plain = re.sub(r"[^\w.-]+", "_", model)[:60]
        mark = hashlib.sha256(f"{model}\n{image_sha256}".encode()).hexdigest()[:16]
        return self._files.published(document_id) / "vision" / f"{page:04d}-{plain}-{mark}.json"


def _load(path: Path) -> Transcript:
    return Transcript(**json.loads(path.read_bytes()))
