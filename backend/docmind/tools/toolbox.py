"""All tools of one run. A call is data from a model: whatever is wrong with it comes back as a result, never as an exception."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any, Protocol

from docmind.domain.ports import PageFinder, ToolCall, ToolSpec
from docmind.errors import ToolFailure
from docmind.tools.arguments import Arguments, parse_arguments
from docmind.tools.get_document import GetDocument
from docmind.tools.get_document_structure import GetDocumentStructure
from docmind.tools.get_page_content import GetPageContent
from docmind.tools.get_page_image import GetPageImage
from docmind.tools.list_documents import ListDocuments
from docmind.tools.page_vision import PageVision
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room
from docmind.tools.search_pages import SearchPages

# A page that is looked at takes a vision model's time; everything else is far quicker.
TOOL_SECONDS = 180.0


class Tool(Protocol):
    """A tool never blocks the event loop; what it cannot do it says with ToolFailure."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def arguments(self) -> type[Any]: ...

    async def run(self, given: Any, allowance: Allowance) -> ToolResult: ...


class Toolbox:
    """Tools by name. `extra` adds those of other parts (memory, notes) to the reading tools."""

    def __init__(
        self,
        room: Room,
        finder: PageFinder,
        *,
        vision: PageVision | None = None,
        model_sees: bool = False,
        extra: tuple[Tool, ...] = (),
    ) -> None:
        reading: tuple[Tool, ...] = (
            ListDocuments(room),
            GetDocument(room),
            GetDocumentStructure(room),
            GetPageContent(room, vision, model_sees=model_sees),
            SearchPages(room, finder),
        )
        looking: tuple[Tool, ...] = (GetPageImage(room),) if model_sees else ()
        self._tools = {tool.spec.name: tool for tool in (*reading, *looking, *extra)}

    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    async def run(self, call: ToolCall, allowance: Allowance) -> ToolResult:
        """The call's result, within `allowance` and TOOL_SECONDS."""
        began = time.monotonic()
        try:
            tool = self._tools.get(call.name)
            if tool is None:
                raise ToolFailure(f'there is no tool "{call.name[:60]}". The tools are: {", ".join(self._tools)}')
            model: type[Arguments] = tool.arguments
            given = parse_arguments(call.arguments, model)
            async with asyncio.timeout(TOOL_SECONDS):
                result = await tool.run(given, allowance)
        except ToolFailure as failure:
            result = ToolResult(f"Error: {failure.message}", failure.message.splitlines()[0][:200], ok=False)
        except TimeoutError:
            result = ToolResult(f"Error: {call.name} took longer than {TOOL_SECONDS:g} s.", "timed out", ok=False)
        return replace(capped(result, allowance.characters), seconds=round(time.monotonic() - began, 3))


def capped(result: ToolResult, characters: int) -> ToolResult:
    """The central limit. Tools cut with more sense themselves; this one holds whatever they do."""
    if len(result.content) <= characters:
        return result
    kept = result.content[: max(0, characters - 80)]
    note = f"\n[cut: {len(result.content) - len(kept)} more characters; ask for less at once]"
    return replace(result, content=kept + note, cut=True)
