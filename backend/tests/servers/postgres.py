"""A private Postgres on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests.servers.programs import free_port, last_lines, program

_START_S = 60


class Postgres:
    """Postgres refuses to run as root: there it runs as its own user, in a folder of its own under /tmp."""

    def __init__(self) -> None:
        places = tuple(str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))
        self._daemon = program("postgres", package="postgresql", also_in=places)
        initdb = program("initdb", package="postgresql", also_in=places)
        self._user = _unprivileged_user()
        self._folder = Path(tempfile.mkdtemp(prefix="docmind-postgres-"))
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        subprocess.run(
            [initdb, "-D", str(self._folder / "data"), "-U", "docmind", "--auth=trust", "--no-sync", "-E", "UTF8"],
            check=True,
            capture_output=True,
            timeout=120,
            user=self._user,
            cwd="/",
        )

    def start(self) -> None:
        log = self._folder / "server.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [
                    self._daemon,
                    "-D",
                    str(self._folder / "data"),
                    "-p",
                    str(self.port),
                    "-h",
                    "127.0.0.1",
                    "-k",
                    str(self._folder),
                    "-c",
                    "shared_buffers=32MB",
                ],
                stdout=output,
                stderr=output,
                user=self._user,
                cwd="/",
            )
        deadline = time.monotonic() + _START_S
        while True:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise RuntimeError(f"postgres did not start:\n{last_lines(log)}") from None
                time.sleep(0.1)

    def execute(self, statement: str) -> None:
        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="docmind", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement.encode())

    def new_database(self, name: str) -> str:
        """The URL of an empty database of this name."""
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self.execute(f'CREATE DATABASE "{name}"')
        return f"postgresql+psycopg://docmind@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        if self._process is not None:
            # SIGINT is Postgres's fast shutdown; on SIGTERM it would wait for every client to leave.
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=60)
            self._process = None
        shutil.rmtree(self._folder, ignore_errors=True)


def _unprivileged_user() -> str | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    return None
