"""Cut a page into what can be quoted: sentences of its prose and rows of its tables, each as it stands on the page.

A row carries the heading of its columns and its unit, where the page gives them above it: "1,577" alone says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_PASSAGE = 420
MIN_PASSAGE = 4
# Stops that end no sentence: of a list's number and of what is often shortened.
_NO_END = "".join(
    rf"(?<!{short})"
    for short in (
        r"\b\d\.",
        r"\b\d\d\.",
        r"\bInc\.",
        r"\bCorp\.",
        r"\bNo\.",
        r"\bvs\.",
        r"\bFig\.",
        r"\bal\.",
        r"\bU\.S\.",
        r"\bMr\.",
        r"\bDr\.",
        r"\bEq\.",
    )
)
_SENTENCE_END = re.compile(
    _NO_END + r"(?<=[.!?])[\"'”’)]*\s+(?=[A-Z0-9\"'“(•])|(?<=[。！？；])(?![”’」』）])|\n(?=[•●▪·◦–-]\s)"
)
_CELL_GAP = re.compile(r"\s{2,}|\t")
_FIGURE = re.compile(r"(?<![\w.])[$€£¥(]?\s?\d[\d,]*(?:\.\d+)?\)?\s?%?(?!\w)")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_UNIT = re.compile(
    r"\b(?:in\s+)?(?:millions?|thousands?|billions?)\b|[$€£¥%]\s?(?:in|m\b|bn\b)|单位|万元|亿元|百万元|千元",
    re.IGNORECASE,
)
_HEADER_WITHIN = 70
_LONG_UNIT_LINE = 140


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is a stretch of the page, its white space made single spaces. `columns` and `unit` are other lines of the page."""

    text: str
    line: int
    is_row: bool = False
    columns: str = ""
    unit: str = ""


def passages_of(text: str) -> list[Passage]:
    """All passages in the order of the page."""
    lines = text.splitlines()
    found: list[Passage] = []
    prose: list[str] = []
    began = 0

    def end_prose() -> None:
        found.extend(_sentences("\n".join(prose), began))
        prose.clear()

    for number, line in enumerate(lines):
        if not line.strip():
            end_prose()
        elif _is_row(line):
            label = _wrapped_label(line, prose)
            end_prose()
            columns, unit = _heading_of(lines, number)
            found.append(Passage(_cut_off(_one_line(f"{label} {line}")), number, True, columns, unit))
        else:
            if not prose:
                began = number
            prose.append(line)
    end_prose()
    return [passage for passage in found if len(passage.text) >= MIN_PASSAGE]


def figures_in(text: str) -> int:
    """How many figures stand in a text, years not counted."""
    return sum(not _YEAR.fullmatch(figure.strip(" ()$")) for figure in _FIGURE.findall(text))


def _is_row(line: str) -> bool:
    cells = [cell for cell in _CELL_GAP.split(line.strip()) if cell]
    figures = len(_FIGURE.findall(line))
    words = len(line.split())
    if len(cells) >= 2:
        return figures >= 1 or len(cells) >= 3
    return figures >= 2 and figures * 3 >= words


def _wrapped_label(row: str, prose: list[str]) -> str:
    """The line above a row that begins with a figure: its label was too long for one line."""
    starts_bare = bool(_FIGURE.match(row.strip())) or row.strip()[:1] in "$(—–"
    if not starts_bare or not prose or prose[-1].rstrip()[-1:] in ".:;。：":
        return ""
    return prose[-1].strip()


def _heading_of(lines: list[str], row: int) -> tuple[str, str]:
    """The nearest line above that names periods in columns, and the nearest that names a unit."""
    columns = unit = ""
    for number in range(row - 1, max(-1, row - _HEADER_WITHIN), -1):
        line = lines[number].strip()
        if not line:
            continue
        if not columns and len(_YEAR.findall(line)) >= 2 and figures_in(line) <= len(_YEAR.findall(line)):
            columns = _one_line(line)
        if not unit and len(line) <= _LONG_UNIT_LINE and _UNIT.search(line) and not figures_in(line):
            unit = _one_line(line)
        if columns and unit:
            break
    return columns, "" if unit == columns else unit


def _sentences(block: str, began: int) -> Iterator[Passage]:
    at = began
    for piece in _SENTENCE_END.split(block):
        text = _one_line(piece)
        for part in [text] if len(text) <= MAX_PASSAGE else _shorter(piece):
            yield Passage(part, at)
        at += piece.count("\n")


def _shorter(piece: str) -> Iterator[str]:
    """Whole lines of a sentence that is too long, as many as fit."""
    held = ""
    for line in piece.splitlines():
        line = _one_line(line)
        if held and len(held) + len(line) >= MAX_PASSAGE:
            yield held
            held = ""
        held = _cut_off(f"{held} {line}".strip())
    if held:
        yield held


def _cut_off(text: str) -> str:
    """At most MAX_PASSAGE characters, not ending inside a word."""
    if len(text) <= MAX_PASSAGE:
        return text
    space = text.rfind(" ", MAX_PASSAGE // 2, MAX_PASSAGE + 1)
    return text[: space if space > 0 else MAX_PASSAGE]


def _one_line(text: str) -> str:
    return " ".join(text.split())
