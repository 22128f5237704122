"""What routes are handed: the parts of the program, put on the app by create_app()."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request

from docmind.conversations.store import Chats
from docmind.domain.ports import LocalServer, OfferedModel, PageFinder
from docmind.flows.read_scans import ReadingScans
from docmind.flows.shelving import Shelving
from docmind.library.documents import Documents
from docmind.library.page_images import KeptPageImages
from docmind.library.page_ocr import KeptOcr
from docmind.library.shelf import LibraryShelf
from docmind.memory.store import MemoryStore
from docmind.runs.event_log import EventLog
from docmind.runs.store import Runs
from docmind.storage.files import DocumentFiles


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it may be shown: a secret's value is None."""

    name: str
    value: str | None
    secret: bool
    source: str


@dataclass(frozen=True, slots=True)
class Services:
    """Stores and finders of the running program."""

    documents: Documents
    shelf: LibraryShelf
    files: DocumentFiles
    page_images: KeptPageImages
    shelving: Shelving
    scans: ReadingScans
    ocr_kept: KeptOcr
    finder: PageFinder
    chats: Chats
    runs: Runs
    memory: MemoryStore
    log: EventLog
    model_name: str
    offered_models: Callable[[], Awaitable[tuple[OfferedModel, ...]]]
    local_servers: Callable[[], Awaitable[tuple[LocalServer, ...]]]
    settings: tuple[Setting, ...]


def services(request: Request) -> Services:
    given: Services = request.app.state.services
    return given


Given = Annotated[Services, Depends(services)]

# The largest integer every database takes: a larger number in an address is a mistake of the caller, not of the server.
LARGEST = 2**31 - 1
Count = Annotated[int, Query(ge=0, le=LARGEST)]
