"""Rounds of model and tools until an answer or a budget. Order only: what a call does stands in round.py and tools/."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.agent.budget import Budget
from docmind.agent.round import Caller, call_model
from docmind.agent.rounds import Round, ToolDone, all_tools, returned, spent_on
from docmind.agent.steps import Emit, Steps
from docmind.domain.ports import ToolCall
from docmind.tools.result import Allowance, ToolResult
from docmind.tools.toolbox import Toolbox

SAME_CALL_LIMIT = 2
# Share of the window that the results of one round may fill together, and characters a token.
ROUND_SHARE, CHARACTERS_A_TOKEN = 0.5, 3
MIN_RESULT_CHARACTERS = 1_500
PARALLEL_TOOLS = 8


@dataclass(frozen=True, slots=True)
class Reading:
    """All rounds of a run. The last reply is the answer, or names the problem that ended the reading."""

    rounds: tuple[Round, ...]

    @property
    def last(self) -> Round:
        return self.rounds[-1]


async def read_in_rounds(caller: Caller, toolbox: Toolbox, steps: Steps) -> Reading:
    """Run rounds until the model answers, fails, or the budget is spent. Each model call and each tool call is a step."""
    rounds: list[Round] = []
    places = asyncio.Semaphore(PARALLEL_TOOLS)
    while True:
        number = len(rounds) + 1
        before = tuple(rounds)
        reply = await steps.run(f"round-{number}", functools.partial(call_model, caller, before))
        calls = reply.message.tool_calls if reply.message is not None else ()
        work = [
            functools.partial(_run_tool, toolbox, caller, before, calls, index, places) for index in range(len(calls))
        ]
        tools = await asyncio.gather(*(steps.run(f"tool-{number}-{i}", do) for i, do in enumerate(work, 1)))
        rounds.append(Round(reply, tuple(tools)))
        if reply.problem is not None or (not calls and reply.nudge is None):
            return Reading(tuple(rounds))


async def _run_tool(
    toolbox: Toolbox,
    caller: Caller,
    before: Sequence[Round],
    calls: Sequence[ToolCall],
    index: int,
    places: asyncio.Semaphore,
    emit: Emit,
) -> ToolDone:
    """The step of one tool call."""
    call = calls[index]
    began = caller.clock()
    refusal = _refusal(caller.budget, before, calls, index)
    if refusal is not None:
        result = ToolResult(f"Error: {refusal}", refusal, ok=False)
    else:
        async with places:
            result = await toolbox.run(call, _allowance(caller, before, calls, index))
    done = ToolDone(call, result, began, caller.clock())
    emit(returned(len(before) + 1, done))
    return done


def _refusal(budget: Budget, before: Sequence[Round], calls: Sequence[ToolCall], index: int) -> str | None:
    """Why a call is not run: the budget, or the same call for the third time."""
    call = calls[index]
    earlier = [done.call for done in all_tools(before)]
    if len(earlier) + index >= budget.tool_calls:
        return f"the budget of {budget.tool_calls} tool calls is used up; answer from what was read"
    same = sum(_key(other) == _key(call) for other in (*earlier, *calls[:index]))
    if same >= SAME_CALL_LIMIT:
        return (
            f"this same call was made {same} times already and gives the same result; "
            "use that result, ask for something else, or answer"
        )
    return None


def _key(call: ToolCall) -> tuple[str, str]:
    try:
        return call.name, json.dumps(json.loads(call.arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return call.name, call.arguments


def _allowance(caller: Caller, before: Sequence[Round], calls: Sequence[ToolCall], index: int) -> Allowance:
    """A call's fair share of what the run and the window have left, the same whatever order the calls end in."""
    budget = caller.budget
    spent = spent_on(before, started_at=0.0, now=0.0).usage
    readers = [i for i, call in enumerate(calls) if call.name == "get_page_content"]
    pages = _share(budget.pages - spent.pages_read, readers, index)
    lookers = [i for i, call in enumerate(calls) if call.name in ("get_page_content", "get_page_image")]
    vision = _share(budget.vision_calls - spent.vision_calls, lookers, index)
    window = int(caller.model.card.window * ROUND_SHARE * CHARACTERS_A_TOKEN / max(1, len(calls)))
    characters = max(MIN_RESULT_CHARACTERS, min(budget.result_characters, window))
    return Allowance(characters=characters, pages=min(budget.pages_a_call, pages), vision_calls=vision)


def _share(left: int, among: Sequence[int], index: int) -> int:
    if index not in among:
        return 0
    each, extra = divmod(max(0, left), len(among))
    return each + (1 if among.index(index) < extra else 0)
