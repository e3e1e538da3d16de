"""Jobs: the world commands of a bot, one at a time, each with exactly one result.

begin ─▶ look whether it can be done ─▶ take over ─▶ act, report progress ─▶ result
              ends early when it is replaced by a newer job, stopped, or past its deadline

While a new job looks, the old one continues, so a refused job changes nothing. With its first
action the new job takes over and ends all jobs before it. Queries and talk run beside jobs.
Whatever the bot does unasked is an idle job: every other job ends it at once, and nobody hears of
its end. A death does not end a job: see `deaths.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any, Literal, TypeAlias, TypeVar

from bots.access.origin import Origin
from bots.access.sources import FACTS, Sources
from bots.bot.actions import COUNTED, Actions, RunningAction
from bots.bot.areas import Area
from bots.bot.consequences import foresee
from bots.bot.deaths import Deaths, Known
from bots.bot.events import BotEvent, BotEvents, JobFinished, ThingsFetched, WorkTold
from bots.bot.hands import NOTHING_POINTED
from bots.bot.headway import Headway, doing, longest_s
from bots.bot.leisure import Leisure
from bots.bot.looking import Moment
from bots.bot.result import Failure, Result
from bots.bot.stage import Course, Stage
from bots.clock import Times
from bots.errors import ActionFailed, JobEnded
from bots.owned_tasks import OwnedTasks, until_first
from bridge.actions import (
    Action,
    CloseContainer,
    Deposit,
    Dig,
    Equip,
    FindBlocks,
    Follow,
    MoveTo,
    OpenContainer,
    Place,
    Query,
    Smelt,
    Withdraw,
)
from bridge.errors import BotError
from bridge.events import ActionFinished, ActionId, ActionProgress, BotDied
from bridge.port import ACTION_DEADLINE_S, Bridge
from bridge.world import BlockSighting, BotName, Position, WorldSnapshot, is_spared

T = TypeVar("T")

DIGS_NONE_HERE = "I dig none through what somebody built."
TORN_DOWN_WITHIN_S = 3.0  # a job that hangs longer is left behind

Early: TypeAlias = Literal["stopped", "replaced", "deadline", "paused", "closing"]
Note: TypeAlias = Callable[..., object]
"""Writes to the trace: the name of the event, then its facts."""
Placed: TypeAlias = Callable[[str, str, Position, str], Awaitable[None]]
"""Remembers an item that was placed, the block that stands there now, and where."""


@dataclass(frozen=True, slots=True)
class JobSpec:
    """The work of a job, and the result of an error that ends it."""

    command: str
    """As people see it: `!navigation goto`."""
    work: Callable[[Job], Awaitable[Result]]
    failure: Callable[[BotError], Result]
    deadline_s: float
    started_by: Origin | None = None
    sources: Sources = FACTS
    """The sources of its arguments, which its result may repeat."""
    ended_by: str = ""
    """How to end a job that never ends by itself; nobody waits for it."""
    is_idle: bool = False
    """Whether the bot does it unasked, until somebody wants something from the bot."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job: `3 of 8 oak_log`."""

    done: float
    total: float
    what: str
    stage: str = ""
    """The part of the job that is in progress: `step 3 of 12`."""

    def __str__(self) -> str:
        part = f"{self.done:g} of {self.total:g} {self.what}"
        return f"{self.stage}, {part}" if self.stage else part

    def as_json(self) -> dict[str, Any]:
        part = {"done": self.done, "total": self.total, "what": self.what}
        return {**part, "stage": self.stage} if self.stage else part


