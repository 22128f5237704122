"""A model for the benchmark: 50 tokens a second for SECONDS when asked for something long, else a short reply at once.

python -m bench.steady_model PORT SECONDS
"""

from __future__ import annotations

import sys
import threading

from tests.scripted_model import Reply, ScriptedModel

TOKENS_A_SECOND = 50


def main() -> None:
    port, seconds = int(sys.argv[1]), float(sys.argv[2])
    words = "word " * int(TOKENS_A_SECOND * seconds)
    long = Reply(text=f"[[not found]] {words}", piece=5, delay_s=1 / TOKENS_A_SECOND)
    short = Reply(text="[[not found]] I looked everywhere for it.", piece=20)
    with ScriptedModel(lambda request: long if request["messages"][-1]["content"] == "long" else short, port=port):
        threading.Event().wait()


if __name__ == "__main__":
    main()
