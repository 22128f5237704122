"""The meeting place of the server: builds the parts, opens the workplace, and hands both to the routes."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import structlog
from fastapi import FastAPI

from docmind import __version__
from docmind.api import chats, documents, health, memories, models, pages, runs, samples, search
from docmind.api.deps import Services, Setting
from docmind.api.errors import add_error_handlers, status_of
from docmind.api.gate import Gate
from docmind.api.site import add_site
from docmind.conversations.store import Chats
from docmind.logs import configure_logs
from docmind.parts import Parts, build_parts
from docmind.runs.answering import resume_answers
from docmind.runs.event_log import EventLog
from docmind.runs.ingesting import resume_ingests
from docmind.runs.members import Members
from docmind.runs.reading_scans import open_ocr_queue, resume_reading_scans
from docmind.runs.store import Runs
from docmind.runs.workplace import (
    EXECUTOR,
    Workplace,
    close_workplace,
    let_go_of_work,
    open_workplace,
    recover_from,
    working_executors,
)
from docmind.settings import Settings

log = structlog.get_logger()
# Multipart boundaries and headers around the file itself.
_FORM_OVERHEAD = 64 * 1024
SITE = Path(__file__).resolve().parents[2] / "frontend" / "dist"


def create_app(settings: Settings) -> FastAPI:
    """The application. Nothing is opened before its lifespan starts, so `docmind openapi` costs nothing."""
    configure_logs(settings.log_level)
    app = FastAPI(
        title="DocMind",
        version=__version__,
        lifespan=partial(_open, settings),
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    add_error_handlers(app)
    for routes in (documents, samples, pages, search, chats, runs, memories, models, health):
        app.include_router(routes.router)
    add_site(app, SITE)
    app.add_middleware(
        Gate,
        hosts=settings.allowed_host_names,
        token=settings.token.get_secret_value() if settings.token else None,
        upload_bytes=settings.max_upload_mb * 1024 * 1024 + _FORM_OVERHEAD,
        status_of=status_of,
    )
    return app


@asynccontextmanager
async def _open(settings: Settings, app: FastAPI) -> AsyncIterator[None]:
    """From start to stop: build the parts, take up what an earlier process left, and put all of it away again."""
    parts = await asyncio.to_thread(build_parts, settings)
    services = _services(parts)
    app.state.services = services
    place = _workplace(parts, services)
    secret = settings.dbos_database_url
    executor = uuid.uuid4().hex if settings.shares_work else EXECUTOR
    open_workplace(
        place,
        home=settings.home,
        database_url=secret.get_secret_value() if secret else None,
        executor=executor,
    )
    await open_ocr_queue(workers=settings.ocr_workers)
    members = _members(parts, place, executor) if settings.shares_work else None
    beating = asyncio.create_task(members.run()) if members is not None else None
    resumed = await resume_ingests() + await resume_answers() + await resume_reading_scans()
    if resumed:
        log.info("resumed", count=resumed)
    closing = threading.Event()
    catching_up = asyncio.create_task(asyncio.to_thread(_catch_up, parts, closing))
    try:
        yield
    finally:
        closing.set()
        await catching_up
        if beating is not None:
            beating.cancel()
            await asyncio.wait([beating])
        await close_workplace(place, end_reading=parts.end_reading)
        await parts.close_models()
        await asyncio.to_thread(services.log.close)
        await asyncio.to_thread(parts.close)


def _workplace(parts: Parts, services: Services) -> Workplace:
    return Workplace(
        log=services.log,
        runs=services.runs,
        documents=parts.documents,
        shelving=parts.shelving,
        stages=parts.stages,
        scans=parts.scans,
        desk_for=parts.desk_for,
        remember=parts.remember,
        may_remember=lambda chat_id: parts.memory.switches(chat_id).extraction,
    )


def _members(parts: Parts, place: Workplace, executor: str) -> Members:
    async def take_over(silent: list[str]) -> None:
        await recover_from(silent)
        await resume_ingests()
        await resume_answers()
        await resume_reading_scans()

    return Members(
        parts.database,
        executor,
        workers=working_executors,
        take_over=take_over,
        let_go=lambda: let_go_of_work(place),
    )


def _catch_up(parts: Parts, closing: threading.Event) -> None:
    """Index what the search index lacks. Beside serving: after an upgrade of a large library it takes minutes."""
    for document in parts.reindexing.catch_up():
        log.info("indexed", document_id=document.id)
        if closing.is_set():
            return


def _services(parts: Parts) -> Services:
    return Services(
        documents=parts.documents,
        shelf=parts.shelf,
        files=parts.files,
        page_images=parts.page_images,
        shelving=parts.shelving,
        scans=parts.scans,
        ocr_kept=parts.ocr_kept,
        finder=parts.finder,
        chats=Chats(parts.database),
        runs=Runs(parts.database),
        memory=parts.memory,
        log=EventLog(parts.database),
        model_name=parts.settings.llm_model if parts.settings.has_model else "",
        offered_models=parts.offered_models,
        local_servers=parts.local_servers,
        settings=tuple(Setting(*shown) for shown in parts.settings.shown()),
    )
