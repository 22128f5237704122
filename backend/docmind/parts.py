"""Build the parts of the program from its settings: the one place that knows which store and which provider is used.

Shared by the server and the command line, so nothing here may import FastAPI or DBOS: `docmind pages` must start fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote_plus

from docmind.agent.budget import Budget
from docmind.agent.offline import OfflineReader
from docmind.domain.ocr import EngineWish
from docmind.domain.ports import ChatModel, LocalServer, OfferedModel, PageIndexer
from docmind.flows.answer import Asked, Desk
from docmind.flows.read_scans import ReadingScans
from docmind.flows.recalling import ChatMemory
from docmind.flows.reindex import Reindexing
from docmind.flows.revising import Revising
from docmind.flows.shelving import Shelving
from docmind.flows.stages import IngestStages
from docmind.library.documents import Documents
from docmind.library.page_images import KeptPageImages
from docmind.library.page_ocr import KeptOcr
from docmind.library.page_search import PageSearch
from docmind.library.shelf import LibraryShelf
from docmind.library.transcripts import KeptTranscripts
from docmind.memory.item import Quotas, Switches
from docmind.memory.remember import Remembered, Turn, remember
from docmind.memory.store import MemoryStore
from docmind.providers.models import card_for, open_model
from docmind.providers.ocr_process import OcrProcesses, OcrSettings
from docmind.providers.pdf_pictures import PdfPictures
from docmind.providers.pdf_process import PdfProcesses, ProcessLimits
from docmind.providers.pdf_reader import PdfReader, ReadingLimits
from docmind.settings import Settings
from docmind.storage.database import Database
from docmind.storage.files import DocumentFiles
from docmind.storage.migrations import migrate
from docmind.tools.page_vision import PageVision


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that is built once a process. `close` ends its child processes and connections."""

    settings: Settings
    database: Database
    files: DocumentFiles
    documents: Documents
    shelf: LibraryShelf
    page_images: KeptPageImages
    shelving: Shelving
    stages: IngestStages
    finder: PageSearch
    reindexing: Reindexing
    revising: Revising
    ocr: OcrProcesses
    ocr_kept: KeptOcr
    scans: ReadingScans
    offline: OfflineReader
    model: ChatModel | None
    vision: PageVision | None
    transcripts: KeptTranscripts
    memory: MemoryStore
    _reading: PdfProcesses
    _drawing: PdfProcesses
    _others: dict[str, ChatModel] = field(default_factory=dict)

    def desk_for(self, asked: Asked, model: str | None = None) -> Desk:
        """What a run works with. `model` is another model of the same endpoint than the one that is set."""
        chat_memory = ChatMemory(self.memory)
        return Desk(
            shelf=self.shelf,
            finder=self.finder,
            offline=self.offline,
            model=self._model_named(model),
            vision=self.vision,
            pictures=self.page_images,
            transcripts=self.transcripts,
            boxes=self.page_images.quote_boxes,
            recall=chat_memory.recall,
            extra_tools=chat_memory.tools,
            budget=build_budget(self.settings),
        )

    def _model_named(self, name: str | None) -> ChatModel | None:
        """The model that is set, or another of its endpoint: built once, so that its connections are shared."""
        if name is None or self.model is None or name == self.model.name:
            return self.model
        if name not in self._others:
            built = build_model(self.settings, name=name)
            assert built is not None, "a model is set"
            self._others[name] = built
        return self._others[name]

    async def remember(self, turn: Turn) -> Remembered:
        """Keep what of a turn is worth it."""
        return await remember(turn, self.memory, model=self.model)

    async def offered_models(self) -> tuple[OfferedModel, ...]:
        """What the endpoint that is set lists. Raises ModelError when it does not; empty when none is set."""
        from docmind.providers.model_list import list_models

        settings = self.settings
        key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else ""
        if not (settings.llm_base_url or key):
            return ()
        return await list_models(settings.llm_base_url, key, api=settings.llm_api)

    async def local_servers(self) -> tuple[LocalServer, ...]:
        """Ollama, LM Studio, llama.cpp and vLLM where they answer on their usual ports of this machine."""
        from docmind.providers.model_list import local_servers

        return await local_servers(own_port=self.settings.port)

    async def close_models(self) -> None:
        """Close the models' connections of the running event loop."""
        for model in (self.model, *self._others.values()):
            if model is not None:
                await model.close()
        if self.vision is not None:
            await self.vision.close()

    def end_reading(self) -> None:
        """End the child processes; who reads with one is told that the program ends."""
        self.ocr.close()
        self._reading.close()
        self._drawing.close()

    def close(self) -> None:
        self.end_reading()
        self.database.close()


