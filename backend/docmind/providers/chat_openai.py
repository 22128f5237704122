"""Chat Completions of any OpenAI-compatible endpoint: OpenAI, Gemini, DeepSeek, Qwen, Ollama, vLLM, llama.cpp and others.

One attempt a call: retries belong to the caller. Closing the iterator closes the HTTP response, which stops the work upstream.
"""

from __future__ import annotations

import asyncio
import base64
import json
import weakref
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI, AsyncStream

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatReply, ChatRequest, ModelCard
from docmind.domain.tokens import estimate_tokens
from docmind.errors import ModelError, ModelRefusedRequest, ModelStalled, ModelUnreachable
from docmind.providers.model_errors import model_error, safe_text
from docmind.providers.reply_builder import ReplyBuilder, arguments_text

OPENAI_URL = "https://api.openai.com/v1"
# What an endpoint may not know. A refusal that names one of these (or names nothing) is tried once more without.
OPTIONAL = (
    "stream_options",
    "reasoning_effort",
    "tool_choice",
    "response_format",
    "max_tokens",
    "max_completion_tokens",
)


@dataclass
class _Line:
    """The connection pool of one event loop, and the places in it."""

    client: AsyncOpenAI
    places: asyncio.Semaphore


class ChatOpenAI:
    """A chat model behind `base_url`. `timeout_s` is the longest silence between two pieces of a reply."""

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
            named = {exc.param} & set(OPTIONAL) if exc.param else set(OPTIONAL[:4])
            refused = {name for name in named if name in body}
            if not refused:
                raise
            stream = await self._send(client, {key: value for key, value in body.items() if key not in refused})
            self._dropped |= refused
            return stream

    async def _send(self, client: AsyncOpenAI, body: dict[str, Any]) -> AsyncStream[object]:
        # The plain `post` gives chunks as they came: building the SDK's models costs more time than reading them does.
        return await client.post(
            "/chat/completions", body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object]
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.card.name,
            "stream": True,
            "messages": [wire_message(message) for message in request.messages],
            "stream_options": {"include_usage": True},
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                }
                for tool in request.tools
            ]
            if not request.may_call:
                body["tool_choice"] = "none"
        if request.max_output_tokens:
            # OpenAI's reasoning models refuse max_tokens; most other endpoints know nothing else.
            known = "max_completion_tokens" if self._base_url.startswith(OPENAI_URL) else "max_tokens"
            body[known] = request.max_output_tokens
        if self.card.effort != "default":
            body["reasoning_effort"] = self.card.effort
        if request.json_schema:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": request.json_schema},
            }
        return {key: value for key, value in body.items() if key not in self._dropped}

    # --- reading --------------------------------------------------------------------------------

    async def _pieces(self, stream: AsyncStream[object], request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        builder, usage = ReplyBuilder(), None
        if "event-stream" not in stream.response.headers.get("content-type", "event-stream"):
            chunks = _whole_reply(await stream.response.aread())
        else:
            chunks = self._chunks(stream)
        async with aclosing(chunks):
            async for chunk in chunks:
                usage = _usage(chunk) or usage
                for text, reasoning in _read_chunk(chunk, builder):
                    yield ChatPiece(text=text, reasoning=reasoning)
        for text, reasoning in builder.end():
            yield ChatPiece(text=text, reasoning=reasoning)
        message = builder.message()
        yield ChatPiece(reply=ChatReply(message, usage or _estimate(request, message), builder.finish_reason))

    async def _chunks(self, stream: AsyncStream[object]) -> AsyncGenerator[dict[str, Any]]:
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


def wire_message(message: ChatMessage) -> dict[str, Any]:
    """A message in the Chat Completions shape.

    Reasoning goes back with tool calls only: DeepSeek and Kimi refuse a tool turn without it, and nobody wants it elsewhere.
    """
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.images:
        parts: list[dict[str, Any]] = [{"type": "text", "text": message.content}] if message.content else []
        for image in message.images:
            url = "data:image/jpeg;base64," + base64.b64encode(image).decode("ascii")
            parts.append({"type": "image_url", "image_url": {"url": url}})
        wire["content"] = parts
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                # Arguments that are no JSON object would make the endpoint refuse the whole request.
                "function": {"name": call.name, "arguments": _json_object_text(call.arguments)},
                **(call.extra or {}),
            }
            for call in message.tool_calls
        ]
        if message.reasoning:
            wire["reasoning_content"] = message.reasoning
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _json_object_text(arguments: str) -> str:
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _read_chunk(chunk: dict[str, Any], builder: ReplyBuilder) -> Iterator[tuple[str, str]]:
    """Feed one chunk to the builder; gives (text, reasoning) to show. Chunks without choices carry usage or nothing."""
    for choice in (chunk.get("choices") or [])[:1]:
        builder.finish_reason = choice.get("finish_reason") or builder.finish_reason
        delta = choice.get("delta") or choice.get("message") or {}
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            yield from builder.add_reasoning(reasoning)
        for text, thought in _content(delta.get("content")):
            if thought:
                yield from builder.add_reasoning(thought)
            if text:
                yield from builder.add_text(text)
        for call in delta.get("tool_calls") or []:
            function = call.get("function") or {}
            known = {"index", "id", "type", "function"}
            extra = {key: value for key, value in call.items() if key not in known and value is not None}
            builder.calls.add(
                call.get("index"),
                call.get("id") or "",
                function.get("name") or "",
                arguments_text(function.get("arguments")),
                extra or None,
            )


def _content(content: Any) -> Iterator[tuple[str, str]]:
    """(text, reasoning) of a content field: text, or a list of parts as Mistral sends them."""
    if isinstance(content, str):
        yield content, ""
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict) and part.get("type") == "thinking":
            inner = part.get("thinking")
            yield "", inner if isinstance(inner, str) else "".join(text for text, _ in _content(inner))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"], ""


def _usage(chunk: dict[str, Any]) -> Usage | None:
    counted = chunk.get("usage")
    if not isinstance(counted, dict) or counted.get("prompt_tokens") is None:
        return None
    return Usage(
        input_tokens=counted["prompt_tokens"], output_tokens=counted.get("completion_tokens") or 0, model_calls=1
    )


def _estimate(request: ChatRequest, message: ChatMessage) -> Usage:
    """What the call cost when the endpoint does not say."""
    sent = sum(
        estimate_tokens(m.content) + sum(estimate_tokens(c.arguments) for c in m.tool_calls) for m in request.messages
    )
    got = estimate_tokens(message.content) + estimate_tokens(message.reasoning or "")
    got += sum(estimate_tokens(call.name + call.arguments) for call in message.tool_calls)
    return Usage(input_tokens=sent, output_tokens=got, model_calls=1, estimated=True)


async def _whole_reply(body: bytes) -> AsyncGenerator[dict[str, Any]]:
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
