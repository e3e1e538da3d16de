"""A matter to decide, the tools for it, and the decision."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from llm.engine.budget import Payer
from llm.engine.prices import Nanodollars
from llm.engine.tiers import Route, Work
from llm.model import NOTHING_USED, Image, Question, Tool, ToolCall, Usage

MOST_CALLS = 8  # of tools, for one answer

Source: TypeAlias = Literal["model", "partial", "rules"]


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
    `llm.errors.Unavailable`."""
    route: Route
    model: str | None
    usage: Usage
    cost: Nanodollars
    """What was charged; an unknown cost counts at its worst case."""
    seconds: float
    prompt_bytes: int
    used: tuple[Used, ...] = ()
    thinking: str = ""
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


def without_model(text: str, why: str) -> Decision:
    """A decision for which no model was to be asked."""
    return Decision(text, "rules", why, Route(None, "haiku", why), None, NOTHING_USED, 0, 0.0, 0)
