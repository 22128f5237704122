"""How many tokens a text is worth, when nobody counted them.

A plain estimate, not a tokenizer: tokenizers are per model, and the common ones download tables at run time. The loop
corrects it by what the provider counted in earlier rounds.
"""

from __future__ import annotations

# Latin prose measures 4 to 4.6 characters a token with the common vocabularies, tables of figures about 2.5 to 3, CJK 0.6 to 1
# token a character. The estimate errs on the high side: too high compacts early, too low overflows the window.
LATIN_CHARACTERS_A_TOKEN = 3.2
MESSAGE_OVERHEAD = 6


def estimate_tokens(text: str) -> int:
    """Tokens of a text, rounded up; 0 for none."""
    if not text:
        return 0
    narrow = sum(1 for character in text if character < "\u2e80") if not text.isascii() else len(text)
    return int(narrow / LATIN_CHARACTERS_A_TOKEN) + (len(text) - narrow) + 1
