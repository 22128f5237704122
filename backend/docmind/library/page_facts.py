"""What a page is, told by its words alone when it is indexed: the tokens of its fields and the kind of page it is.

A financial statement is told from a page that mentions one by its title in the first lines and the rows that every such statement has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docmind.domain.pages import Page
from docmind.domain.words import cut
from docmind.library.field_terms import field_terms, joined

_HEAD_LINES = 7
_HEAD_CHARACTERS = 400
_FIGURE = re.compile(r"(?<![\w.])[$€£¥(]?\s?\d[\d,]*(?:\.\d+)?\)?%?(?![\w])")
_DOTS = re.compile(r"(?:\.\s?){4,}|…{2,}|\s\d{1,3}$")
_TITLE_STILL = re.compile(r"consolidated|statement|balance|表|condensed|income|cash|operations", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the index keeps of a page. Tokens of `head` and `body` stand between spaces; in the body a newline parts lines.

    `kinds` says how much the page is of a kind, 0 to 1; `figures` is the share of its lines that hold two figures or more.
    """

    head: str
    body: str
    words: int
    figures: float
    kinds: dict[str, float] = field(default_factory=dict)


def facts_of(page: Page) -> PageFacts:
    lines = [line for line in page.text.splitlines() if line.strip()]
    token_lines = [cut(line) for line in _joined_lines(lines)]
    body = f" {chr(10).join(' '.join(tokens) for tokens in token_lines if tokens)} "
    head_lines = _head(page, lines)
    head = f" {' '.join(token for line in head_lines for token in cut(line))} "
    figures = sum(len(_FIGURE.findall(line)) >= 2 for line in lines) / (len(lines) or 1)
    return PageFacts(
        head=head,
        body=body,
        words=sum(map(len, token_lines)),
        figures=round(figures, 3),
        kinds=_kinds(head_lines, lines, token_lines, figures),
    )


def _joined_lines(lines: list[str]) -> list[str]:
    """Lines of tokens; a word that a hyphen splits at a line's end is put together with its rest."""
    joined_lines: list[str] = []
    for line in lines:
        if joined_lines and joined_lines[-1].rstrip()[-1:] in "-\u2010\u00ad" and line.lstrip()[:1].islower():
            head, _, rest = line.strip().partition(" ")
            joined_lines[-1] = f"{joined_lines[-1].rstrip()[:-1]}{head}"
            if rest:
                joined_lines.append(rest)
        else:
            joined_lines.append(line)
    return joined_lines


def _head(page: Page, lines: list[str]) -> list[str]:
    """The first lines that are not repeated on every page, and the headings that stand on the page."""
    running = {line.strip() for line in page.running_lines}
    head: list[str] = []
    length = 0
    for line in lines:
        if line.strip() in running:
            continue
        head.append(line)
        length += len(line)
        if len(head) == _HEAD_LINES or length > _HEAD_CHARACTERS:
            break
    return [*head, *(heading for heading in page.headings if heading not in head)]


def _kinds(head: list[str], lines: list[str], token_lines: list[list[str]], figures: float) -> dict[str, float]:
    titles = [joined(line) for line in head if len(line) < 110]
    starts = [f" {' '.join(tokens[:10])} " for tokens in token_lines]
    found: dict[str, float] = {}
    for kind in field_terms().kinds:
        titled = any(title in line for line in titles for title in kind.titles)
        if kind.name == "contents":
            dotted = sum(bool(_DOTS.search(line)) for line in lines)
            if dotted >= 6 and dotted * 2 > len(lines):
                found[kind.name] = 1.0 if titled else 0.6
            continue
        rows = sum(any(start.startswith(row) for start in starts) for row in kind.rows)
        score = 0.5 * titled + 0.5 * min(1.0, rows / 4)
        if figures < 0.3 or rows < 2:
            score *= 0.3
        if score >= 0.25:
            found[kind.name] = round(score, 2)
    return found
