"""Kill the server at random moments and look for what was lost. `python backend/bench/faults.py chat|ingest|writers|mariadb`.

Every moment is drawn from --seed. What is checked stands beside each check; a broken promise ends the run with its seed.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import sqlalchemy as sa

from docmind.storage.database import Database
from tests.library_home import a_pdf
from tests.scripted_model import Call, Reply, ScriptedModel
from tests.served import Server, model_environment, reading_calls, text_of
from tests.servers.mariadb import MariaDb

SENTENCES = ("The lighthouse is in none of the documents. " * 10).strip()
# Marked as not found, so that the reader asks for no citations: two model calls a run, always.
ANSWER = f"[[not found]] {SENTENCES}"
RESTART_S = 30.0


def slow_model(request: Mapping[str, Any]) -> Reply:
    if request["messages"][-1]["role"] == "tool":
        return Reply(text=ANSWER, delay_s=0.03)
    return Reply(text="Let me look.", calls=[Call("list_documents", {})])


@contextmanager
def a_server(environment: Mapping[str, str]) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="docmind-faults-") as folder:
        server = Server(Path(folder) / "home", environment)
        try:
            yield server
        finally:
            server.kill()


def integrity(home: Path) -> None:
    for name in ("docmind.db", "dbos.db", "search.db"):
        with closing(sqlite3.connect(home / name)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], name


def doctor(home: Path) -> list[str]:
    found = subprocess.run(
        [sys.executable, "-m", "docmind", "doctor", "--json", "--home", str(home)],
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
    )
    return [json.loads(line)["code"] for line in found.stdout.splitlines() if line.startswith("{")]


def chat(kills: int, rng: random.Random) -> dict[str, Any]:
    """Killed in a run: no message lost, no event changed, at most one model call repeated, final again in time."""
    repeated: list[int] = []
    took: list[float] = []
    with ScriptedModel(slow_model) as model, a_server(model_environment(model)) as server:
        for _ in range(kills):
            chat_id = server.new_chat()
            calls = reading_calls(model)
            run_id = server.start_run(chat_id, "When was it built?")
            time.sleep(rng.uniform(0, 2.2))
            seen = shown(server.home, run_id)
            server.kill()
            integrity(server.home)
            server.start()
            up = time.monotonic()
            run = server.run_when_final(run_id, RESTART_S)
            took.append(time.monotonic() - up)
            assert run["status"] == "finished", run
            events = list(server.follow(run_id))
            assert [event.seq for event in events] == list(range(1, len(events) + 1)), "gaps"
            assert [json.dumps(event.chunk) for event in events][: len(seen)] == seen, "an event changed"
            question, answer = server.messages(chat_id)
            assert question["text"] == "When was it built?"
            assert answer["text"] == text_of(events), answer["text"]
            assert answer["text"].endswith(SENTENCES), answer["text"]
            repeated.append(reading_calls(model) - calls - 2)
            assert repeated[-1] <= 1, repeated
        server.stop()
        assert doctor(server.home) == []
    return {
        "kills": kills,
        "messages_lost": 0,
        "model_calls_repeated_max": max(repeated),
        "model_calls_repeated_mean": round(sum(repeated) / len(repeated), 2),
        "final_after_start_s_max": round(max(took), 2),
    }


def shown(home: Path, run_id: str) -> list[str]:
    """What was on disk, and so may have been seen, at this moment."""
    with closing(sqlite3.connect(home / "docmind.db")) as connection:
        rows = connection.execute("SELECT chunk FROM run_events WHERE run_id = ? ORDER BY seq", (run_id,)).fetchall()
    return [json.dumps(json.loads(chunk)) for (chunk,) in rows]


def ingest(kills: int, rng: random.Random) -> dict[str, Any]:
    """Killed in an upload's reading: the document is ready in time, whole, searchable, and nothing is left over."""
    took: list[float] = []
    with a_server({}) as server:
        for number in range(kills):
            word = f"beacon{number}"
            document = server.upload(a_pdf(*(f"Page {page} tells of {word}." for page in range(1, 121))), f"{word}.pdf")
            time.sleep(rng.uniform(0, 1.2))
            server.kill()
            integrity(server.home)
            half = [p for p in (server.home / "tree_index").glob("?" * 16) if not (p / "document.json").exists()]
            assert half == [], "a half document is visible"
            server.start()
            up = time.monotonic()
            final = server.document_when_final(document["id"], RESTART_S)
            took.append(time.monotonic() - up)
            assert (final["status"], final["page_count"]) == ("ready", 120), final
            hits = server.client.get("/api/search", params={"q": word, "k": 3}).json()["hits"]
            assert {hit["document_id"] for hit in hits} == {document["id"]}, "not searchable"
        assert server.client.get("/api/documents").json()["total"] == kills
        server.stop()
        assert doctor(server.home) == []
        left = [p.name for p in (server.home / "tree_index" / ".staging").iterdir() if p.is_dir()]
        assert left == [], left
    return {"kills": kills, "documents_lost": 0, "half_visible": 0, "ready_after_start_s_max": round(max(took), 2)}


