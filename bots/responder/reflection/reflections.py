"""The reflection of all bots, and what later decisions are told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

import structlog

from bots.access.origin import Level, Origin, Person
from bots.access.sources import FACTS, Sources
from bots.access.visibility import LevelOfPlayer, Visibility
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished, MessageAnswered
from bots.bot.jobs import Job
from bots.bot.looking import in_time
from bots.bot.result import Facts, Failure, Result
from bots.errors import CommandError, StoreError
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext
from bots.responder.case.inbox import EventReport, Report, in_one_line
from bots.responder.command_tools import end_of
from bots.responder.reflection.reflector import Reflector
from bots.responder.reflection.thought import (
    MOST_NOTES,
    THREADS,
    Note,
    SqliteThoughts,
    Status,
    Thought,
    Thread,
    advice_of,
    announcement_of,
    proposal_of,
    why_not,
)
from bridge.errors import BridgeError
from bridge.events import BotSpawned
from bridge.world import PlayerName

log = structlog.get_logger()

LOOK_EVERY_S, LOOKS = 3.0, 200
"""So often, and so many times, it looks whether somebody has come who may be told."""
LOOKED_WITHIN_S = 1.0
BRIEFED_FOR_S = 86_400.0  # a bot that joins again within this time gets no new briefing


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a bot reflects."""

    briefing: bool = True
    """Whether it does when it joins."""
    rounds: int = 2
    """Between two analyses there are at least this many rounds"""
    every_s: float = 300.0
    """and this many seconds."""


class Rounds:
    """The rounds of one bot since its last analysis."""

    def __init__(self, pace: Pace, now_s: float) -> None:
        self._pace = pace
        self.begin_anew(now_s)

    def begin_anew(self, now_s: float) -> None:
        self._since_s, self._count = now_s, 0
        self._levels: set[Level] = set()

    def take(self, event: BotEvent, level_of: LevelOfPlayer) -> None:
        match event:
            case MessageAnswered():
                self._count += 1
                self._levels.add(level_of(event.speaker))
            case JobFinished(command="!goal") if event.result.success:
                self._count += 1

    def due(self, now_s: float) -> bool:
        waited = now_s - self._since_s >= self._pace.every_s
        return waited and self._count >= self._pace.rounds

    @property
    def level(self) -> Level:
        """The lowest level of those who were answered."""
        return min(self._levels, default=Level.TRUSTED)


async def announce(bot: Bot, thought: Thought) -> None:
    """Tell it once to everybody trusted who is near; wait ten minutes for the first of them."""
    for _ in range(LOOKS):
        if near := await _trusted_near(bot):
            for player in near:
                with suppress(BridgeError, StoreError):
                    await bot.tell(
                        player,
                        announcement_of(thought),
                        bot.hearing_range,
                        sources=thought.sources,
                    )
            return
        await bot.times.sleep(LOOK_EVERY_S)


async def _trusted_near(bot: Bot) -> list[PlayerName]:
    world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
    if world is None:
        return []
    return [
        one.name
        for one in world.players
        if one.name not in bot.known_bots
        and (distance := world.distance_to(one)) is not None
        and distance <= bot.hearing_range
        and bot.permissions.level_of(Person(one.name)) >= Level.TRUSTED
    ]


BRIEFING_LEVEL = Level.TRUSTED
"""Lines from lower levels do not influence a proposal."""
SHOWN: dict[Thread, str] = {"briefing": "thinking of a plan", "periodic": "thinking things over"}

Asker: TypeAlias = tuple[str, Origin]
"""A speaker's recorded name and origin."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A request that a thread think anew."""

    level: Level
    askers: tuple[Asker, ...] = ()


