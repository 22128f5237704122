"""Search in a library of 100,000 pages: how long a search takes, against a bare FTS5 query of the same words in the same run, and what
adding a document costs in a small library and in a large one.

    python backend/bench/search_scale.py --home HOME --questions FILE... [--pages 100000] [--keep FOLDER]

HOME is a home folder whose documents lend their words. --keep keeps the made index for the next run. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from docmind.domain.pages import DocumentId
from docmind.domain.ports import SearchScope
from docmind.domain.words import STOP, cut
from docmind.flows.evaluate import parse_questions
from docmind.library.page_search import PageSearch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.large_library import PAGES_A_DOCUMENT, Made, made_documents, real_pages

KEPT = Path(".make/bench")
PAGES = 100_000
SMALL = 1_000
TIMED = 5
P95_MS, TIMES_BARE, TIMES_SMALL = 50.0, 2.0, 1.5


def main() -> None:
    options = _options()
    real = real_pages(options.home)
    texts = [
        question.text
        for path in options.questions
        for question in parse_questions(path.read_text(encoding="utf-8").splitlines())
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        figures = _measure(folder, real, texts, options.pages)
    print(json.dumps(figures))
    if not all(figures["bars"].values()):
        raise SystemExit("a bar is missed")


def run(data: Path) -> list[dict[str, Any]]:
    """The figures as a table, for run.py, on the documents that search_quality.py keeps. The first time takes about half an hour."""
    texts = [
        question.text
        for path in sorted(data.glob("*/questions.jsonl"))
        for question in parse_questions(path.read_text(encoding="utf-8").splitlines())
    ]
    folder = KEPT / "scale"
    folder.mkdir(parents=True, exist_ok=True)
    figures = _measure(folder, real_pages(KEPT / "home"), texts, PAGES)
    bars = figures.pop("bars")
    return [{"what": what, "figure": str(figure)} for what, figure in (*figures.items(), *bars.items())]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def _measure(folder: Path, real: list[list[str]], texts: list[str], pages: int) -> dict[str, Any]:
    count = pages // PAGES_A_DOCUMENT
    finder, bare = PageSearch(folder / "search.db"), _bare(folder / "bare.db")
    extra = list(made_documents(real, TIMED, seed=99))
    small_add = folder / "add_ms_at_1000.txt"
    already = len(finder.page_counts())
    for number, each in enumerate(made_documents(real, count), 1):
        if number > already:
            finder.add_document(each.document, each.pages, each.tree)
            _add_bare(bare, each)
            if number == SMALL // PAGES_A_DOCUMENT:
                small_add.write_text(str(_add_ms(finder, extra)), encoding="utf-8")
            if number % 100 == 0:
                print(f"{number * PAGES_A_DOCUMENT} pages", file=sys.stderr, flush=True)
    add_small, add_large = float(small_add.read_text(encoding="utf-8")), _add_ms(finder, extra)
    ours, plain = _search_ms(finder, bare, texts)
    figures: dict[str, Any] = {
        "pages": sum(finder.page_counts().values()),
        "queries": len(texts),
        "index_mb": round((folder / "search.db").stat().st_size / 1e6, 1),
        "search": _spread(ours),
        "bare_fts5": _spread(plain),
        "add_100_pages_ms_at_1000": add_small,
        f"add_100_pages_ms_at_{pages}": add_large,
    }
    figures["bars"] = {
        f"p95 at most {P95_MS:g} ms": figures["search"]["p95_ms"] <= P95_MS,
        f"p95 at most {TIMES_BARE:g} times the bare query's": figures["search"]["p95_ms"]
        <= TIMES_BARE * figures["bare_fts5"]["p95_ms"],
        "adding costs the same": add_large <= TIMES_SMALL * add_small,
    }
    return figures


def _add_ms(finder: PageSearch, made: Sequence[Made]) -> float:
    """Median time of adding one document of 100 pages; the library is afterwards as it was."""
    times = []
    for each in made:
        document = replace(each.document, id=DocumentId("f" + each.document.id[1:]))
        times.append(_timed(lambda document=document, each=each: finder.add_document(document, each.pages, each.tree)))
        finder.remove_document(document.id)
    return round(statistics.median(times), 1)


def _search_ms(finder: PageSearch, bare: sqlite3.Connection, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """The two in turns, so that both see the same machine; a first round warms the caches of both."""
    ours: list[float] = []
    plain: list[float] = []
    for question in texts[:20]:
        finder.search(question, SearchScope())
        _ask_bare(bare, question)
    for question in texts:
        plain.append(_timed(lambda text=question: _ask_bare(bare, text)))
        ours.append(_timed(lambda text=question: finder.search(text, SearchScope())))
    return ours, plain


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, tokenize = 'unicode61')")
    return connection


def _add_bare(connection: sqlite3.Connection, made: Made) -> None:
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO words (body) VALUES (?)", [(" ".join(cut(page.text)),) for page in made.pages])
    connection.execute("COMMIT")


def _ask_bare(connection: sqlite3.Connection, question: str) -> list[tuple[int]]:
    """What a plain program would do: the question's words without stop words, any of them, best ten by BM25."""
    tokens = dict.fromkeys(token for token in cut(question) if token not in STOP)
    expression = " OR ".join(f'"{token}"' for token in tokens)
    if not expression:
        return []
    return connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10", (expression,)
    ).fetchall()


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1),
        "max_ms": round(ordered[-1], 1),
    }


if __name__ == "__main__":
    main()
