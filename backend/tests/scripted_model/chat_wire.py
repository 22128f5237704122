"""A reply as the events of a Chat Completions stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.scripted_model.script import Reply


def events(reply: Reply, model: str) -> Iterator[bytes]:
    for chunk in chunks(reply, model):
        # Lone halves of a surrogate pair can only travel escaped, as endpoints that cut UTF-16 send them.
        text = json.dumps(chunk, ensure_ascii=False)
        yield b"data: " + (text if _encodes(text) else json.dumps(chunk)).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def _encodes(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def chunks(reply: Reply, model: str) -> Iterator[Mapping[str, Any]]:
    if reply.raw is not None:
        yield from reply.raw
        return
    base = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": model}

    def delta(content: Mapping[str, Any], finish: str | None = None) -> Mapping[str, Any]:
        return {**base, "choices": [{"index": 0, "delta": content, "finish_reason": finish}]}

    yield delta({"role": "assistant", "content": ""})
    for piece in pieces(reply.reasoning, reply.piece):
        yield delta({reply.reasoning_field: piece})
    for piece in pieces(reply.text, reply.piece):
        yield delta({"content": piece})
    yield from (delta({"tool_calls": [fragment]}) for fragment in interleaved(reply))
    if reply.finish_reason is not None:
        yield delta({}, reply.finish_reason)
    if reply.usage is not None:
        sent, got = reply.usage
        usage = {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got}
        yield {**base, "choices": [], "usage": usage}


def interleaved(reply: Reply) -> Iterator[Mapping[str, Any]]:
    """Fragments of all calls, one of each in turn, told apart by their index."""
    left: list[list[str]] = []
    for index, call in enumerate(reply.calls):
        call_id = call.call_id or f"call_{abs(hash((index, call.text(), call.name))) % 10**8}_{index}"
        yield {"index": index, "id": call_id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        left.append(list(pieces(call.text(), reply.piece)))
    while any(left):
        for index, fragments in enumerate(left):
            if fragments:
                yield {"index": index, "function": {"arguments": fragments.pop(0)}}


def pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def whole(reply: Reply, model: str) -> bytes:
    calls = [
        {
            "id": call.call_id or f"call_{i}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.text()},
        }
        for i, call in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text, **({"tool_calls": calls} if calls else {})}
    sent, got = reply.usage or (0, 0)
    return json.dumps(
        {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
            "usage": {"prompt_tokens": sent, "completion_tokens": got},
        },
        ensure_ascii=False,
    ).encode()
