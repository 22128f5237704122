"""Prompts are .md files with named slots."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _template(name: str) -> str:
    return (files(__package__) / f"{name}.md").read_text(encoding="utf-8").strip()


def prompt(name: str, **slots: object) -> str:
    """The prompt with its slots filled. Only `{name}` of a given slot is replaced: other braces are text."""
    text = _template(name)
    for slot, value in slots.items():
        text = text.replace("{" + slot + "}", str(value))
    return text
