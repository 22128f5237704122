"""A private MariaDB on loopback, which a test may kill and start again."""

from __future__ import annotations

import getpass
import subprocess
import time
from pathlib import Path

import pymysql

from tests.servers.programs import free_port, last_lines, program

_START_S = 60


class MariaDb:
    """Its data lie in `folder` and outlive a kill."""

    def __init__(self, folder: Path) -> None:
        self._daemon = program("mariadbd", package="mariadb-server")
        self._folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        install = program("mariadb-install-db", package="mariadb-server")
        subprocess.run(
            [
                install,
                "--no-defaults",
                f"--user={getpass.getuser()}",
                f"--datadir={folder / 'data'}",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )

    def start(self) -> None:
        log = self._folder / "server.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [
                    self._daemon,
                    "--no-defaults",
                    f"--user={getpass.getuser()}",
                    f"--datadir={self._folder / 'data'}",
                    f"--socket={self._folder / 's.sock'}",
                    f"--pid-file={self._folder / 'server.pid'}",
                    f"--port={self.port}",
                    "--bind-address=127.0.0.1",
                    "--innodb-buffer-pool-size=32M",
                    # The server's own default, which is what the tests are about: our program must not lean on it.
                    "--character-set-server=latin1",
                ],
                stdout=output,
                stderr=output,
            )
        deadline = time.monotonic() + _START_S
        while True:
            try:
                self.execute("SELECT 1")
                return
            except pymysql.err.OperationalError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise RuntimeError(f"mariadbd did not start:\n{last_lines(log)}") from None
                time.sleep(0.1)

    def execute(self, statement: str) -> None:
        with pymysql.connect(host="127.0.0.1", port=self.port, user="root", autocommit=True) as connection:
            connection.cursor().execute(statement)

    def new_database(self, name: str, *, charset: str = "utf8mb4") -> str:
        """The URL of an empty database of this name."""
        self.execute(f"DROP DATABASE IF EXISTS `{name}`")
        self.execute(f"CREATE DATABASE `{name}` CHARACTER SET {charset}")
        return f"mysql+pymysql://root@127.0.0.1:{self.port}/{name}"

    def kill(self) -> None:
        """SIGKILL, as a crash."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=30)
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=60)
            self._process = None
