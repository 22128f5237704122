"""Switch a SQLite file to write-ahead logging, also when several programs start on it at the same moment."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

WAIT_S = 15.0


def use_wal(execute: Callable[[str], object]) -> None:
    """Switch, or find it switched. SQLite's busy handler is not asked while another process is just switching the file
    (it answers "database is locked" at once), so the waiting is done here. Raises sqlite3.OperationalError after WAIT_S."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
