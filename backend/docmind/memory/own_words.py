"""What of a message are the user's own words. Pasted text, quotations and code are data: they may hold somebody else's orders."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A paragraph longer than this is not typed as a wish; it is pasted.
LONGEST_PARAGRAPH = 800
# Nobody types more than this; the rest is not looked at, and the patterns below stay fast.
LONGEST_MESSAGE = 6_000
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)"
    r"|^[ \t]*>.*$"
    r"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"\n]*\"|`[^`\n]*`"
    r"|<(?P<tag>[A-Za-z][\w-]*)[^>]*>.*?</(?P=tag)\s*>",
    re.DOTALL | re.MULTILINE,
)
# "Here is the text:", "the page says:", 原文如下：what follows is somebody else's, up to an empty line.
_INTRODUCED = re.compile(
    r"(?:\b(?:says?|said|reads?|text|page|document|paper|email|article|abstract|following|below|quote|passage|paragraph|translate|"
    r"summari[sz]e)\b[^\n:：.?!]{0,60}[:：]|(?:原文|内容|文字|段落|网页|文章|邮件|摘要|如下|写道|写着|说|翻译|总结)[^\n:：。？！]{0,20}[:：])"
    r"(?P<data>.+?)(?=\n\s*\n|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:\.(?=\s|$)|[。！？!?；;\n]|$)")
_SECRET = re.compile(
    r"\b(?:sk|pk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}|\bAKIA[0-9A-Z]{12,}|\beyJ[A-Za-z0-9_-]{20,}|-----BEGIN"
    r"|\b(?:password|passcode|passphrase|api[ _-]?key|secret key|access token|pin code)\b|密码|口令|密钥|验证码"
    r"|\b\d{13,19}\b|\b(?:\d{4}[ -]){3}\d{4}\b",
    re.IGNORECASE,
)


def own_words(message: str) -> str:
    """The message without code, quotations, and what looks pasted or is introduced as somebody else's text."""
    if len(message) > LONGEST_MESSAGE:
        # Cut at a paragraph: half a quotation would look like the user's own words.
        message = message[:LONGEST_MESSAGE].rpartition("\n\n")[0]
    kept = _QUOTED.sub(" ", message)
    kept = _INTRODUCED.sub(lambda match: match.group()[: match.start("data") - match.start()], kept)
    return "\n\n".join(part for part in _PARAGRAPH.split(kept) if len(part) <= LONGEST_PARAGRAPH).strip()


def sentences(text: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        if sentence := match.group().strip():
            yield sentence


def has_secret(text: str) -> bool:
    """Passwords, keys, card numbers: never remembered."""
    return bool(_SECRET.search(text))