class BotReflection:
    """Reflects for one bot; `report` tells the result to whoever asked for it."""

    def __init__(
        self,
        bot: Bot,
        reflector: Reflector,
        storage: SqliteThoughts,
        pace: Pace,
        report: Report,
    ) -> None:
        self._bot, self._reflector, self._storage = bot, reflector, storage
        self._pace, self._report = pace, report
        self._rounds = Rounds(pace, self._now_s())
        self._thoughts: dict[tuple[Thread, Level], Thought] = {}
        self._notes: dict[Thread, tuple[Note, ...]] = {}
        self._at_work: dict[Thread, _Request] = {}
        self._failed: dict[Thread, str] = {}
        self._is_loaded = False
        self._tasks = OwnedTasks()

    @property
    def has_model(self) -> bool:
        return self._reflector.engine.has_model

    @property
    def at_work(self) -> tuple[Thread, ...]:
        return tuple(self._at_work)

    def failure(self, thread: Thread) -> str | None:
        """Why a thread's last analysis failed; None when it did not."""
        return self._failed.get(thread)

    def newest(self, thread: Thread) -> Thought | None:
        of_thread = [one for (name, _), one in self._thoughts.items() if name == thread]
        return max(of_thread, key=lambda thought: thought.at, default=None)

    def is_of(self, decision: int) -> Thread | None:
        """The thread whose newest thought came from this decision."""
        made = {one.decision: one.thread for one in map(self.newest, THREADS) if one}
        return made.get(decision)

    def advice(self, view: Visibility) -> list[tuple[str, Sources]]:
        """The newest thoughts that a view may show, and where their words come from."""
        found = []
        for thread in THREADS:
            seen = [
                thought
                for (name, _), thought in self._thoughts.items()
                if name == thread and view.shows(thought.sources, self._reflector.level_of)
            ]
            if seen:
                newest = max(seen, key=lambda thought: thought.at)
                words = advice_of(newest, self._reflector.times.clock())
                found.append((words, newest.sources))
        return found

    def take(self, event: BotEvent) -> None:
        """Start thinking if it is time; returns at once."""
        if isinstance(event, BotSpawned):
            self._tasks.start(self._joined(), f"briefing of {self._bot.name}")
            return
        self._rounds.take(event, self._reflector.standing_of)
        if self._rounds.due(self._now_s()) and self.has_model and "periodic" not in self._at_work:
            level = self._rounds.level
            self._rounds.begin_anew(self._now_s())
            self._begin("periodic", _Request(level))

    async def approve(self, context: CommandContext) -> Thought:
        """Approve the proposal and begin its goal on behalf of whoever approves.

        Raises CommandError: no_proposal, or why the goal cannot be begun."""
        proposal = self.newest("briefing")
        if proposal is None or proposal.status == "noted":
            raise CommandError("no_proposal", "I have no proposal right now.")
        if proposal.status == "approved":
            raise CommandError("no_proposal", "My proposal was approved already.")
        if proposal.goal:
            await self._set_about(proposal.goal, context)
        approved = replace(proposal, status="approved")
        self._reflector.recorder.approve(self._bot.name, proposal.decision)
        await self._store(approved)
        return approved

    def reanalyse(self, thread: Thread, asker: Asker) -> None:
        """Think anew, and report the thought to the asker. Raises CommandError no_model."""
        if not self.has_model:
            raise CommandError("no_model", "I have no model to think with: rules alone answer.")
        former = self.newest(thread)
        if former is not None:
            self._reflector.recorder.reanalysed(self._bot.name, former.decision)
        level = BRIEFING_LEVEL if thread == "briefing" or former is None else former.level
        self._begin(thread, _Request(level, (asker,)))

    def tell(self, thread: Thread, text: str, asker: Asker, sources: Sources) -> None:
        """Think anew with a user's note. Raises CommandError no_model."""
        former = self.newest(thread)
        notes = self._notes.get(thread) or (former.notes if former else ())
        self.reanalyse(thread, asker)
        note = Note(asker[0], in_one_line(text), sources)
        self._notes[thread] = (*notes, note)[-MOST_NOTES:]

    async def forget(self, person: str) -> int:
        """Forget the thoughts that name a person or hold their notes; how many."""
        await self._load()
        gone = [one for one in self._thoughts.values() if one.names(person)]
        for thought in gone:
            del self._thoughts[thought.thread, thought.level]
            await self._storage.forget(self._bot.name, thought)
        for thread, notes in self._notes.items():
            self._notes[thread] = tuple(one for one in notes if one.by != person)
        return len(gone)

    async def aclose(self) -> None:
        """End all thinking; goals that were begun go on by themselves."""
        await self._tasks.aclose()

    async def _joined(self) -> None:
        """Begin a briefing if there is a model and the last one is old."""
        await self._load()
        if not self.has_model or not self._pace.briefing:
            return
        last = self.newest("briefing")
        age = (self._reflector.times.clock() - last.at).total_seconds() if last else BRIEFED_FOR_S
        is_new = 0 <= age < BRIEFED_FOR_S  # below 0, the clock was set back since
        if not is_new and "briefing" not in self._at_work:
            self._begin("briefing", _Request(BRIEFING_LEVEL))

    def _begin(self, thread: Thread, request: _Request) -> None:
        """Start a thread. One that is running thinks once more, as it may have missed news."""
        earlier = self._at_work.get(thread)
        askers = (*(earlier.askers if earlier else ()), *request.askers)
        self._at_work[thread] = _Request(request.level, tuple(dict.fromkeys(askers)))
        if earlier is None:
            self._tasks.start(self._think(thread), f"{thread} of {self._bot.name}")

    async def _think(self, thread: Thread) -> None:
        task = asyncio.current_task()
        assert task is not None
        found: Thought | str = "closed"

        def stop() -> None:
            nonlocal found
            found = "stopped"
            task.cancel()

        try:
            with self._bot.running(SHOWN[thread], stop):
                await self._load()
                found = await self._thought_out(thread)
        except asyncio.CancelledError:
            self._reflector.recorder.dropped(self._bot.name, thread, str(found))
            raise
        finally:
            askers = self._at_work.pop(thread).askers
            if found != "closed":
                self._tell(askers, found)
        if thread == "briefing" and isinstance(found, Thought) and not askers:
            self._tasks.start(announce(self._bot, found), f"plan of {self._bot.name}")

    async def _thought_out(self, thread: Thread) -> Thought | str:
        """Think, and again if a new request came in meanwhile."""
        while True:
            request = self._at_work[thread]
            found = await self._thought(thread, request)
            if request is self._at_work[thread]:
                return found

    async def _thought(self, thread: Thread, request: _Request) -> Thought | str:
        former = self._thoughts.get((thread, request.level))
        notes = self._notes.get(thread) or (former.notes if former else ())
        found = await self._reflector.think(
            self._bot, thread, request.level, former, notes, is_asked_for=bool(request.askers)
        )
        if isinstance(found, str):
            self._failed[thread] = found
            log.info("thought.not_made", bot=self._bot.name, thread=thread, why=found)
            return found
        self._failed.pop(thread, None)
        await self._store(found)
        return found

    def _tell(self, askers: Sequence[Asker], found: Thought | str) -> None:
        made = isinstance(found, Thought)
        words = proposal_of(found) if isinstance(found, Thought) else why_not(found)
        sources = found.sources if isinstance(found, Thought) else FACTS
        told = in_one_line(words)
        event = EventReport("proposal", told, self._now_s(), made, sources=sources)
        for speaker, origin in askers:
            self._report(speaker, origin, event)

    async def _set_about(self, goal: str, context: CommandContext) -> None:
        begun = await context.commands.call(context, context.commands.find("goal"), {"goal": goal})
        if isinstance(begun, Job):
            name = f"end of {begun.id}"
            self._tasks.start(self._see_through(begun, (context.asked_by, context.origin)), name)
        elif isinstance(begun, Failure):
            raise CommandError(begun.reason, begun.message)

    async def _see_through(self, job: Job, asker: Asker) -> None:
        await job.wait()
        if job.early != "replaced":  # whoever asked for something newer knows
            self._report(*asker, end_of(job, self._now_s()))

    async def _load(self) -> None:
        if self._is_loaded:
            return
        self._is_loaded = True
        try:
            for thought in await self._storage.load(self._bot.name):
                self._thoughts.setdefault((thought.thread, thought.level), thought)
        except StoreError as fault:
            log.warning("thoughts.not_read", bot=self._bot.name, why=str(fault))

    async def _store(self, thought: Thought) -> None:
        self._thoughts[thought.thread, thought.level] = thought
        try:
            await self._storage.store(self._bot.name, thought)
        except StoreError as fault:  # it is in memory until the program ends
            log.warning("thoughts.not_stored", bot=self._bot.name, why=str(fault))

    def _now_s(self) -> float:
        return self._reflector.times.stopwatch()


