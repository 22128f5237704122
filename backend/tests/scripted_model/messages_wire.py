"""A reply as the events of the Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.scripted_model.chat_wire import pieces
from tests.scripted_model.script import Reply

STOP = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}


def events(reply: Reply, model: str) -> Iterator[bytes]:
    for event in _events(reply, model):
        yield f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def _events(reply: Reply, model: str) -> Iterator[Mapping[str, Any]]:
    sent, got = reply.usage or (0, 0)
    usage = {"input_tokens": sent - 40, "cache_read_input_tokens": 40, "output_tokens": 1} if sent else {}
    yield {
        "type": "message_start",
        "message": {"id": "msg_1", "role": "assistant", "model": model, "content": [], "usage": usage},
    }
    yield {"type": "ping"}
    index = 0
    if reply.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(reply.reasoning, reply.piece)]
        yield from _block(
            index, {"type": "thinking", "thinking": ""}, [*deltas, {"type": "signature_delta", "signature": "sealed"}]
        )
        index += 1
    if reply.text:
        yield from _block(
            index,
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": p} for p in pieces(reply.text, reply.piece)],
        )
        index += 1
    for place, call in enumerate(reply.calls):
        block = {"type": "tool_use", "id": call.call_id or f"toolu_{place}", "name": call.name, "input": {}}
        yield from _block(
            index + place,
            block,
            [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(call.text(), reply.piece)],
        )
    stop = STOP.get(reply.finish_reason or "", reply.finish_reason)
    yield {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": got}}
    yield {"type": "message_stop"}


def _block(index: int, block: Mapping[str, Any], deltas: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def whole(reply: Reply, model: str) -> bytes:
    raise NotImplementedError("the provider always streams")
