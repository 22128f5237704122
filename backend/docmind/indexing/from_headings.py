"""Sections inferred from how headings look: type size, weight, capitals, numbering, room around them.

A document without bookmarks still shows its structure. First the lines that repeat at page edges are set aside,
then each line that stands out gets a score, lines of one heading are joined, and headings of one look become one level.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docmind.domain.headings import HeadingLine, PageStyle
from docmind.domain.tree import NodeSource
from docmind.indexing.numbering import Numbering, read_numbering
from docmind.indexing.ranges import Section
from docmind.indexing.running_lines import RunningLines, find_running_lines

_MIN_SCORE = 3.0
_DOTTED = frozenset({"dotted", "lettered"})
_MAX_LINES = 4
_MAX_LEVELS = 8
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}|…{2,}|\s\d{1,4}$")
_OPEN_END = re.compile(r"(?:[-–—,&/]|\b(?:and|of|the|for|to|in|on|with|or|by|from|a|an))$", re.IGNORECASE)
_CAPTION = re.compile(r"(?:figure|fig\.|table|图|表|圖|source|see note)\s*[\d:.一-十]", re.IGNORECASE)
_CONTINUED = re.compile(r"[(（]\s*(?:continued|cont[’'.]?d?|续)\.?\s*[)）]|[—–-]\s*continued$", re.IGNORECASE)
_CONTENTS_TITLE = re.compile(r"(?:table of )?contents|index|目\s*[录錄次]", re.IGNORECASE)
_NUMBER_WORD = re.compile(
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|\d+|[ivx]+|chapter|part",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "our",
        "the",
        "to",
        "vs",
        "with",
        "its",
        "your",
        "not",
        "is",
        "are",
    ]
)
_SENTENCE_END = (".", ",", ";", "，", "。", "；")
_NUMERIC = re.compile(r"^[\W\d_]*(?:[a-z]{1,2}[\W\d_]*)?$", re.IGNORECASE)


@dataclass(slots=True)
class Heading:
    """One heading, its lines joined."""

    line: HeadingLine
    text: str
    last: HeadingLine
    numbering: Numbering | None
    score: float = 0.0


def sections_from_headings(styles: Sequence[PageStyle]) -> list[Section]:
    """A section for each heading found, in reading order, with its level from 1."""
    body = body_size(styles)
    if not body:
        return []
    running = find_running_lines(styles, body)
    spacing = _usual_spacing(styles)
    headings: list[Heading] = []
    for style in styles:
        if _is_contents_page(style):
            headings.extend(_contents_heading(style, body))
            continue
        for heading in _join(style, running, body):
            heading.score = _score(heading, spacing, body)
            if heading.score >= _MIN_SCORE:
                headings.append(heading)
    headings = _without_crowds(headings, body)
    levels = _levels(headings)
    return [
        Section(
            level=levels[place],
            title=heading.text,
            page=heading.line.page,
            source=NodeSource.HEADING,
            confidence=min(0.95, 0.4 + 0.08 * heading.score),
            at_top=heading.line.place <= 1,
        )
        for place, heading in enumerate(headings)
    ]


def body_size(styles: Sequence[PageStyle]) -> float:
    """The size that most characters of the document have."""
    sizes: Counter[float] = Counter()
    for style in styles:
        for size, bold, count in style.characters:
            sizes[size] += 0 if bold else count
    if not sizes or sizes.most_common(1)[0][1] == 0:
        for style in styles:
            for size, _, count in style.characters:
                sizes[size] += count
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _usual_spacing(styles: Sequence[PageStyle]) -> float:
    spacings = sorted(style.spacing for style in styles if style.spacing > 0)
    return max(spacings[len(spacings) // 2], 1.1) if spacings else 1.2


def _is_title_case(text: str) -> bool:
    """Whether nearly all the words that titles capitalise are."""
    words: list[str] = [word for word in re.findall(r"[^\W\d_][\w’'-]*", text) if word.lower() not in _SMALL_WORDS]
    if len(words) < 2 or len(words) > 25 or text.endswith("."):
        return False
    return sum(word[0].isupper() for word in words) >= 0.8 * len(words)


def _is_contents_page(style: PageStyle) -> bool:
    rows = [line for line in style.headings if _CONTENTS_LINE.search(line.text)]
    return len(rows) >= 5 and len(rows) >= 0.5 * len(style.headings)


def _contents_heading(style: PageStyle, body: float) -> list[Heading]:
    """On a contents page only its own title is a heading."""
    found = []
    for line in style.headings[:6]:
        text = line.text.strip()
        if _CONTENTS_TITLE.fullmatch(text):
            return [Heading(line, text, line, None, 5.0)]
        if (line.bold or line.size > body + 0.4) and len(text) < 40 and not _CONTENTS_LINE.search(text):
            found.append(Heading(line, text, line, None, 4.0))
    return found[:1]


def _join(style: PageStyle, running: RunningLines, body: float) -> list[Heading]:
    """Headings of a page: lines that go on in the next one are joined; heads and feet are left out."""
    headings: list[Heading] = []
    for line in style.headings:
        text = line.text.strip()
        if running.holds(text, line.y0, line.size, style.height):
            continue
        numbering = read_numbering(text)
        if numbering is not None and numbering.kind == "small" and _is_title_case(numbering.rest):
            numbering = replace(numbering, is_weak=False)
        last = headings[-1] if headings else None
        if last is not None and _continues(last, line, numbering, body):
            last.text = _joined(last.text, text)
            last.last = line
        else:
            headings.append(Heading(line, text, line, numbering))
    return headings


def _continues(heading: Heading, line: HeadingLine, numbering: Numbering | None, body: float) -> bool:
    before = heading.last
    if not line.follows or before.place != line.place - 1 or (numbering is not None and not numbering.is_weak):
        return False
    if before.cells > 2 or line.cells > 1 or heading.text.endswith((".", ":", "：", "。")):
        return False
    if before.text.isupper() != line.text.isupper() and any(map(str.islower, line.text)):
        return False
    if line.place - heading.line.place >= _MAX_LINES or before.italic != line.italic:
        return False
    # A line that ends long before the margin is whole, unless what follows begins in small letters.
    centred = abs((before.x0 + before.x1) - (line.x0 + line.x1)) < 8
    aligned = abs(before.x0 - line.x0) < 40
    full = before.x1 >= line.x1 - 60 or line.text[:1].islower() or line.size > 1.25 * body
    full = full or bool(_OPEN_END.search(before.text))
    return (centred or aligned) and full


def _joined(first: str, second: str) -> str:
    if first.endswith("-") and second[:1].islower():
        return first[:-1] + second
    cjk = "\u2e80" <= first[-1:] <= "\u9fff" and "\u2e80" <= second[:1] <= "\u9fff"
    return first + second if cjk else f"{first} {second}"


def _score(heading: Heading, spacing: float, body: float) -> float:
    """How much the heading looks like one. 3 is enough."""
    line, text = heading.line, heading.text
    letters = [char for char in text if char.isalpha()]
    if len(letters) < 2 or _NUMERIC.match(text) or _NUMBER_WORD.fullmatch(text) or _CAPTION.match(text):
        return 0.0
    if _CONTINUED.search(text):
        return 0.0
    strong = heading.numbering is not None and not heading.numbering.is_weak
    bigger = line.size / body
    score = 0.0
    if bigger > 1.08:
        score += min(3.5, 1.5 + 4 * (bigger - 1.08))
    if line.bold:
        score += 2.0
    if strong:
        score += 1.5
    elif heading.numbering is not None:
        score += 0.75
    if heading.numbering is not None and _is_title_case(heading.numbering.rest.rstrip(".")):
        score += 1.5
    if len(letters) >= 3 and all(char.isupper() for char in letters if char.lower() != char.upper()):
        score += 0.75
    if line.italic:
        score += 0.5
    score += _room(heading, spacing, body)
    score += _wording(heading, letters)
    if bigger < 0.93:
        score -= 2.0
    return score


def _room(heading: Heading, spacing: float, body: float) -> float:
    """Headings stand alone, with more room above than below."""
    line, last = heading.line, heading.last
    score = 0.0
    if line.gap_above <= 0 or line.gap_above > 1.3 * spacing * max(line.size, body):
        score += 1.0
    elif line.gap_above < 1.05 * spacing * line.size:
        score -= 0.75 if spacing < 1.8 else 0.0
    if last.gap_below and last.gap_below > 1.05 * spacing * last.size:
        score += 0.25
    if line.cells >= 3 or (line.cells == 2 and heading.numbering is None):
        score -= 2.0
    return score


def _wording(heading: Heading, letters: Sequence[str]) -> float:
    text = heading.text
    score = 0.0
    words = text.split()
    if text.endswith(_SENTENCE_END) and not (heading.numbering and len(words) < 14):
        score -= 1.0 if heading.line.bold else 2.5
    if text.endswith((":", "：")):
        score -= 0.75
    first = next((char for char in text if char.isalpha()), "")
    if first.islower() and heading.numbering is None and not re.match(r"v\d", text):
        score -= 0.75 if heading.line.bold else 1.5
    if len(words) > 16 or len(text) > 120:
        score -= 1.0
    digits = sum(map(str.isdigit, text))
    if digits > 0.5 * (digits + len(letters)):
        score -= 2.0
    if text[:1] in "•●▪–-*·◦□■":
        score -= 2.0
    if _CONTENTS_LINE.search(text) and heading.numbering is None and re.search(r"(?:\.\s?){4,}|…{2,}", text):
        score -= 3.0
    return score


def _without_crowds(headings: list[Heading], body: float) -> list[Heading]:
    """Leave out looks that crowd pages without room between them: table cells and labels of figures, not headings."""
    by_text = Counter(heading.text.casefold() for heading in headings)
    by_look: dict[tuple[float, bool, bool, bool], list[Heading]] = defaultdict(list)
    for heading in headings:
        by_look[_look(heading)].append(heading)
    dropped: set[int] = set()
    for same in by_look.values():
        pages = Counter(heading.line.page for heading in same)
        if len(same) >= 30 and len(same) / len(pages) > 9:
            dropped.update(id(heading) for heading in same if heading.numbering is None)
    for heading in headings:
        # "Fiscal Year" over forty tables is a column's title.
        if heading.numbering is None and heading.line.size <= 1.05 * body and by_text[heading.text.casefold()] >= 5:
            dropped.add(id(heading))
    return [heading for heading in headings if id(heading) not in dropped]


def _look(heading: Heading) -> tuple[float, bool, bool, bool]:
    line = heading.line
    letters = [char for char in heading.text if char.isalpha()]
    capitals = bool(letters) and all(not char.islower() for char in letters) and any(c.isupper() for c in letters)
    return (round(line.size * 2) / 2, line.bold, capitals, line.italic)


def _levels(headings: Sequence[Heading]) -> list[int]:
    """A level for each heading: looks are ranked by size, then by numbering, weight and capitals."""
    usual: dict[tuple[str, int], Counter[float]] = defaultdict(Counter)
    for heading in headings:
        usual[_scheme(heading)][round(heading.line.size * 2) / 2] += 1
    ranks = [_rank(heading, usual) for heading in headings]
    order = {rank: place + 1 for place, rank in enumerate(sorted(set(ranks)))}
    return [min(order[rank], _MAX_LEVELS) for rank in ranks]


def _scheme(heading: Heading) -> tuple[str, int]:
    numbering = heading.numbering
    return ("", 0) if numbering is None or numbering.is_weak else (numbering.kind, numbering.depth)


def _rank(heading: Heading, usual: dict[tuple[str, int], Counter[float]]) -> tuple[float, ...]:
    """Sorts headings from the outermost to the innermost; the same for all of one level."""
    size, bold, capitals, italic = _look(heading)
    scheme = _scheme(heading)
    if heading.numbering is None or scheme[0] == "":
        return (-size, 9, not bold, not capitals, 9, 0, italic)
    # All items, all chapters, all "1.2"s are one level, whatever single ones look like.
    size = usual[scheme].most_common(1)[0][0]
    named = heading.numbering.rank
    if named <= 4:
        return (-size, named, 0, 0, named, 0, 0)
    return (
        (-size, 9, not bold, not capitals, named, heading.numbering.depth, 0)
        if scheme[0] not in _DOTTED
        else (
            -size,
            8,
            0,
            0,
            0,
            heading.numbering.depth,
            0,
        )
    )
