"""Headway: whether a job makes progress, and what we do when it does not.

gain (what it has with it changed, progress was made) ─┐
step (a block farther, or something done)             ─┼─▶ none for 30 s: it says what it is at
word (whoever asked was told something)               ─┘
neither progress nor word for 60 s: it says so too
neither gain nor step for 60 s, 120 s of digging one's way: what is under way is ended as `stuck`

Time in actions that wait, such as following somebody, does not count.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from bots.bot.actions import RunningAction
from bots.bot.deaths import bag
from bots.clock import Times
from bridge.actions import (
    Action,
    Approach,
    Attack,
    CollectDrops,
    Craft,
    Dig,
    Eat,
    Fill,
    Fish,
    Follow,
    Hunt,
    Jump,
    MoveTo,
    Pillar,
    Place,
    Shoot,
    Sleep,
    Smelt,
    Till,
    Toss,
    UseOn,
    Wait,
)
from bridge.errors import BridgeError
from bridge.events import ActionFinished, ActionProgress
from bridge.world import Position, WorldSnapshot

SPAN_S = 30.0
LOOK_EVERY_S = 15.0
TICK_S = 0.01
WAITS = (Wait, Follow, Fish, Sleep)
"""Actions without a usual duration: we neither report nor end them."""
KNOWS_ITS_END = (Dig, Smelt)
"""Actions that the world ends by itself, however hard the block or slow the furnace."""
_DOES = (Dig, Place, Pillar, Craft, Smelt, Eat, Hunt, Attack, Shoot, UseOn, Fill, Till, Toss, Jump)
"""Actions that are a step as soon as they end. For all others we look at the result."""


@dataclass(slots=True)
class Headway:
    """The headway of one job."""

    times: Times
    look: Callable[[], Awaitable[WorldSnapshot]]
    say: Callable[[bool], None]
    """Reports what the job is doing, and whether we end that."""
    action: RunningAction | None = None
    """What it does now, or did last."""
    _stuck: RunningAction | None = None
    """The action that was ended."""
    _progress_s: float = 0.0
    _gained_s: float = 0.0
    _stepped_s: float = 0.0
    _told_s: float = 0.0
    _began_s: float = 0.0
    """Stopwatch time, postponed by the time spent waiting."""
    _at_work: asyncio.Event = field(default_factory=asyncio.Event)
    """Not set while it waits."""
    _stands_at_s: float = 0.0
    """Its time while it waits."""
    _acts_since_s: float = 0.0
    _seen: WorldSnapshot | None = None
    _seen_s: float = 0.0
    _stood: Position | None = None
    """Where it was at its latest step."""
    _counted: int = 0
    """The progress of the action under way."""

    def begin(self, seen: WorldSnapshot) -> None:
        """The job begins, and sees this."""
        self._began_s = self.times.stopwatch()
        self._at_work.set()
        self._seen, self._stood = seen, seen.position

    async def watch(self) -> None:
        """Look after the job until cancelled."""
        while True:
            await self._at_work.wait()
            await self.times.sleep(max(TICK_S, self._next_s - self._now_s))
            if self._at_work.is_set() and self._now_s + TICK_S >= self._next_s:
                try:
                    self.sees(await self.look())
                except BridgeError:
                    self._seen_s = self._now_s
                now_s = self._now_s + TICK_S
                if now_s >= self._end_due_s and (running := self._to_end):
                    self._stuck, self._stepped_s = running, self._now_s
                    self.say(True)
                    await running.stop()
                elif now_s >= self._word_due_s:
                    self._told_s = self._now_s
                    self.say(False)

    def sees(self, seen: WorldSnapshot) -> None:
        """The job looks around. Any change may have happened right after its last look."""
        if seen is self._seen:
            return
        if self._seen is None or bag(seen) != bag(self._seen):
            self._gained_s = max(self._gained_s, self._seen_s)
        if self._stood is None or seen.position.distance_to(self._stood) >= 1:
            self._stood, self._stepped_s = seen.position, max(self._stepped_s, self._seen_s)
        self._seen, self._seen_s = seen, self._now_s

    @contextmanager
    def at(self, running: RunningAction) -> Iterator[None]:
        """Count the block as the time of an action."""
        self.action, self._counted, self._acts_since_s = running, 0, self._now_s
        with self.resting() if isinstance(running.action, WAITS) else nullcontext():
            yield

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Do not count the block: the job waits."""
        self._stands_at_s = self._now_s
        self._at_work.clear()
        try:
            yield
        finally:
            self._began_s += self._passed_s - self._stands_at_s
            self._at_work.set()

    def ended(self, ended: ActionFinished) -> None:
        """An action has ended."""
        if ended.outcome == "done" and self.action and isinstance(self.action.action, _DOES):
            self._stepped_s = self._now_s

    def has_ended(self, running: RunningAction) -> bool:
        """Whether an action was ended here, as `stuck`."""
        return self._stuck is running

    def progressed(self, event: ActionProgress) -> None:
        """The bridge reports how far an action is."""
        if self.action and event.action_id == self.action.id and event.done > self._counted:
            self._counted, self._stepped_s = event.done, self._now_s

    def made_progress(self) -> None:
        """Note progress of the job."""
        self._progress_s = self._gained_s = self._now_s

    def told(self) -> None:
        """Note that the asker heard how the job is going."""
        self._told_s = self._now_s

    @property
    def _passed_s(self) -> float:
        return self.times.stopwatch() - self._began_s

    @property
    def _now_s(self) -> float:
        """How long the job has worked, without the time it waited."""
        return self._passed_s if self._at_work.is_set() else self._stands_at_s

    @property
    def _next_s(self) -> float:
        """When to look again."""
        return min(self._seen_s + LOOK_EVERY_S, self._word_due_s, self._end_due_s)

    @property
    def _word_due_s(self) -> float:
        moved_s = max(self._gained_s, self._stepped_s, self._told_s)
        return min(moved_s + SPAN_S, max(self._progress_s, self._told_s) + 2 * SPAN_S)

    @property
    def _end_due_s(self) -> float:
        if self._to_end is None:
            return math.inf
        since_s = max(self._gained_s, self._stepped_s, self._acts_since_s - SPAN_S)
        return since_s + longest_s(self._to_end.action)

    @property
    def _to_end(self) -> RunningAction | None:
        """The action under way, if it may be ended."""
        running = self.action
        if running is None or running.end.done() or isinstance(running.action, KNOWS_ITS_END):
            return None
        return running


def longest_s(action: Action) -> float:
    """How long an action may go on without gain or step. By hand, a step through deepslate takes a
    minute."""
    return 4 * SPAN_S if isinstance(action, MoveTo) and action.may_dig else 2 * SPAN_S


def doing(action: Action) -> str:
    """An action as an activity: `walking to 10 64 8`."""
    match action:
        case MoveTo(position, may_dig=may_dig):
            way = "digging my way" if may_dig else "walking"
            return f"{way} to {_at(position)}"
        case Approach(player):
            return f"walking to {player}"
        case Dig(position):
            return f"digging at {_at(position)}"
        case Place(item):
            return f"placing {item}"
        case Craft(item):
            return f"making {item}"
        case Smelt(item):
            return f"smelting {item}"
        case Attack(player):
            return f"attacking {player}"
        case Hunt() | Shoot():
            return "hunting"
        case CollectDrops():
            return "picking up what lies here"
        case Toss(item):
            return f"handing over {item}"
        case _:
            return "at it"


def _at(position: Position) -> str:
    at = position.block
    return f"{at.x:g} {at.y:g} {at.z:g}"
