"""For models that call no tools: tools described in text, calls as JSON in the reply, results as messages of the user."""

from __future__ import annotations

import json
from collections.abc import Sequence

from docmind.agent.prompts import prompt
from docmind.domain.ports import ChatMessage, ToolSpec


def described(tools: Sequence[ToolSpec]) -> str:
    """The part of the instructions that tells of the tools."""
    lines = [f"- {tool.name}: {tool.description}\n  arguments: {_arguments(tool)}" for tool in tools]
    return prompt("plan_text", tools="\n".join(lines))


def _arguments(tool: ToolSpec) -> str:
    properties = tool.parameters.get("properties")
    required = tool.parameters.get("required")
    names = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    return json.dumps({name: "required" if name in needed else "optional" for name in names})


def as_text(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The same conversation without tool messages; neighbours of one role are joined, as strict servers want it."""
    plain: list[ChatMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        if message.tool_calls:
            names.update({call.call_id: call.name for call in message.tool_calls})
            calls = [{"tool": call.name, "arguments": _object(call.arguments)} for call in message.tool_calls]
            printed = json.dumps(calls[0] if len(calls) == 1 else {"calls": calls}, ensure_ascii=False)
            message = ChatMessage("assistant", printed)
        elif message.role == "tool":
            name = names.get(message.tool_call_id or "", "tool")
            message = ChatMessage("user", f"Result of {name}:\n{message.content}")
        if (
            plain
            and plain[-1].role == message.role
            and message.role != "system"
            and not (message.images or plain[-1].images)
        ):
            plain[-1] = ChatMessage(message.role, f"{plain[-1].content}\n\n{message.content}")
        else:
            plain.append(message)
    return plain


def _object(arguments: str) -> object:
    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return {}
