"""Find pages by words, as a reader does: first the document, then its sections and pages. Fulfils PageFinder and PageIndexer.

Documents are chosen by name, year and the words that they hold; in each, FTS5 says which pages hold which terms; the pages that hold
most of the question are then read and ranked by the features of ranking.py. No step looks at every page of the library.
"""

from __future__ import annotations

import heapq
import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docmind.domain.document import Document
from docmind.domain.pages import DocumentId, Page
from docmind.domain.ports import SearchScope
from docmind.domain.search import Hit
from docmind.domain.tree import Tree
from docmind.domain.words import cut
from docmind.library.document_match import DocumentMatcher, KnownDocument, Match, one_slip
from docmind.library.query import Query, Term, read_query
from docmind.library.ranking import Scored, rank_pages, rarity
from docmind.library.search_index import SearchIndex, StoredPage
from docmind.library.snippets import snippet

# How many documents are opened for one question, and how many pages are read of one document or of each of several.
DOCUMENTS = 8
# A document that fits worse than the best by more than this is not opened: its pages could hardly come first.
_DOCUMENT_GAP = 3.0
PAGES_OF_ONE = 60
# Of several documents, the better it fits the more.
PAGES_OF_EACH = (14, 14, 10, 8, 6, 6, 6, 6)
_SHORTEST_SLIP = 5
# What a document's fit adds to the score of its pages.
_DOCUMENT_WEIGHT = 2.5
# What a page of the wanted kind counts when pages are chosen to be read.
_KIND_BONUS = 0.8


@dataclass(frozen=True, slots=True)
class _Found:
    match: Match
    row: int
    scored: Scored
    score: float


