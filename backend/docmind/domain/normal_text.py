"""One form of a text for comparing: case, width, ligatures, radicals, hyphens and white space no longer matter.

The text that people see is never changed; a NormalText knows for each of its characters where it came from.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# CJK Radicals Supplement: NFKC leaves most of these alone, yet PDF writers put them where the plain character is meant
# (Unicode's EquivalentUnifiedIdeograph; only the unambiguous ones).
_RADICALS = dict(
    zip(
        "⺁⺃⺄⺅⺆⺈⺉⺊⺌⺍⺎⺐⺒⺓⺔⺖⺘⺙⺛⺜⺝⺞⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺬⺭⺮⺯⺰⺲⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻊⻋⻌⻍⻎⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲",
        "厂乚乙亻冂刀刂卜小小兀尢巳幺彑忄扌攵旡日月歺民氵氺灬爫爫丬牛犭王疋示礻竹糹纟罒羊羊羊耂肀聿肉臼艹艹艹虎衤覀西见角讠贝足车辶辶辶钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀",
        strict=True,
    )
)
_DASHES = dict.fromkeys("‐‑‒–—―−﹣－", "-")
_QUOTES = {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"')}
_PLAIN = {**_RADICALS, **_DASHES, **_QUOTES}

# TeX sets an accent as a glyph of its own before its letter: "M¨uller".
_SPLIT_ACCENT = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327"}
_PIECE = re.compile(
    r"(?P<plain>[!-,.-_a-~]+(?![\u0300-\u036f\u3099\u309a]))"
    r"|(?P<space>\s+)"
    r"|(?P<joined>[-\u2010\u2011]\s*\n\s*(?=[^\W\d_])|\u00ad\s*)"
    r"|(?P<nothing>[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0e-\x1f\x7f]+)"
    r"|(?P<accent>[¨´ˆ˜¸] ?[A-Za-z])"
    r"|(?P<letter>.[\u0300-\u036f\u3099\u309a]*)",
    re.DOTALL,
)
_WORDISH = re.compile(r"[^\W_]")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class NormalText:
    """`text` in normal form; `origins[i]` is the (start, end) in the original that character i stands for."""

    text: str
    origins: tuple[tuple[int, int], ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The original's span for [start, end) of the normal text."""
        if start >= end:
            at = self.origins[start][0] if start < len(self.origins) else (self.origins[-1][1] if self.origins else 0)
            return (at, at)
        return (self.origins[start][0], self.origins[end - 1][1])


@lru_cache(maxsize=20_000)
def _fold(piece: str) -> str:
    composed = unicodedata.normalize("NFC", piece)
    plain = "".join(_PLAIN.get(char, char) for char in composed)
    folded = unicodedata.normalize("NFKC", plain).casefold()
    return "".join(_PLAIN.get(char, char) for char in folded).replace("\u0307", "")


def normalise(text: str) -> NormalText:
    """The text for comparing: NFKC, case folded, runs of white space as one space, words joined over a line-end hyphen."""
    chars: list[str] = []
    origins: list[tuple[int, int]] = []
    for match in _PIECE.finditer(text):
        kind = match.lastgroup
        if kind in ("joined", "nothing"):
            continue
        piece = match.group()
        if kind == "plain":
            # Most of most texts, a word at a time; folding changes no length here.
            start = match.start()
            chars.extend(piece.lower())
            origins.extend([(at, at + 1) for at in range(start, match.end())])
            continue
        if kind == "space":
            folded = " " if chars and chars[-1] != " " else ""
        elif kind == "accent":
            folded = _fold(piece[-1] + _SPLIT_ACCENT[piece[0]])
        else:
            folded = _fold(piece)
        for char in folded:
            chars.append(char)
            origins.append(match.span())
    while chars and chars[-1] == " ":
        chars.pop()
        origins.pop()
    return NormalText("".join(chars), tuple(origins))


_TABLE = str.maketrans(_PLAIN)
_SPACES = re.compile(r"\s+")
_JOINED = re.compile(r"(?:-\s*\n\s*(?=[^\W\d_])|\u00ad\s*)")
_NOTHING = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0e-\x1f\x7f]+")
_LONE_ACCENT = re.compile(r"[¨´ˆ˜¸] ?[A-Za-z]")


def normal_form(text: str) -> str:
    """The text that `normalise` gives, some ten times faster, for those who need not know where a character came from."""
    if _LONE_ACCENT.search(text):
        return normalise(text).text
    plain = _JOINED.sub("", text.translate(_TABLE))
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain).casefold().translate(_TABLE).replace("\u0307", "")
    return _SPACES.sub(" ", _NOTHING.sub("", plain)).strip(" ").lower()


def _bare(normal: NormalText) -> NormalText:
    """Without white space and hyphens: for words that the page splits and the quote does not, or the other way round."""
    kept = [index for index, char in enumerate(normal.text) if char not in " -"]
    return NormalText("".join(normal.text[i] for i in kept), tuple(normal.origins[i] for i in kept))


def _splits_word(text: str, at: int) -> bool:
    """Whether a cut at this offset of the original would fall inside a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _CJK.match(before) or _CJK.match(after):
        return False
    return bool(_WORDISH.match(before) and _WORDISH.match(after))


def _find_whole(needle: str, hay: NormalText, original: str) -> tuple[int, int] | None:
    at = hay.text.find(needle)
    while at >= 0:
        start, end = hay.original_span(at, at + len(needle))
        if not _splits_word(original, start) and not _splits_word(original, end):
            return (start, end)
        at = hay.text.find(needle, at + 1)
    return None


def find_quote(quote: str, text: str, *, normal: NormalText | None = None) -> tuple[int, int] | None:
    """Span (start, end) in `text` of the first place where the quote stands, or None. Whole words only.

    Tries the normal forms first, then both without white space and hyphens. Give `normal` when normalise(text)
    is at hand already.
    """
    hay = normal if normal is not None else normalise(text)
    wanted = normalise(quote)
    needle = wanted.text.strip()
    if not needle:
        return None
    found = _find_whole(needle, hay, text)
    if found is not None:
        return found
    bare = _bare(wanted).text
    # A bare "1-2" would match "12": too short to tell apart without its spaces.
    return _find_whole(bare, _bare(hay), text) if len(bare) >= 8 or _CJK.search(bare) else None
