"""The one tree of errors. Every class has a stable `code` that HTTP, the event stream, the command line and the page share.

A message says what was found, what was expected and what to do. `advice` is what a user can do next.
"""

from __future__ import annotations

from typing import ClassVar


class DocmindError(Exception):
    """Base of everything this program raises on purpose."""

    code: ClassVar[str] = "internal"
    advice: ClassVar[str] = "Try again; if it happens again, report it with the steps that led here."

    def __init__(self, message: str, *, advice: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice_now = advice or self.advice

    @property
    def told(self) -> str:
        """What was found and what to do, as sentences."""
        end = "" if self.message.endswith((".", "!", "?", "。")) else "."
        return f"{self.message}{end} {self.advice_now}"


# --- what the caller sent -------------------------------------------------------------------------


class InvalidInput(DocmindError):
    """The request itself is wrong and will be wrong again."""

    code = "invalid_input"
    advice = "Correct the request and send it again."


class InvalidPageRange(InvalidInput):
    code = "invalid_page_range"
    advice = 'Give pages like "3", "2-4" or "1,5-7"; pages start at 1.'


class NotAllowed(DocmindError):
    """Host, Origin or token is not one that this server accepts."""

    code = "not_allowed"
    advice = "Open DocMind by the address it printed at start, with the token if one is set."


class TooLarge(InvalidInput):
    code = "too_large"
    advice = "Send a smaller file, or raise DOCMIND_MAX_UPLOAD_MB."


class NotFound(DocmindError):
    code = "not_found"
    advice = "Check the id; it may have been deleted."


class Conflict(DocmindError):
    """The request is fine, but not in the state things are in."""

    code = "conflict"
    advice = "Reload and try again."


# --- documents --------------------------------------------------------------------------------------


class DocumentNotFound(NotFound):
    code = "document_not_found"
    advice = "List the documents and use one of their ids."


class DocumentDeleted(NotFound):
    code = "document_deleted"
    advice = "The document was deleted while it was in use; upload it again to read it."


class AmbiguousDocument(InvalidInput):
    code = "ambiguous_document"
    advice = "Give the id, or a longer part of the name that only one document has."


class DocumentNotReady(Conflict):
    code = "document_not_ready"
    advice = "Wait until the document is ready."


class UnreadableDocument(DocmindError):
    """The file was kept, but cannot become a document. Its subclasses say why."""

    code = "unreadable"
    advice = "Open the file in a PDF viewer and save or print it to a new PDF, then upload that."


class EmptyFile(UnreadableDocument):
    code = "empty_file"
    advice = "The file has no bytes; download or export it again."


class NotAPdf(UnreadableDocument):
    code = "not_a_pdf"
    advice = "The content is not a PDF, whatever the name says; export it as PDF."


class NoPages(UnreadableDocument):
    code = "no_pages"


class BadPageCount(UnreadableDocument):
    code = "bad_page_count"


class TooManyPages(UnreadableDocument):
    code = "too_many_pages"
    advice = "Split the document, or raise DOCMIND_MAX_PAGES."


class Encrypted(UnreadableDocument):
    code = "encrypted"
    advice = "Give the document's password, or save a copy without one."


class Corrupt(UnreadableDocument):
    code = "corrupt"


class ParseTimeout(UnreadableDocument):
    code = "parse_timeout"
    advice = "A page took longer than allowed; print the file to a new PDF, or raise DOCMIND_PARSE_SECONDS."


class ParserCrashed(UnreadableDocument):
    code = "parser_crashed"


class ParserOutOfMemory(UnreadableDocument):
    code = "parser_out_of_memory"
    advice = "The file asks for more memory than allowed; print it to a new PDF, or raise DOCMIND_WORKER_MEMORY_MB."


class RenderTimeout(DocmindError):
    code = "render_timeout"
    advice = "The picture of this page cannot be drawn in time; its text can still be read."


class RenderFailed(DocmindError):
    code = "render_failed"
    advice = "The picture of this page cannot be drawn; its text can still be read."


class PageNotParsed(DocmindError):
    """The page exists but could not be read when the document was added."""

    code = "page_not_parsed"
    advice = "Look at the page's picture instead."


# --- models ---------------------------------------------------------------------------------------


class ModelError(DocmindError):
    """The model's endpoint did not give an answer. Leads to the offline reader."""

    code = "model_error"
    advice = "Check the model settings; meanwhile the offline reader answers."


class ModelNotConfigured(ModelError):
    code = "model_not_configured"
    advice = "Set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL in .env."


class ModelKeyRefused(ModelError):
    code = "model_key_refused"
    advice = "Check LLM_API_KEY."


class ModelBalanceEmpty(ModelError):
    code = "model_balance_empty"
    advice = "Top up the account at the model's provider."


class ModelNotAvailable(ModelError):
    code = "model_not_available"
    advice = "Check LLM_MODEL and LLM_BASE_URL."


class ModelBusy(ModelError):
    code = "model_busy"
    advice = "The provider limits the rate; wait a little."

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ModelUnreachable(ModelError):
    code = "model_unreachable"
    advice = "Check the network and LLM_BASE_URL."


class ModelStalled(ModelError):
    code = "model_stalled"


class ContextTooLong(ModelError):
    code = "context_too_long"
    advice = "Ask about fewer pages, or set a model with a larger window."


class ModelRefusedRequest(ModelError):
    """A 4xx that none of the others names."""

    code = "model_refused_request"


class ToolFailure(DocmindError):
    """Told to the model as the tool's result, so that it can try another way. Never ends a run."""

    code = "tool_failure"


class ShuttingDown(DocmindError):
    """The program is ending; what was begun goes on at its next start."""

    code = "shutting_down"
    advice = "Wait until DocMind runs again."


# --- runs and storage ---------------------------------------------------------------------------------


class ChatNotFound(NotFound):
    code = "chat_not_found"


class RunNotFound(NotFound):
    code = "run_not_found"


class MemoryNotFound(NotFound):
    code = "memory_not_found"
    advice = "List what is remembered; the item may have been deleted."


class ChatBusy(Conflict):
    code = "chat_busy"
    advice = "Wait for the current answer, or stop it."


class RequestIdReused(Conflict):
    code = "request_id_reused"
    advice = "Use a new client_request_id for a new question."


class StorageFull(DocmindError):
    code = "storage_full"
    advice = "Free some disk space and retry; nothing that was acknowledged is lost."


class StorageError(DocmindError):
    code = "storage_error"


class DocumentDamaged(StorageError):
    """What is kept of a document is not what was written."""

    code = "document_damaged"
    advice = "Run `docmind doctor --mend`: the document is read again from its file."


class RunTakenOver(StorageError):
    """This process was thought dead, and another one goes on with its run. It must not touch the run any more."""

    code = "run_taken_over"


class DatabaseTooNew(StorageError):
    code = "database_too_new"
    advice = "This data was written by a newer DocMind; update the program. Nothing was changed."


class SettingsError(DocmindError):
    code = "settings"
    advice = "Correct the named setting in .env or the environment."


# --- reading pictures by OCR ---------------------------------------------------------------------------


class UnsupportedPicture(UnreadableDocument):
    code = "unsupported_picture"
    advice = "Send PNG, JPEG, WebP, TIFF, BMP, HEIC or PDF."


class TooManyPixels(TooLarge):
    code = "too_many_pixels"
    advice = "Scale the picture down, or raise OCR_MAX_PIXELS."


class OcrFailed(DocmindError):
    """The engine gave up on a page; the pages after it are read all the same."""

    code = "ocr_failed"
    advice = "Look at the page's picture instead, or try the other engine."


class OcrNotAvailable(DocmindError):
    code = "ocr_not_available"
    advice = "Leave the engine to auto, or install Tesseract with its languages."


class OcrNotDone(NotFound):
    code = "ocr_not_done"
    advice = "The page has text of its own, or OCR has not come to it yet."