def writers(seconds: float, _rng: random.Random) -> dict[str, Any]:
    """50 threads over 5 engines (as 5 processes have) write to one SQLite file: none may meet "database is locked"."""
    with tempfile.TemporaryDirectory() as folder:
        databases = [Database.sqlite(Path(folder) / "docmind.db") for _ in range(5)]
        with databases[0].transaction() as connection:
            connection.execute(sa.text("CREATE TABLE marks (id TEXT PRIMARY KEY, n INTEGER)"))
        done, failed = [0] * 50, []
        end = time.monotonic() + seconds

        def write(number: int) -> None:
            while time.monotonic() < end:
                try:
                    with databases[number % 5].transaction() as connection:
                        values = {"id": uuid.uuid4().hex, "n": number}
                        connection.execute(sa.text("INSERT INTO marks VALUES (:id, :n)"), values)
                    done[number] += 1
                except sa.exc.OperationalError as exc:
                    failed.append(str(exc.orig))

        threads = [threading.Thread(target=write, args=(number,)) for number in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with databases[0].read() as connection:
            kept = connection.execute(sa.text("SELECT count(*) FROM marks")).scalar_one()
        for database in databases:
            database.close()
    assert kept == sum(done), (kept, sum(done))
    return {"seconds": seconds, "writes": kept, "locked": len(failed), "first_failure": failed[:1]}


def mariadb(kills: int, rng: random.Random) -> dict[str, Any]:
    """The database server is killed and started again in mid-run: the run goes on, nothing is lost or doubled."""
    with tempfile.TemporaryDirectory() as folder, ScriptedModel(slow_model) as model:
        database = MariaDb(Path(folder))
        database.start()
        environment = {**model_environment(model), "DATABASE_URL": database.new_database("faults")}
        try:
            with a_server(environment) as server:
                for _ in range(kills):
                    chat_id = server.new_chat()
                    run_id = server.start_run(chat_id, "When was it built?")
                    time.sleep(rng.uniform(0, 1.5))
                    database.kill()
                    time.sleep(rng.uniform(0.2, 1.5))
                    database.start()
                    assert server.run_when_final(run_id, RESTART_S)["status"] == "finished"
                    events = list(server.follow(run_id))
                    assert [event.seq for event in events] == list(range(1, len(events) + 1)), "gaps"
                    question, answer = server.messages(chat_id)
                    assert question["text"] == "When was it built?"
                    assert answer["text"] == text_of(events), answer["text"]
                    assert answer["text"].endswith(SENTENCES), answer["text"]
        finally:
            database.stop()
    return {"kills": kills, "messages_lost": 0, "messages_doubled": 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("chat", "ingest", "writers", "mariadb"))
    parser.add_argument("--count", type=float, default=10, help="kills, or seconds of writing")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    if given.what == "writers":
        result = writers(given.count, rng)
    else:
        result = {"chat": chat, "ingest": ingest, "mariadb": mariadb}[given.what](int(given.count), rng)
    print(json.dumps({"what": given.what, "seed": given.seed, **result}))


if __name__ == "__main__":
    main()
