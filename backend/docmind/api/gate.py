"""The gate in front of every route: Host, Origin, token, body size, and the headers that keep a browser safe.

A plain ASGI layer, so that a body is refused before anything parses it and a stream passes untouched.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.errors import DocmindError, NotAllowed, TooLarge

COOKIE = "docmind_token"
JSON_BODY_BYTES = 8 * 1024 * 1024
_WRITES = ("POST", "PUT", "PATCH", "DELETE")

# Radix's scroll lock writes a <style> element, hence 'unsafe-inline' for styles alone; pdf.js's decoders need wasm, its pages blobs and data URLs.
PAGE_CSP = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FILE_CSP = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"


class Gate:
    """`hosts` are lower-case host names without ports. `upload_bytes` limits multipart bodies, other bodies are small."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        token: str | None,
        upload_bytes: int,
        status_of: Callable[[DocmindError], int],
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._token = token
        self._upload_bytes = upload_bytes
        self._status_of = status_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check_host(headers)
            self._check_origin(scope["method"], scope["path"], headers)
            set_cookie = self._check_token(scope, headers)
            limit = self._body_limit(headers)
        except DocmindError as exc:
            await self._refuse(exc, send)
            return
        body = _CountedBody(receive, limit)
        await self._app(scope, body.receive, self._refusing(body, _with_headers(send, set_cookie)))

    def _refusing(self, body: _CountedBody, send: Send) -> Send:
        """The framework turns what goes wrong while a body is parsed into a 400 of its own: say what it really was."""
        refused = False

        async def refusing(message: Message) -> None:
            nonlocal refused
            if body.problem is None:
                await send(message)
            elif not refused:
                refused = True
                await self._refuse(body.problem, send)

        return refusing

    def _check_host(self, headers: dict[str, str]) -> None:
        host = host_name(headers.get("host", ""))
        if host not in self._hosts:
            raise NotAllowed(f"this server does not answer for the host {host[:100]!r}")

    def _check_origin(self, method: str, path: str, headers: dict[str, str]) -> None:
        """Another site's page must neither write nor listen. No Origin at all is a program, not a page."""
        if method not in _WRITES and not path.endswith("/events"):
            return
        origin = headers.get("origin")
        if origin is None:
            # Browsers without an Origin on same-site GETs say where the request comes from here.
            if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
                raise NotAllowed("this request comes from another site")
            return
        if urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
            raise NotAllowed(f"the origin {origin[:100]!r} is not this server")

    def _check_token(self, scope: Scope, headers: dict[str, str]) -> str | None:
        """Raises NotAllowed without the token. Gives a cookie to set when it came in the address."""
        if self._token is None:
            return None
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._is_token(bearer.strip()):
            return None
        if self._is_token(_cookie(headers.get("cookie", ""))):
            return None
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] == "GET" and self._is_token(asked):
            return f"{COOKIE}={asked}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        raise NotAllowed(
            "this server wants its token", advice="Open it once as /?token=..., or send Authorization: Bearer ..."
        )

    def _is_token(self, value: str) -> bool:
        return hmac.compare_digest(value.encode(), (self._token or "").encode())

    def _body_limit(self, headers: dict[str, str]) -> int:
        is_upload = headers.get("content-type", "").lower().startswith("multipart/form-data")
        limit = self._upload_bytes if is_upload else JSON_BODY_BYTES
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > limit:
            raise TooLarge(f"the body has {length[:20]} bytes, but at most {limit} are taken")
        return limit

    async def _refuse(self, exc: DocmindError, send: Send) -> None:
        body = json.dumps({"error": {"code": exc.code, "message": exc.message, "advice": exc.advice_now}}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": self._status_of(exc), "headers": headers})
        await send({"type": "http.response.body", "body": body})


def host_name(host: str) -> str:
    """The Host header without its port, in lower case; IPv6 keeps its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.rsplit(":", 1)[0] if ":" in host else host


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


class _CountedBody:
    """A chunked body has no length to check beforehand: it is counted as it comes."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self.problem: TooLarge | None = None

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > self._limit:
                self.problem = TooLarge(f"the body is larger than the {self._limit} bytes that are taken")
                raise self.problem
        return message


def _with_headers(send: Send, set_cookie: str | None) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            for name, value in (
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("content-security-policy", PAGE_CSP),
            ):
                if name.encode() not in present:
                    headers.append((name.encode(), value.encode()))
            if set_cookie is not None:
                headers.append((b"set-cookie", set_cookie.encode()))
            message = {**message, "headers": headers}
        await send(message)

    return with_headers