class PageSearch:
    """The search over the index at `path`. Safe from several threads and processes."""

    def __init__(self, path: Path) -> None:
        self._index = SearchIndex(path)
        self._lock = threading.Lock()
        self._matcher: tuple[int, DocumentMatcher] | None = None

    @property
    def needs_rebuild(self) -> bool:
        """The file was written by another version: it was emptied, and every document has to be added anew."""
        return self._index.needs_rebuild

    def add_document(self, document: Document, pages: Sequence[Page], tree: Tree) -> None:
        """Make the document's pages findable, in place of what was there of it."""
        self._index.add(document, pages, tree)

    def remove_document(self, document_id: DocumentId) -> None:
        self._index.remove(document_id)

    def search(self, query: str, scope: SearchScope, *, limit: int = 10) -> list[Hit]:
        """Pages that answer the words, best first. `why` names words, fields and section."""
        asked = read_query(query)
        if not asked.terms:
            return []
        with self._index.reading():
            matcher = self._known_documents()
            asked, holding = self._corrected(asked)
            found = self._find(asked, holding, scope, matcher, limit)
            shown = self._index.read_pages([each.row for each in found])
        return [_hit(asked, each, shown[each.row]) for each in found]

    def rarity(self, tokens: Sequence[str]) -> dict[str, float]:
        """How rare each token is among all pages: 0 (on every page) to 1 (on none)."""
        total = self._index.page_total()
        whole = math.log((total + 1) / 0.5)
        return {token: math.log((total + 1) / (self._index.pages_holding(token) + 0.5)) / whole for token in tokens}

    def page_counts(self) -> dict[DocumentId, int]:
        """How many pages of each document can be found."""
        return {DocumentId(known.document_id): known.pages for known in self._index.documents()}

    def integrity_problems(self) -> list[str]:
        """What SQLite finds wrong with the file; empty when it is whole."""
        return self._index.integrity_problems()

    # --- inside -------------------------------------------------------------------------------------

    def _known_documents(self) -> DocumentMatcher:
        changes = self._index.changes()
        with self._lock:
            if self._matcher is None or self._matcher[0] != changes:
                self._matcher = (changes, DocumentMatcher(self._index.documents()))
            return self._matcher[1]

    def _find(
        self,
        asked: Query,
        holding: Mapping[Term, set[int]],
        scope: SearchScope,
        matcher: DocumentMatcher,
        limit: int,
    ) -> list[_Found]:
        rows = None
        if scope.documents:
            wanted = set(scope.documents)
            rows = [row for row, document in matcher.documents.items() if document.document_id in wanted]
        matches = matcher.choose(asked, holding, self._spoken_of, rows, limit=DOCUMENTS)
        matches = [match for match in matches if match.score >= matches[0].score - _DOCUMENT_GAP]
        depths = PAGES_OF_EACH if len(matches) > 1 else (PAGES_OF_ONE,)
        least = limit // (len(matches) or 1)
        found = [
            each
            for match, depth in zip(matches, depths, strict=False)
            for each in self._pages_of(asked, scope, match, max(depth, least))
        ]
        return heapq.nsmallest(limit, found, key=lambda each: (-each.score, each.match.document.row, each.row))

    def _corrected(self, asked: Query) -> tuple[Query, dict[Term, set[int]]]:
        """Which documents hold each term; words that none holds are read as the most usual word one slip of the pen away."""
        holding = {term: self._index.documents_with(_every_token(term)) for term in asked.terms if not term.is_concept}
        meant: dict[Term, Term] = {}
        for term, rows in holding.items():
            token = term.tokens[0]
            if rows or len(term.tokens) > 1 or len(token) < _SHORTEST_SLIP or not (token.isascii() and token.isalpha()):
                continue
            alike = [(count, word) for word, count in self._index.tokens_from(token[:2]) if one_slip(token, word)]
            if alike:
                word = max(alike)[1]
                meant[term] = replace(term, tokens=(word,), forms=(f" {word} ",), shown=f"{term.shown} (as {word})")
        if not meant:
            return asked, holding
        terms = tuple(meant.get(term, term) for term in asked.terms)
        for old, new in meant.items():
            del holding[old]
            holding[new] = self._index.documents_with(_every_token(new))
        return replace(asked, terms=terms), holding

    def _spoken_of(self, word: str) -> set[int]:
        return self._index.documents_with(" ".join(_quoted(token) for token in cut(word)) or '""')

    def _pages_of(self, asked: Query, scope: SearchScope, match: Match, depth: int) -> list[_Found]:
        document = match.document
        rows_of = {term: self._index.pages_with(_any_form(term), document) for term in asked.terms}
        rare = rarity(asked.terms, {term: len(rows) for term, rows in rows_of.items()}, document.pages)
        covers: dict[int, float] = {}
        for term, rows in rows_of.items():
            for row in rows:
                covers[row] = covers.get(row, 0.0) + rare.shares[term]
        promise = self._promise(asked, scope, document, covers)
        best = heapq.nlargest(depth, promise, key=lambda row: (promise[row], -row))
        words = self._index.read_words(best)
        offset = document.first_row - 1
        ranked = rank_pages(
            asked,
            list(words.values()),
            rare,
            {row - offset: cover for row, cover in covers.items()},
            mean_words=document.mean_words,
        )
        return [
            _Found(match, each.page.number + offset, each, each.score + _DOCUMENT_WEIGHT * match.score)
            for each in ranked
        ]

    def _promise(
        self, asked: Query, scope: SearchScope, document: KnownDocument, covers: Mapping[int, float]
    ) -> dict[int, float]:
        """What each page promises before it is read: its share of the question, and whether it is of a kind that is wanted."""
        promise = dict(covers)
        wanted = {document.first_row - 1 + int(page) for page in asked.pages if int(page) <= document.pages}
        for row in wanted:
            promise[row] = promise.get(row, 0.0) + 1.0
        if not (asked.kinds or scope.kinds or scope.section):
            return promise
        section = (scope.section or "").casefold()
        for row, (kind, sections, kinds) in self._index.page_kinds(document).items():
            if (scope.kinds and kind not in scope.kinds) or (section and section not in _titles(sections)):
                promise.pop(row, None)
                continue
            bonus = max((share * kinds.get(name, 0.0) for name, share in asked.kinds.items()), default=0.0)
            if bonus:
                promise[row] = promise.get(row, 0.0) + _KIND_BONUS * bonus
        return promise


def _titles(section: str) -> str:
    return " / ".join(json.loads(section)).casefold()


def _quoted(tokens: str) -> str:
    """Tokens as FTS5 wants a phrase: in quotes, so that nothing in a question is taken for an operator."""
    return '"' + tokens.strip().replace('"', '""') + '"'


def _every_token(term: Term) -> str:
    return " ".join(_quoted(token) for token in term.tokens)


def _any_form(term: Term) -> str:
    return " OR ".join(_quoted(form) for form in term.forms)


def _hit(asked: Query, found: _Found, page: StoredPage) -> Hit:
    document = found.match.document
    return Hit(
        document_id=DocumentId(document.document_id),
        name=document.name,
        page=page.number,
        page_label=page.label,
        score=round(found.score, 4),
        section=page.section,
        snippet=snippet(page.text, asked.terms),
        why=_why(asked, found),
    )


def _why(asked: Query, found: _Found) -> tuple[str, ...]:
    page = found.scored.page
    body = page.body.replace("\n", " ")
    why: list[str] = []
    for field, text in (("section", page.section), ("head of the page", page.head), ("text", body)):
        words = [term.shown for term in asked.terms if any(form in text for form in term.forms)]
        if words:
            why.append(f"{field}: {', '.join(words)}")
    kinds = [kind for kind in asked.kinds if page.kinds.get(kind, 0.0) >= 0.5]
    if kinds:
        why.append(f"kind of page: {', '.join(kinds)}")
    if found.match.features["name"]:
        why.append("document: named in the question")
    if found.scored.features.get("named"):
        why.append("page: named in the question")
    return tuple(why)
