"""Chat models by what is known of them: a small table of windows and senses, and the right provider for an endpoint."""

from __future__ import annotations

from collections.abc import Mapping

from docmind.domain.ports import ChatModel, ModelCard
from docmind.errors import SettingsError

OPENAI_URL = "https://api.openai.com/v1"

# By the beginning of the name (without the vendor's folder), the longest first match wins: (window, output, sees images).
# From the vendors' model pages; where a family differs, the smaller window. A setting overrides any of it.
TABLE: tuple[tuple[str, int, int, bool], ...] = (
    ("gpt-5", 272_000, 32_000, True),
    ("gpt-4.1", 1_000_000, 32_000, True),
    ("gpt-4o", 128_000, 16_000, True),
    ("o3", 200_000, 32_000, True),
    ("o4", 200_000, 32_000, True),
    ("claude", 200_000, 32_000, True),
    ("gemini", 1_000_000, 32_000, True),
    ("deepseek", 128_000, 8_192, False),
    ("qwen3-vl", 128_000, 8_192, True),
    ("qwen-vl", 32_000, 8_192, True),
    ("qwen2.5-vl", 128_000, 8_192, True),
    ("qwen", 128_000, 8_192, False),
    ("kimi-k2", 256_000, 16_000, False),
    ("glm-4", 128_000, 8_192, False),
    ("mistral", 128_000, 8_192, False),
    ("llama-3", 128_000, 8_192, False),
    ("llama3", 128_000, 8_192, False),
    ("smollm2", 8_192, 2_048, False),
)


def card_for(
    name: str,
    *,
    window: int | None = None,
    max_output_tokens: int | None = None,
    calls_tools: bool | None = None,
    sees_images: bool | None = None,
    effort: str = "default",
    prices: Mapping[str, tuple[float, float]] | None = None,
) -> ModelCard:
    """What is known of a model, with what was set laid over the table."""
    bare = name.rsplit("/", 1)[-1].lower()
    known = max((row for row in TABLE if bare.startswith(row[0])), key=lambda row: len(row[0]), default=None)
    default = ModelCard(name)
    table_window, table_output, table_sees = known[1:] if known else (default.window, default.max_output_tokens, False)
    price = (prices or {}).get(name) or (prices or {}).get(bare)
    return ModelCard(
        name=name,
        window=window or table_window,
        max_output_tokens=max_output_tokens or table_output,
        calls_tools=True if calls_tools is None else calls_tools,
        sees_images=table_sees if sees_images is None else sees_images,
        effort=effort,
        input_price=price[0] if price else None,
        output_price=price[1] if price else None,
    )


def open_model(
    card: ModelCard,
    *,
    api: str = "chat",
    base_url: str = "",
    api_key: str = "",
    timeout_s: float = 120.0,
    concurrency: int = 64,
) -> ChatModel:
    """The provider for an endpoint that speaks `api`: chat, responses or anthropic. Raises SettingsError for what is not installed."""
    # The SDKs take up to a second to import, which a command that asks no model should not pay.
    given = {"base_url": base_url, "api_key": api_key}
    if api == "responses":
        from docmind.providers.chat_responses import ChatResponses

        return ChatResponses(card, **given, timeout_s=timeout_s, concurrency=concurrency)
    if api == "anthropic":
        try:
            from docmind.providers.chat_anthropic import ChatAnthropic
        except ModuleNotFoundError as exc:
            raise SettingsError('LLM_API=anthropic needs one more package: pip install "docmind[anthropic]"') from exc
        return ChatAnthropic(card, **given, timeout_s=timeout_s, concurrency=concurrency)
    from docmind.providers.chat_openai import ChatOpenAI

    return ChatOpenAI(card, **given, timeout_s=timeout_s, concurrency=concurrency)
