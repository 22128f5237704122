"""Citation marks in a growing answer.

The model writes `[[doc_id p.12 "words of the page"]]` (or, when it forgets, `[name p.12]`). What the reader sees is
`[name p.12]`, checked while the text streams: half a mark is never shown, and a mark that proves nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from docmind.domain.answer import Citation

NOT_FOUND = re.compile(r"not[ _-]?found", re.IGNORECASE)
OPENERS = {"[": "]", "【": "】", "［": "］"}
QUOTE_PAIRS = {'"': '"', "“": "”", "「": "」", "『": "』", "«": "»", "„": "“"}
CLOSING_QUOTES = frozenset({*QUOTE_PAIRS.values(), '"'})
MAX_MARK = 1_500
MAX_PLAIN_BRACKET = 300

_PAGE_WORD = r"(?:pages?|pp?\.?|第|页码?|S\.|стр\.?)"
_REFERENCE = re.compile(
    rf"^\s*(?P<document>.+?)[\s,，:：·|#]*[(（]?{_PAGE_WORD}\s*(?P<pages>\d[\d\s,，、&–—~\-]*(?:{_PAGE_WORD}\s*\d[\d\s,，、&–—~\-]*)*)页?[)）]?"
    r"\s*[:：,，|·]?\s*(?P<quote>.*?)\s*$",
    re.DOTALL | re.IGNORECASE,
)
_CLAIM_START = re.compile(r"[.!?。！？；;]\s+|[。！？；]|\n")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a mark says: a document in the model's words, the pages it may mean, and the quote ("" when none)."""

    document: str
    pages: tuple[int, ...]
    quote: str


Check = Callable[[Reference, str], Citation | None]


@dataclass
class MarkStream:
    """Turns the model's text into the reader's, piece by piece. `check` gets a reference and the claim before it."""

    check: Check
    not_found_text: str = ""
    citations: list[Citation] = field(default_factory=list)
    removed: int = 0
    said_not_found: bool = False
    _held: str = ""
    _bang: bool = False
    _spaces: str = ""
    _shown: list[str] = field(default_factory=list)
    _since_mark: str = ""

    def feed(self, text: str) -> str:
        out: list[str] = []
        for character in text:
            self._take(character, out)
        return self._keep(out)

    def end(self) -> str:
        """The rest. An unfinished mark is dropped: the answer was cut inside it."""
        out: list[str] = []
        if self._bang:
            self._plain("!", out)
        held, self._held = self._held, ""
        if held and not _begins_mark(held):
            out.append(self._spaces + held)
            self._spaces = ""
        return self._keep(out)

    @property
    def text(self) -> str:
        return "".join(self._shown)

    def _keep(self, out: list[str]) -> str:
        shown = "".join(out)
        self._shown.append(shown)
        return shown

    def _take(self, character: str, out: list[str]) -> None:
        if not self._held:
            if self._bang:
                self._bang = False
                # "![" would make the reader's page fetch an address that a document may have planted.
                if character != "[":
                    self._plain("!", out)
            if character == "!":
                self._bang = True
                return
            if character in OPENERS:
                self._held = character
            elif character == " ":
                self._spaces += character
            else:
                self._plain(character, out)
            return
        if character == "[" and self._held != "[" and not self._held.startswith("[["):
            self._release(out)  # "[a [b p.3]": only the inner one can be a mark
            self._held = character
            return
        self._held += character
        closer = OPENERS[self._held[0]]
        doubled = self._held.startswith(("[[", "【【"))
        ends = self._held.endswith(closer * 2 if doubled else closer)
        # A quote may hold a lone quotation mark (5" pipe), so a closing one right before the doubled end settles it.
        if ends and (not _quote_is_open(self._held) or (doubled and self._held[-3] in CLOSING_QUOTES)):
            self._finish(self._held.strip("[]【】［］"), out)
        elif self._hopeless(doubled):
            self._release(out)

    def _hopeless(self, doubled: bool) -> bool:
        """Whether what is held can no longer become a mark, so that it must not be kept from the reader."""
        if doubled:
            return len(self._held) > MAX_MARK or "\n\n" in self._held
        if _quote_is_open(self._held) and _begins_mark(self._held):
            return len(self._held) > MAX_MARK or "\n\n" in self._held
        return len(self._held) > MAX_PLAIN_BRACKET or "\n" in self._held

    def _release(self, out: list[str]) -> None:
        held, self._held = self._held, ""
        for character in held:
            if character == " ":
                self._spaces += character
            else:
                self._plain(character, out)

    def _plain(self, text: str, out: list[str]) -> None:
        out.append(self._spaces + text)
        self._since_mark = (self._since_mark + self._spaces + text)[-600:]
        self._spaces = ""

    def _finish(self, inner: str, out: list[str]) -> None:
        if NOT_FOUND.fullmatch(inner.strip()):
            self.said_not_found = True
            self._held = ""
            if self.not_found_text:
                self._plain(self.not_found_text, out)
            return
        references = parse_mark(inner)
        if not references:
            self._release(out)
            return
        self._held = ""
        claim = last_claim(self._since_mark)
        marks = [citation for reference in references if (citation := self.check(reference, claim)) is not None]
        self.removed += len(references) - len(marks)
        if not marks:
            self._spaces = ""
            return
        out.append((self._spaces or " ") if self._since_mark.strip() else "")
        self._spaces = ""
        out.append(" ".join(citation.mark for citation in marks))
        self.citations.extend(marks)
        self._since_mark = ""


