"""get_page_content: the text of pages of one document. The only way to read what may then be cited.

Pages that text serves badly (formulas, tables, figures, scans) are looked at first, where there is something to look with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from docmind.domain.answer import PageRef, Usage
from docmind.domain.document import Document
from docmind.domain.page_spec import parse_pages
from docmind.domain.pages import Page, PageKind
from docmind.errors import DocmindError, InvalidPageRange, ToolFailure
from docmind.tools.arguments import Arguments, DocId, PageSpec, tool_spec
from docmind.tools.page_vision import NEEDS_EYES, Look, PageVision
from docmind.tools.result import Allowance, ToolResult, VisionNote
from docmind.tools.room import Room

MIN_PART = 500
# Their text layer says little or lies; of the other kinds both the text and the transcript are worth reading.
TRANSCRIPT_ONLY = frozenset({PageKind.SCAN, PageKind.GARBLED})


class GetPageContentArguments(Arguments):
    doc_id: DocId
    pages: PageSpec
    from_character: int = Field(0, ge=0, description="Only for a page that was cut: where to go on in its text.")


@dataclass
class _Wanted:
    """The pages of one call, and what is to be told about them."""

    document: Document
    pages: list[Page]
    sections: list[str]
    notes: list[str]
    looks: dict[int, Look] = field(default_factory=dict)
    unseen: dict[int, str] = field(default_factory=dict)
    pictured: list[int] = field(default_factory=list)


class GetPageContent:
    arguments = GetPageContentArguments
    spec = tool_spec(
        "get_page_content",
        "Read pages of one document. Only pages read this way can be cited. Ask for the few pages you need.",
        GetPageContentArguments,
    )

    def __init__(self, room: Room, vision: PageVision | None = None, *, model_sees: bool = False) -> None:
        self._room = room
        self._vision = vision
        self._model_sees = model_sees

    async def run(self, given: GetPageContentArguments, allowance: Allowance) -> ToolResult:
        wanted = await asyncio.to_thread(self._open, given, allowance)
        await self._look(wanted, allowance.vision_calls)
        start = given.from_character if len(wanted.pages) == 1 else 0
        blocks, shown = self._blocks(wanted, start, allowance.characters - 600)
        content = "\n".join([*blocks, *(f"[{note}]" for note in wanted.notes)])
        return self._result(wanted, content, shown)

    def _open(self, given: GetPageContentArguments, allowance: Allowance) -> _Wanted:
        document = self._room.find(given.doc_id)
        if allowance.pages < 1:
            raise ToolFailure("the pages of this run's budget are used up; answer from what was read")
        try:
            selection = parse_pages(given.pages, page_count=document.page_count)
        except InvalidPageRange as exc:
            raise ToolFailure(exc.message) from exc
        numbers, rest = selection.numbers[: allowance.pages], list(selection.numbers[allowance.pages :])
        notes = list(selection.notes)
        if rest:
            notes.append(
                f"{len(rest)} more pages were left out, at most {allowance.pages} at once; "
                f'ask for pages="{format_pages(rest[: allowance.pages])}" next, or search for the ones that matter'
            )
        tree = self._room.tree(document)
        pages = [self._room.page(document, number) for number in numbers]
        sections = [" > ".join(node.title[:80] for node in tree.path_to(number)[-3:]) for number in numbers]
        return _Wanted(document, pages, sections, notes)

    # --- eyes -----------------------------------------------------------------------------------

    async def _look(self, wanted: _Wanted, calls_left: int) -> None:
        """Fill in transcripts, pictures, and which pages stay unseen and why. Kept transcripts cost nothing."""
        needing = [page for page in wanted.pages if page.kind in NEEDS_EYES]
        if self._vision is None:
            seen = [page.number for page in needing][: calls_left if self._model_sees else 0]
            wanted.pictured = seen
            # Tables keep their rows in the text, so only the others are worth a warning.
            blind = [page.number for page in needing if page.kind is not PageKind.TABLE and page.number not in seen]
            wanted.unseen = dict.fromkeys(blind, "vision_off")
            return
        to_pay: list[Page] = []
        for page in needing:
            kept = await self._vision.find(wanted.document.id, page.number)
            if kept is not None:
                wanted.looks[page.number] = Look(kept)
            else:
                to_pay.append(page)
        wanted.unseen = {page.number: "vision_budget" for page in to_pay[calls_left:]}
        looks = await asyncio.gather(*(self._look_at(self._vision, wanted, page) for page in to_pay[:calls_left]))
        for page, look in zip(to_pay, looks, strict=False):
            wanted.looks[page.number] = look
            if look.transcript is None:
                wanted.unseen[page.number] = look.problem or "vision_failed"

    async def _look_at(self, vision: PageVision, wanted: _Wanted, page: Page) -> Look:
        try:
            return await vision.look(wanted.document.id, page.number)
        except DocmindError as exc:  # deleted meanwhile, disk full: the text is there all the same
            return Look(problem=exc.code)

    # --- text -----------------------------------------------------------------------------------

    def _blocks(self, wanted: _Wanted, start: int, room_left: int) -> tuple[list[str], list[int]]:
        """Blocks of the pages that fit, and their numbers. What does not fit is told in the notes."""
        blocks: list[str] = []
        shown: list[int] = []
        for place, (page, section) in enumerate(zip(wanted.pages, wanted.sections, strict=True)):
            head = _head(wanted.document, page)
            text = _text_of(page, wanted.looks.get(page.number))[start:]
            room = room_left - len(head) - len(section) - 80
            if room < min(MIN_PART, len(text)):
                rest = format_pages([later.number for later in wanted.pages[place:]])
                wanted.notes.append(f'pages {rest} did not fit into one result; ask for pages="{rest}"')
                break
            if len(text) > room:
                wanted.notes.append(
                    f"page {page.number} is long and was cut; go on with pages={page.number}, "
                    f"from_character={start + room} (of {start + len(text)})"
                )
                text = text[:room]
            within = f"(section: {section})\n" if section else ""
            body = self._room.fenced(within + text) if text.strip() else _why_empty(page)
            block = f"{head}{_eyes_note(wanted, page)}\n{body}"
            blocks.append(block)
            shown.append(page.number)
            room_left -= len(block) + 1
        return blocks, shown

    def _result(self, wanted: _Wanted, content: str, shown: Sequence[int]) -> ToolResult:
        document = wanted.document

        def refs(numbers: Sequence[int]) -> tuple[PageRef, ...]:
            return tuple(PageRef(document.id, document.name, number) for number in numbers if number in shown)

        usage = Usage(vision_calls=len(wanted.pictured))
        for look in wanted.looks.values():
            usage = usage + look.usage
        return ToolResult(
            content,
            f"{document.name} p.{format_pages(shown)}",
            read=refs(shown),
            pictures=refs(wanted.pictured),
            unseen=refs(list(wanted.unseen)),
            looks=_vision_notes(wanted),
            cut=bool(wanted.notes),
            usage=usage,
        )


def _text_of(page: Page, look: Look | None) -> str:
    if look is None or look.transcript is None:
        return page.text
    transcript = f"(transcript of the page's picture)\n{look.transcript.text}"
    if page.kind in TRANSCRIPT_ONLY or not page.text.strip():
        return transcript
    return f"{transcript}\n\n(text of the page as the file has it)\n{page.text}"


def _head(document: Document, page: Page) -> str:
    label = f", printed page {page.label}" if page.label not in ("", str(page.number)) else ""
    kind = f", {page.kind.value} page" if page.kind.value not in ("text", "blank") else ""
    source = ", text by OCR" if page.text_source == "ocr" else ""
    return f"## doc_id {document.id} p.{page.number} of {document.page_count}{label}{kind}{source}"


def _eyes_note(wanted: _Wanted, page: Page) -> str:
    why = wanted.unseen.get(page.number)
    return f", not looked at ({why}): formulas, figures and tables may be broken in this text" if why else ""


def _vision_notes(wanted: _Wanted) -> tuple[VisionNote, ...]:
    notes = []
    reasons: Mapping[int, str] = {page.number: page.kind_reason or page.kind.value for page in wanted.pages}
    for number, look in wanted.looks.items():
        ref = PageRef(wanted.document.id, wanted.document.name, number)
        if look.transcript is None:
            notes.append(VisionNote(ref, reasons[number], "", look.problem or "vision_failed", look.usage.cost))
        else:
            outcome = "read" if look.usage.vision_calls else "kept"
            notes.append(VisionNote(ref, reasons[number], look.transcript.model, outcome, look.usage.cost))
    return tuple(notes)


def _why_empty(page: Page) -> str:
    if page.problem:
        return f"(this page could not be read: {page.problem})"
    return "(no text on this page)" if page.kind in (PageKind.BLANK, PageKind.TEXT) else "(no text layer)"


def format_pages(numbers: Sequence[int]) -> str:
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
