"""One round's model call: retried within bounds, shown as it streams, its marks checked on the way."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from docmind.agent.budget import Budget, limit_reached
from docmind.agent.citations import CitationChecker, LookUp, PageText
from docmind.agent.marks import MarkStream
from docmind.agent.plan_text import as_text, described
from docmind.agent.printed_calls import CallGate, looks_like_call, read_calls
from docmind.agent.prompts import prompt
from docmind.agent.rounds import ModelReply, Recalled, Round, pages_read, spent_on
from docmind.agent.steps import Emit
from docmind.agent.transcript import Opening, message_tokens, messages_for, pictures_of, room_for_input
from docmind.domain.answer import (
    BudgetSpent,
    PageRef,
    ReasoningDelta,
    RoundEnded,
    RoundStarted,
    TextDelta,
    TextWithdrawn,
    ToolCalled,
    Usage,
)
from docmind.domain.document import Problem
from docmind.domain.ports import ChatMessage, ChatModel, ChatReply, ChatRequest, PagePictures, ToolSpec
from docmind.errors import (
    ContextTooLong,
    DocumentNotReady,
    ModelBusy,
    ModelError,
    ModelRefusedRequest,
    ModelStalled,
    ModelUnreachable,
    NotFound,
    RenderFailed,
    RenderTimeout,
)

ATTEMPTS = 3
RETRYABLE = (ModelBusy, ModelUnreachable, ModelStalled)
FIRST_WAIT_S = 1.0
# A provider that asks for longer than this is down for us: the offline reader answers instead.
MAX_WAIT_S = 60.0
SHRINK_AFTER_TOO_LONG = 0.55
# Pictures cost as much as pages of text, so only the newest are sent again with every call.
PICTURED_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Caller:
    """What every model call of a run needs. `begin` is the run's own beginning, done within the first call's step: a step of
    its own would cost the first token a commit."""

    model: ChatModel
    begin: Callable[[Emit], Awaitable[Recalled]]
    opening: Callable[[Recalled], Opening]
    tools: tuple[ToolSpec, ...]
    budget: Budget
    look_up: LookUp
    not_found_text: str
    pictures: PagePictures | None
    started_at: float
    clock: Callable[[], float] = time.time
    first_wait_s: float = FIRST_WAIT_S


@dataclass(frozen=True, slots=True)
class _Attempt:
    message: ChatMessage
    reply: ChatReply
    marks: MarkStream
    meant_a_call: bool


async def call_model(caller: Caller, rounds: Sequence[Round], emit: Emit) -> ModelReply:
    """The step of one model call. Ends with a reply or a problem; what it costs is in the result either way."""
    number = len(rounds) + 1
    began = caller.clock()
    recalled = (rounds[0].reply.recalled or Recalled()) if rounds else await caller.begin(emit)
    spent = spent_on(rounds, started_at=caller.started_at, now=began)
    if rounds:
        emit(RoundEnded(number - 1, rounds[-1].usage))
        emit(BudgetSpent(spent.amounts(), caller.budget.limits()))
    emit(RoundStarted(number))
    limit = limit_reached(caller.budget, spent)
    call = _Call(caller, caller.opening(recalled), rounds, limit, emit)
    reply = await call.run(deadline=caller.started_at + caller.budget.seconds + caller.budget.final_seconds)
    if reply.message is not None and reply.message.tool_calls:
        for tool_call in reply.message.tool_calls:
            emit(ToolCalled(number, tool_call.call_id, tool_call.name, tool_call.arguments))
    return replace(
        reply, started_at=began, ended_at=caller.clock(), recalled=None if rounds else recalled, model=caller.model.name
    )


class _Call:
    """The attempts of one model call."""

    def __init__(
        self, caller: Caller, opening: Opening, rounds: Sequence[Round], limit: str | None, emit: Emit
    ) -> None:
        self._caller = caller
        self._opening = opening
        self._rounds = rounds
        self._number = len(rounds) + 1
        self._limit = limit
        self._emit = emit
        self._shrink = 1.0
        self._calls = 0
        self._estimated = 0
        self._streamed = False
        self._retries: list[str] = []
        self._in_text = not caller.model.card.calls_tools or any(each.reply.plan_in_text for each in rounds)

    async def run(self, *, deadline: float) -> ModelReply:
        try:
            async with asyncio.timeout(max(1.0, deadline - self._caller.clock())):
                return await self._with_retries()
        except TimeoutError:
            self._withdraw("deadline")
            return self._failed(ModelStalled(f"{self._caller.model.name} did not finish within the run's time"))

    async def _with_retries(self) -> ModelReply:
        while True:
            self._calls += 1
            try:
                return self._judge(await self._attempt())
            except ModelError as exc:
                self._withdraw(exc.code)
                self._retries.append(exc.code)
                wait = self._wait_before_retry(exc)
                if wait is None:
                    return self._failed(exc)
            await asyncio.sleep(wait)

    def _wait_before_retry(self, exc: ModelError) -> float | None:
        """Seconds to wait, or None to give up. A request that was too long is tried once more, shorter, at once."""
        if isinstance(exc, ModelRefusedRequest) and not self._in_text and not self._rounds:
            self._in_text = True  # some endpoints refuse any request that offers tools
            return 0.0
        if isinstance(exc, ContextTooLong):
            if self._shrink < 1.0:
                return None
            self._shrink = SHRINK_AFTER_TOO_LONG
            return 0.0
        if not isinstance(exc, RETRYABLE) or self._calls >= ATTEMPTS:
            return None
        asked = exc.retry_after_s if isinstance(exc, ModelBusy) else None
        if asked is not None:
            # Never earlier than asked; a little later, so that many runs do not come back at the same moment.
            return None if asked > MAX_WAIT_S else asked + random.uniform(0.0, 0.25) * max(asked, 1.0)
        return float(self._caller.first_wait_s * 2 ** (self._calls - 1) * random.uniform(0.75, 1.25))

    async def _attempt(self) -> _Attempt:
        caller = self._caller
        request = self._request(await self._pictures())
        self._estimated = sum(map(message_tokens, request.messages))
        read = pages_read(self._rounds)
        texts = await asyncio.to_thread(_texts_of, read, caller.look_up) if read else {}
        checker = CitationChecker(read, texts)
        marks, gate = MarkStream(checker.check, caller.not_found_text), CallGate()
        self._streamed = False
        reply: ChatReply | None = None
        async with aclosing(caller.model.stream(request)) as pieces:
            async for piece in pieces:
                if piece.reasoning:
                    self._streamed = True
                    self._emit(ReasoningDelta(self._number, piece.reasoning))
                if piece.text:
                    self._show(await _feed(marks, gate.feed(piece.text)))
                reply = piece.reply or reply
        if reply is None or not (reply.finish_reason or self._calls >= ATTEMPTS):
            raise ModelUnreachable(f"{caller.model.name} ended its stream without an end")
        message, held = reply.message, gate.held()
        offered = {tool.name for tool in caller.tools}
        printed = () if message.tool_calls else read_calls(held, offered, prefix=f"printed_{self._number}")
        if printed:
            message = replace(message, content=message.content.removesuffix(held).strip(), tool_calls=printed)
        else:
            self._show(await _feed(marks, held))
        self._show(marks.end())
        if not message.content.strip() and (self._limit is not None or not message.tool_calls):
            raise ModelUnreachable(
                f"{caller.model.name} sent an empty reply (finish reason {reply.finish_reason or 'none'})"
            )
        return _Attempt(message, reply, marks, not printed and looks_like_call(held, offered))

    async def _pictures(self) -> dict[PageRef, bytes]:
        """The images of the newest rounds that show any. One that cannot be drawn is left out: its text was given too."""
        source = self._caller.pictures
        showing = [each for each in self._rounds if pictures_of(each)][-PICTURED_ROUNDS:]
        found: dict[PageRef, bytes] = {}
        for ref in (ref for each in showing for ref in pictures_of(each)):
            if source is not None:
                with suppress(RenderFailed, RenderTimeout, NotFound, DocumentNotReady):
                    found[ref] = await source.get(ref.document_id, ref.page)
        return found

    def _request(self, pictures: Mapping[PageRef, bytes]) -> ChatRequest:
        caller, last = self._caller, self._limit is not None
        room = room_for_input(caller.model.card, caller.tools, shrink=self._shrink)
        last_call = prompt("last_call", limit=self._limit) if last else None
        opening = self._opening
        if self._in_text:
            opening = replace(opening, system=f"{opening.system}\n{described(caller.tools)}")
        messages = messages_for(opening, self._rounds, room=room, last_call=last_call, pictures=pictures)
        return ChatRequest(
            messages=tuple(as_text(messages) if self._in_text else messages),
            # A model that calls although it may not is asked once more without any tool in sight.
            tools=() if self._in_text or (last and self._calls > 1) else caller.tools,
            may_call=not last,
            max_output_tokens=caller.model.card.max_output_tokens,
        )

    def _judge(self, attempt: _Attempt) -> ModelReply:
        """What the reply is: calls, an answer, or something to be asked again once."""
        message, marks = attempt.message, attempt.marks
        if self._limit is not None:
            message = replace(message, tool_calls=())
        nudge = None if message.tool_calls or self._limit is not None else self._nudge(attempt)
        if nudge == "uncited":
            self._withdraw(nudge)
        return ModelReply(
            number=self._number,
            started_at=0.0,
            ended_at=0.0,
            message=message,
            shown=marks.text,
            citations=tuple(marks.citations),
            marks_removed=marks.removed,
            not_found=marks.said_not_found,
            finish_reason=attempt.reply.finish_reason,
            usage=self._usage(attempt.reply.usage),
            estimated_input=self._estimated,
            limit=self._limit,
            nudge=nudge,
            retries=tuple(self._retries),
            plan_in_text=self._in_text,
        )

    def _usage(self, counted: Usage) -> Usage:
        card = self._caller.model.card
        cost = None
        if card.input_price is not None and card.output_price is not None:
            cost = (counted.input_tokens * card.input_price + counted.output_tokens * card.output_price) / 1_000_000
        return replace(counted, model_calls=self._calls, cost=cost)

    def _nudge(self, attempt: _Attempt) -> str | None:
        """What to ask for again, each at most once: a call that could not be read, an answer without proof."""
        asked = {each.reply.nudge for each in self._rounds}
        if attempt.meant_a_call and "printed_call" not in asked:
            return "printed_call"
        marks = attempt.marks
        if marks.citations or marks.said_not_found or "uncited" in asked:
            return None
        return "uncited"

    def _show(self, text: str) -> None:
        if text:
            self._streamed = True
            self._emit(TextDelta(self._number, text))

    def _withdraw(self, reason: str) -> None:
        if self._streamed:
            self._emit(TextWithdrawn(self._number, reason))
            self._streamed = False

    def _failed(self, exc: ModelError) -> ModelReply:
        return ModelReply(
            number=self._number,
            started_at=0.0,
            ended_at=0.0,
            usage=Usage(input_tokens=0, model_calls=self._calls, estimated=True),
            limit=self._limit,
            problem=Problem(exc.code, exc.message, exc.advice_now),
            retries=tuple(self._retries),
        )


def _texts_of(read: Sequence[PageRef], look_up: LookUp) -> dict[PageRef, PageText]:
    found = {ref: look_up(ref.document_id, ref.page) for ref in read}
    return {ref: text for ref, text in found.items() if text is not None}


async def _feed(marks: MarkStream, text: str) -> str:
    """Only the end of a mark starts a search for its quote, which can take a while in many pages: that goes to a thread."""
    return await asyncio.to_thread(marks.feed, text) if "]" in text or "】" in text else marks.feed(text)
