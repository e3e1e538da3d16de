"""Thoughts: read from a model, put into words for people, and stored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from bots.access.origin import Level
from bots.access.sources import UNKNOWN, Sources, as_text, from_text
from bots.clock import microseconds, moment
from bots.responder.case.inbox import in_one_line
from bots.responder.prompt.learning import LEARNABLE, Learnt, read_learnt
from bots.store.database import Store
from bots.store.table import readable
from bots.text.printable import excerpt
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
MOST_OF_A_SUMMARY = 150  # characters, so that all of it fits one line of chat


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
    summary, sure = in_one_line(answered.summary), answered.confidence
    if not summary:
        return None
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


_WHY_NOT = {
    "budget": "the budget for thinking is used up",
    "no_model": "I have no model to think with",
    "deadline": "it took too long",
    "unreadable": "what I thought made no sense",
    "stopped": "I was stopped",
    "disabled": "that kind of thinking is turned off",
}


def advice_of(thought: Thought, now: datetime) -> str:
    """A thought as later decisions are shown it."""
    minutes = max(0, round((now - thought.at).total_seconds() / 60))
    parts = [f"{minutes} min ago: {thought.summary}"]
    if thought.plan:
        agreed = "The agreed plan" if thought.status == "approved" else "A plan nobody approved yet"
        parts.append(f"{agreed}: {'; '.join(thought.plan)}.")
    return " ".join(parts)


def proposal_of(thought: Thought) -> str:
    """A thought as users are told it."""
    parts = [thought.summary]
    if thought.plan:
        parts.append("Plan: " + "; ".join(thought.plan) + ".")
    if thought.goal:
        parts.append(f"First: {thought.goal}.")
    if thought.status == "proposed":
        parts.append("Approve it by: thoughts approve")
    return " ".join(parts)


def announcement_of(thought: Thought) -> str:
    """A briefing in one line of chat, for people who did not ask."""
    how = "!thoughts approve" if thought.status == "proposed" else "!thoughts status"
    return f"I have thought of a plan: {excerpt(thought.summary, MOST_OF_A_SUMMARY)} Whisper {how}."


def why_not(why: str) -> str:
    """Why there is no thought, for people."""
    return f"I could not think it over: {_WHY_NOT.get(why, f'my model failed ({why})')}."


class SqliteThoughts:
    """The newest thought of each thread and level, by bot. All methods raise StoreError."""

    def __init__(self, store: Store) -> None:
        self._database = store

    async def load(self, bot: str) -> tuple[Thought, ...]:
        return await self._database.read(lambda connection: _load(connection, bot))

    async def store(self, bot: str, thought: Thought) -> None:
        await self._database.write(lambda connection: _store(connection, bot, thought))

    async def forget(self, bot: str, thought: Thought) -> None:
        await self._database.write(lambda connection: _forget(connection, bot, thought))


def _load(connection: sqlite3.Connection, bot: str) -> tuple[Thought, ...]:
    rows = connection.execute(
        "SELECT thread, level, at, summary, plan, goal, status, sources, notes FROM thoughts"
        " WHERE bot = ? ORDER BY at",
        (bot,),
    )
    return tuple(readable(rows, _thought, "thoughts"))


def _thought(row: tuple[Any, ...]) -> Thought:
    thread, level, at, summary, plan, goal, status, sources, notes = row
    return Thought(
        thread,
        Level(level),
        moment(at),
        summary,
        tuple(json.loads(plan)),
        goal,
        status,
        from_text(sources),
        tuple(Note(by, text, from_text(of)) for by, text, of in json.loads(notes)),
    )


def _store(connection: sqlite3.Connection, bot: str, thought: Thought) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO thoughts"
        " (bot, thread, level, at, summary, plan, goal, status, sources, notes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            bot,
            thought.thread,
            int(thought.level),
            microseconds(thought.at),
            thought.summary,
            json.dumps(thought.plan),
            thought.goal,
            thought.status,
            as_text(thought.sources),
            json.dumps([(n.by, n.text, as_text(n.sources)) for n in thought.notes]),
        ),
    )


def _forget(connection: sqlite3.Connection, bot: str, thought: Thought) -> None:
    connection.execute(
        "DELETE FROM thoughts WHERE bot = ? AND thread = ? AND level = ?",
        (bot, thought.thread, int(thought.level)),
    )
