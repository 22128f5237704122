"""A real server in a process of its own, which a test may kill, and a client that speaks to it over HTTP."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.scripted_model import ScriptedModel
from tests.servers.programs import free_port, last_lines

START_S = 60


@dataclass(frozen=True)
class Event:
    seq: int
    chunk: dict[str, Any]

    @property
    def type(self) -> str:
        return str(self.chunk["type"])


def model_environment(model: ScriptedModel) -> dict[str, str]:
    return {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "scripted", "LLM_API_KEY": "not-a-key"}


def reading_calls(model: ScriptedModel) -> int:
    """Model calls of answers so far. What memory asks afterwards offers no tools."""
    return sum("tools" in request.body for request in model.requests)


class Server:
    """`docmind serve` over `home`. It starts at once, and again after `kill` or `stop` with `start`."""

    def __init__(self, home: Path, environment: Mapping[str, str] | None = None, *, wait: bool = True) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = dict(environment or {})
        self._log = home.parent / f"{home.name}-{self.port}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.client = httpx.Client()
        home.mkdir(parents=True, exist_ok=True)
        self.start(wait=wait)

    def start(self, *, wait: bool = True) -> None:
        self.client.close()
        self.client = httpx.Client(base_url=self.url, timeout=30, trust_env=False)
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH", "TMPDIR")}
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "docmind", "serve", "--home", str(self.home), "--port", str(self.port)],
                # Not in the checkout: its .env is the developer's own.
                cwd=self.home,
                env={**kept, "HOME": str(self.home), "DOCMIND_WORKERS": "1", **self._environment},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        if wait:
            self.wait_until_up()

    def wait_until_up(self) -> float:
        """Seconds until it answered."""
        started = time.monotonic()
        while time.monotonic() - started < START_S:
            assert self._process is not None
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode}:\n{self.log_text()}")
            try:
                if self.client.get("/api/health").status_code == 200:
                    return time.monotonic() - started
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise RuntimeError(f"the server did not start:\n{self.log_text()}")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """SIGKILL to the server and its child processes, as a machine that dies."""
        if self._process is None:
            return
        self.client.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=30)
        self._process = None

    def stop(self) -> None:
        if self._process is None:
            return
        self.client.close()
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the server did not end when asked to:\n{self.log_text()}") from None
        self._process = None

    def log_text(self) -> str:
        return last_lines(self._log, 40)

    # --- what a client does -------------------------------------------------------------------------

    def upload(self, content: bytes, name: str = "paper.pdf") -> dict[str, Any]:
        answer = self.client.post("/api/documents", files={"file": (name, content, "application/pdf")})
        assert answer.status_code in (200, 202), answer.text
        return dict(answer.json()["document"])

    def document_when_final(self, document_id: str, seconds: float = 60) -> dict[str, Any]:
        return _wait_for(
            lambda: self.client.get(f"/api/documents/{document_id}").json(),
            lambda document: document["status"] in ("ready", "ready_with_warnings", "failed"),
            seconds,
        )

    def new_chat(self) -> str:
        return str(self.client.post("/api/chats", json={}).json()["id"])

    def ask(self, chat_id: str, text: str, **more: Any) -> httpx.Response:
        return self.client.post(
            f"/api/chats/{chat_id}/runs", json={"client_request_id": uuid.uuid4().hex, "text": text, **more}
        )

    def start_run(self, chat_id: str, text: str, **more: Any) -> str:
        answer = self.ask(chat_id, text, **more)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["run_id"])

    def run_when_final(self, run_id: str, seconds: float = 60) -> dict[str, Any]:
        return _wait_for(
            lambda: self.client.get(f"/api/runs/{run_id}").json(),
            lambda run: run["status"] in ("finished", "stopped", "failed"),
            seconds,
        )

    def messages(self, chat_id: str) -> list[dict[str, Any]]:
        return list(self.client.get(f"/api/chats/{chat_id}").json()["messages"])

    def follow(self, run_id: str, after: int = 0) -> Iterator[Event]:
        """Events of a run until its stream is done."""
        yield from self.events(f"/api/runs/{run_id}/events", after)

    def first_events(self, run_id: str, count: int, after: int = 0) -> list[Event]:
        """The next `count` events, after which the connection is cut."""
        with contextlib.closing(self.follow(run_id, after)) as events:
            return list(itertools.islice(events, count))

    def events(self, path: str, after: int = 0) -> Iterator[Event]:
        headers = {"Last-Event-ID": str(after)} if after else {}
        with self.client.stream("GET", path, headers=headers, timeout=60) as answer:
            assert answer.status_code == 200, answer.read()
            seq = 0
            for line in answer.iter_lines():
                if line.startswith("id:"):
                    seq = int(line[3:])
                elif line.startswith("data:"):
                    data = line[5:].strip()
                    if data == "[DONE]":
                        return
                    yield Event(seq, json.loads(data))


def _wait_for(get: Any, is_there: Any, seconds: float) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    while True:
        value = get()
        if "error" in value or is_there(value):
            return dict(value)
        if time.monotonic() > deadline:
            raise AssertionError(f"not final after {seconds} s: {value}")
        time.sleep(0.05)


def text_of(events: list[Event]) -> str:
    """The answer as a page shows it: the last round's text, without what was withdrawn."""
    text: dict[str, str] = {}
    for event in events:
        if event.type == "text-delta":
            part = event.chunk["id"]
            text[part] = text.pop(part, "") + event.chunk["delta"]
        elif event.type == "data-withdrawn":
            text.pop(f"t{event.chunk['data']['round']}", None)
    return next(reversed(text.values()), "").strip()
