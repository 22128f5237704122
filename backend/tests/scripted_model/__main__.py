"""Serve the obedient model by hand: `cd backend && python -m tests.scripted_model --port 9900`."""

from __future__ import annotations

import argparse
import threading
from dataclasses import replace

from tests.scripted_model.obedient import obedient
from tests.scripted_model.script import Reply
from tests.scripted_model.server import ScriptedModel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=9900)
    parser.add_argument("--delay", type=float, default=0.02, help="seconds between two pieces of text")
    given = parser.parse_args()

    def script(request):  # type: ignore[no-untyped-def]
        reply = obedient(request)
        return replace(reply, delay_s=given.delay) if isinstance(reply, Reply) else reply

    with ScriptedModel(script, port=given.port) as model:
        print(f"LLM_BASE_URL={model.base_url} LLM_MODEL=scripted LLM_API_KEY=none", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
