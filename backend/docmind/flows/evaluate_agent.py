"""Questions with known answers -> the agent's answers, graded: a line for each question, so that a stopped evaluation goes on."""

from __future__ import annotations

import asyncio
import hashlib
import json
import statistics
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from docmind.agent.prompts import prompt
from docmind.agent.steps import InProcessSteps
from docmind.domain.answer import AnswerEvent, AnswerMode, Usage
from docmind.domain.ports import ChatMessage, ChatModel, ChatReply, ChatRequest, ModelCard
from docmind.errors import ModelError
from docmind.flows.answer import Asked, Desk, Finished, answer_in_steps
from docmind.flows.evaluate import Place

# What a question costs before any has been asked: some ten pages read in four or five rounds, each sent again with every round.
GUESSED_INPUT, GUESSED_OUTPUT = 60_000, 1_500
# Failures in a row after which asking on is a waste: the key, the balance or the network is gone.
GIVE_UP_AFTER = 3
VERDICTS = ("correct", "incorrect", "refused")
JUDGE_TOKENS = 1_000

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Estimate:
    """`cost` is None when the model's prices are not set."""

    questions: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def estimate(left: int, done: Sequence[Line], card: ModelCard) -> Estimate:
    """What the questions that are left will cost, by those that are done."""
    each_in = statistics.mean(line["input_tokens"] for line in done) if done else GUESSED_INPUT
    each_out = statistics.mean(line["output_tokens"] for line in done) if done else GUESSED_OUTPUT
    tokens_in, tokens_out = int(each_in * left), int(each_out * left)
    cost = None
    if card.input_price is not None and card.output_price is not None:
        cost = round((tokens_in * card.input_price + tokens_out * card.output_price) / 1_000_000, 2)
    return Estimate(left, tokens_in, tokens_out, cost)


async def ask_all(
    places: Sequence[Place],
    desk_for: Callable[[Asked], Desk],
    *,
    judge: ChatModel | None,
    concurrency: int = 1,
) -> AsyncGenerator[Line]:
    """A line for each question as it is answered, in whatever order. Ends early when the model fails GIVE_UP_AFTER times in a row."""
    places_left = asyncio.Semaphore(concurrency)

    async def one(place: Place) -> Line:
        async with places_left:
            return await _ask(place, desk_for, judge)

    tasks = [asyncio.create_task(one(place)) for place in places]
    failed = 0
    try:
        for task in asyncio.as_completed(tasks):
            line = await task
            yield line
            failed = failed + 1 if line["failed"] else 0
            if failed >= GIVE_UP_AFTER:
                return
    finally:
        for left in tasks:
            left.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _ask(place: Place, desk_for: Callable[[Asked], Desk], judge: ChatModel | None) -> Line:
    question = place.question
    asked = Asked(run_id=f"eval-{question.id}", question=question.text, documents=place.documents)
    desk = desk_for(asked)
    finished = await answer_in_steps(asked, desk, InProcessSteps(_unheard))
    line = _line(place, finished, seconds=desk.clock() - asked.started_at)
    if judge is not None and question.answer and not line["failed"]:
        verdict, why, usage = await grade(judge, question.text, question.answer, finished.answer.answer)
        line |= {"verdict": verdict, "why": why, "judge_input_tokens": usage.input_tokens}
    return line


def _unheard(event: AnswerEvent) -> None:
    """Nobody follows an evaluated run; its result tells all."""


