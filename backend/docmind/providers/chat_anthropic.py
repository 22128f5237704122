"""Anthropic's Messages API. Needs the optional package: pip install "docmind[anthropic]"."""

from __future__ import annotations

import asyncio
import base64
import json
import weakref
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import anthropic
import httpx2
from anthropic import AsyncAnthropic, AsyncStream

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatReply, ChatRequest, ModelCard
from docmind.errors import ModelError, ModelStalled, ModelUnreachable
from docmind.providers.model_errors import model_error, safe_text
from docmind.providers.reply_builder import ReplyBuilder

Event = dict[str, Any]
# Tokens to think with, by effort; the API wants fewer than the reply may have.
THINKING = {"low": 2_000, "medium": 8_000, "high": 16_000}
MIN_ANSWER_TOKENS = 1_024
FINISH = {"end_turn": "stop", "stop_sequence": "stop", "tool_use": "tool_calls", "max_tokens": "length"}
CACHE = {"type": "ephemeral"}


class ChatAnthropic:
    """A chat model of the Messages API. `timeout_s` is the longest silence between two pieces of a reply."""

    def __init__(
        self, card: ModelCard, *, base_url: str = "", api_key: str = "", timeout_s: float = 120.0, concurrency: int = 64
    ) -> None:
        self.card = card
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._lines: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[AsyncAnthropic, asyncio.Semaphore]] = (
            weakref.WeakKeyDictionary()
        )

    @property
    def name(self) -> str:
        return self.card.name

    async def close(self) -> None:
        line = self._lines.pop(asyncio.get_running_loop(), None)
        if line is not None:
            await line[0].close()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        client, places = self._line()
        async with places:
            try:
                async with (
                    await client.post(
                        "/v1/messages",
                        body=self._body(request),
                        cast_to=object,
                        stream=True,
                        stream_cls=AsyncStream[object],
                    ) as stream,
                    aclosing(self._read(stream)) as pieces,
                ):
                    async for piece in pieces:
                        yield piece
            except (anthropic.APIError, httpx2.TransportError, ValueError) as exc:
                raise self._translate(exc) from exc

    def _line(self) -> tuple[AsyncAnthropic, asyncio.Semaphore]:
        loop = asyncio.get_running_loop()
        if loop not in self._lines:
            client = AsyncAnthropic(
                api_key=self._api_key or "none",
                base_url=self._base_url.removesuffix("/v1") or None,
                max_retries=0,
                timeout=self._timeout_s,
            )
            self._lines[loop] = (client, asyncio.Semaphore(self._concurrency))
        return self._lines[loop]

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        most = request.max_output_tokens or self.card.max_output_tokens
        system = "\n\n".join(m.content for m in request.messages if m.role == "system")
        body: dict[str, Any] = {
            "model": self.card.name,
            "stream": True,
            "max_tokens": most,
            "messages": wire_messages(request.messages),
        }
        if system:
            body["system"] = [{"type": "text", "text": system, "cache_control": CACHE}]
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
            if not request.may_call:
                body["tool_choice"] = {"type": "none"}
        budget = min(THINKING.get(self.card.effort, 0), most - MIN_ANSWER_TOKENS)
        if budget >= MIN_ANSWER_TOKENS:
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        return body

    async def _read(self, stream: AsyncStream[object]) -> AsyncGenerator[ChatPiece]:
        builder, usage, ended = ReplyBuilder(), Usage(model_calls=1), False
        thoughts: list[Event] = []
        async for event in self._events(stream):
            kind = event.get("type")
            if kind == "message_start":
                usage = _input_usage(event["message"].get("usage") or {})
            elif kind == "content_block_start":
                _begin_block(event, builder, thoughts)
            elif kind == "content_block_delta":
                for text, reasoning in _add_delta(event, builder, thoughts):
                    yield ChatPiece(text=text, reasoning=reasoning)
            elif kind == "message_delta":
                reason = event["delta"].get("stop_reason") or ""
                builder.finish_reason = FINISH.get(reason, reason)
                got = (event.get("usage") or {}).get("output_tokens") or 0
                usage = Usage(input_tokens=usage.input_tokens, output_tokens=got, model_calls=1)
            elif kind == "message_stop":
                ended = True
        for text, reasoning in builder.end():
            yield ChatPiece(text=text, reasoning=reasoning)
        if not ended:
            raise ModelUnreachable(f"{self.name} ended its stream without an end")
        builder.extra = {"thinking_blocks": thoughts} if thoughts else None
        yield ChatPiece(reply=ChatReply(builder.message(), usage, builder.finish_reason))

    async def _events(self, stream: AsyncStream[object]) -> AsyncGenerator[Event]:
        iterator = aiter(stream)
        while True:
            try:
                async with asyncio.timeout(self._timeout_s):
                    event = await anext(iterator, None)
            except TimeoutError as exc:
                raise ModelStalled(f"{self.name} sent nothing for {self._timeout_s:g} s") from exc
            if event is None:
                return
            # A ping shows that the connection lives, not that the model does; it is rare enough not to matter.
            if isinstance(event, dict):
                yield event

    def _translate(self, exc: Exception) -> ModelError:
        if isinstance(exc, anthropic.APITimeoutError | httpx2.TimeoutException):
            return ModelStalled(f"{self.name} sent nothing for {self._timeout_s:g} s")
        if isinstance(exc, anthropic.APIConnectionError | httpx2.TransportError):
            return ModelUnreachable(f"the endpoint of {self.name} cannot be reached, or broke off")
        if isinstance(exc, anthropic.APIError):
            body = exc.body if isinstance(exc.body, dict) else {}
            error = body["error"] if isinstance(body.get("error"), dict) else body
            codes = frozenset(str(error[key]) for key in ("type", "code") if error.get(key))
            said = safe_text(str(error.get("message") or ""), self._api_key)
            if isinstance(exc, anthropic.APIStatusError):
                # An error inside a stream comes with the status of the stream itself.
                status = exc.status_code if exc.status_code >= 400 else 0
                return model_error(self.name, status, codes, said, exc.response.headers)
            return model_error(self.name, 0, codes, said)
        return ModelUnreachable(f"{self.name} sent a piece that cannot be read")


