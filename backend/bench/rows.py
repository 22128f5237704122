"""Table rows kept whole: rows with a label and figures on one baseline that stand on one line of our text.

Truth are words grouped by their baseline on the evidence pages of the finance questions; the default get_text()
and sort=True stand beside it.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pymupdf

from docmind.parsing.lines import as_text, read_lines
from docmind.providers.pdf_pymupdf import PdfFile

_FIGURE = re.compile(r"^[$(]*\d[\d,.]*[%)]*$")


def run(data: Path) -> list[dict[str, Any]]:
    folder = data / "financebench"
    questions = folder / "questions.jsonl"
    if not questions.exists():
        return []
    wanted: dict[str, set[int]] = {}
    for line in questions.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        wanted.setdefault(question["doc_name"], set()).update(question["evidence_pages_1based"])
    kept = {"baseline": 0, "ours": 0, "get_text": 0, "sort=True": 0}
    seconds = dict.fromkeys(kept, 0.0)
    pages = 0
    for name, numbers in sorted(wanted.items()):
        path = folder / "pdfs" / f"{name}.pdf"
        if not path.exists():
            continue
        document, file = pymupdf.open(path), PdfFile(path, password=None, max_pages=20_000)
        for number in sorted(numbers):
            if not 1 <= number <= file.page_count:
                continue
            pages += 1
            page = document[number - 1]
            started = time.perf_counter()
            truth = _table_rows(page.get_text("words"))
            seconds["baseline"] += time.perf_counter() - started
            kept["baseline"] += len(truth)
            for way, read in {
                "ours": lambda file=file, number=number: _ours(file, number),
                "get_text": lambda page=page: page.get_text(),
                "sort=True": lambda page=page: page.get_text(sort=True),
            }.items():
                started = time.perf_counter()
                text = read()
                seconds[way] += time.perf_counter() - started
                lines = {"".join(line.split()) for line in text.splitlines()}
                kept[way] += sum(any(row in line for line in lines) for row in truth)
    return [
        {
            "way": way,
            "pages": pages,
            "rows": count,
            "share": round(count / max(kept["baseline"], 1), 3),
            "ms_a_page": round(1000 * seconds[way] / max(pages, 1), 1),
        }
        for way, count in kept.items()
    ]


def _ours(file: PdfFile, number: int) -> str:
    raw = file.read_page(number)
    return as_text(read_lines(raw.spans, raw.width))


def _table_rows(words: list[tuple[Any, ...]]) -> list[str]:
    """Rows with letters first and at least one figure after them, white space left out."""
    rows: dict[int, list[tuple[float, str]]] = {}
    for x0, _y0, _x1, y1, word, *_ in words:
        rows.setdefault(round(y1 / 2), []).append((x0, word))
    found = []
    for row in rows.values():
        ordered = [word for _, word in sorted(row)]
        figures = sum(bool(_FIGURE.match(word)) for word in ordered)
        if (
            len(ordered) >= 2
            and any(map(str.isalpha, ordered[0]))
            and figures
            and _FIGURE.match(ordered[-1].strip(")%"))
        ):
            found.append("".join(ordered))
    return found