class Job:
    """One world command under way; its handler acts and looks through it."""

    def __init__(
        self,
        id: str,
        spec: JobSpec,
        actions: Actions,
        now: Callable[[], Moment],
        note: Note,
        placed: Placed,
        before: tuple[Job, ...],
        deaths: Known,
        times: Times,
        tell: Callable[[WorkTold | ThingsFetched], None],
    ) -> None:
        self.id, self.spec = id, spec
        self.in_charge = not before
        """Whether it has taken over from the jobs `before` it."""
        self.latest: Progress | None = None
        self.early: Early | None = None
        """Why it had to end before its work was done."""
        self.intent: str | None = ""
        """What it will do, for the player who asked; empty if its name is enough, None while it
        is planning."""
        self.goal = ""
        """The goal that it is to reach, in plain words."""
        self.is_kept = False
        """Whether it is on the agenda of the bot, which takes it up again."""
        self.stage: Stage | None = None
        """The present part of the work. All later progress names it."""
        self.course: Course | None = None
        """The plan it follows, once there is one."""
        self.waits_for_day = False
        """Whether the bot is dug in or in bed, and does nothing of it before."""
        self.plans_below: Callable[[], Awaitable[bool]] | None = None
        """Asked where the bot is dug in for the night: whether it can go on below ground."""
        self.is_below = False
        """Whether all it does next is below ground."""
        self.torches = 0
        """How many it may put up where it mines."""
        self.paused_s = 0.0
        """How long reflexes had the body …"""
        self._paused_at_s: float | None = None
        """… and since when they have it now."""
        self.pointed = NOTHING_POINTED
        """The blocks at which its giver pointed."""
        self._actions, self._now, self._note, self._placed = actions, now, note, placed
        self._moment = now()
        self._before = before
        self._heed: Callable[[WorldSnapshot], None] | None = None
        self._counted: tuple[ActionId, str] | None = None
        self._deaths = Deaths(deaths, self._do, now, times)
        self._has_died = False
        """Whether the bot died since the job last recovered its items."""
        self._tell, self._times = tell, times
        self._limit: asyncio.Timeout | None = None
        self._headway = Headway(times, lambda: now().snapshot(), self._stalled)
        self._acted = asyncio.Event()
        self._result: Result | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        return self.spec.command

    @property
    def started_by(self) -> Origin | None:
        return self.spec.started_by

    async def act(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        counting: str | None = None,
    ) -> ActionFinished:
        """Do one action and return how it ended.

        `counting` names what the action counts; its progress becomes the job's.

        Raises `ActionFailed` when it failed or took too long: a handler may catch it and try
        something else; `unsafe` for a block whose loss would do harm; `stuck` for what brought
        nothing for a minute. Raises `JobEnded` when
        there is nothing left to try. A `finally` of the handler may still act while the job is
        torn down."""
        if isinstance(action, Dig):
            block, feet = action.position.block, (await self._moment.snapshot()).position
            if harm := foresee(block, feet, await self.blocks_around()).harm:
                sentence = f"I leave the block at {block.x:g} {block.y:g} {block.z:g}: {harm}."
                raise ActionFailed("unsafe", sentence)
        await self.take_over()
        self._acted.set()
        if self._has_died:
            await self.make_good(action)
        try:
            return await self._do(action, deadline_s, counting)
        except ActionFailed as failed:
            if failed.reason != "died" or self.early or not await self.make_good(action):
                raise
        again = replace(action, resumes=True) if isinstance(action, Smelt) else action
        return await self.act(again, deadline_s=deadline_s, counting=counting)

    async def make_good(self, action: Action | None = None) -> bool:
        """After a death: fetch what was lost, and be ready for this action again; False where no
        new death is known.

        Raises ActionFailed died where the job cannot go on from here, and what whoever is
        `heeding` makes of it."""
        self._has_died = False
        is_new = await self._deaths.make_good(returns=not isinstance(action, MoveTo | Follow))
        self.look_again()
        if not is_new:
            return False
        self.note("job.died", text=str(self._deaths), deaths=len(self._deaths.losses))
        can_go_on = await self._deaths.can_go_on()
        if can_go_on and not self.spec.is_idle:
            sentence = f"{self._deaths.losses[-1]} I go on with {self.name}."
            self._tell(WorkTold(self.started_by, sentence, self.spec.sources))
        await self.snapshot()
        if not can_go_on:
            raise ActionFailed("died", str(self._deaths))
        if isinstance(action, Deposit | Withdraw) and self._deaths.known.chest is not None:
            await self._do(self._deaths.known.chest)
        return True

    async def fetch_lost(self) -> None:
        """Fetch what the bot lost in its latest death, before the job, and tell what came of it."""
        left = await self._deaths.make_good_before()
        if left is not None:
            self._tell(ThingsFetched(left))

    async def _do(
        self, action: Action, deadline_s: float = ACTION_DEADLINE_S, counting: str | None = None
    ) -> ActionFinished:
        try:
            running, ended = await self._carry_out(action, deadline_s, counting)
            while self._actions.was_interrupted(running):
                action = await self._go_on_with(action)
                running, ended = await self._carry_out(action, deadline_s, counting)
        finally:
            seen = self._moment
            self.look_again()
            if isinstance(action, Equip):
                self._moment.keep_blocks_of(seen)
        self._headway.ended(ended)
        if self._headway.has_ended(running):
            spent = f"{longest_s(action):g} s long nothing came of it"
            raise ActionFailed("stuck", f"I was {doing(action)}, and {spent}.")
        if ended.outcome != "done":
            raise await self._error(ended, running.action)
        match action:
            case Place():
                dimension = (await self.snapshot()).dimension
                await self._placed(
                    action.item, str(ended.result["block"]), action.position, dimension
                )
            case OpenContainer():
                self._deaths.known.chest = action
            case CloseContainer():
                self._deaths.known.chest = None
        return ended

    async def _carry_out(
        self, action: Action, deadline_s: float, counting: str | None
    ) -> tuple[RunningAction, ActionFinished]:
        await self._until_calm()
        running = await self._actions.begin(
            action,
            deadline_s=deadline_s,
            started_by=self.started_by,
            pointed=self.pointed,
            look=self._moment.snapshot,
        )
        self._counted = (running.id, counting) if counting else None
        with self._headway.at(running):
            return running, await self._actions.wait(running)

    def worked_s(self) -> float:
        """A stopwatch that stands while reflexes have the body."""
        now_s = self._times.stopwatch()
        began_s = now_s if self._paused_at_s is None else self._paused_at_s
        return now_s - self.paused_s - (now_s - began_s)

    async def _until_calm(self) -> None:
        """Wait while a reflex has the body; that time does not count."""
        if self._actions.is_calm:
            return
        began_s = self._paused_at_s = self._times.stopwatch()
        self.note("job.paused")
        try:
            with self._headway.resting():
                await self._actions.until_calm()
        finally:
            paused_s = self._times.stopwatch() - began_s
            self.paused_s, self._paused_at_s = self.paused_s + paused_s, None
        self.look_again()
        if self._limit is not None and (when := self._limit.when()) is not None:
            self._limit.reschedule(when + paused_s)
        self.note("job.resumed", paused_s=round(paused_s, 1))
        if self._heed is not None:
            await self.snapshot()

    async def _go_on_with(self, action: Action) -> Action:
        """What is left of an action that a reflex interrupted.

        Raises ActionFailed unconfirmed of what may be half done and cannot be begun again."""
        await self._until_calm()
        self.look_again()
        if isinstance(action, COUNTED):
            raise ActionFailed("unconfirmed", "I had to leave off half-way, for a danger.")
        return replace(action, resumes=True) if isinstance(action, Smelt) else action

    async def _error(self, ended: ActionFinished, action: Action) -> ActionFailed | JobEnded:
        if ended.outcome not in ("failed", "deadline"):
            why = {
                "disconnected": "The bot left the world.",
                "replaced": "Something else the bot began took its place.",
            }
            reason = ended.outcome if ended.outcome in why else "stopped"
            return JobEnded(reason, why.get(reason, "It was stopped."))
        sentence = ended.message[:1].upper() + ended.message[1:]
        sentence = sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
        if ended.outcome == "deadline":
            return ActionFailed("deadline", sentence)
        if isinstance(action, MoveTo) and action.spared and ended.reason == "no_path":
            feet = (await self._moment.snapshot()).position
            if any(is_spared(action.spared, end) for end in (action.position, feet)):
                sentence = f"{sentence} {DIGS_NONE_HERE}"
        return ActionFailed(ended.reason or "internal", sentence, **ended.result)

    async def take_over(self) -> bool:
        """End the jobs that began before this one, as `replaced`, and wait until they are torn
        down; whether there were any. The first action does so too.

        Raises JobEnded when it was itself ended before it took over."""
        if self.in_charge:
            return False
        if self.early is not None:
            raise self._early_end()
        self.in_charge = True
        older = [job for job in self._before if not job.is_over]
        for job in older:
            job.end_early("replaced")
        for job in older:
            await job.torn_down()
        self._before = ()
        self.look_again()
        return bool(older)

    async def snapshot(self) -> WorldSnapshot:
        """Everything that the bot senses; we read it once after each action.

        Raises what whoever is `heeding` makes of it."""
        snapshot = await self._moment.snapshot()
        self._headway.sees(snapshot)
        if self._heed is not None:
            self._heed(snapshot)
        return snapshot

    @contextmanager
    def heeding(self, heed: Callable[[WorldSnapshot], None]) -> Iterator[None]:
        """Within it each snapshot is shown to `heed` first, which may end the work by raising."""
        self._heed = heed
        try:
            yield
        finally:
            self._heed = None

    async def query(self, query: Query[T]) -> T:
        """Answer a question about the world; asked once after each action."""
        return await self._moment.query(query)

    async def targets(self, query: FindBlocks) -> Sequence[BlockSighting]:
        """Blocks that the bot may work on, without those in areas that it leaves alone."""
        return await self._actions.hands.targets(query, self.query)

    async def is_somebodys(self, *cells: Position) -> bool:
        """Whether somebody built, or may have built, any of these cells."""
        return await self._actions.hands.somebodys(cells, await self.snapshot())

    async def sparing(self, query: FindBlocks) -> Area | None:
        """The area that has the nearest of these blocks and is left alone."""
        return await self._actions.hands.sparing(query, self.query)

    async def block(self, where: Position) -> str | None:
        """The name of the block at a position; None where it is not loaded."""
        return await self._moment.block(where)

    async def blocks_around(self) -> Mapping[Position, str]:
        """The name of each block within reach and a little more, air too."""
        return await self._moment.blocks_around()

    def look_again(self) -> None:
        """Forget what the job saw: after an action, or after time has passed."""
        self._moment = self._now()

    def progress(self, done: float, total: float, what: str) -> None:
        """Report `3 of 8 oak_log`: traced now, whispered from time to time."""
        progress = Progress(done, total, what, str(self.stage or ""))
        before = self.latest
        if progress == before:
            return
        if before is None or done > before.done or replace(before, done=done) != progress:
            self._headway.made_progress()
        self.latest = progress
        self._note("job.progressed", **self.trace_head, **progress.as_json())

    def note(self, name: str, **facts: Any) -> None:
        """Trace something that happened on the way."""
        self._note(name, **self.trace_head, **facts)

    def told(self) -> None:
        """Whoever asked was told how it goes."""
        self._headway.told()

    def died(self) -> None:
        """The bot died, perhaps between two actions."""
        self._has_died = True

    def progressed(self, event: ActionProgress) -> None:
        """The bridge reports how far an action is."""
        self._headway.progressed(event)
        if self._counted is not None and self._counted[0] == event.action_id:
            self.progress(event.done, event.total, self._counted[1])

    async def end(self) -> Result:
        """Wait for the result. A caller that is cancelled ends the job too."""
        assert self._task is not None
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            self.end_early("stopped")
            await self.torn_down()
            raise
        return self.result()

    async def wait(self, within_s: float | None = None) -> bool:
        """Wait for its end; whether it came in time. Giving up leaves the job alone."""
        assert self._task is not None
        done, _ = await asyncio.wait({self._task}, timeout=within_s)
        return bool(done)

    async def until_acting(self) -> bool:
        """Wait for its first action, or its end; whether it is still under way. A caller that is
        cancelled before that ends the job too."""
        assert self._task is not None
        try:
            await until_first(self._acted.wait(), self.wait())
        except asyncio.CancelledError:
            self.end_early("stopped")
            raise
        return not self._task.done()

    @property
    def is_over(self) -> bool:
        return self._task is not None and self._task.done()

    def result(self) -> Result:
        """The result of a job that is over; a bug of its handler is raised here."""
        assert self._task is not None
        if self._result is None and not self._task.cancelled():
            self._task.result()
        return self._result or self._ended_early()

    def outcome(self) -> Result:
        """The result of a job that is over; a bug of its handler is a failure."""
        assert self._task is not None
        if self._result is None and not self._task.cancelled():
            return Failure(reason="internal", message="It ran into a bug.")
        return self.result()

    def end_early(self, why: Early) -> None:
        """Cancel it and return at once; the first reason counts."""
        if self.early is None and self._task is not None and not self._task.done():
            self.early = why
            self._task.cancel()

    async def stop(self) -> None:
        """End it and wait until it is torn down."""
        self.end_early("stopped")
        await self.torn_down()

    async def torn_down(self) -> None:
        """Wait until all of it has ended, for at most `TORN_DOWN_WITHIN_S`."""
        assert self._task is not None
        await asyncio.wait({self._task}, timeout=TORN_DOWN_WITHIN_S)

    def start(self, tasks: OwnedTasks) -> asyncio.Task[None]:
        self._task = tasks.start(self._run(tasks), self.id)
        return self._task

    @property
    def trace_head(self) -> dict[str, Any]:
        """The facts that each of its trace events begins with."""
        return {"actionId": self.id, "command": self.name}

    def as_json(self) -> dict[str, Any]:
        return {**self.trace_head, "progress": self.latest.as_json() if self.latest else None}

    def _stalled(self, is_ended: bool) -> None:
        """It made no progress: tell the asker, unless the job now tries something else."""
        running = self._headway.action
        at = "at work" if running is None or running.end.done() else doing(running.action)
        self.note("job.stalled", doing=at, ended=is_ended)
        if not (is_ended or self.spec.is_idle):
            far, told = self.latest, f"{self.goal or self.name}"
            if far is not None:
                came = f"{far.done:g} so far" if far.done else "nothing came yet"
                told = f"{far.total:g} {far.what}; {came}"
            sentence = f"I am still {at} for {told}."
            self._tell(WorkTold(self.started_by, sentence, self.spec.sources, is_aside=True))

    async def _run(self, tasks: OwnedTasks) -> None:
        try:
            self._result = self._with_deaths(await self._work(tasks))
        except asyncio.CancelledError:
            self._result = self._with_deaths(self._ended_early())
            raise
        finally:
            if self.early is not None and self.in_charge:
                await self._actions.clear()

    async def _work(self, tasks: OwnedTasks) -> Result:
        try:
            async with asyncio.timeout(self.spec.deadline_s) as limit:
                self._limit = limit
                seen = await self._moment.snapshot()
                if await self._deaths.begin(seen):
                    self.look_again()
                self._headway.begin(seen)
                watch = tasks.start(self._headway.watch(), f"headway of {self.id}")
                try:
                    result = await self.spec.work(self)
                finally:
                    watch.cancel()
                if self._has_died:
                    with suppress(ActionFailed):  # the work itself succeeded
                        await self.make_good()
                return result
        except (BotError, TimeoutError) as error:
            if limit.expired():
                self.early = self.early or "deadline"
            if self.early is not None:  # the error is of its tear-down, not why it ended
                return self._ended_early()
            if isinstance(error, BotError):
                return self.spec.failure(error)
            raise

    def _with_deaths(self, result: Result) -> Result:
        told = str(self._deaths)
        is_told = isinstance(result, Failure) and result.message == told
        return result.with_aside(told) if told and not is_told else result

    def _ended_early(self) -> Result:
        return self.spec.failure(self._early_end())

    def _early_end(self) -> JobEnded:
        why = self.early or "stopped"
        again = " I go on with it after the next start." if self.is_kept else ""
        sentences = {
            "stopped": f"The command {self.name} was stopped.",
            "replaced": f"The command {self.name} gave way to a newer one.",
            "deadline": f"The command {self.name} did not end within {self.spec.deadline_s:g} s.",
            "paused": f"The command {self.name} is paused; !goal resume goes on with it.",
            "closing": f"The command {self.name} ended, as townsfolk does.{again}",
        }
        progress = {"progress": self.latest.as_json()} if self.latest else {}
        return JobEnded(why, sentences[why], **progress)