def build_parts(settings: Settings) -> Parts:
    database = open_database(settings)
    files = DocumentFiles(settings.home)
    documents = Documents(database)
    shelf = LibraryShelf(documents, files)
    limits = ProcessLimits(memory_mb=settings.worker_memory_mb)
    reading = PdfProcesses(settings.workers, limits)
    # Pictures have children of their own: a long reading must not keep the reader of a page waiting.
    drawing = PdfProcesses(settings.workers, limits)
    reader = PdfReader(
        reading,
        ReadingLimits(open_s=settings.parse_seconds, page_s=settings.page_seconds, max_pages=settings.max_pages),
    )
    pictures = PdfPictures(
        drawing,
        page_s=settings.page_seconds,
        max_pixels=settings.max_image_pixels,
        max_pages=settings.max_pages,
    )
    page_images = KeptPageImages(shelf, files, pictures)
    transcripts = KeptTranscripts(files)
    looker = build_vision_model(settings)
    finder = PageSearch(settings.home / "search.db")
    indexers: tuple[PageIndexer, ...] = (finder,)
    revising = Revising(files=files, documents=documents, indexers=indexers)
    ocr, ocr_kept = build_ocr(settings, drawing, files), KeptOcr(files)
    return Parts(
        settings=settings,
        database=database,
        files=files,
        documents=documents,
        shelf=shelf,
        page_images=page_images,
        shelving=Shelving(files=files, documents=documents, indexers=indexers),
        stages=IngestStages(
            files=files,
            documents=documents,
            reader=reader,
            indexers=indexers,
            reads_scans=settings.ocr == "auto",
        ),
        finder=finder,
        reindexing=Reindexing(documents=documents, files=files, index=finder),
        revising=revising,
        ocr=ocr,
        ocr_kept=ocr_kept,
        scans=ReadingScans(files=files, documents=documents, reader=ocr, kept=ocr_kept, revising=revising),
        offline=OfflineReader(finder, shelf, finder.rarity),
        model=build_model(settings),
        vision=PageVision(looker, page_images, transcripts) if looker is not None else None,
        transcripts=transcripts,
        memory=build_memory(settings, database),
        _reading=reading,
        _drawing=drawing,
    )


def build_ocr(settings: Settings, drawing: PdfProcesses, files: DocumentFiles) -> OcrProcesses:
    return OcrProcesses(
        drawing,
        OcrSettings(
            engine=EngineWish(settings.ocr_engine),
            tesseract=settings.tesseract_path,
            languages=settings.ocr_languages,
            threads=settings.ocr_threads,
            workers=settings.ocr_workers,
            page_s=settings.ocr_page_seconds,
            memory_mb=settings.ocr_memory_mb,
            idle_s=settings.ocr_idle_seconds,
        ),
        scratch=files.incoming,
        draw_s=settings.page_seconds,
        max_pages=settings.max_pages,
    )


def build_memory(settings: Settings, database: Database) -> MemoryStore:
    return MemoryStore(
        database,
        quotas=Quotas(
            raw=settings.memory_raw_items,
            semantic=settings.memory_semantic_items,
            episodic=settings.memory_episodic_items,
            procedural=settings.memory_procedural_items,
        ),
        switches=Switches(extraction=settings.memory_extraction, injection=settings.memory_injection),
    )


def open_database(settings: Settings) -> Database:
    """The database that the settings name, brought up to date."""
    database = named_database(settings)
    database.check()
    migrate(database)
    return database


def named_database(settings: Settings) -> Database:
    """The database that the settings name, as it is. SQLite in the home folder by default."""
    if settings.database_url is not None:
        return Database(settings.database_url.get_secret_value())
    if settings.mysql_host:
        return Database(_mysql_url(settings))
    return Database.sqlite(settings.home / "docmind.db")


def _mysql_url(settings: Settings) -> str:
    user = quote_plus(settings.mysql_user)
    password = quote_plus(settings.mysql_password.get_secret_value()) if settings.mysql_password else ""
    login = f"{user}:{password}@" if password else (f"{user}@" if user else "")
    return f"mysql+pymysql://{login}{settings.mysql_host}:{settings.mysql_port}/{settings.mysql_database}"


def build_model(settings: Settings, *, name: str | None = None) -> ChatModel | None:
    """The reading model that is set, or None: then the offline reader answers."""
    if not settings.has_model:
        return None
    card = card_for(
        name or settings.llm_model,
        window=settings.llm_window,
        max_output_tokens=settings.llm_max_output_tokens,
        calls_tools=settings.llm_calls_tools,
        sees_images=settings.llm_sees_images,
        effort=settings.llm_effort,
        prices=settings.model_prices,
    )
    return open_model(
        card,
        api=settings.llm_api,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else "",
        timeout_s=settings.llm_timeout_s,
        concurrency=settings.llm_concurrency,
    )


def build_vision_model(settings: Settings) -> ChatModel | None:
    """The model that looks at pages, or None. The reading model's key goes to no other address than its own."""
    if not settings.vision_model:
        return None
    elsewhere = settings.vision_base_url not in ("", settings.llm_base_url)
    key = settings.vision_api_key or (None if elsewhere else settings.llm_api_key)
    return open_model(
        card_for(settings.vision_model, sees_images=True, prices=settings.model_prices),
        base_url=settings.vision_base_url or settings.llm_base_url,
        api_key=key.get_secret_value() if key else "",
        timeout_s=settings.llm_timeout_s,
        concurrency=settings.llm_concurrency,
    )


def build_budget(settings: Settings) -> Budget:
    return Budget(
        rounds=settings.max_rounds,
        tool_calls=settings.max_tool_calls,
        seconds=settings.max_run_seconds,
        input_tokens=settings.max_input_tokens,
        output_tokens=settings.max_output_tokens,
        pages=settings.max_pages_read,
        vision_calls=settings.max_vision_calls,
    )
