"""Measure DocMind on public documents: `make bench DATA=folder`, or `run.py --data folder [--only headings,rows]`.

Prints a table for each bench and writes everything to backend/bench/results/<date>.json. Nothing is asserted:
figures with the machine's name go to docs/decisions/.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BENCHES = ("headings", "ready", "rows", "kinds", "memory", "search_quality", "search_scale")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default=",".join(BENCHES))
    given = parser.parse_args()
    results: dict[str, Any] = {"machine": machine(), "at": datetime.now(UTC).isoformat(timespec="seconds")}
    for name in given.only.split(","):
        started = time.monotonic()
        rows = importlib.import_module(name).run(given.data)
        results[name] = rows
        print(f"\n{name} ({time.monotonic() - started:.0f} s)")
        print_table(rows)
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.json"
    path.write_text(json.dumps(results, ensure_ascii=False, indent=1))
    print(f"\n{path}")


def machine() -> dict[str, Any]:
    load = os.getloadavg()[0]
    return {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version(), "load": load}


def print_table(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("  nothing to measure here")
        return
    names = list(rows[0])
    widths = [max(len(str(row.get(name, ""))) for row in [*rows, {n: n for n in names}]) for name in names]
    for row in [{name: name for name in names}, *rows]:
        cells = (f"{row.get(name, '')!s:<{width}}" for name, width in zip(names, widths, strict=True))
        print("  " + "  ".join(cells))


if __name__ == "__main__":
    main()
