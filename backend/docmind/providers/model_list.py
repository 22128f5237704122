"""Which models an endpoint offers, and which local servers answer on their usual ports.

Asks 127.0.0.1 and the endpoint that is set, nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpx2

from docmind.domain.ports import LocalServer, OfferedModel
from docmind.errors import ModelError, ModelNotAvailable, ModelUnreachable
from docmind.providers.model_errors import model_error
from docmind.providers.models import OPENAI_URL, card_for

LOCAL_SERVERS = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("vLLM", "http://127.0.0.1:8000/v1"),
)
LIST_SECONDS = 10.0
# A local server answers at once or is not there.
LOCAL_SECONDS = 0.7
MAX_BYTES = 2_000_000


async def list_models(
    base_url: str, api_key: str, *, api: str = "chat", timeout_s: float = LIST_SECONDS
) -> tuple[OfferedModel, ...]:
    """What GET /models of the endpoint names, sorted. Raises ModelError when it does not say."""
    url = (base_url or OPENAI_URL).rstrip("/")
    if api == "anthropic":
        url = (base_url or "https://api.anthropic.com").rstrip("/").removesuffix("/v1") + "/v1"
        headers = {"x-api-key": api_key, "anthropic-version": "2023-06-01"}
    else:
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
    try:
        async with (
            # Loading the certificates takes longer than a local server does.
            httpx2.AsyncClient(
                timeout=timeout_s, verify=url.startswith("https"), trust_env=not url.startswith("http://127.0.0.1")
            ) as client,
            client.stream("GET", f"{url}/models", headers=headers) as response,
        ):
            if response.status_code >= 400:
                raise model_error("the list of models", response.status_code, frozenset(), "", response.headers)
            body = await _read(response)
    except (httpx2.TransportError, httpx2.InvalidURL) as exc:
        raise ModelUnreachable(f"{url}/models cannot be reached") from exc
    return _offered(body)


async def local_servers(
    servers: Sequence[tuple[str, str]] = LOCAL_SERVERS, *, own_port: int | None = None, timeout_s: float = LOCAL_SECONDS
) -> tuple[LocalServer, ...]:
    """Local servers that answer with a list of models. `own_port` is where we listen ourselves: vLLM's usual port is ours too."""
    asked = [(name, url) for name, url in servers if own_port is None or f":{own_port}/" not in url]
    lists = await asyncio.gather(*(_list_or_none(url, timeout_s) for _, url in asked))
    return tuple(LocalServer(name, url, models) for (name, url), models in zip(asked, lists, strict=True) if models)


async def _list_or_none(url: str, timeout_s: float) -> tuple[OfferedModel, ...] | None:
    try:
        return await list_models(url, "", timeout_s=timeout_s)
    except ModelError:
        return None


async def _read(response: httpx2.Response) -> object:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MAX_BYTES:
            raise ModelNotAvailable("the list of models is longer than any list should be")
    try:
        return httpx2.Response(200, content=body).json()
    except ValueError as exc:
        raise ModelNotAvailable("the answer to GET /models is no JSON: this is not a model's endpoint") from exc


def _offered(body: object) -> tuple[OfferedModel, ...]:
    """OpenAI's shape {"data": [{"id"}]}, with the window where a server tells it (vLLM, LM Studio, llama.cpp)."""
    entries = body.get("data") if isinstance(body, dict) else None
    if not isinstance(entries, list):
        raise ModelNotAvailable("the answer to GET /models holds no list: this is not a model's endpoint")
    offered: dict[str, OfferedModel] = {}
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            meta = entry["meta"] if isinstance(entry.get("meta"), dict) else {}
            told = entry.get("max_model_len") or entry.get("max_context_length") or meta.get("n_ctx")
            window = told if isinstance(told, int) and told > 0 else None
            owner = entry.get("owned_by")
            offered[entry["id"]] = OfferedModel(
                card_for(entry["id"], window=window), owner if isinstance(owner, str) else ""
            )
    return tuple(offered[name] for name in sorted(offered))
