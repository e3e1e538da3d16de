"""One round of tools: answers every call of an answer, in order, in the time left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from llm.engine.decision import MOST_CALLS, Toolbox, ToolOutcome, Used
from llm.model import Completion, ToolCall, ToolResult, ToolRound

MOST_ROUNDS = 4  # in one decision; a further one is answered with a refusal
ANSWER_S = 1.0  # of what is left, kept for the model's words on the results

NO_MORE_ROUNDS = ToolOutcome(
    "Not done: no more tools this turn. Answer in words.", failed=True, left_out=True
)
LEFT_OUT = "Not done: too many tools."
TOO_LATE = ToolOutcome("It was begun, but gave no answer in time.", failed=True)


async def answered(
    completion: Completion,
    toolbox: Toolbox,
    rounds_done: int,
    calls_left: int,
    left_s: float,
    stopwatch: Callable[[], float],
) -> tuple[ToolRound, list[Used]]:
    """The round as it goes back to the model, and what was used in it.

    Of the calls that are too many, one is noted for all."""
    ends_at = stopwatch() + left_s - ANSWER_S
    is_over = rounds_done >= MOST_ROUNDS
    most = 0 if is_over else max(0, calls_left)
    used: list[Used] = []
    for call in completion.calls[:most]:
        began = stopwatch()
        outcome = await _in_time(toolbox, call, ends_at - began)
        used.append(Used(call.name, call.arguments, outcome, rounds_done, stopwatch() - began))
    results = [
        _result(call, one.outcome) for call, one in zip(completion.calls, used, strict=False)
    ]
    if left_out := completion.calls[most:]:
        why = NO_MORE_ROUNDS if is_over else _too_many(len(left_out))
        used.append(Used(left_out[0].name, left_out[0].arguments, why, rounds_done, 0.0))
        results.append(_result(left_out[0], why))
        results += [ToolResult(call.id, LEFT_OUT, failed=True) for call in left_out[1:]]
    return ToolRound(completion, tuple(results)), used


def calls_done(used: Iterable[Used]) -> int:
    """How many of these calls were made."""
    return sum(not one.outcome.left_out for one in used)


def _too_many(count: int) -> ToolOutcome:
    sentence = (
        f"Not done: at most {MOST_CALLS} tools in an answer, and {count} more were asked for."
    )
    return ToolOutcome(sentence, failed=True, left_out=True)


def _result(call: ToolCall, outcome: ToolOutcome) -> ToolResult:
    failed = outcome.failed or outcome.illegal
    return ToolResult(call.id, outcome.text, failed, outcome.images)


async def _in_time(toolbox: Toolbox, call: ToolCall, left_s: float) -> ToolOutcome:
    try:
        async with asyncio.timeout(max(0.0, left_s)):
            return await toolbox.use(call)
    except TimeoutError:
        return TOO_LATE
