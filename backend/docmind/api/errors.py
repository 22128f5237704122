"""One table: class of error -> HTTP status. The body is the same everywhere: {"error": {code, message, advice}}."""

from __future__ import annotations

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from docmind import errors
from docmind.errors import DocmindError
from docmind.storage.database import passes

log = structlog.get_logger()

# The first that an error is an instance of wins, so subclasses stand before their base.
STATUS: tuple[tuple[type[DocmindError], int], ...] = (
    (errors.TooLarge, 413),
    (errors.EmptyFile, 422),
    (errors.InvalidInput, 400),
    (errors.NotAllowed, 403),
    (errors.DocumentDeleted, 410),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.UnreadableDocument, 422),
    (errors.RenderTimeout, 504),
    (errors.RenderFailed, 422),
    (errors.PageNotParsed, 422),
    (errors.ModelError, 502),
    (errors.StorageFull, 507),
    (errors.DocumentDamaged, 500),
    (errors.StorageError, 503),
    (errors.SettingsError, 400),
    (DocmindError, 500),
)


def status_of(exc: DocmindError) -> int:
    return next(status for kind, status in STATUS if isinstance(exc, kind))


def body(code: str, message: str, advice: str) -> dict[str, dict[str, str]]:
    return {"error": {"code": code, "message": message, "advice": advice}}


def add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(DocmindError)
    async def ours(_request: Request, exc: DocmindError) -> JSONResponse:
        return JSONResponse(body(exc.code, exc.message, exc.advice_now), status_code=status_of(exc))

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, exc: RequestValidationError) -> JSONResponse:
        first = exc.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse(
            body("invalid_input", f"{where}: {first['msg']}", errors.InvalidInput.advice), status_code=422
        )

    @app.exception_handler(HTTPException)
    async def plain(_request: Request, exc: HTTPException) -> JSONResponse:
        code = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}.get(exc.status_code, "invalid_input")
        return JSONResponse(
            body(code, str(exc.detail), "Check the address and the method."),
            status_code=exc.status_code,
            headers=exc.headers,
        )

    @app.exception_handler(DBAPIError)
    async def database_away(request: Request, exc: DBAPIError) -> JSONResponse:
        log.error("database_failed", path=request.url.path, error=type(exc.orig).__name__, exc_info=exc)
        if not passes(exc):
            return JSONResponse(
                body("internal", "DocMind failed at this request", DocmindError.advice), status_code=500
            )
        return JSONResponse(
            body(errors.StorageError.code, "the database does not answer", "Try again in a moment."),
            status_code=status_of(errors.StorageError("")),
            headers={"Retry-After": "2"},
        )

    @app.exception_handler(Exception)
    async def unexpected(request: Request, exc: Exception) -> JSONResponse:
        log.error("request_failed", path=request.url.path, error=type(exc).__name__, exc_info=exc)
        return JSONResponse(body("internal", "DocMind failed at this request", DocmindError.advice), status_code=500)
