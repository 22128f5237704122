"""Find a quote that was copied with small slips. A slip may not change a number, a negation or the beginning of a word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from docmind.domain.normal_text import NormalText, normalise

# Characters that may differ in all, as a share of the quote. It only finds the place: `only_slips` decides.
SLIP_SHARE = 0.12
MIN_QUOTE = 12
_TOKEN = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3]|[^\W_]+(?:[.,'][^\W_]+)*")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3]")
# Words that may come or go without changing what a sentence says.
_LIGHT = frozenset(
    re.findall(
        r"\w+", "a an the of to in on at for and as is are was were that which this these its our we by with from"
    )
)
_LIGHT_CJK = frozenset("的了地得之在是于和与及")


def find_near(quote: str, text: str) -> tuple[int, int] | None:
    """Span in `text` of the passage nearest to the quote, or None when it differs by more than small slips."""
    wanted = normalise(quote).text.strip(" .,;:")
    hay = _normal(text)
    if len(wanted) < MIN_QUOTE or not hay.text:
        return None
    span = approximate(wanted, hay.text, max_edits=max(1, int(len(wanted) * SLIP_SHARE)))
    if span is None:
        return None
    start, end = _whole_words(hay.text, *span)
    return hay.original_span(start, end) if only_slips(wanted, hay.text[start:end]) else None


@lru_cache(maxsize=512)
def _normal(text: str) -> NormalText:
    return normalise(text)


def approximate(pattern: str, text: str, *, max_edits: int) -> tuple[int, int] | None:
    """Span of the substring with the smallest edit distance to the pattern, if at most `max_edits`.

    Myers' bit-vector search (J. ACM 46/3, 1999): one integer operation a character, however long the pattern.
    """
    end, edits = _best_end(pattern, text, max_edits)
    if end is None:
        return None
    window = text[max(0, end - len(pattern) - edits) : end]
    back, _ = _best_end(pattern[::-1], window[::-1], edits)
    return (end - (back if back is not None else len(window)), end)


def _best_end(pattern: str, text: str, max_edits: int) -> tuple[int | None, int]:
    size = len(pattern)
    full, top = (1 << size) - 1, 1 << (size - 1)
    places: dict[str, int] = {}
    for index, character in enumerate(pattern):
        places[character] = places.get(character, 0) | (1 << index)
    plus, minus, score = full, 0, size
    best_end, best = None, max_edits + 1
    for index, character in enumerate(text):
        equal = places.get(character, 0)
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        up = minus | (~(horizontal | plus) & full)
        down = plus & horizontal
        if up & top:
            score += 1
        elif down & top:
            score -= 1
        up = (up << 1) & full
        down = (down << 1) & full
        plus = down | (~(vertical | up) & full)
        minus = up & vertical
        if score < best:
            best_end, best = index + 1, score
    return best_end, best


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    def inside(at: int) -> bool:
        return (
            0 < at < len(text)
            and text[at - 1].isalnum()
            and text[at].isalnum()
            and not _CJK.match(text[at - 1])
            and not _CJK.match(text[at])
        )

    while inside(start):
        start -= 1
    while inside(end):
        end += 1
    return start, end


def only_slips(wanted: str, found: str) -> bool:
    """Whether two normal texts differ by slips alone, word by word."""
    left, right = _TOKEN.findall(wanted), _TOKEN.findall(found)
    for action, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if action == "equal":
            continue
        gone, come = left[a:b], right[c:d]
        if "".join(gone) == "".join(come):  # words split or joined differently
            continue
        if action == "replace" and len(gone) == len(come) and all(map(_is_slip, gone, come)):
            continue
        if all(_is_light(token) for token in (*gone, *come)):
            continue
        return False
    return True


def _is_light(token: str) -> bool:
    return token in _LIGHT or token in _LIGHT_CJK


def _is_slip(left: str, right: str) -> bool:
    """One wrong letter, or two in a long word; never in a number, a short word, a CJK sign or a word's beginning."""
    if any(character.isdigit() for character in left + right) or _CJK.match(left) or _CJK.match(right):
        return False
    shortest = min(len(left), len(right))
    if shortest < 4 or left[0] != right[0]:
        return False
    edits = distance(left, right)
    return edits <= 1 or (edits == 2 and shortest >= 8 and left[:2] == right[:2])


def distance(left: str, right: str) -> int:
    """Edit distance of two words."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]
