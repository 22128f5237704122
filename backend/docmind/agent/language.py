"""The language of a question by its script, for the few fixed phrases that no model writes."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7a3\u1100-\u11ff]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)

NOT_FOUND: Mapping[str, str] = {
    "en": "Not found in the library.",
    "zh": "文库中没有找到。",
    "ja": "ライブラリには見つかりませんでした。",
    "ko": "라이브러리에서 찾을 수 없습니다.",
    "ru": "В библиотеке не найдено.",
}


def language_of(text: str) -> str:
    """ "zh", "ja", "ko", "ru" or "en"."""
    return next((name for name, script in _SCRIPTS if script.search(text)), "en")


def phrase(table: Mapping[str, str], question: str) -> str:
    """The phrase in the question's language, English where the table has none."""
    return table.get(language_of(question), table["en"])
