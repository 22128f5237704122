"""A reply as the events of the Responses API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.scripted_model.chat_wire import interleaved, pieces
from tests.scripted_model.script import Reply


def events(reply: Reply, model: str) -> Iterator[bytes]:
    for number, event in enumerate(_events(reply, model)):
        yield f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': number}, ensure_ascii=False)}\n\n".encode()


def _events(reply: Reply, model: str) -> Iterator[Mapping[str, Any]]:
    yield {"type": "response.created", "response": {"id": "resp_1", "model": model, "status": "in_progress"}}
    for piece in pieces(reply.reasoning, reply.piece):
        yield {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": piece}
    for piece in pieces(reply.text, reply.piece):
        yield {"type": "response.output_text.delta", "output_index": 1, "delta": piece}
    for fragment in interleaved(reply):
        arguments = fragment["function"].get("arguments", "")
        yield {
            "type": "response.function_call_arguments.delta",
            "output_index": 2 + fragment["index"],
            "delta": arguments,
        }
    done = _response(reply, model)
    yield {"type": "response.incomplete" if done["status"] == "incomplete" else "response.completed", "response": done}


def whole(reply: Reply, model: str) -> bytes:
    return json.dumps(_response(reply, model), ensure_ascii=False).encode()


def _response(reply: Reply, model: str) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if reply.reasoning:
        output.append({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"})
    if reply.text:
        output.append(
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": reply.text}]}
        )
    for index, call in enumerate(reply.calls):
        call_id = call.call_id or f"call_{index}"
        output.append({"type": "function_call", "call_id": call_id, "name": call.name, "arguments": call.text()})
    cut = reply.finish_reason == "length"
    sent, got = reply.usage or (0, 0)
    return {
        "object": "response",
        "id": "resp_1",
        "model": model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": output,
        "usage": {"input_tokens": sent, "output_tokens": got} if reply.usage else None,
    }
