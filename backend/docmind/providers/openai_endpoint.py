"""An endpoint that speaks one of OpenAI's streaming APIs: connections, errors, silence, and options it does not know.

One attempt a call: retries belong to the caller. Closing the iterator closes the HTTP response, which stops the work upstream.
"""

from __future__ import annotations

import asyncio
import json
import weakref
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, ClassVar

import httpx2
import openai
from openai import AsyncOpenAI, AsyncStream

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatRequest, ModelCard
from docmind.domain.tokens import estimate_tokens
from docmind.errors import ModelError, ModelRefusedRequest, ModelStalled, ModelUnreachable
from docmind.providers.model_errors import model_error, safe_text
from docmind.providers.models import OPENAI_URL

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")

Event = dict[str, Any]


@dataclass
class _Line:
    """The connection pool of one event loop, and the places in it."""

    client: AsyncOpenAI
    places: asyncio.Semaphore


class OpenAIEndpoint(ABC):
    """A chat model behind `base_url`. `timeout_s` is the longest silence between two pieces of a reply.

    `path` is where requests go. `optional` names what an endpoint may not know: a refusal that names one of them, or names
    nothing, is tried once more without.
    """

    path: ClassVar[str]
    optional: ClassVar[tuple[str, ...]]

    def __init__(
        self, card: ModelCard, *, base_url: str = "", api_key: str = "", timeout_s: float = 120.0, concurrency: int = 64
    ) -> None:
        self.card = card
        self._base_url = base_url or OPENAI_URL
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._dropped: set[str] = set()
        # A pool belongs to the loop that opened it, and durable work may run in a loop of its own.
        self._lines: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Line] = weakref.WeakKeyDictionary()

    @property
    def name(self) -> str:
        return self.card.name

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        line = self._line()
        async with line.places:
            try:
                async with (
                    await self._open(line.client, request) as stream,
                    aclosing(self._pieces(stream, request)) as pieces,
                ):
                    async for piece in pieces:
                        yield piece
            except (openai.APIError, ValueError) as exc:  # ValueError: a piece that is no JSON
                raise self._translate(exc) from exc

    async def close(self) -> None:
        line = self._lines.pop(asyncio.get_running_loop(), None)
        if line is not None:
            await line.client.close()

    def _line(self) -> _Line:
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            client = AsyncOpenAI(
                base_url=self._base_url,
                api_key=self._api_key or "none",  # local servers want no key, the client wants one
                max_retries=0,
                timeout=httpx2.Timeout(self._timeout_s, connect=min(10.0, self._timeout_s)),
            )
            line = self._lines[loop] = _Line(client, asyncio.Semaphore(self._concurrency))
        return line

    # --- asking ---------------------------------------------------------------------------------

    async def _open(self, client: AsyncOpenAI, request: ChatRequest) -> AsyncStream[object]:
        """Send the request; when the endpoint refuses something optional, send it once more without and remember that."""
        body = self._body(request)
        try:
            return await self._send(client, body)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as exc:
            if not isinstance(self._translate(exc), ModelRefusedRequest):
                raise
            named = {exc.param} & {*self.optional, *LIMITS} if exc.param else set(self.optional)
            refused = {name for name in named if name in body}
            if not refused:
                raise
            stream = await self._send(client, {key: value for key, value in body.items() if key not in refused})
            self._dropped |= refused
            return stream

    async def _send(self, client: AsyncOpenAI, body: dict[str, Any]) -> AsyncStream[object]:
        # The plain `post` gives chunks as they came: building the SDK's models costs more time than reading them does.
        return await client.post(self.path, body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object])

    @abstractmethod
    def _wire_body(self, request: ChatRequest) -> dict[str, Any]:
        """The request in the API's own shape."""

    @abstractmethod
    def _read(self, events: AsyncGenerator[Event], request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        """Pieces of the reply, the whole reply last."""

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        return {key: value for key, value in self._wire_body(request).items() if key not in self._dropped}

    # --- reading --------------------------------------------------------------------------------

    async def _pieces(self, stream: AsyncStream[object], request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        if "event-stream" not in stream.response.headers.get("content-type", "event-stream"):
            events = _whole_reply(await stream.response.aread())
        else:
            events = self._chunks(stream)
        async with aclosing(events), aclosing(self._read(events, request)) as pieces:
            async for piece in pieces:
                yield piece

    async def _chunks(self, stream: AsyncStream[object]) -> AsyncGenerator[Event]:
        """Chunks as plain dicts. The limit is on silence of the model: pings of a proxy do not count as life."""
        iterator = aiter(stream)
        while True:
            try:
                async with asyncio.timeout(self._timeout_s):
                    chunk = await anext(iterator, None)
            except TimeoutError as exc:
                raise ModelStalled(f"{self.name} sent nothing for {self._timeout_s:g} s") from exc
            if chunk is None:
                return
            if isinstance(chunk, dict):
                yield chunk

    def _translate(self, exc: Exception) -> ModelError:
        if isinstance(exc, openai.APITimeoutError):
            return ModelStalled(f"{self.name} sent nothing for {self._timeout_s:g} s")
        if isinstance(exc, openai.APIConnectionError):
            return ModelUnreachable(f"the endpoint of {self.name} cannot be reached, or broke off")
        if isinstance(exc, openai.APIError):
            codes = frozenset(code for code in (exc.code, exc.type) if isinstance(code, str))
            status = exc.status_code if isinstance(exc, openai.APIStatusError) else _status_in(exc.code)
            headers = exc.response.headers if isinstance(exc, openai.APIStatusError) else None
            return model_error(self.name, status, codes, safe_text(_said(exc), self._api_key), headers)
        return ModelUnreachable(f"{self.name} sent a piece that cannot be read")


def estimated_usage(request: ChatRequest, message: ChatMessage) -> Usage:
    """What the call cost when the endpoint does not say."""
    sent = sum(
        estimate_tokens(m.content) + sum(estimate_tokens(c.arguments) for c in m.tool_calls) for m in request.messages
    )
    got = estimate_tokens(message.content) + estimate_tokens(message.reasoning or "")
    got += sum(estimate_tokens(call.name + call.arguments) for call in message.tool_calls)
    return Usage(input_tokens=sent, output_tokens=got, model_calls=1, estimated=True)


async def _whole_reply(body: bytes) -> AsyncGenerator[Event]:
    """The one chunk of an endpoint that answers a stream request with a whole JSON reply."""
    reply = json.loads(body)
    yield reply if isinstance(reply, dict) else {}


def _status_in(code: str | None) -> int:
    """The HTTP status that some endpoints put into the code of an error inside the stream, or 0."""
    return int(code) if code and code.isdigit() and 400 <= int(code) < 600 else 0


def _said(exc: openai.APIError) -> str:
    body = exc.body
    said = body.get("message") if isinstance(body, dict) else None
    return said if isinstance(said, str) else ""
