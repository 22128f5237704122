"""Names and titles written by others: data to show, made safe to show. Never a path, never HTML."""

from __future__ import annotations

import re
import unicodedata

UNTITLED = "(untitled)"
_MAX_TITLE = 500
_MAX_NAME = 255
_SPACE = re.compile(r"\s+")


def clean_text(text: str, *, longest: int) -> str:
    """On one line, without control characters and marks that turn the direction of text, cut to `longest`."""
    flat = _SPACE.sub(" ", text)
    # Format marks (Cf) turn the direction of text: "fdp.exe" would read as "exe.pdf". Private use has no shape to show.
    shown = "".join(char for char in flat if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    shown = shown.strip()
    return shown if len(shown) <= longest else shown[: longest - 1].rstrip() + "…"


def clean_title(title: str) -> str:
    """A section's title to show; a placeholder when nothing is left of it."""
    return clean_text(title.replace("\xad", ""), longest=_MAX_TITLE) or UNTITLED


def clean_file_name(name: str) -> str:
    """A file's name to show: its last part, odd but legal characters kept. Only ever shown, files are kept by id."""
    last = re.split(r"[/\\]", name.replace("\x00", ""))[-1]
    shown = clean_text(last, longest=10_000)
    if shown in ("", ".", ".."):
        return "document.pdf"
    if len(shown) > _MAX_NAME:
        stem, dot, ending = shown.rpartition(".")
        keep = f"{dot}{ending}" if dot and len(ending) <= 8 else ""
        shown = (stem if keep else shown)[: _MAX_NAME - len(keep) - 1].rstrip() + "…" + keep
    return shown
