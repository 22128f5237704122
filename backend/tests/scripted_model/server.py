"""The HTTP side: one small HTTP/1.1 server in a thread, so that every byte and every break of the stream is ours to choose."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.scripted_model import chat_wire, messages_wire, responses_wire
from tests.scripted_model.script import Failure, Reply, Script

Wire = Callable[[Reply, str], Iterator[bytes]]
WIRES: dict[str, tuple[Wire, Callable[[Reply, str], bytes]]] = {
    "/chat/completions": (chat_wire.events, chat_wire.whole),
    "/responses": (responses_wire.events, responses_wire.whole),
    "/messages": (messages_wire.events, messages_wire.whole),
}


@dataclass
class Seen:
    """A request as it came, and how it ended."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float
    hung_up: bool = False
    events_sent: int = 0


@dataclass
class ScriptedModel:
    """`with ScriptedModel(script) as model:` serves on a free port; `model.base_url` is what LLM_BASE_URL wants."""

    script: Script
    models: tuple[str, ...] = ("scripted",)
    port: int = 0
    requests: list[Seen] = field(default_factory=list)
    _loop: asyncio.AbstractEventLoop | None = None
    _thread: threading.Thread | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> ScriptedModel:
        started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(started,), name="scripted-model", daemon=True)
        self._thread.start()
        assert started.wait(10), "the scripted model did not start"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def wait_for_hang_up(self, seconds: float = 5.0) -> bool:
        """Whether the client closes the last request's connection within this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.requests and self.requests[-1].hung_up:
                return True
            time.sleep(0.01)
        return False

    def _serve(self, started: threading.Event) -> None:
        asyncio.run(self._run(started))

    async def _run(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._stop.wait()
        server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection may carry another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head[1:] if ":" in line}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        if method == "GET" and path.endswith("/models"):
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}
            await _answer(writer, 200, json.dumps(listed).encode())
            return True
        wire = next((wire for end, wire in WIRES.items() if path.endswith(end)), None)
        if wire is None:
            await _answer(writer, 404, Failure(404, "not_found").body())
            return True
        seen = Seen(path, headers, json.loads(body), time.monotonic())
        self.requests.append(seen)
        reply = self.script(seen.body)
        if isinstance(reply, Failure):
            await _answer(writer, reply.status, reply.body(), reply.headers)
            return True
        if reply.whole or not seen.body.get("stream"):
            await _answer(writer, 200, wire[1](reply, str(seen.body.get("model"))))
            return True
        return await self._stream(reader, writer, reply, wire[0](reply, str(seen.body.get("model"))), seen)

    async def _stream(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        reply: Reply,
        events: Iterator[bytes],
        seen: Seen,
    ) -> bool:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        watch = asyncio.create_task(reader.read(1))
        try:
            for number, event in enumerate(events):
                if reply.cut_after is not None and number >= reply.cut_after:
                    writer.transport.abort()
                    return False
                if reply.stall_after is not None and number >= reply.stall_after:
                    await watch  # silence until the client hangs up
                for part in _parts(event, reply.chunk_bytes):
                    writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                    if reply.chunk_bytes:
                        await writer.drain()
                        await asyncio.sleep(0)
                await writer.drain()
                seen.events_sent += 1
                if reply.delay_s:
                    await asyncio.wait([watch], timeout=reply.delay_s)
                if watch.done():
                    seen.hung_up = True
                    return False
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        except ConnectionError:
            seen.hung_up = True
            return False
        finally:
            if not watch.done():
                watch.cancel()
                await asyncio.gather(watch, return_exceptions=True)
        return True


def _parts(event: bytes, size: int | None) -> Iterator[bytes]:
    for start in range(0, len(event), size or len(event)):
        yield event[start : start + (size or len(event))]


async def _answer(
    writer: asyncio.StreamWriter, status: int, body: bytes, headers: Mapping[str, str] | None = None
) -> None:
    lines = [f"HTTP/1.1 {status} Scripted", "content-type: application/json", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()
