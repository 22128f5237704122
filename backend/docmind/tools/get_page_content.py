"""get_page_content: the text of pages of one document. The only way to read what may then be cited."""

from __future__ import annotations

from pydantic import Field

from docmind.domain.answer import PageRef
from docmind.domain.document import Document
from docmind.domain.page_spec import parse_pages
from docmind.domain.pages import Page
from docmind.errors import InvalidPageRange, ToolFailure
from docmind.tools.arguments import Arguments, DocId, PageSpec, tool_spec
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.room import Room

MIN_PART = 500


class GetPageContentArguments(Arguments):
    doc_id: DocId
    pages: PageSpec
    from_character: int = Field(0, ge=0, description="Only for a page that was cut: where to go on in its text.")


class GetPageContent:
    arguments = GetPageContentArguments
    spec = tool_spec(
        "get_page_content",
        "Read pages of one document. Only pages read this way can be cited. Ask for the few pages you need.",
        GetPageContentArguments,
    )

    def __init__(self, room: Room) -> None:
        self._room = room

    def run(self, given: GetPageContentArguments, allowance: Allowance) -> ToolResult:
        document = self._room.find(given.doc_id)
        if allowance.pages < 1:
            raise ToolFailure("the pages of this run's budget are used up; answer from what was read")
        try:
            selection = parse_pages(given.pages, page_count=document.page_count)
        except InvalidPageRange as exc:
            raise ToolFailure(exc.message) from exc
        numbers, rest = list(selection.numbers[: allowance.pages]), list(selection.numbers[allowance.pages :])
        notes = list(selection.notes)
        if rest:
            notes.append(
                f"{len(rest)} more pages were left out, at most {allowance.pages} at once; "
                f'ask for pages="{format_pages(rest[: allowance.pages])}" next, or search for the ones that matter'
            )
        start = given.from_character if len(numbers) == 1 else 0
        blocks, shown = self._blocks(document, numbers, start, allowance.characters - 600, notes)
        content = "\n".join([*blocks, *(f"[{note}]" for note in notes)])
        name = f"{document.name} p.{format_pages(shown)}"
        read = tuple(PageRef(document.id, document.name, number) for number in shown)
        return ToolResult(content, name, read=read, cut=len(notes) > 0)

    def _blocks(
        self, document: Document, numbers: list[int], start: int, room_left: int, notes: list[str]
    ) -> tuple[list[str], list[int]]:
        """Blocks of the pages that fit, and their numbers. What does not fit is told in `notes`."""
        tree = self._room.tree(document)
        blocks: list[str] = []
        shown: list[int] = []
        for place, number in enumerate(numbers):
            page = self._room.page(document, number)
            section = " > ".join(node.title[:80] for node in tree.path_to(number)[-3:])
            head = _head(document, page)
            text = page.text[start:] if start else page.text
            room = room_left - len(head) - len(section) - 80
            if room < min(MIN_PART, len(text)):
                rest = format_pages(numbers[place:])
                notes.append(f'pages {rest} did not fit into one result; ask for pages="{rest}"')
                break
            if len(text) > room:
                text = text[:room]
                notes.append(
                    f"page {number} is long and was cut; go on with pages={number}, from_character={start + room} "
                    f"(of {len(page.text)})"
                )
            within = f"(section: {section})\n" if section else ""
            block = head + "\n" + (self._room.fenced(within + text) if text.strip() else _why_empty(page))
            blocks.append(block)
            shown.append(number)
            room_left -= len(block) + 1
        return blocks, shown


def _head(document: Document, page: Page) -> str:
    label = f", printed page {page.label}" if page.label not in ("", str(page.number)) else ""
    kind = f", {page.kind.value} page" if page.kind.value not in ("text", "blank") else ""
    source = ", text by OCR" if page.text_source == "ocr" else ""
    return f"## doc_id {document.id} p.{page.number} of {document.page_count}{label}{kind}{source}"


def _why_empty(page: Page) -> str:
    if page.problem:
        return f"(this page could not be read: {page.problem})"
    return (
        "(no text on this page)" if page.kind.value in ("blank", "text") else f"(no text layer: {page.kind.value} page)"
    )


def format_pages(numbers: list[int]) -> str:
    """[3, 4, 5, 9] as "3-5,9"."""
    parts: list[str] = []
    start = previous = None
    for number in [*numbers, None]:
        if previous is not None and number == previous + 1:
            previous = number
            continue
        if start is not None:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
        start = previous = number
    return ",".join(parts)
