import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docmind.errors import ModelKeyRefused, ModelNotAvailable, ModelUnreachable
from docmind.providers.model_list import list_models, local_servers
from tests.scripted_model import Reply, ScriptedModel


@contextmanager
def answering(body: bytes, status: int = 200):
    """A server that answers everything alike; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_models_of_the_endpoint_are_listed_with_what_is_known_of_them():
    with ScriptedModel(lambda _: Reply(), models=("zeta", "gpt-4o")) as server:
        models = await list_models(server.base_url, "k")

    assert [(model.card.name, model.card.window) for model in models] == [("gpt-4o", 128_000), ("zeta", 128_000)]


async def test_window_that_a_server_tells_is_taken():
    body = {
        "data": [
            {"id": "a", "max_model_len": 4096},
            {"id": "b", "meta": {"n_ctx": 2048}},
            {"id": 7},
            "odd",
            {"id": "a"},
        ]
    }
    with answering(json.dumps(body).encode()) as url:
        models = await list_models(url, "")

    assert [(model.card.name, model.card.window) for model in models] == [("a", 128_000), ("b", 2048)]


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"data": null}'])
async def test_what_is_no_list_is_named(body: bytes):
    with answering(body) as url, pytest.raises(ModelNotAvailable):
        await list_models(url, "")


async def test_refused_key_and_dead_address_are_named():
    with answering(b"{}", 401) as url, pytest.raises(ModelKeyRefused):
        await list_models(url, "sk-canary")
    with pytest.raises(ModelUnreachable):
        await list_models("http://127.0.0.1:9/v1", "")


async def test_local_servers_that_answer_are_offered_and_we_never_ask_ourselves():
    with ScriptedModel(lambda _: Reply(), models=("llama3.2",)) as up, answering(b"<html>") as web:
        usual = (("Ollama", up.base_url), ("vLLM", web), ("llama.cpp", "http://127.0.0.1:9/v1"))
        found = await local_servers(usual, timeout_s=10)
        without = await local_servers(usual, own_port=up.port, timeout_s=10)

    assert [(server.name, [m.card.name for m in server.models]) for server in found] == [("Ollama", ["llama3.2"])]
    assert without == ()
