"""A matter to decide, the tools for it, and the decision.

One round of tools answers every call of an answer, in order, in the time left. A text that was cut
off ends where it does not sound cut off."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from llm.engine.budget import Payer
from llm.engine.prices import Nanodollars
from llm.engine.tiers import Route, Work
from llm.model import (
    NOTHING_USED,
    Completion,
    Image,
    Question,
    Tool,
    ToolCall,
    ToolResult,
    ToolRound,
    Usage,
)

MOST_CALLS = 8  # of tools, for one answer

Source: TypeAlias = Literal["model", "partial", "rules"]

MOST_ROUNDS = 4  # in one decision; a further one is answered with a refusal
ANSWER_S = 1.0  # of what is left, kept for the model's words on the results
LEFT_OUT = "Not done: too many tools."

SHORTEST_PARTIAL = 8  # characters; less says nothing

_BORDER = re.compile(r"[.!?](?=\s|$)|[。！？]")


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool call came to: in words for the model, as a value for everybody else."""

    text: str
    """May be cut short; nothing reads it back."""
    failed: bool = False
    illegal: bool = False
    """Nothing was done: no such tool for this speaker, or arguments that do not fit."""
    result: object = None
    """The whole result, in the toolbox's own type; None where nothing was carried out."""
    images: tuple[Image, ...] = ()
    """What the model is shown beside the text."""
    ends: bool = False
    """The decision ends with it: the model is asked for no more words."""
    left_out: bool = False
    """The call was not made at all: it was one too many."""


class Toolbox(Protocol):
    """The tools of one decision; what is not permitted is not in it."""

    @property
    def tools(self) -> tuple[Tool, ...]: ...

    async def use(self, call: ToolCall) -> ToolOutcome:
        """Check and carry out. Never raises for what the model got wrong."""
        ...


@dataclass(frozen=True, slots=True)
class Used:
    """A tool call that was answered."""

    name: str
    arguments: Mapping[str, Any] | None
    outcome: ToolOutcome
    round: int
    """From 0; the calls of one answer are one round."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing to decide."""

    work: Work
    payer: Payer
    question: Question
    """Without tools and rounds: they come from the toolbox."""
    deadline_s: float
    """From now until an answer is there, the rules' included."""
    score: float = 0.0
    toolbox: Toolbox | None = None
    most_calls: int = MOST_CALLS
    """Of tools, in all rounds."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, and how."""

    text: str
    """What to say; '' = nothing."""
    source: Source
    why: str | None
    """Why the model's answer was not used whole; None when it was.

    no_model, budget, ledger, deadline, empty, length, refused, illegal, max_rounds, failed or
    one of
    `llm.model.Unavailable`."""
    route: Route
    model: str | None
    usage: Usage
    cost: Nanodollars
    """What was charged; an unknown cost counts at its worst case."""
    seconds: float
    prompt_bytes: int
    used: tuple[Used, ...] = ()
    thinking: str = ""
    named: str | None = None
    """What the API calls the model that answered."""
    prompt: int | None = None
    """The number under which what was asked is kept; None: nothing was asked, or it is not."""


class PromptLog(Protocol):
    """Keeps what models were asked."""

    def asked(self, matter: Matter, question: Question, decision: Decision) -> int | None:
        """Keep a question as it was last sent, and what came of it; its number. Never waits."""
        ...


class NoPromptLog:
    """Keeps nothing: for simulated talks."""

    def asked(self, matter: Matter, question: Question, decision: Decision) -> int | None:
        return None


Fallback: TypeAlias = Callable[[str, tuple[Used, ...]], Awaitable[str]]
"""Decides by rules. Gets why there is no model's answer, and the tools used so far."""


async def no_words(why: str, used: tuple[Used, ...]) -> str:
    """The rules of those who would rather say nothing."""
    return ""


def without_model(text: str, why: str) -> Decision:
    """A decision for which no model was to be asked."""
    return Decision(text, "rules", why, Route(None, "haiku", why), None, NOTHING_USED, 0, 0.0, 0)


NO_MORE_ROUNDS = ToolOutcome(
    "Not done: no more tools this turn. Answer in words.", failed=True, left_out=True
)
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
        outcome = TOO_LATE
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, ends_at - began)):
                outcome = await toolbox.use(call)
        used.append(Used(call.name, call.arguments, outcome, rounds_done, stopwatch() - began))
    results = [
        _result(call, one.outcome) for call, one in zip(completion.calls, used, strict=False)
    ]
    if left_out := completion.calls[most:]:
        why = NO_MORE_ROUNDS
        if not is_over:
            most_told = f"at most {MOST_CALLS} tools in an answer"
            sentence = f"Not done: {most_told}, and {len(left_out)} more were asked for."
            why = ToolOutcome(sentence, failed=True, left_out=True)
        used.append(Used(left_out[0].name, left_out[0].arguments, why, rounds_done, 0.0))
        results.append(_result(left_out[0], why))
        results += [ToolResult(call.id, LEFT_OUT, failed=True) for call in left_out[1:]]
    return ToolRound(completion, tuple(results)), used


def calls_done(used: Iterable[Used]) -> int:
    """How many of these calls were made."""
    return sum(not one.outcome.left_out for one in used)


def _result(call: ToolCall, outcome: ToolOutcome) -> ToolResult:
    failed = outcome.failed or outcome.illegal
    return ToolResult(call.id, outcome.text, failed, outcome.images)


def up_to_last_sentence(text: str) -> str:
    """The whole sentences of a cut text; '' when they are too few to be worth saying."""
    borders = list(_BORDER.finditer(text))
    whole = text[: borders[-1].end()].strip() if borders else ""
    return whole if len(whole) >= SHORTEST_PARTIAL else ""


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters: whole sentences when one fits, else cut with an ellipsis."""
    if len(text) <= limit:
        return text
    return up_to_last_sentence(text[:limit]) or text[: limit - 1].rstrip() + "…"