def wire_messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    """User and assistant in turn: results of tools are the user's, and neighbours of one role become one message."""
    wire: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if wire and wire[-1]["role"] == role:
            wire[-1]["content"].extend(blocks)
        elif blocks:
            wire.append({"role": role, "content": blocks})
    if wire and wire[-1]["role"] == "user":
        wire[-1]["content"][-1]["cache_control"] = CACHE
    return wire


def _blocks(message: ChatMessage) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.content or "(nothing)"}]
    blocks: list[dict[str, Any]] = list((message.extra or {}).get("thinking_blocks") or [])
    if message.content.strip():
        blocks.append({"type": "text", "text": message.content})
    for image in message.images:
        data = base64.b64encode(image).decode("ascii")
        blocks.append({"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": data}})
    for call in message.tool_calls:
        blocks.append({"type": "tool_use", "id": call.call_id, "name": call.name, "input": _object(call.arguments)})
    return blocks


def _object(arguments: str) -> dict[str, Any]:
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _begin_block(event: Event, builder: ReplyBuilder, thoughts: list[Event]) -> None:
    block = event["content_block"]
    if block["type"] == "tool_use":
        builder.calls.add(event["index"], block["id"], block["name"], "")
    elif block["type"] in ("thinking", "redacted_thinking"):
        thoughts.append(dict(block))


def _add_delta(event: Event, builder: ReplyBuilder, thoughts: list[Event]) -> list[tuple[str, str]]:
    """Feed a delta; gives (text, reasoning) to show."""
    delta = event["delta"]
    if delta["type"] == "text_delta":
        return list(builder.add_text(delta["text"]))
    if delta["type"] == "input_json_delta":
        builder.calls.add(event["index"], "", "", delta["partial_json"])
    elif delta["type"] == "thinking_delta" and thoughts:
        thoughts[-1]["thinking"] = thoughts[-1].get("thinking", "") + delta["thinking"]
        return list(builder.add_reasoning(delta["thinking"]))
    elif delta["type"] == "signature_delta" and thoughts:
        thoughts[-1]["signature"] = delta["signature"]
    return []


def _input_usage(counted: Event) -> Usage:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(input_tokens=sum(counted.get(name) or 0 for name in names), model_calls=1)
