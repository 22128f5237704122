"""Read page specs as people and models write them: "3", "2-4", "1,5-7", "5-", "all"."""

from __future__ import annotations

import re
import unicodedata

from docmind.domain.pages import PageSelection
from docmind.errors import InvalidPageRange

_ALL = frozenset({"all", "*", "全部", "所有"})
_PART = re.compile(r"(\d{1,12})?(-)?(\d{1,12})?")
_MAX_SPEC = 10_000


def parse_pages(spec: str, *, page_count: int, budget: int | None = None) -> PageSelection:
    """Pages the spec selects, ascending, each once, at most `budget` of them; notes say what was cut.

    Ends beyond the document are cut to it. Raises InvalidPageRange when nothing is left, or a part cannot be read.
    """
    text = unicodedata.normalize("NFKC", spec[:_MAX_SPEC]).strip().lower()
    for dash in "‐‑‒–—―−~〜":
        text = text.replace(dash, "-")
    text = re.sub(r"\b(pages?|pp?)\b\.?|第|页", " ", text).strip(" []()")
    text = re.sub(r"(?<=\d)\s*(?:-|to|至|到)\s*(?=\d)", "-", text)
    if page_count < 1:
        raise InvalidPageRange("this document has no pages")
    if not text:
        raise InvalidPageRange(f"no pages given; this document has pages 1-{page_count}")
    notes: list[str] = []
    chosen: set[int] = set()
    parts = [part.strip() for part in re.split(r"[,;、\s]+", text) if part.strip()]
    for part in ["1-"] if text in _ALL else parts:
        chosen.update(_read_part(part, page_count, notes))
    numbers = sorted(chosen)
    if not numbers:
        raise InvalidPageRange(f"{spec.strip()[:80]!r} selects no page: this document has pages 1-{page_count}")
    if budget is not None and len(numbers) > budget:
        notes.append(f"{len(numbers)} pages asked for, the first {budget} given; ask for the others next")
        numbers = numbers[:budget]
    return PageSelection(tuple(numbers), tuple(dict.fromkeys(notes)))


def _read_part(part: str, page_count: int, notes: list[str]) -> range:
    """One part such as "3", "2-4", "5-" or "-3", cut to the document."""
    match = _PART.fullmatch(part)
    if match is None or not (match[1] or match[3]):
        raise InvalidPageRange(f"{part[:40]!r} is not a page or a range of pages")
    first = int(match[1]) if match[1] else 1
    last = int(match[3]) if match[3] else (page_count if match[2] else first)
    if match[1] and match[2] and match[3] and last < first:
        raise InvalidPageRange(f"range {part[:40]} runs backwards; did you mean {last}-{first}?")
    if first < 1 and last < 1:
        raise InvalidPageRange("page 0 does not exist: pages start at 1")
    if first > page_count:
        notes.append(f"page {part[:40]} does not exist: the document ends at page {page_count}")
        return range(0)
    if first < 1 or last > page_count:
        notes.append(f"{part[:40]} cut to pages {max(first, 1)}-{min(last, page_count)}")
    return range(max(first, 1), min(last, page_count) + 1)
