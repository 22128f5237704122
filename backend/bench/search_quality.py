"""Pages found and answers given on the public questions, against the bars that were set for them.

    python backend/bench/search_quality.py --data FOLDER [--home HOME]

Reads the PDFs of the data into HOME once. Prints one JSON object; exit 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# Set of questions, scope, figure, bar.
SEARCH_BARS = (
    ("financebench", "document", "any@5", 0.65),
    ("financebench", "library", "any@5", 0.55),
    ("mmlongbench", "document", "any@5", 0.92),
    ("mmlongbench", "library", "any@5", 0.80),
    ("chinese", "document", "any@1", 0.82),
    ("chinese", "library", "any@5", 0.92),
)
ANSWERED, REFUSED = 0.9, 0.8
SETS = ("financebench", "mmlongbench", "chinese")
KEPT = Path(".make/bench/home")
CROSS_LANGUAGE = Path(__file__).with_name("cross_language.jsonl")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--home", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        figures = measure(options.data, options.home or Path(temporary))
    print(json.dumps(figures, ensure_ascii=False))
    if not all(line["met"] for line in figures["bars"]):
        raise SystemExit(1)


def run(data: Path) -> list[dict[str, Any]]:
    """The bars as a table, for run.py. What is read is kept: the next time takes minutes less."""
    figures = measure(data, KEPT)
    across = figures["questions in the other language (no bar)"]
    return [*figures["bars"], _bar("questions in the other language, any@5 (no bar)", across["any@5"], 0.0)]


def measure(data: Path, home: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    bars = []
    for name, scope, key, bar in SEARCH_BARS:
        found = evaluate(data / name / "questions.jsonl", data / name / "pdfs", home, "--scope", scope)
        figures[f"{name}, {scope}"] = found
        bars.append(_bar(f"{name}, {scope}, {key}", found[key], bar))
    answers = [
        evaluate(data / name / "questions.jsonl", data / name / "pdfs", home, "--mode", "offline") for name in SETS
    ]
    figures |= {f"{name}, offline": found for name, found in zip(SETS, answers, strict=True)}
    count = sum(found["questions"] for found in answers)
    for key, bar in (("answered", ANSWERED), ("refused_without_document", REFUSED)):
        bars.append(_bar(key, sum(found[key] * found["questions"] for found in answers) / count, bar))
    bars.append(_bar("quotes verified", min(found["quotes_verified"] for found in answers), 1.0))
    figures["questions in the other language (no bar)"] = _across(data, home)
    figures["bars"] = bars
    return figures


def _across(data: Path, home: Path) -> dict[str, Any]:
    """Questions in English about Chinese documents and the other way round, in a library of both."""
    with tempfile.TemporaryDirectory() as temporary:
        both = Path(temporary)
        for name in ("financebench", "chinese"):
            for path in (data / name / "pdfs").glob("*.pdf"):
                (both / path.name).symlink_to(path.resolve())
        return evaluate(CROSS_LANGUAGE, both, home)


def evaluate(questions: Path, pdfs: Path, home: Path, *options: str) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        "docmind",
        "eval",
        str(questions),
        "--pdfs",
        str(pdfs),
        "--home",
        str(home),
        "--json",
    ]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def _bar(what: str, figure: float, bar: float) -> dict[str, Any]:
    return {"what": what, "figure": round(figure, 4), "bar": bar, "met": figure >= bar}


if __name__ == "__main__":
    main()
