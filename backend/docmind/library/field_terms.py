"""The curated words of reports and papers, in English and Chinese: what things are called, and on what kind of page they stand.

The list is data (field_terms.json). It holds terms of the field only, never names of companies or documents.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from docmind.domain.words import cut

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """One idea: the `names` a question may give it, the phrases to `find` on a page, the kinds of page it stands `on`."""

    shown: str
    names: tuple[Tokens, ...]
    find: tuple[Tokens, ...]
    on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KindOfPage:
    """A kind of page: phrases of its title, phrases that begin its rows, and what a question calls it."""

    name: str
    titles: tuple[str, ...]
    rows: tuple[str, ...]
    asked: tuple[Tokens, ...]


@dataclass(frozen=True, slots=True)
class FieldTerms:
    concepts: tuple[Concept, ...]
    kinds: tuple[KindOfPage, ...]


@lru_cache(maxsize=1)
def field_terms() -> FieldTerms:
    data = json.loads(files("docmind.library").joinpath("field_terms.json").read_text(encoding="utf-8"))
    return FieldTerms(
        concepts=tuple(
            Concept(
                shown=entry["names"][0],
                names=_all_tokens(entry["names"]),
                find=_all_tokens([*entry.get("find", ()), *entry["names"]]),
                on=tuple(entry.get("on", ())),
            )
            for entry in data["concepts"]
        ),
        kinds=tuple(
            KindOfPage(
                name=name,
                titles=tuple(joined(title) for title in kind["titles"]),
                rows=tuple(joined(row) for row in kind["rows"]),
                asked=_all_tokens(kind["asked"]),
            )
            for name, kind in data["page_kinds"].items()
        ),
    )


def joined(phrase: str) -> str:
    """The phrase's tokens between spaces, to be looked for in a field that begins and ends with a space."""
    return f" {' '.join(cut(phrase))} "


def _all_tokens(phrases: list[str]) -> tuple[Tokens, ...]:
    return tuple(dict.fromkeys(tuple(cut(phrase)) for phrase in phrases))
