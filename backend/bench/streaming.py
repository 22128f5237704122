"""What the API, the event log and SSE add to a model's stream: delay of the first token, and 50 chats at once.

    python backend/bench/streaming.py [--asks 60] [--chats 50] [--seconds 10]

A scripted model streams over real HTTP in a process of its own; the same stream is read once directly and once through DocMind,
in turns, so that both see the same machine. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

BACKEND = Path(__file__).resolve().parents[1]
PORT, MODEL_PORT = 8931, 8932


@contextmanager
def running(command: list[str], environment: dict[str, str], url: str):
    process = subprocess.Popen(command, cwd=BACKEND, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                httpx.get(url, timeout=1)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        else:
            raise SystemExit(f"{url} did not come up")
        yield process
    finally:
        process.terminate()
        process.wait(10)


async def chunks(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, Any]]:
    async for line in lines:
        if line.startswith("data: ") and line != "data: [DONE]":
            yield json.loads(line[6:])


async def raw_first_token(client: httpx.AsyncClient) -> float:
    began = time.perf_counter()
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
    async with client.stream("POST", f"http://127.0.0.1:{MODEL_PORT}/v1/chat/completions", json=body) as response:
        async for chunk in chunks(response.aiter_lines()):
            if chunk["choices"] and chunk["choices"][0]["delta"].get("content"):
                return time.perf_counter() - began
    raise SystemExit("the raw stream gave no token")


async def ask(client: httpx.AsyncClient, question: str) -> tuple[str, float]:
    chat = (await client.post("/api/chats", json={})).raise_for_status().json()
    began = time.perf_counter()
    body = {"client_request_id": uuid.uuid4().hex, "text": question, "scope": {"documents": []}}
    run = (await client.post(f"/api/chats/{chat['id']}/runs", json=body)).raise_for_status().json()
    return run["run_id"], began


async def first_token(client: httpx.AsyncClient) -> float:
    run_id, began = await ask(client, "hi")
    first = None
    async with client.stream("GET", f"/api/runs/{run_id}/events") as response:
        async for chunk in chunks(response.aiter_lines()):
            if first is None and chunk["type"] == "text-delta":
                first = time.perf_counter() - began
    if first is None:
        raise SystemExit("the run gave no token")
    return first


async def follow(client: httpx.AsyncClient) -> dict[str, Any]:
    """One chat to its end: whether its events are numbered without a gap and its text is whole."""
    run_id, _ = await ask(client, "long")
    numbers: list[int] = []
    text = answer = ""
    async with client.stream("GET", f"/api/runs/{run_id}/events") as response:
        async for line in response.aiter_lines():
            if line.startswith("id: "):
                numbers.append(int(line[4:]))
            elif line.startswith("data: {"):
                chunk = json.loads(line[6:])
                if chunk["type"] == "text-delta":
                    text += chunk["delta"]
                elif chunk["type"] == "data-answer":
                    answer = chunk["data"]["answer"]
    return {"in_order": numbers == list(range(1, len(numbers) + 1)), "whole": bool(answer) and text.strip() == answer}


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


async def measure(asks: int, chats: int, seconds: float, pid: int) -> dict[str, Any]:
    limits = httpx.Limits(max_connections=500, max_keepalive_connections=200)
    address = f"http://127.0.0.1:{PORT}"
    async with (
        httpx.AsyncClient(timeout=60, limits=limits) as raw,
        httpx.AsyncClient(timeout=120, limits=limits, base_url=address) as client,
    ):
        for _ in range(3):
            await raw_first_token(raw)
            await first_token(client)
        direct, through = [], []
        spent = cpu_seconds(pid)
        for _ in range(asks):
            direct.append(await raw_first_token(raw))
            through.append(await first_token(client))
        base, spent = statistics.median(direct), cpu_seconds(pid) - spent
        added = sorted((value - base) * 1000 for value in through)
        cpu, began, before = cpu_seconds(pid), time.perf_counter(), rss_mb(pid)
        ended = await asyncio.gather(*(follow(client) for _ in range(chats)))
        wall = time.perf_counter() - began
        return {
            "first_token": {
                "raw_median_ms": round(base * 1000, 1),
                "added_median_ms": round(statistics.median(added), 1),
                "added_p95_ms": round(added[int(len(added) * 0.95) - 1], 1),
                "server_cpu_ms_an_ask": round(spent * 1000 / asks, 1),
                "asks": asks,
            },
            "many_chats": {
                "chats": chats,
                "all_in_order_without_gaps": all(each["in_order"] for each in ended),
                "all_whole": all(each["whole"] for each in ended),
                "wall_s": round(wall, 1),
                "cpu_share_of_one_core": round((cpu_seconds(pid) - cpu) / wall, 2),
                "rss_mb": [round(before), round(rss_mb(pid))],
            },
            "load_average": os.getloadavg()[0],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--asks", type=int, default=60)
    parser.add_argument("--chats", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    given = parser.parse_args()
    model = [sys.executable, "-m", "bench.steady_model", str(MODEL_PORT), str(given.seconds)]
    serve = [sys.executable, "-m", "docmind", "serve", "--port", str(PORT)]
    with tempfile.TemporaryDirectory() as home:
        settings = {
            "DOCMIND_HOME": home,
            "LLM_BASE_URL": f"http://127.0.0.1:{MODEL_PORT}/v1",
            "LLM_MODEL": "scripted",
            "LLM_API_KEY": "none",
        }
        with (
            running(model, {}, f"http://127.0.0.1:{MODEL_PORT}/v1/models"),
            running(serve, settings, f"http://127.0.0.1:{PORT}/api/health") as server,
        ):
            result = asyncio.run(measure(given.asks, given.chats, given.seconds, server.pid))
    sys.stdout.write(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