class Jobs:
    """The jobs of one bot: at most one of them in charge, each in a task of its own."""

    def __init__(
        self,
        bot: BotName,
        bridge: Bridge,
        actions: Actions,
        events: BotEvents,
        note: Note,
        placed: Placed,
        leisure: Leisure,
        times: Times,
    ) -> None:
        self._bot, self._actions, self._events = bot, actions, events
        self._leisure, self._times = leisure, times
        self._deaths = Known()
        events.subscribe(self._take)
        self._note, self._placed = note, placed
        self._now = partial(Moment, bot, bridge)
        self._tasks = OwnedTasks()
        self._unfinished: list[Job] = []
        self._numbers = count(1)

    @property
    def current(self) -> Job | None:
        """The job in charge; while there is none, the newest."""
        return next(iter(self.under_way), None)

    @property
    def under_way(self) -> tuple[Job, ...]:
        """The job in charge, then those that began later and still look whether they can be done;
        jobs that were replaced and are still being torn down are left out."""
        newest_first = self._unfinished[::-1]
        chief = next((job for job in newest_first if job.in_charge), None)
        if chief is None:
            return tuple(newest_first)
        return tuple(self._unfinished[self._unfinished.index(chief) :])

    @property
    def is_free(self) -> bool:
        """Whether the bot does nothing, or only something unasked."""
        return all(job.spec.is_idle for job in self._unfinished)

    @property
    def all_over(self) -> bool:
        """Whether no job is under way or still being torn down."""
        return not self._unfinished

    def begin(self, spec: JobSpec) -> Job:
        """Start a job and return at once; the job under way ends once the new one takes over.

        An idle job ends at once; do not begin one while there is another job."""
        assert not (spec.is_idle and self._unfinished), "an idle job gives way to any other"
        if not spec.is_idle:
            self._leisure.given_work()
            self.end_idle()
        id = f"{self._bot}-job-{next(self._numbers)}"
        before = tuple(self._unfinished)
        job = Job(
            id,
            spec,
            self._actions,
            self._now,
            self._note,
            self._placed,
            before,
            self._deaths,
            self._times,
            self._events.emit,
        )
        self._unfinished.append(job)
        self._note("job.started", **job.trace_head)
        job.start(self._tasks).add_done_callback(lambda _: self._ended(job))
        return job

    def progressed(self, event: ActionProgress) -> None:
        """The bridge reports how far an action is."""
        for job in self._unfinished:
            job.progressed(event)

    def end_idle(self) -> None:
        """End whatever the bot does unasked; returns at once."""
        for job in self._idle:
            job.end_early("replaced")

    async def idle_ended(self) -> None:
        """Wait until the idle jobs that were ended are torn down."""
        for job in self._idle:
            if job.early is not None:
                await job.torn_down()

    @property
    def idle(self) -> Job | None:
        """The idle job; None after its end."""
        return next((job for job in self._idle if job.early is None), None)

    @property
    def _idle(self) -> list[Job]:
        return [job for job in self._unfinished if job.spec.is_idle]

    async def aclose(self) -> None:
        """End all jobs, as the daemon ends, and wait until they have ended."""
        for job in self._unfinished:
            job.end_early("closing")
        await self._tasks.aclose()

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, BotDied):
            self._deaths.died(event)
            for job in self._unfinished:
                job.died()

    def _ended(self, job: Job) -> None:
        self._unfinished.remove(job)
        result = job.outcome()
        self._note("job.finished", **job.trace_head, result=result.as_traced())
        if not job.spec.is_idle:
            self._leisure.disturbed()
            self._events.emit(
                JobFinished(job.id, job.name, result, job.spec.sources, job.started_by, job.goal)
            )
