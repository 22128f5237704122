"""Headings without bookmarks: strip a file's outline, infer its tree, and match both by page and normalised title.

Counted are PDFs with ten or more outline entries that can be read on their page. The inferred tree is cut at the
depth that fits best, because an author's outline may be shallower than the headings; recall is also given uncut.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from docmind.domain.names import clean_title
from docmind.domain.normal_text import find_quote, normalise
from docmind.domain.pages import DocumentId, Page
from docmind.domain.reading import TitledLink
from docmind.domain.tree import NodeSource
from docmind.errors import DocmindError
from docmind.indexing.build import build_tree
from docmind.indexing.numbering import read_numbering
from docmind.parsing.lines import as_text, read_lines
from docmind.parsing.stand_out import page_style
from docmind.providers.pdf_pymupdf import MUPDF_ERRORS, PdfFile

Title = tuple[int, str, int]
_SKIPPED = ("bomb", "billion", "50000x", "pages_5000")


def run(data: Path) -> list[dict[str, Any]]:
    rows = []
    total = {"truth": 0, "predicted": 0, "matched": 0, "uncut": 0, "titles": 0, "right": 0}
    for path in sorted(data.rglob("*.pdf")):
        if any(word in path.name for word in _SKIPPED):
            continue
        measured = measure(path)
        if measured is not None:
            row, counts = measured
            rows.append(row)
            for name, count in counts.items():
                total[name] += count
    if rows:
        rows.append(
            {
                "document": "all, pooled",
                "truth": total["truth"],
                "f1": round(f1(total["matched"], total["predicted"], total["truth"]), 3),
                "precision": round(total["matched"] / max(total["predicted"], 1), 3),
                "recall": round(total["matched"] / total["truth"], 3),
                "recall_uncut": round(total["uncut"] / total["truth"], 3),
                "page_right": round(total["right"] / max(total["titles"], 1), 3),
                "seconds": "",
            }
        )
    return rows


def measure(path: Path) -> tuple[dict[str, Any], dict[str, int]] | None:
    try:
        file = PdfFile(path, password=None, max_pages=20_000)
        outline = [(level, clean_title(title), page) for level, title, page in file.outline()]
    except (DocmindError, *MUPDF_ERRORS):
        return None
    if len(outline) < 10:
        return None
    started = time.process_time()
    pages, styles = [], []
    for number in range(1, file.page_count + 1):
        try:
            raw = file.read_page(number)
        except MUPDF_ERRORS:
            pages.append(Page(number, "", str(number)))
            continue
        lines = read_lines(raw.spans, raw.width)
        pages.append(Page(number, as_text(lines), str(number)))
        styles.append(page_style(number, lines, raw.width, raw.height))
    links = [TitledLink(*link) for link in file.titled_links(1, 15)]
    tree = build_tree(DocumentId("0" * 16), pages, styles, (), links)
    seconds = time.process_time() - started
    truth = [(level, title, page) for level, title, page in outline if page and _is_on_page(title, pages[page - 1])]
    if len(truth) < 10:
        return None
    inferred = [
        (node.level, node.title, node.page_from)
        for node in tree.walk()
        if node.source not in (NodeSource.GAP, NodeSource.PAGE)
    ]
    best = max((_cut(truth, inferred, depth) for depth in range(1, 10)), key=lambda cut: f1(cut[0], cut[1], len(truth)))
    uncut = matches(truth, inferred)
    titles, right = _page_right(truth, inferred)
    row = {
        "document": path.name[:44],
        "truth": len(truth),
        "f1": round(f1(best[0], best[1], len(truth)), 3),
        "precision": round(best[0] / max(best[1], 1), 3),
        "recall": round(best[0] / len(truth), 3),
        "recall_uncut": round(uncut / len(truth), 3),
        "page_right": round(right / max(titles, 1), 3),
        "seconds": round(seconds, 2),
    }
    counts = {
        "truth": len(truth),
        "predicted": best[1],
        "matched": best[0],
        "uncut": uncut,
        "titles": titles,
        "right": right,
    }
    return row, counts


def _is_on_page(title: str, page: Page) -> bool:
    return bool(title) and find_quote(title, page.text) is not None


def _cut(truth: Sequence[Title], inferred: Sequence[Title], depth: int) -> tuple[int, int]:
    kept = [node for node in inferred if node[0] <= depth]
    return matches(truth, kept), len(kept)


def matches(truth: Iterable[Title], inferred: Sequence[Title]) -> int:
    """How many titles of the truth have a node of their own on their page."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for place, (_, _, page) in enumerate(inferred):
        by_page[page].append(place)
    used: set[int] = set()
    for _, title, page in truth:
        found = next((p for p in by_page[page] if p not in used and is_same(title, inferred[p][1])), None)
        if found is not None:
            used.add(found)
    return len(used)


def _page_right(truth: Sequence[Title], inferred: Sequence[Title]) -> tuple[int, int]:
    found = right = 0
    for _, title, page in truth:
        pages = {other for _, inferred_title, other in inferred if is_same(title, inferred_title)}
        found += bool(pages)
        right += page in pages
    return found, right


@cache
def is_same(first: str, second: str) -> bool:
    """Equal letters and figures, with or without the section's number, or one title the longer form of the other."""
    if _keys(first) & _keys(second):
        return True
    short, long = sorted((_key(first), _key(second)), key=len)
    return len(short) >= 12 and long.startswith(short) and len(short) > 0.6 * len(long)


@cache
def _key(title: str) -> str:
    return re.sub(r"[\W_]+", "", normalise(title).text)


@cache
def _keys(title: str) -> frozenset[str]:
    numbering = read_numbering(title)
    return frozenset(filter(None, (_key(title), _key(numbering.rest) if numbering else "")))


def f1(matched: int, predicted: int, truth: int) -> float:
    return 2 * matched / (predicted + truth) if predicted + truth else 0.0
