"""Thoughts, and how they are read from a model's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from bots.access.origin import Level
from bots.access.sources import UNKNOWN, Sources
from bots.responder.case.events import in_one_line
from bots.responder.prompt.learning import LEARNABLE, Learnt, read_learnt
from bots.text.word_match import says

Thread: TypeAlias = Literal["briefing", "periodic"]
"""A train of thought. briefing: once, when a bot joins; it may propose a plan. periodic: every few
rounds."""
THREADS: tuple[Thread, ...] = get_args(Thread)

Status: TypeAlias = Literal["noted", "proposed", "approved"]

MOST_STEPS, MOST_ALTERNATIVES = 6, 3
MOST_NOTES = 5  # per thread; the oldest are dropped

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string"},
        "plan": {"type": "array", "items": {"type": "string"}},
        "goal": {"type": "string"},
        "confidence": {"type": "number"},
        "alternatives": {"type": "array", "items": {"type": "string"}},
        "learnt": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "about": {"type": "string"},
                    "kind": {"type": "string", "enum": list(LEARNABLE)},
                    "what": {"type": "string"},
                },
                "required": ["about", "kind", "what"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["summary", "plan", "goal", "confidence", "alternatives", "learnt"],
    "additionalProperties": False,
}
"""The JSON schema of `Conclusion` as the API wants it: every key required, no bounds."""


class Conclusion(BaseModel):
    """A model's answer."""

    summary: str
    plan: list[str] = []
    goal: str = ""
    confidence: float | None = None
    alternatives: list[str] = []
    learnt: list[Any] = []

    @property
    def worth_keeping(self) -> tuple[Learnt, ...]:
        """What it found worth keeping, as far as that is well written."""
        return read_learnt(self.learnt)


@dataclass(frozen=True, slots=True)
class Note:
    """What a user told a bot to bear in mind."""

    by: str
    text: str
    sources: Sources = UNKNOWN


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of one analysis. Its words may repeat what others said: data."""

    thread: Thread
    level: Level
    """The lowest level of the lines it was made from."""
    at: datetime
    summary: str
    plan: tuple[str, ...] = ()
    goal: str = ""
    """The first step as `!goal` takes it; '' when there is none that fits."""
    status: Status = "noted"
    sources: Sources = UNKNOWN
    notes: tuple[Note, ...] = ()
    """What users have told the thread, oldest first."""
    decision: int | None = None
    """The number of its decision; None when it was made in an earlier run."""

    def names(self, person: str) -> bool:
        """Whether it speaks of a person, or was told something by them."""
        words = " ".join([self.summary, *self.plan, self.goal])
        return says(words, person) or any(note.by == person for note in self.notes)


def read_conclusion(text: str) -> Conclusion | None:
    """A model's answer: JSON with or without words around it, or else plain words.

    None when it is JSON of another shape, or cut."""
    first, last = text.find("{"), text.rfind("}")
    if first < 0:
        return Conclusion(summary=in_one_line(text)) if text.strip() else None
    try:
        answered = Conclusion.model_validate_json(text[first : last + 1])
    except ValidationError:
        return None
    summary = in_one_line(answered.summary)
    return _tidy(answered, summary) if summary else None


def _tidy(answered: Conclusion, summary: str) -> Conclusion:
    sure = answered.confidence
    return Conclusion(
        summary=summary,
        plan=_lines(answered.plan, MOST_STEPS),
        goal=in_one_line(answered.goal),
        confidence=None if sure is None else min(1.0, max(0.0, sure)),
        alternatives=_lines(answered.alternatives, MOST_ALTERNATIVES),
        learnt=answered.learnt,
    )


def _lines(given: list[str], most: int) -> list[str]:
    return [line for line in map(in_one_line, given) if line][:most]