def _line(place: Place, finished: Finished, *, seconds: float) -> Line:
    answer = finished.answer
    cited = {(citation.document_id, citation.page) for citation in answer.citations}
    right = {page for document_id, page in cited if place.is_right(document_id, page)}
    return {
        "id": place.question.id,
        "question": place.question.text,
        "answer": answer.answer,
        "expected": place.question.answer,
        # An answer without the model says nothing about the model: it is asked again the next time.
        "failed": answer.offline_reason if answer.mode is AnswerMode.OFFLINE else None,
        "model": finished.model,
        "refused": not answer.found or not answer.citations,
        "pages": sorted(place.question.pages),
        "cited": sorted([document_id, page] for document_id, page in cited),
        "cites_right": bool(right),
        "evidence_cited": len(right) / len(place.question.pages) if place.question.pages else None,
        "citations": len(answer.citations),
        "verified": sum(citation.verified for citation in answer.citations),
        "rounds": answer.rounds,
        "limit": answer.limit,
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "pages_read": answer.usage.pages_read,
        "vision_calls": answer.usage.vision_calls,
        "cost": answer.usage.cost,
        "seconds": round(seconds, 1),
        "verdict": None,
    }


async def grade(judge: ChatModel, question: str, expected: str, answer: str) -> tuple[str | None, str, Usage]:
    """The judge's verdict and reason; None with the reason when it cannot be had. A refusal to answer counts as wrong in the end."""
    fence = hashlib.sha256(f"{question}\n{expected}".encode()).hexdigest()[:8]
    text = prompt("judge", fence=fence, question=question, expected=expected, answer=answer)
    request = ChatRequest((ChatMessage("user", text),), max_output_tokens=JUDGE_TOKENS)
    reply: ChatReply | None = None
    try:
        async with aclosing(judge.stream(request)) as pieces:
            async for piece in pieces:
                reply = piece.reply or reply
    except ModelError as exc:
        return None, exc.code, Usage()
    if reply is None:
        return None, "no reply", Usage()
    verdict, why = read_verdict(reply.message.content)
    return verdict, why, reply.usage


def read_verdict(text: str) -> tuple[str | None, str]:
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None, "the judge gave no JSON"
    verdict = value.get("verdict") if isinstance(value, dict) else None
    return (verdict, str(value.get("why", ""))[:300]) if verdict in VERDICTS else (None, "the judge gave no verdict")


def figures(lines: Sequence[Line]) -> dict[str, Any]:
    """Shares and means over the answered questions; `correct` over those that were graded."""
    answered = [line for line in lines if not line["failed"]]
    graded = [line for line in answered if line.get("verdict")]
    with_pages = [line for line in answered if line["pages"]]
    citations = sum(line["citations"] for line in answered)
    costs = [line["cost"] for line in answered if line["cost"] is not None]
    found: dict[str, Any] = {"questions": len(answered), "failed": len(lines) - len(answered), "graded": len(graded)}
    if graded:
        found |= {verdict: _share([line["verdict"] == verdict for line in graded]) for verdict in VERDICTS}
    return found | {
        "answers_refused": _share([line["refused"] for line in answered]),
        "right_page_cited": _share([line["cites_right"] for line in with_pages]),
        "evidence_cited": _mean([line["evidence_cited"] for line in with_pages]),
        "citations": citations,
        "verified_share": round(sum(line["verified"] for line in answered) / citations, 4) if citations else None,
        "mean_rounds": _mean([line["rounds"] for line in answered]),
        "mean_pages_read": _mean([line["pages_read"] for line in answered]),
        "input_tokens": sum(line["input_tokens"] for line in answered),
        "output_tokens": sum(line["output_tokens"] for line in answered),
        "cost": round(sum(costs), 4) if costs else None,
        "median_seconds": round(statistics.median(line["seconds"] for line in answered), 1) if answered else None,
    }


def read_lines(text: str, *, model: str) -> dict[str, Line]:
    """Lines of an earlier evaluation with this model that need not be asked again, by question. A torn last line is left out."""
    done: dict[str, Line] = {}
    for raw in text.splitlines():
        try:
            line = json.loads(raw)
        except ValueError:
            continue
        if isinstance(line, dict) and line.get("model") == model and not line.get("failed"):
            done[str(line["id"])] = line
    return done


def left_to_ask(places: Sequence[Place], done: Mapping[str, Line]) -> list[Place]:
    return [place for place in places if place.question.id not in done]


def _share(marks: Sequence[bool]) -> float | None:
    return round(sum(marks) / len(marks), 4) if marks else None


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.mean(values), 2) if values else None
