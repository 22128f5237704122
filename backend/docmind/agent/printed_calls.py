"""Tool calls that a model printed as text, because its server or its training knows no better.

Three families are read: `<tool_call>{...}</tool_call>` (Qwen, Hermes; `[TOOL_CALLS]` of Mistral), `<function=name>...`
(Llama, Qwen coder) and a bare JSON object or list, fenced or not. Only names that were offered count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from docmind.domain.ports import ToolCall

TAGS = ("<tool_call>", "<function=", "[TOOL_CALLS]", "<|tool_call|>", "<tool_calls>")
JSON_STARTS = tuple(
    opening + '"' + key + '"'
    for opening in ("{", "[{")
    for key in ("name", "tool", "function", "tool_name", "type", "calls", "tool_calls", "arguments")
)
_FENCE = re.compile(r"^```[\w-]*\s*|\s*```\s*$")
_TAGGED = re.compile(r"<\|?tool_calls?\|?>|</\|?tool_calls?\|?>|\[TOOL_CALLS\]")
_FUNCTION = re.compile(r"<function=([\w.-]+)\s*>(.*?)(?:</function>|$)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)\s*>\s*(.*?)\s*(?:</parameter>|$)", re.DOTALL)
MAX_PRINTED = 20_000


@dataclass
class CallGate:
    """Lets text through, but keeps back what begins like a printed call until the reply has ended."""

    _before: str = ""
    _held: str = ""
    _line_start: bool = True
    _seen: list[str] = field(default_factory=list)

    def feed(self, text: str) -> str:
        """The text that certainly is none."""
        self._held += text
        out = ""
        while self._held:
            start = self._candidate(self._held)
            if start is None:
                start = len(self._held)
            elif start == 0:
                if may_be_call(self._held):
                    break
                start = 1
            passed, self._held = self._held[:start], self._held[start:]
            self._line_start = passed.rstrip(" \t").endswith("\n") or (self._line_start and not passed.strip())
            out += passed
        return out

    def held(self) -> str:
        """What was kept back; the gate is empty afterwards."""
        held, self._held = self._held, ""
        return held

    def _candidate(self, text: str) -> int | None:
        """Where something begins that may become a call: a tag anywhere, JSON or a fence at the start of a line."""
        places = [at for tag in TAGS if (at := _prefix_place(text, tag)) is not None]
        for match in re.finditer(r"(?m)^[ \t]*(?=[{\[`])", text):
            if match.start() > 0 or self._line_start:
                places.append(match.start())
                break
        return min(places, default=None)


def _prefix_place(text: str, tag: str) -> int | None:
    """Where the tag, or the beginning of it at the text's end, stands."""
    at = text.find(tag)
    if at >= 0:
        return at
    for size in range(min(len(tag) - 1, len(text)), 0, -1):
        if text.endswith(tag[:size]):
            return len(text) - size
    return None


def may_be_call(text: str) -> bool:
    """Whether a text that goes on may turn out to be a printed call."""
    bare = text.lstrip()
    if any(bare.startswith(tag) or tag.startswith(bare) for tag in TAGS):
        return True
    if "```".startswith(bare[:3]) and (len(bare) < 3 or re.fullmatch(r"```[\w-]{0,12}\s*", bare)):
        return True
    close = re.sub(r"\s", "", _FENCE.sub("", bare, count=1))
    return any(close.startswith(start) or start.startswith(close) for start in JSON_STARTS)


def looks_like_call(text: str, offered: Collection[str]) -> bool:
    """Whether a text that is no valid call was meant as one."""
    bare = text.lstrip()
    return bare.startswith(TAGS) or (may_be_call(text) and any(f'"{name}"' in text for name in offered))


def read_calls(text: str, offered: Collection[str], *, prefix: str = "printed") -> tuple[ToolCall, ...]:
    """The calls printed in a text; none unless every one names an offered tool and is valid JSON."""
    if len(text) > MAX_PRINTED:
        return ()
    found = list(_functions(text)) or list(_objects(text))
    if not found or any(name not in offered for name, _ in found):
        return ()
    return tuple(
        ToolCall(f"{prefix}_{place}", name, json.dumps(arguments, ensure_ascii=False))
        for place, (name, arguments) in enumerate(found, 1)
    )


def _functions(text: str) -> Iterator[tuple[str, Any]]:
    for name, body in _FUNCTION.findall(text):
        parameters = _PARAMETER.findall(body)
        if parameters:
            yield name, {key: _plain_or_json(value) for key, value in parameters}
        else:
            arguments = _load(body.strip() or "{}")
            yield (name, arguments) if isinstance(arguments, dict) else ("", None)


def _plain_or_json(value: str) -> Any:
    """A parameter's value: lists and objects are JSON, everything else is the text itself."""
    loaded = _load(value) if value[:1] in "[{" else None
    return value if loaded is None else loaded


def _objects(text: str) -> Iterator[tuple[str, Any]]:
    body = _TAGGED.sub("\n", text) if _TAGGED.search(text) else text
    body = re.sub(r"```[\w-]*", "\n", body).strip()
    decoder = json.JSONDecoder()
    while body:
        try:
            value, end = decoder.raw_decode(body)
        except (ValueError, RecursionError):
            yield "", None
            return
        for each in _flat(value):
            yield _name_and_arguments(each)
        body = body[end:].lstrip(" \t\r\n,;")


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        inner = value.get("calls") or value.get("tool_calls")
        return inner if isinstance(inner, list) else [value]
    return value if isinstance(value, list) else [value]


def _name_and_arguments(value: Any) -> tuple[str, Any]:
    if not isinstance(value, dict):
        return "", None
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    name = next(
        (value[key] for key in ("name", "tool", "tool_name", "function") if isinstance(value.get(key), str)), ""
    )
    arguments: Any = next((value[key] for key in ("arguments", "parameters", "args", "input") if key in value), {})
    if isinstance(arguments, str):
        arguments = _load(arguments or "{}")
    return (name, arguments) if isinstance(arguments, dict) else ("", None)


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