class Reflections:
    """Makes the reflection of each bot; also `bots.responder.case.case.Advice`."""

    def __init__(self, reflector: Reflector, storage: SqliteThoughts, pace: Pace) -> None:
        self._reflector, self._storage, self._pace = reflector, storage, pace
        self._by_bot: dict[str, BotReflection] = {}

    def begin(self, bot: Bot, report: Report) -> BotReflection:
        """Reflect for a bot from now on; `report` tells whoever asks it to."""
        reflection = BotReflection(bot, self._reflector, self._storage, self._pace, report)
        self._by_bot[bot.name] = reflection
        bot.events.subscribe(reflection.take)
        return reflection

    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        reflection = self._by_bot.get(bot)
        return reflection.advice(view) if reflection else ()

    async def aclose(self) -> None:
        """End all thinking."""
        await asyncio.gather(*(reflection.aclose() for reflection in self._by_bot.values()))


# --- What users are answered ---------------------------------------------------------------------

NO_MODEL = "I have no model to think with: there is no briefing, and rules alone answer."

_CALLED: dict[Thread, str] = {"briefing": "Briefing", "periodic": "Analysis"}
_SHOWN = ("at", "status", "summary", "plan", "goal", "decision")


class ThoughtFacts(Facts):
    thread: Thread
    at_work: bool
    """Whether it is thinking now; the rest is its newest thought."""
    failure: str | None
    """Why its last thinking failed, if it did."""
    at: datetime | None = None
    status: Status | None = None
    summary: str = ""
    plan: tuple[str, ...] = ()
    goal: str = ""
    decision: int | None = None

    @classmethod
    def of(cls, thread: Thread, reflection: BotReflection) -> ThoughtFacts:
        facts = cls(
            thread=thread, at_work=thread in reflection.at_work, failure=reflection.failure(thread)
        )
        thought = reflection.newest(thread)
        if thought is None:
            return facts
        known = {name: getattr(thought, name) for name in _SHOWN}
        return facts.model_copy(update=known)

    def line(self, thought: Thought | None) -> str:
        if self.at_work:
            words = "I am thinking."
        elif self.failure is not None:
            words = why_not(self.failure)
        else:
            words = proposal_of(thought) if thought else "none yet."
        return f"{_CALLED[self.thread]}: {words}"


