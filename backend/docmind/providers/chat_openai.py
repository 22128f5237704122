"""Chat Completions of any OpenAI-compatible endpoint: OpenAI, Gemini, DeepSeek, Qwen, Ollama, vLLM, llama.cpp and others."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatReply, ChatRequest
from docmind.providers.models import OPENAI_URL
from docmind.providers.openai_endpoint import Event, OpenAIEndpoint, estimated_usage
from docmind.providers.reply_builder import ReplyBuilder, arguments_text


class ChatOpenAI(OpenAIEndpoint):
    path = "/chat/completions"
    optional = ("stream_options", "reasoning_effort", "tool_choice", "response_format")

    def _wire_body(self, request: ChatRequest) -> dict[str, Any]:
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
        return body

    async def _read(self, events: AsyncGenerator[Event], request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        builder, usage = ReplyBuilder(), None
        async for chunk in events:
            usage = _usage(chunk) or usage
            for text, reasoning in _read_chunk(chunk, builder):
                yield ChatPiece(text=text, reasoning=reasoning)
        for text, reasoning in builder.end():
            yield ChatPiece(text=text, reasoning=reasoning)
        message = builder.message()
        yield ChatPiece(reply=ChatReply(message, usage or estimated_usage(request, message), builder.finish_reason))


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
