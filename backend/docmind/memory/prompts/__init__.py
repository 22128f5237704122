"""Prompts are .md files with named slots."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _template(name: str) -> str:
    return (files(__package__) / f"{name}.md").read_text(encoding="utf-8").strip()


def prompt(name: str, **slots: object) -> str:
    """The prompt with its slots filled, in one pass: what fills a slot is never searched for other slots."""
    parts = _template(name).split("$")
    filled = [parts[0]]
    for part in parts[1:]:
        slot = next((slot for slot in slots if part.startswith(slot)), None)
        filled.append(f"${part}" if slot is None else f"{slots[slot]}{part[len(slot) :]}")
    return "".join(filled)
