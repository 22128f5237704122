"""Pages as files: pages/0001.txt for the text, pages.json for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from docmind.domain.pages import Page, PageKind
from docmind.errors import DocumentDamaged, InvalidPageRange
from docmind.storage.files import as_storage_error, write_json


def text_path(folder: Path, number: int) -> Path:
    return folder / "pages" / f"{number:04d}.txt"


def image_path(folder: Path, number: int) -> Path:
    return folder / "images" / f"{number:04d}.jpg"


def write_text(folder: Path, page: Page) -> None:
    """The page's text, plainly: the folder is still in the making, and is forced to disk as a whole when published."""
    try:
        text_path(folder, page.number).write_bytes(page.text.encode("utf-8", "replace"))
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise as_storage_error(exc) from exc


def write_facts(folder: Path, pages: Iterable[Page]) -> None:
    """Everything but the texts, in the order of the pages."""
    write_json(folder / "pages.json", [_to_json(page) for page in pages])


def load_facts(folder: Path) -> list[dict[str, Any]]:
    """Raises FileNotFoundError when the document is not there, DocumentDamaged when the file is not of our format."""
    content = (folder / "pages.json").read_bytes()
    try:
        facts = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise DocumentDamaged("what is kept of the document's pages is not JSON") from exc
    if not isinstance(facts, list):
        raise DocumentDamaged("what is kept of the document's pages is not a list")
    return facts


def load_page(folder: Path, facts: Sequence[dict[str, Any]], number: int) -> Page:
    """Raises InvalidPageRange when the document has no such page, DocumentDamaged when what is kept of it cannot be read."""
    if not 1 <= number <= len(facts):
        raise InvalidPageRange(f"page {number} does not exist: the document has pages 1-{len(facts)}")
    return _from_json(facts[number - 1], text_path(folder, number).read_bytes())


def load_pages(folder: Path) -> list[Page]:
    facts = load_facts(folder)
    return [load_page(folder, facts, number) for number in range(1, len(facts) + 1)]


def _to_json(page: Page) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "width_pt": page.width_pt,
        "height_pt": page.height_pt,
        "kind": page.kind.value,
        "kind_score": page.kind_score,
        "kind_reason": page.kind_reason,
        "headings": list(page.headings),
        "running_lines": list(page.running_lines),
        "problem": page.problem,
        "text_source": page.text_source,
    }


def _from_json(raw: dict[str, Any], text: bytes) -> Page:
    try:
        return Page(
            text=text.decode("utf-8"),
            **{
                **raw,
                "kind": PageKind(raw["kind"]),
                "headings": tuple(raw["headings"]),
                "running_lines": tuple(raw["running_lines"]),
            },
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise DocumentDamaged("what is kept of a page is not of our format") from exc
