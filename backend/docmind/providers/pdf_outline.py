"""Read a PDF's outline entry by entry from its objects, so that one bad entry does not lose the others.

MuPDF's own reader gives nothing when one entry is bad, recurses (5,000 levels end it), and sends a destination
that is not there to page 1 (docs/decisions/2026-12-01-tree.md). Imported only by the child process.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pymupdf import mupdf

MAX_ENTRIES: Final = 20_000
MAX_DEPTH: Final = 64
_MAX_NAME_NODES: Final = 200_000

Entry = tuple[int, str, int | None]


def walk_outline(document: Any, page_count: int) -> Iterator[Entry]:
    """(level, title, page or None) in reading order. At most MAX_ENTRIES; deeper levels count as MAX_DEPTH."""
    pdf = mupdf.pdf_document_from_fz_document(document)
    root = _get(mupdf.pdf_trailer(pdf), "Root")
    outlines = _get(root, "Outlines")
    targets = _Targets(pdf, root, page_count)
    seen: set[int] = set()
    given = 0
    stack: list[tuple[Any, int]] = [(_get(outlines, "First"), 1)]
    while stack and given < MAX_ENTRIES:
        entry, level = stack.pop()
        number = mupdf.pdf_to_num(entry)
        if not mupdf.pdf_is_dict(entry) or (number and number in seen):
            continue
        seen.add(number)
        yield min(level, MAX_DEPTH), _title(entry), targets.page_of(entry)
        given += 1
        stack.append((_get(entry, "Next"), level))
        stack.append((_get(entry, "First"), level + 1))


def _get(obj: Any, key: str) -> Any:
    return mupdf.pdf_dict_gets(obj, key)


def _title(entry: Any) -> str:
    try:
        return str(mupdf.pdf_to_text_string(_get(entry, "Title")))
    except (RuntimeError, ValueError, mupdf.FzErrorBase):
        return ""


class _Targets:
    """Pages that outline entries and links point to."""

    def __init__(self, pdf: Any, root: Any, page_count: int) -> None:
        self._pdf = pdf
        self._root = root
        self._page_count = page_count
        self._numbers: dict[int, int] | None = None
        self._names: dict[str, Any] | None = None

    def page_of(self, entry: Any) -> int | None:
        """The page, or None when the entry has no target in this file or the target is not there."""
        target = _get(entry, "Dest")
        if mupdf.pdf_is_null(target):
            action = _get(entry, "A")
            if _get(action, "S").pdf_to_name() != "GoTo":
                return None
            target = _get(action, "D")
        return self._page(target)

    def _page(self, target: Any) -> int | None:
        if mupdf.pdf_is_name(target) or mupdf.pdf_is_string(target):
            name = target.pdf_to_name() if mupdf.pdf_is_name(target) else mupdf.pdf_to_text_string(target)
            target = self._named().get(name)
            if target is None:
                return None
        if mupdf.pdf_is_dict(target):
            target = _get(target, "D")
        if not mupdf.pdf_is_array(target) or mupdf.pdf_array_len(target) < 1:
            return None
        page = mupdf.pdf_array_get(target, 0)
        if mupdf.pdf_is_int(page):
            number = mupdf.pdf_to_int(page) + 1
            return number if 1 <= number <= self._page_count else None
        return self._page_numbers().get(mupdf.pdf_to_num(page))

    def _page_numbers(self) -> dict[int, int]:
        if self._numbers is None:
            self._numbers = {}
            for index in range(self._page_count):
                number = mupdf.pdf_to_num(mupdf.pdf_lookup_page_obj(self._pdf, index))
                self._numbers.setdefault(number, index + 1)
        return self._numbers

    def _named(self) -> dict[str, Any]:
        if self._names is None:
            self._names = dict(self._old_names())
            self._names.update(self._name_tree(_get(_get(self._root, "Names"), "Dests")))
        return self._names

    def _old_names(self) -> Iterator[tuple[str, Any]]:
        dests = _get(self._root, "Dests")
        for at in range(min(mupdf.pdf_dict_len(dests), _MAX_NAME_NODES)):
            yield mupdf.pdf_dict_get_key(dests, at).pdf_to_name(), mupdf.pdf_dict_get_val(dests, at)

    def _name_tree(self, top: Any) -> Iterator[tuple[str, Any]]:
        stack, seen, given = [top], set[int](), 0
        while stack and given < _MAX_NAME_NODES:
            node = stack.pop()
            number = mupdf.pdf_to_num(node)
            if number and number in seen:
                continue
            seen.add(number)
            names = _get(node, "Names")
            for at in range(0, mupdf.pdf_array_len(names) - 1, 2):
                given += 1
                yield (
                    mupdf.pdf_to_text_string(mupdf.pdf_array_get(names, at)),
                    mupdf.pdf_array_get(names, at + 1),
                )
            kids = _get(node, "Kids")
            stack.extend(mupdf.pdf_array_get(kids, at) for at in range(mupdf.pdf_array_len(kids)))
