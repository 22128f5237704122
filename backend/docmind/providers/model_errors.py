"""Vendors' errors of a chat endpoint turned into ours, by status and code, never by the words of a message."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping

from docmind.errors import (
    ContextTooLong,
    ModelBalanceEmpty,
    ModelBusy,
    ModelError,
    ModelKeyRefused,
    ModelNotAvailable,
    ModelRefusedRequest,
    ModelUnreachable,
)

# Codes and types that endpoints send beside a 400, 403, 413, 422 or 429: OpenAI, Azure, llama.cpp, Anthropic, DashScope, Gemini.
TOO_LONG = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "string_above_max_length",
        "request_too_large",
        "input_too_long",
    }
)
NO_BALANCE = frozenset(
    {
        "insufficient_quota",
        "billing_not_active",
        "billing_hard_limit_reached",
        "insufficient_balance",
        "arrearage",
        "billing_error",
    }
)
NO_SUCH_MODEL = frozenset({"model_not_found", "model_not_exist", "unknown_model", "deploymentnotfound"})
BAD_KEY = frozenset({"invalid_api_key", "authentication_error", "incorrect_api_key", "invalid_authentication"})


def model_error(
    model: str, status: int, codes: frozenset[str], said: str, headers: Mapping[str, str] | None = None
) -> ModelError:
    """The error for an answer with this HTTP status (0 when it came inside a stream). `said` is the vendor's text, made safe."""
    lower = frozenset(code.lower() for code in codes)
    tail = f": {said}" if said else ""
    if lower & NO_BALANCE or status == 402:
        return ModelBalanceEmpty(f"the account for {model} has no balance left (status {status})")
    if status == 401 or lower & BAD_KEY:
        # The vendor's text is left out here: it often repeats the key.
        return ModelKeyRefused(f"the key for {model} was refused (status {status})")
    if lower & TOO_LONG or status == 413:
        return ContextTooLong(f"the request is longer than {model} takes (status {status}){tail}")
    if lower & NO_SUCH_MODEL or status == 404:
        return ModelNotAvailable(f"{model} is not offered at this address (status {status}){tail}")
    if status == 403:
        return ModelKeyRefused(f"the key for {model} may not be used here (status 403)")
    if status == 429 or status == 529 or "overloaded_error" in lower:
        wait = retry_after_s(headers or {})
        again = f"; it asks to wait {wait:g} s" if wait is not None else ""
        return ModelBusy(f"{model} is rate limited or overloaded (status {status}){again}", retry_after_s=wait)
    if status >= 500 or status == 408:
        wait = retry_after_s(headers or {})
        if wait is not None:
            return ModelBusy(f"{model} is not ready (status {status}); it asks to wait {wait:g} s", retry_after_s=wait)
        return ModelUnreachable(f"the endpoint of {model} failed with status {status}{tail}")
    if status == 0:
        return ModelUnreachable(f"{model} broke off with an error in its stream{tail}")
    return ModelRefusedRequest(f"{model} refused the request (status {status}){tail}")


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: seconds or a date), or None."""
    milliseconds = headers.get("retry-after-ms", "")
    if milliseconds.replace(".", "", 1).isdigit():
        return float(milliseconds) / 1000
    value = headers.get("retry-after", "").strip()
    if value.replace(".", "", 1).isdigit():
        return float(value)
    when = email.utils.parsedate_tz(value) if value else None
    return max(0.0, email.utils.mktime_tz(when) - time.time()) if when else None


def safe_text(text: str, secret: str | None, *, limit: int = 200) -> str:
    """A vendor's message in one short line, without the key."""
    plain = " ".join(text.split())
    if secret:
        plain = plain.replace(secret, "***")
    return plain[:limit]