def parse_mark(inner: str) -> list[Reference]:
    """The references of a mark's inside, or none when it is something else that stands in brackets."""
    references: list[Reference] = []
    document = ""
    for part in _split_outside_quotes(inner):
        match = _REFERENCE.match(part if not references else _with_document(part, document))
        if match is None:
            return []
        quote = _unquoted(match["quote"])
        if quote is None:
            return []
        document = match["document"].strip(" ,，:：·|\"'“”")
        if not document or len(document) > 300:
            return []
        groups = _page_groups(match["pages"])
        if not groups:
            return []
        if quote:
            groups = [tuple(page for group in groups for page in group)]
        references.extend(Reference(document, group, quote) for group in groups)
    return references


def _with_document(part: str, document: str) -> str:
    """Later parts may leave the document out: "[a p.1; p.3]"."""
    return f"{document} {part}" if re.match(rf"\s*{_PAGE_WORD}\s*\d", part, re.IGNORECASE) else part


def _split_outside_quotes(inner: str) -> list[str]:
    parts, current, closing = [], "", ""
    for character in inner:
        if closing:
            closing = "" if character == closing else closing
        elif character in QUOTE_PAIRS:
            closing = QUOTE_PAIRS[character]
        elif character in ";；":
            parts.append(current)
            current = ""
            continue
        current += character
    return [part for part in (*parts, current) if part.strip()]


def _unquoted(text: str) -> str | None:
    """The quote without its marks; "" for none; None when the text is no quote, so that this is no mark."""
    if not text:
        return ""
    if len(text) >= 2 and text[0] in QUOTE_PAIRS and text[-1] in CLOSING_QUOTES:
        return text[1:-1].strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'`":
        return text[1:-1].strip()
    return None


def _page_groups(text: str) -> list[tuple[int, ...]]:
    groups: list[tuple[int, ...]] = []
    for part in re.split(r"[,，、&]", re.sub(r"[^\d,，、&–—~\-]", "", text)):
        ends = [int(number) for number in re.findall(r"\d{1,6}", part)]
        if len(ends) == 1 and ends[0] > 0:
            groups.append((ends[0],))
        elif len(ends) == 2 and 0 < ends[0] <= ends[1] <= ends[0] + 30:
            groups.append(tuple(range(ends[0], ends[1] + 1)))
    return groups


def _quote_is_open(held: str) -> bool:
    closing = ""
    for character in held:
        if closing:
            closing = "" if character == closing else closing
        elif character in QUOTE_PAIRS:
            closing = QUOTE_PAIRS[character]
    return bool(closing)


def _begins_mark(held: str) -> bool:
    return held.startswith(("[[", "【")) or re.match(rf"[\[［].{{1,300}}?\s{_PAGE_WORD}\s*\d", held) is not None


def last_claim(text: str) -> str:
    """The sentence that ends where a mark stands."""
    tail = text.strip()
    starts = [match.end() for match in _CLAIM_START.finditer(tail[:-1])]
    return tail[starts[-1] :] if starts else tail
