"""One round of tools: answers every call of an answer, in order, in the time left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from llm.engine.decision import Toolbox, ToolOutcome, Used
from llm.model import Completion, ToolCall, ToolResult, ToolRound

MOST_ROUNDS = 4  # in one decision; a further one is answered with a refusal
MOST_CALLS = 4  # in one round
ANSWER_S = 1.0  # of what is left, kept for the model's words on the results

NO_MORE_ROUNDS = ToolOutcome("Not done: no more tools this turn. Answer in words.", failed=True)
TOO_MANY = ToolOutcome(f"Not done: at most {MOST_CALLS} tools at once.", failed=True)
TOO_LATE = ToolOutcome("It was begun, but gave no answer in time.", failed=True)


async def answered(
    completion: Completion,
    toolbox: Toolbox,
    rounds_done: int,
    left_s: float,
    stopwatch: Callable[[], float],
) -> tuple[ToolRound, list[Used]]:
    """The round as it goes back to the model, and what was used in it."""
    ends_at = stopwatch() + left_s - ANSWER_S
    used: list[Used] = []
    for number, call in enumerate(completion.calls):
        began = stopwatch()
        if rounds_done >= MOST_ROUNDS:
            outcome = NO_MORE_ROUNDS
        elif number >= MOST_CALLS:
            outcome = TOO_MANY
        else:
            outcome = await _in_time(toolbox, call, ends_at - began)
        used.append(Used(call.name, call.arguments, outcome, rounds_done, stopwatch() - began))
    results = tuple(
        ToolResult(
            call.id,
            one.outcome.text,
            one.outcome.failed or one.outcome.illegal,
            one.outcome.images,
        )
        for call, one in zip(completion.calls, used, strict=True)
    )
    return ToolRound(completion, results), used


async def _in_time(toolbox: Toolbox, call: ToolCall, left_s: float) -> ToolOutcome:
    try:
        async with asyncio.timeout(max(0.0, left_s)):
            return await toolbox.use(call)
    except TimeoutError:
        return TOO_LATE
