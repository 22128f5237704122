"""Match what an answer cites to the pages the run really read. Knows nothing of models or HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docmind.agent.marks import Reference
from docmind.agent.near_match import find_near
from docmind.agent.support import best_support
from docmind.domain.answer import Citation, PageRef, mark_text
from docmind.domain.normal_text import NormalText, find_quote, normalise
from docmind.domain.pages import DocumentId

ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\.\.\.+|…+)\s*")
# A quote shorter than this stands on many pages by chance ("2018", "million"), so it may not move a citation.
MIN_MOVABLE = 12
# Passages further apart than this are shown as parts, not as one long quote.
MAX_QUOTE_SPAN = 600


@dataclass(frozen=True, slots=True)
class PageText:
    """What the run knows of a page it read: its label and its texts (text layer, and a transcript when one was made)."""

    label: str
    texts: tuple[str, ...]


LookUp = Callable[[DocumentId, int], PageText | None]


class CitationChecker:
    """Checks references against the pages read. `texts` holds those that can still be read."""

    def __init__(self, read: Iterable[PageRef], texts: Mapping[PageRef, PageText]) -> None:
        self._read = tuple(dict.fromkeys(read))
        self._texts = texts

    def check(self, reference: Reference, claim: str) -> Citation | None:
        """The citation a reference stands for, or None when it names nothing that was read."""
        own = [ref for ref in self._read if _is_meant(reference.document, ref)]
        cited = [ref for page in reference.pages for ref in own if ref.page == page]
        if not reference.quote:
            return self._supported(cited, claim)
        exact, near = _exact, find_near
        for find in (exact, near):
            for ref in cited:
                if (quote := self._find(ref, reference.quote, find)) is not None:
                    return self._citation(ref, quote, "verified")
        if len(normalise(reference.quote).text) >= MIN_MOVABLE:
            elsewhere = [ref for ref in (*_nearest_first(own, reference.pages), *self._read) if ref not in cited]
            for find in (exact, near):
                for ref in elsewhere:
                    if (quote := self._find(ref, reference.quote, find)) is not None:
                        return self._citation(ref, quote, "moved")
        return self._citation(cited[0], reference.quote, "unverified") if cited else None

    def _supported(self, cited: Sequence[PageRef], claim: str) -> Citation | None:
        """For a mark without a quote: the sentence of the cited page that says what the claim says."""
        found = [
            (support.share, ref, support)
            for ref in cited
            if (page := self._texts.get(ref)) is not None
            for text in page.texts
            if (support := best_support(claim, text)) is not None
        ]
        if not found:
            return self._citation(cited[0], "", "unverified") if cited else None
        _, ref, support = max(found, key=lambda item: item[0])
        return self._citation(ref, support.sentence, "verified" if support.is_enough else "unverified")

    def _find(self, ref: PageRef, quote: str, find: Callable[[str, str], tuple[int, int] | None]) -> str | None:
        """The passage as it stands on the page, or None."""
        page = self._texts.get(ref)
        for text in page.texts if page is not None else ():
            passage = _passage(quote, text, find)
            if passage is not None:
                return passage
        return None

    def _citation(self, ref: PageRef, quote: str, status: str) -> Citation:
        page = self._texts.get(ref)
        citation = Citation(
            mark=mark_text(ref.name, ref.page),
            document_id=ref.document_id,
            name=ref.name,
            page=ref.page,
            page_label=page.label if page is not None else str(ref.page),
            quote=" ".join(quote.split()),
            verified=status in ("verified", "moved"),
            status=status,
        )
        return citation if page is not None else replace(citation, verified=False, status="unverified")


def _passage(quote: str, text: str, find: Callable[[str, str], tuple[int, int] | None]) -> str | None:
    """Where the quote stands; a quote with an ellipsis must have all its parts there, in order."""
    parts = [part for part in ELLIPSIS.split(quote.strip()) if part.strip(" .,;:")]
    if not parts:
        return None
    spans: list[tuple[int, int]] = []
    start = 0
    for part in parts:
        span = find(part, text[start:])
        if span is None:
            return None
        spans.append((span[0] + start, span[1] + start))
        start = spans[-1][1]
    if spans[-1][1] - spans[0][0] <= MAX_QUOTE_SPAN or len(spans) == 1:
        return text[spans[0][0] : spans[-1][1]]
    return " … ".join(text[first:last] for first, last in spans)


def _exact(quote: str, text: str) -> tuple[int, int] | None:
    span = find_quote(quote, text, normal=_normal(text))
    # Models end a quote with a full stop or comma that the page does not have there.
    trimmed = quote.strip(" .,;:。，；：")
    return (
        span if span is not None or trimmed == quote or not trimmed else find_quote(trimmed, text, normal=_normal(text))
    )


@lru_cache(maxsize=512)
def _normal(text: str) -> NormalText:
    return normalise(text)


def _is_meant(document: str, ref: PageRef) -> bool:
    """Whether the model's words for a document mean this one: its id, the beginning of it, or its name."""
    wanted = document.strip().lower()
    name = ref.name.lower()
    stem = name.rsplit(".", 1)[0]
    if wanted in (ref.document_id, name, stem):
        return True
    if len(wanted) >= 6 and (ref.document_id.startswith(wanted) or wanted in name):
        return True
    return ref.document_id in wanted or (len(stem) >= 4 and stem in wanted)


def _nearest_first(refs: Sequence[PageRef], pages: Sequence[int]) -> list[PageRef]:
    centre = pages[0] if pages else 1
    return sorted(refs, key=lambda ref: abs(ref.page - centre))
