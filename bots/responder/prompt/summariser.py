"""Summarises old history in the background, one summary per view at a time; replies never wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import structlog

from bots.access.sources import LevelOf
from bots.access.visibility import Visibility
from bots.clock import Sleep, Stopwatch
from bots.errors import StoreError
from bots.owned_tasks import OwnedTasks
from bots.responder.case.events import in_one_line
from bots.responder.case.quoting import quoted, shown
from bots.responder.prompt.summary_store import SummaryStorage, sources_of
from llm.engine.budget import Payer
from llm.engine.context import Due, Line, Summary, due, shortened
from llm.engine.decision import Matter, Used
from llm.engine.engine import Engine
from llm.model import Question, Turn

log = structlog.get_logger()

REPLY_FIRST_S = 0.5  # head start of the answer that made a summary due
WITHIN_S = 30.0  # for one summary; nobody waits for it
AGAIN_AFTER_S = 60.0  # after one failed
MAX_TOKENS = 800  # 500 characters of Japanese are about as many tokens; thinking included
MOST_AT_ONCE = 3  # calls in a row: lines, then older summaries, then what came meanwhile

Key: TypeAlias = tuple[str, Visibility]


class Summariser:
    """The summaries of all bots, read from storage once."""

    def __init__(
        self,
        engine: Engine,
        storage: SummaryStorage,
        level_of: LevelOf,
        stopwatch: Stopwatch,
        sleep: Sleep,
    ) -> None:
        self._engine, self._storage = engine, storage
        self._level_of, self._stopwatch, self._sleep = level_of, stopwatch, sleep
        self._known: dict[Key, tuple[Summary, ...]] = {}
        self._at_work: set[Key] = set()
        self._not_before: dict[Key, float] = {}
        self._tasks = OwnedTasks()

    async def of(self, bot: str, view: Visibility) -> tuple[Summary, ...]:
        """The summaries of a view, oldest first; none when they cannot be read."""
        if (bot, view) not in self._known:
            await self._read(bot, view)
        return self._known.get((bot, view), ())

    def look(self, bot: str, view: Visibility, lines: Sequence[Line]) -> None:
        """Begin a summary if these lines, the newest of the view, have become too many."""
        key = bot, view
        waits = self._stopwatch() < self._not_before.get(key, 0.0)
        if waits or key in self._at_work or key not in self._known or not self._engine.has_model:
            return
        if due(lines, self._known[key]) is None:
            return
        self._at_work.add(key)
        task = self._tasks.start(self._shorten(key, lines), f"summary of {bot}")
        task.add_done_callback(lambda _: self._at_work.discard(key))

    async def aclose(self) -> None:
        """End the summaries under way."""
        await self._tasks.aclose()

    async def _read(self, bot: str, view: Visibility) -> None:
        """Read the summaries, except those with words of speakers who have lost their level."""
        try:
            stored = await self._storage.load(bot, view)
        except StoreError as fault:
            log.warning("summaries.not_read", bot=bot, why=str(fault))
            return
        trusted = (one for one in stored if view.shows(sources_of(one), self._level_of))
        self._known.setdefault((bot, view), tuple(trusted))

    async def _shorten(self, key: Key, lines: Sequence[Line]) -> None:
        await self._sleep(REPLY_FIRST_S)
        for _ in range(MOST_AT_ONCE):
            if (found := due(lines, self._known[key])) is None:
                return
            if not (text := await self._summary(key[0], found)):
                self._not_before[key] = self._stopwatch() + AGAIN_AFTER_S
                return
            summaries = shortened(self._known[key], found, text)
            self._known[key] = tuple(map(_with_one_source, summaries))
            await self._store(key, self._known[key])

    async def _summary(self, bot: str, found: Due) -> str:
        """A summary in one line; '' when the model made none."""
        matter = Matter("summary", Payer(bot, None, background=True), _asked(found), WITHIN_S)
        decision = await self._engine.decide(matter, _nothing)
        return in_one_line(shown(decision.text))

    async def _store(self, key: Key, summaries: Sequence[Summary]) -> None:
        try:
            await self._storage.store(*key, summaries)
        except StoreError as fault:  # it is in memory until the program ends
            log.warning("summaries.not_stored", bot=key[0], why=str(fault))


def _with_one_source(summary: Summary) -> Summary:
    """A summary remembers what its lines come from together, not each of them."""
    return replace(summary, sources=frozenset({sources_of(summary)}))


def _asked(found: Due) -> Question:
    rows = "\n".join(_row(part) for part in found.parts)
    return Question(_system(), (Turn("user", rows),), MAX_TOKENS)


def _row(part: Line | Summary) -> str:
    """One row of data; others' lines are quoted already."""
    if isinstance(part, Summary):
        return quoted({"notes": part.text})
    return quoted({"you_said": part.turn.text}) if part.turn.role == "assistant" else part.turn.text


async def _nothing(why: str, used: tuple[Used, ...]) -> str:
    return ""


@cache
def _system() -> str:
    return (files("llm") / "prompts" / "summary.md").read_text(encoding="utf-8").strip()
