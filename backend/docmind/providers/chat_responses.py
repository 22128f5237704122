"""OpenAI's Responses API. Nothing is stored at the provider: sealed reasoning comes back to us and goes with the next call."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from typing import Any

from docmind.domain.answer import Usage
from docmind.domain.ports import ChatMessage, ChatPiece, ChatReply, ChatRequest
from docmind.errors import ModelUnreachable
from docmind.providers.model_errors import model_error, safe_text
from docmind.providers.openai_endpoint import Event, OpenAIEndpoint, estimated_usage
from docmind.providers.reply_builder import ReplyBuilder

SEALED = "reasoning.encrypted_content"


class ChatResponses(OpenAIEndpoint):
    path = "/responses"
    optional = ("include", "reasoning", "tool_choice", "text")

    def _wire_body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.card.name,
            "stream": True,
            "store": False,
            "include": [SEALED],
            "instructions": "\n\n".join(m.content for m in request.messages if m.role == "system"),
            "input": [item for message in request.messages for item in wire_items(message)],
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "name": t.name,
                    "description": t.description,
                    "parameters": t.parameters,
                    "strict": False,
                }
                for t in request.tools
            ]
            if not request.may_call:
                body["tool_choice"] = "none"
        if request.max_output_tokens:
            body["max_output_tokens"] = request.max_output_tokens
        if self.card.effort != "default":
            body["reasoning"] = {"effort": self.card.effort, "summary": "auto"}
        if request.json_schema:
            form = {"type": "json_schema", "name": "reply", "schema": request.json_schema, "strict": False}
            body["text"] = {"format": form}
        return body

    async def _read(self, events: AsyncGenerator[Event], request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        builder, response = ReplyBuilder(), None
        async for event in events:
            kind = event.get("type", "")
            if kind in ("response.output_text.delta", "response.refusal.delta"):
                for text, reasoning in builder.add_text(str(event.get("delta") or "")):
                    yield ChatPiece(text=text, reasoning=reasoning)
            elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
                for _, reasoning in builder.add_reasoning(str(event.get("delta") or "")):
                    yield ChatPiece(reasoning=reasoning)
            elif kind in ("response.completed", "response.incomplete"):
                response = event.get("response") or {}
            elif kind in ("response.failed", "error"):
                raise self._failed(event)
            elif event.get("object") == "response":  # a whole reply although a stream was asked for
                response = event
                for text, reasoning in builder.add_text(_text_of(event)):
                    yield ChatPiece(text=text, reasoning=reasoning)
        for text, reasoning in builder.end():
            yield ChatPiece(text=text, reasoning=reasoning)
        if response is None:
            raise ModelUnreachable(f"{self.name} ended its stream without an end")
        message = self._message(builder, response)
        usage = _usage(response) or estimated_usage(request, message)
        yield ChatPiece(reply=ChatReply(message, usage, _finish_reason(response, message)))

    def _message(self, builder: ReplyBuilder, response: Event) -> ChatMessage:
        items = [item for item in response.get("output") or [] if isinstance(item, dict)]
        for place, item in enumerate(items):
            if item.get("type") == "function_call":
                builder.calls.add(
                    place, str(item.get("call_id") or ""), str(item.get("name") or ""), item.get("arguments") or ""
                )
        sealed = [item for item in items if item.get("type") == "reasoning" and item.get("encrypted_content")]
        builder.extra = {"reasoning_items": sealed} if sealed else None
        return builder.message()

    def _failed(self, event: Event) -> Exception:
        error = (event.get("response") or {}).get("error") or event.get("error") or event
        codes = frozenset(str(error[key]) for key in ("code", "type") if error.get(key))
        return model_error(self.name, 0, codes, safe_text(str(error.get("message") or ""), self._api_key))


def wire_items(message: ChatMessage) -> list[dict[str, Any]]:
    """A message as input items. The system's goes into `instructions`."""
    if message.role == "system":
        return []
    if message.role == "tool":
        return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": message.content}]
    if message.role == "user":
        parts: list[dict[str, Any]] = [{"type": "input_text", "text": message.content}] if message.content else []
        for image in message.images:
            url = "data:image/jpeg;base64," + base64.b64encode(image).decode("ascii")
            parts.append({"type": "input_image", "image_url": url})
        return [{"role": "user", "content": parts}]
    items: list[dict[str, Any]] = list((message.extra or {}).get("reasoning_items") or [])
    if message.content:
        items.append({"role": "assistant", "content": [{"type": "output_text", "text": message.content}]})
    items.extend(
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments or "{}"}
        for call in message.tool_calls
    )
    return items


def _text_of(response: Event) -> str:
    return "".join(
        part.get("text") or ""
        for item in response.get("output") or []
        if item.get("type") == "message"
        for part in item.get("content") or []
    )


def _usage(response: Event) -> Usage | None:
    counted = response.get("usage")
    if not isinstance(counted, dict) or counted.get("input_tokens") is None:
        return None
    return Usage(input_tokens=counted["input_tokens"], output_tokens=counted.get("output_tokens") or 0, model_calls=1)


def _finish_reason(response: Event, message: ChatMessage) -> str:
    if response.get("status") == "incomplete":
        reason = (response.get("incomplete_details") or {}).get("reason")
        return "length" if reason == "max_output_tokens" else str(reason or "incomplete")
    return "tool_calls" if message.tool_calls else "stop"