class ThoughtsResult(Result):
    has_model: bool
    threads: tuple[ThoughtFacts, ...]
    message: str

    @classmethod
    def of(cls, reflection: BotReflection, message: str = "") -> ThoughtsResult:
        facts = tuple(ThoughtFacts.of(thread, reflection) for thread in THREADS)
        told = [one.line(reflection.newest(one.thread)) for one in facts]
        stands = "\n".join(told if reflection.has_model else [NO_MODEL])
        return cls(has_model=reflection.has_model, threads=facts, message=message or stands)

    def lines(self) -> list[str]:
        return self.message.split("\n")


async def approve(reflection: BotReflection, context: CommandContext) -> ThoughtsResult:
    """Approve the proposed plan; its goal is begun.

    Raises CommandError: no_model, no_proposal, or why the goal cannot be begun."""
    if not reflection.has_model and reflection.newest("briefing") is None:
        raise CommandError("no_model", NO_MODEL)
    approved = await reflection.approve(context)
    begun = f" I begin: {approved.goal}." if approved.goal else ""
    return ThoughtsResult.of(reflection, f"The plan is approved.{begun}")


def reanalyse(reflection: BotReflection, thread: Thread, context: CommandContext) -> ThoughtsResult:
    """Have a thread think anew. Raises CommandError no_model."""
    reflection.reanalyse(thread, (context.asked_by, context.origin))
    return ThoughtsResult.of(reflection, "I think it over again and tell you.")
