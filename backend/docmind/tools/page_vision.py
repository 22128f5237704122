"""Have a page looked at by a vision model, once: its transcript is kept by page, model and picture."""

from __future__ import annotations

import asyncio
import hashlib
import weakref
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from docmind.domain.answer import Usage
from docmind.domain.pages import DocumentId, PageKind
from docmind.domain.ports import ChatMessage, ChatModel, ChatReply, ChatRequest, PagePictures, Transcripts
from docmind.domain.transcript import Transcript
from docmind.errors import (
    ModelBusy,
    ModelError,
    ModelStalled,
    ModelUnreachable,
    RenderFailed,
    RenderTimeout,
)

NEEDS_EYES = frozenset({PageKind.FORMULA, PageKind.TABLE, PageKind.FIGURE, PageKind.GARBLED, PageKind.SCAN})
ATTEMPTS = 2
WAIT_S = 1.0
MAX_WAIT_S = 20.0
MAX_TRANSCRIPT_TOKENS = 6_000


@dataclass(frozen=True, slots=True)
class Look:
    """What came of looking at a page: a transcript, or the code of what went wrong. `usage` is zero for a kept one."""

    transcript: Transcript | None = None
    problem: str | None = None
    usage: Usage = field(default_factory=Usage)


class PageVision:
    """Looks at pages with `model`; a page that two calls want at once is paid once."""

    def __init__(self, model: ChatModel, pictures: PagePictures, kept: Transcripts) -> None:
        self._model = model
        self._pictures = pictures
        self._kept = kept
        self._locks: weakref.WeakValueDictionary[tuple[str, int], asyncio.Lock] = weakref.WeakValueDictionary()

    async def find(self, document_id: DocumentId, page: int) -> Transcript | None:
        """The kept transcript of this model, if the page was looked at before."""
        kept = await asyncio.to_thread(self._kept.of_page, document_id, page)
        return next((transcript for transcript in kept if transcript.model == self._model.name), None)

    async def close(self) -> None:
        await self._model.close()

    async def look(self, document_id: DocumentId, page: int) -> Look:
        lock = self._locks.setdefault((document_id, page), asyncio.Lock())
        async with lock:
            try:
                picture = await self._pictures.get(document_id, page)
            except (RenderFailed, RenderTimeout) as exc:
                return Look(problem=exc.code)
            digest = hashlib.sha256(picture).hexdigest()
            kept = await asyncio.to_thread(
                self._kept.find, document_id, page, model=self._model.name, image_sha256=digest
            )
            if kept is not None:
                return Look(kept)
            look = await self._ask(picture)
            if look.transcript is not None:
                named = replace(look.transcript, document_id=document_id, page=page, image_sha256=digest)
                await asyncio.to_thread(self._kept.keep, named)
                look = replace(look, transcript=named)
            return look

    async def _ask(self, picture: bytes) -> Look:
        usage = Usage()
        for attempt in range(1, ATTEMPTS + 1):
            usage = usage + Usage(vision_calls=1)
            try:
                reply = await self._reply(picture)
            except (ModelBusy, ModelUnreachable, ModelStalled) as exc:
                wait = exc.retry_after_s if isinstance(exc, ModelBusy) and exc.retry_after_s else WAIT_S * attempt
                if attempt == ATTEMPTS or wait > MAX_WAIT_S:
                    return Look(problem=exc.code, usage=usage)
                await asyncio.sleep(wait)
                continue
            except ModelError as exc:
                return Look(problem=exc.code, usage=usage)
            usage = usage + replace(reply.usage, model_calls=0, cost=self._cost(reply.usage))
            text = transcript_in(reply)
            if text is None:
                return Look(problem="vision_unreadable", usage=usage)
            transcript = Transcript(
                DocumentId(""),
                0,
                self._model.name,
                "",
                text,
                reply.usage.input_tokens,
                reply.usage.output_tokens,
                self._cost(reply.usage),
            )
            return Look(transcript, usage=usage)
        raise AssertionError("the loop always returns")

    async def _reply(self, picture: bytes) -> ChatReply:
        limit = min(MAX_TRANSCRIPT_TOKENS, self._model.card.max_output_tokens)
        message = ChatMessage("user", _instructions(), images=(picture,))
        reply: ChatReply | None = None
        async with aclosing(self._model.stream(ChatRequest((message,), max_output_tokens=limit))) as pieces:
            async for piece in pieces:
                reply = piece.reply or reply
        if reply is None:
            raise ModelUnreachable(f"{self._model.name} ended its stream without an end")
        return reply

    def _cost(self, usage: Usage) -> float | None:
        card = self._model.card
        if card.input_price is None or card.output_price is None:
            return None
        return (usage.input_tokens * card.input_price + usage.output_tokens * card.output_price) / 1_000_000


def transcript_in(reply: ChatReply) -> str | None:
    """The transcript, or None when the reply is anything else.

    Only what stands between the agreed marks counts: an apology, a proxy's error page or a cut reply has no closing mark and
    must never be taken for what the page shows.
    """
    _, opened, rest = reply.message.content.partition("<page>")
    body, closed, _ = rest.rpartition("</page>")
    return body.strip() if opened and closed and body.strip() else None


@cache
def _instructions() -> str:
    return (files(__package__) / "look.md").read_text(encoding="utf-8").strip()
