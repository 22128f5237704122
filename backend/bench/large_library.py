"""Make a library of any size from the words of real documents: lines of real pages, mixed, with figures and years drawn anew.

Each made document takes its lines from a few real ones, so that words keep company as they do in real reports: a library of evenly
drawn words would be far easier to search than a real one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from docmind.domain.document import Document, DocumentStatus
from docmind.domain.pages import DocumentId, Page
from docmind.domain.tree import Node, NodeSource, Tree

PAGES_A_DOCUMENT = 100
_SECTION = 5
_FIGURE = re.compile(r"\d[\d,]*")


@dataclass(frozen=True, slots=True)
class Made:
    document: Document
    pages: list[Page]
    tree: Tree


def real_pages(home: Path) -> list[list[str]]:
    """Texts of the pages of every document in a home folder."""
    return [
        [path.read_text(encoding="utf-8") for path in sorted(folder.glob("pages/*.txt"))]
        for folder in sorted((home / "tree_index").iterdir())
        if (folder / "pages").is_dir()
    ]


def made_documents(real: Sequence[Sequence[str]], count: int, *, seed: int = 7) -> Iterator[Made]:
    """`count` documents of PAGES_A_DOCUMENT pages; the same seed gives the same library."""
    chance = random.Random(seed)
    words = sorted({word for pages in real for page in pages[:3] for word in re.findall(r"[A-Za-z]{5,12}", page)})
    for number in range(count):
        sources = chance.sample(range(len(real)), min(3, len(real)))
        lines = [line for source in sources for page in real[source] for line in page.splitlines()]
        name = f"{chance.choice(words)}{chance.choice(words)}_{chance.randint(2005, 2025)}_report.pdf".upper()
        yield _made(number, name, sources, real, lines, chance)


def _made(
    number: int, name: str, sources: list[int], real: Sequence[Sequence[str]], lines: list[str], chance: random.Random
) -> Made:
    document_id = DocumentId(f"{number:016x}")
    pages = []
    for page in range(1, PAGES_A_DOCUMENT + 1):
        model = chance.choice(real[chance.choice(sources)]).splitlines()
        # Half of a page stays as it stands, so that phrases and tables survive; the other half comes from anywhere.
        text = "\n".join(line if chance.random() < 0.5 else chance.choice(lines) for line in model)
        pages.append(Page(page, _FIGURE.sub(lambda found: _other_figure(found[0], chance), text), str(page)))
    nodes = tuple(
        Node(f"{first:04}", _title(pages[first - 1]), 1, first, first + _SECTION - 1, NodeSource.HEADING)
        for first in range(1, PAGES_A_DOCUMENT, _SECTION)
    )
    document = Document(
        id=document_id,
        name=name,
        kind="pdf",
        size_bytes=1,
        sha256=document_id * 4,
        status=DocumentStatus.READY,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        page_count=PAGES_A_DOCUMENT,
    )
    return Made(document, pages, Tree(document_id, PAGES_A_DOCUMENT, nodes, "headings"))


def _title(page: Page) -> str:
    return next((line.strip()[:80] for line in page.text.splitlines() if len(line.strip()) > 8), "Section")


def _other_figure(figure: str, chance: random.Random) -> str:
    if len(figure) == 4 and figure[:2] in ("19", "20"):
        return str(chance.randint(2005, 2025))
    return "".join(str(chance.randint(0, 9)) if char.isdigit() else char for char in figure)
