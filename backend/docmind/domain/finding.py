"""What a check of the data found, and what can be done about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is stable. `mend` puts it right; None when only a person can, as `advice` says."""

    code: str
    message: str
    advice: str
    subject: str = ""  # the id of a document, chat or run
    mend: Callable[[], Awaitable[None]] | None = None
