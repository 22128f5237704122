"""The real application on a real port, spoken to over real HTTP."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from docmind.app import create_app
from docmind.settings import Settings


@dataclass
class Served:
    """A running server and a client that speaks to it."""

    client: httpx.Client
    home: Path
    url: str

    def upload(self, data: bytes, name: str = "garden.pdf") -> str:
        """Upload and wait until the document is final; gives its id."""
        answer = self.client.post("/api/documents", files={"file": (name, data)})
        assert answer.status_code in (200, 202), answer.text
        document_id = answer.json()["document"]["id"]
        self.events(f"/api/documents/{document_id}/events")
        return str(document_id)

    def events(self, path: str, *, after: int | None = None) -> list[Event]:
        """Every event of a stream until [DONE]."""
        return list(self.stream(path, after=after))

    def stream(self, path: str, *, after: int | None = None) -> Iterator[Event]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self.client.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200, answer.read()
            number = 0
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line == "data: [DONE]":
                    return
                elif line.startswith("data: "):
                    yield Event(number, json.loads(line[6:]))

    def ask(self, question: str, *, chat_id: str | None = None, **more: Any) -> Asked:
        if chat_id is None:
            chat_id = self.client.post("/api/chats").json()["id"]
        body = {"client_request_id": f"r-{time.monotonic_ns()}", "text": question, **more}
        answer = self.client.post(f"/api/chats/{chat_id}/runs", json=body)
        assert answer.status_code == 202, answer.text
        return Asked(str(chat_id), str(answer.json()["run_id"]), body)


@dataclass(frozen=True)
class Event:
    number: int
    chunk: dict[str, Any]

    @property
    def type(self) -> str:
        return str(self.chunk["type"])


@dataclass(frozen=True)
class Asked:
    chat_id: str
    run_id: str
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def events(self) -> str:
        return f"/api/runs/{self.run_id}/events"


def settings_for_tests(home: Path, **more: Any) -> Settings:
    """Turns are not remembered unless a test wants it: the work after an answer would call the test's model too."""
    return Settings(_env_file=None, **{"home": home, "workers": 1, "memory_extraction": False, **more})


@contextlib.contextmanager
def serve(settings: Settings) -> Iterator[Served]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(settings), host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=2
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while not server.started and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.started, "the server did not start"
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, timeout=60) as client:
            yield Served(client, settings.home, url)
    finally:
        server.should_exit = True
        thread.join(timeout=30)


def answer_of(events: list[Event]) -> dict[str, Any]:
    return next(event.chunk["data"] for event in events if event.type == "data-answer")
