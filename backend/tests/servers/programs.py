"""Find a program that a test needs, or skip with one clear line; with DOCMIND_REQUIRE_ALL=1 a skip is a failure."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest


def program(name: str, *, package: str, also_in: tuple[str, ...] = ()) -> str:
    """The path of a program."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", *also_in])
    found = shutil.which(name, path=places)
    if found is None:
        reason = f"{name} is not installed (Debian: {package})"
        if os.environ.get("DOCMIND_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def last_lines(log: Path, count: int = 15) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:]) if log.exists() else "(no log)"
