"""Read the number that a heading starts with: 1.2, IV., Item 7A., Chapter 3, 第三章, 一、, (二)."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbering:
    """`kind` names the scheme, `rank` orders schemes from the outermost, `depth` counts dots, `rest` is the title
    without its number. A weak one ("A", "3") also starts ordinary lines."""

    kind: str
    rank: int
    depth: int
    rest: str
    is_weak: bool = False


_ROMAN = r"[IVXLC]{1,6}"
_SCHEMES: tuple[tuple[str, int, re.Pattern[str], bool], ...] = tuple(
    (kind, rank, re.compile(pattern, re.IGNORECASE if folded else 0), weak)
    for kind, rank, pattern, folded, weak in (
        ("part", 1, rf"(?:part)\s+(?:{_ROMAN}|\d{{1,2}})(?=\W|$)[\s.:—–-]*", True, False),
        (
            "chapter",
            2,
            r"(?:chapter|appendix|annex)\s+(?:[IVXLC]{1,6}|\d{1,3}|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)(?=\W|$)[\s.:—–-]*",
            True,
            False,
        ),
        ("chapter", 2, r"第\s*[一二三四五六七八九十百\d]+\s*[章部篇编編讲講]\s*", False, False),
        ("item", 3, r"item\s+\d{1,2}[A-C]?(?=\W|$)[\s.:—–-]*", True, False),
        (
            "section",
            4,
            r"(?:section|article|schedule|exhibit)\s+(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6})(?=\W|$)[\s.:—–-]*",
            True,
            False,
        ),
        ("section", 4, r"第\s*[一二三四五六七八九十百\d]+\s*[节節条條]\s*", False, False),
        ("note", 5, r"note\s+\d{1,2}[A-Z]?(?=\W|$)[\s.:—–-]*", True, False),
        ("dotted", 6, r"\d{1,3}(?:\.\d{1,3}){1,5}\.?(?=\s|[\u2e80-\u9fff])\s*", False, False),
        ("lettered", 6, r"[A-Z](?:\.\d{1,3}){1,5}\.?(?=\s|[\u2e80-\u9fff])\s*", False, False),
        ("roman", 6, rf"{_ROMAN}[.、)]\s+", False, False),
        ("letter", 6, r"[A-Z][.、)]\s+", False, False),
        ("number", 6, r"\d{1,3}[.、)]\s+(?=\D)", False, False),
        ("cjk", 6, r"[一二三四五六七八九十]{1,3}[、.．]\s*", False, False),
        ("cjk2", 7, r"[（(][一二三四五六七八九十]{1,3}[)）]\s*", False, False),
        ("small", 8, r"\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})[.)]\s+", False, True),
        ("bare", 6, r"\d{1,2}\s+(?=[A-Z\u2e80-\u9fff])", False, True),
        ("bare letter", 6, r"[A-Z]\s+(?=[A-Z][a-z])", False, True),
    )
)


def read_numbering(text: str) -> Numbering | None:
    """The number at the start of the text, or None."""
    for kind, rank, pattern, weak in _SCHEMES:
        match = pattern.match(text)
        if match:
            depth = (
                match.group().count(".") - match.group().rstrip().endswith(".") if kind in ("dotted", "lettered") else 0
            )
            return Numbering(kind, rank, depth, text[match.end() :].strip(), weak)
    return None
