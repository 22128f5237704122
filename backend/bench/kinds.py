"""Page kinds against pages labelled by eye (page_kind_labels.json), beside the usual four-regex formula detector."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from docmind.parsing.read_page import read_page
from docmind.providers.pdf_pymupdf import PdfFile

_BASELINE = [
    re.compile(pattern)
    for pattern in (r"\$[^$]+\$", r"\\(?:frac|sum|int|sqrt)", r"[∑∫∏√∞≤≥≠≈∂∇]", r"[a-zA-Z]\s*=\s*[a-zA-Z0-9(]")
]


def run(data: Path) -> list[dict[str, Any]]:
    labels = json.loads((Path(__file__).parent / "page_kind_labels.json").read_text(encoding="utf-8"))
    seen = [
        (label["kind"], *_read(data / label["document"], label["page"]))
        for label in labels
        if (data / label["document"]).exists()
    ]
    return [
        _row("formula", seen, lambda kind, _: kind == "formula"),
        _row("formula by four regexes", seen, lambda _, text: any(regex.search(text) for regex in _BASELINE)),
        _row("table", seen, lambda kind, _: kind == "table"),
        _row("figure", seen, lambda kind, _: kind == "figure"),
    ]


def _read(path: Path, number: int) -> tuple[str, str]:
    file = PdfFile(path, password=None, max_pages=20_000)
    raw = file.read_page(number)
    page = read_page(
        number,
        spans=raw.spans,
        images=raw.images,
        unmapped=raw.unmapped,
        letters=raw.letters,
        size=(raw.width, raw.height),
        read_codes=partial(file.read_codes, number),
    )
    return page["kind"], page["text"]


def _row(name: str, seen: Sequence[tuple[str, str, str]], found: Callable[[str, str], bool]) -> dict[str, Any]:
    wanted = name.split()[0]
    right = sum(label == wanted and found(kind, text) for label, kind, text in seen)
    given = sum(found(kind, text) for _, kind, text in seen)
    truth = sum(label == wanted for label, _, _ in seen)
    return {
        "kind": name,
        "pages": len(seen),
        "labelled": truth,
        "found": given,
        "right": right,
        "f1": round(2 * right / max(given + truth, 1), 2),
    }
