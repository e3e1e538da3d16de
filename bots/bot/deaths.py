"""After a death a job recovers the lost items, reports the death and continues.

died ─▶ wait for the respawn ─▶ walk to where the things lie ─▶ pick them up ─▶ the job goes on

A bot that dies on the way goes to both places. After two failed attempts it gives up the items.
It does not walk for items that burnt, fell out of the world or lie in another dimension.

Here, too: what it remembers of its own latest death, and where it saw other players die a short
while ago, as what lies there is theirs.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from bots.bot.events import BotEvent, BotEvents
from bots.bot.looking import Moment
from bots.clock import Stopwatch, Times
from bots.errors import ActionFailed
from bots.text.causes import of_what
from bridge.actions import Action, CollectDrops, MoveTo, OpenContainer
from bridge.events import ActionFinished, BotDied, BotSpawned, PlayerDied
from bridge.world import Death, WorldSnapshot, Zone, counts_of

MOST_DEATHS = 3
"""Deaths that a job survives. With more, something kills the bot each time it goes on."""
MOST_WALKS = 2
"""Attempts to recover the same items."""
LIE_FOR_S = 300.0
"""Dropped items vanish after this time."""
RESPAWN_WITHIN_S = 15.0
POLL_S = 0.25
TOLD_WITHIN_S = 3.0  # the server tells the cause of a death a moment later
COLLECT_S = 30.0
REACHED_WITHIN = 1.5
RADIUS = 8.0
KINDS_NAMED = 4
KEPT = 4  # deaths
DESTROYED = {"lava": "they burnt in lava", "void": "they fell out of the world"}
"""What happens to the items of a bot that dies of this cause."""

Do = Callable[[Action, float], Awaitable[ActionFinished]]
"""Does one action within so many seconds. Raises ActionFailed."""


@dataclass(slots=True)
class Loss:
    """One death of a job, and what it cost."""

    death: Death
    dimension: str
    at_s: float
    """When it was noticed."""
    items: Counter[str] | None
    """Items that the bot has not recovered yet; None if we do not know them."""
    had_things: bool
    why: str = ""
    """Why the missing items will not come back; '' while they may."""
    walks: int = 0

    def is_open(self, *, returns: bool) -> bool:
        """Whether to walk there: for things, or because it `returns` to its work."""
        if self.why:
            return False
        return self.items is None or bool(self.items) or (returns and not self.walks)

    def __str__(self) -> str:
        at = self.death.position.block
        head = f"I died at {at.x:g} {at.y:g} {at.z:g}"
        if self.items:
            return f"{head} and lost {_listed(self.items)}: {self.why or 'they lie there'}."
        if self.items is None:
            return f"{head} and {self.why or 'picked up what lay there'}."
        return f"{head} and {'got my things back' if self.had_things else 'lost nothing'}."


class Known:
    """What is known of one bot's latest deaths, and the chest that a death shuts."""

    def __init__(self) -> None:
        self.chest: OpenContainer | None = None
        """The chest that it opened last, until it closes it."""
        self._latest: deque[BotDied] = deque(maxlen=KEPT)
        self._told = asyncio.Event()

    def died(self, event: BotDied) -> None:
        self._latest.append(event)
        self._told.set()

    async def of(self, death: Death) -> BotDied | None:
        """The report of a death; None if none arrives in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(TOLD_WITHIN_S):
                while not (found := [one for one in self._latest if one.death == death]):
                    self._told.clear()
                    await self._told.wait()
                return found[-1]
        return None


@dataclass(slots=True)
class Deaths:
    """The deaths during one job."""

    known: Known
    do: Do
    now: Callable[[], Moment]
    times: Times
    losses: list[Loss] = field(default_factory=list)
    _before: Death | None = None
    """The latest death before the job. The job does not recover its items."""

    async def begin(self, seen: WorldSnapshot) -> bool:
        """Note the latest death before the job, out of what it sees first; whether to look again,
        as a bot that was dead still has respawned."""
        was_dead = seen.health <= 0
        self._before = (await self._respawned() if was_dead else seen).died
        return was_dead

    async def make_good_before(self) -> Counter[str] | None:
        """Fetch what the latest death before the job cost, and tell what it did not get back, also
        of what it lost on the way; None: there was none."""
        self._before = None
        await self.make_good(returns=False)
        left = (loss.items or Counter[str]() for loss in self.losses)
        return sum(left, Counter[str]()) if self.losses else None

    async def make_good(self, *, returns: bool = True) -> bool:
        """Fetch what a death cost that is new, and what the bot loses on the way; whether there
        was one. `returns` means that its work is where it died."""
        before = len(self.losses)
        while (loss := await self._new()) is not None:
            for older in self.losses:  # these items lie where the bot died last
                if older.items and loss.items:
                    older.items -= loss.items
            self.losses.append(loss)
            if len(self.losses) > MOST_DEATHS:
                loss.why = loss.why or "I die whenever I go on"
            with suppress(_DiedAgain):
                for one in self.losses:
                    if one.is_open(returns=returns):
                        await self._fetch(one)
        return len(self.losses) > before

    async def can_go_on(self) -> bool:
        """Whether the bot is alive in the dimension of its work and has not died too often."""
        here = (await self.now().snapshot()).dimension
        return len(self.losses) <= MOST_DEATHS and self.losses[-1].dimension == here

    def __str__(self) -> str:
        return " ".join(map(str, self.losses))

    async def _new(self) -> Loss | None:
        death = (await self.now().snapshot()).died
        if death in (None, self._before) or any(loss.death == death for loss in self.losses):
            return None
        at_s, told = self.times.stopwatch(), await self.known.of(death)
        seen = await self._respawned()
        if told is None:
            return Loss(death, seen.dimension, at_s, None, had_things=True)
        carried = counts_of(told.carried)
        lost = carried - bag(seen)
        loss = Loss(death, told.dimension, at_s, lost, had_things=bool(carried))
        if lost:
            loss.why = DESTROYED.get(told.cause.name, "") if told.cause else ""
            if told.dimension != seen.dimension:
                loss.why = f"they lie in {told.dimension}"
        return loss

    async def _respawned(self) -> WorldSnapshot:
        until_s = self.times.stopwatch() + RESPAWN_WITHIN_S
        seen = await self.now().snapshot()
        while seen.health <= 0 and self.times.stopwatch() < until_s:
            await self.times.sleep(POLL_S)
            seen = await self.now().snapshot()
        return seen

    async def _fetch(self, loss: Loss) -> None:
        """Walk to what was lost and pick it up. Raises _DiedAgain."""
        left_s = LIE_FOR_S - (self.times.stopwatch() - loss.at_s)
        if loss.walks >= MOST_WALKS:
            loss.why = "I died again on the way to them"
        elif left_s <= 0:
            loss.why = "they lay there too long"
        else:
            loss.walks += 1
            had = bag(await self.now().snapshot())
            try:
                await self._walk(loss, left_s)
            except ActionFailed as failed:
                late = failed.reason == "deadline"
                loss.why = "I did not get there in time" if late else "I found no way to them"
            if loss.items is not None:
                await self._pick_up(loss, loss.items, had)
            elif not loss.why:
                await self._collect(None)
                loss.why = "picked up what lay there"

    async def _walk(self, loss: Loss, left_s: float) -> None:
        place = loss.death.position
        try:
            await self._try(MoveTo(place, REACHED_WITHIN), left_s)
        except ActionFailed as failed:
            if failed.reason != "no_path":
                raise
            await self._try(MoveTo(place, REACHED_WITHIN, may_dig=True), left_s)

    async def _pick_up(self, loss: Loss, lost: Counter[str], had: Counter[str]) -> None:
        """Pick up what was lost, and nothing else that may lie there; some came while it walked."""
        lacking = lost + had  # what it has to carry
        for item in lost:
            if not loss.why and bag(await self.now().snapshot())[item] < lacking[item]:
                await self._collect(item)
        loss.items = (lacking - bag(await self.now().snapshot())) & lost
        if loss.items and not loss.why:
            loss.why = "they did not lie there any more"

    async def _collect(self, item: str | None) -> None:
        with suppress(ActionFailed):
            await self._try(CollectDrops(RADIUS, item), COLLECT_S)

    async def _try(self, action: Action, within_s: float) -> None:
        """Raises _DiedAgain, and ActionFailed for any other failure."""
        try:
            await self.do(action, within_s)
        except ActionFailed as failed:
            if failed.reason == "died":
                raise _DiedAgain from failed
            raise


class _DiedAgain(Exception):
    """The bot died again while it recovered its items."""


def bag(seen: WorldSnapshot) -> Counter[str]:
    """Everything that a bot carries and wears."""
    return seen.counts() + Counter(seen.worn)


def _listed(items: Counter[str]) -> str:
    named = [f"{count} {item}" for item, count in items.most_common(KINDS_NAMED)]
    more = len(items) - len(named)
    return ", ".join(named) + (f" and {more} kinds more" if more > 0 else "")


SCATTERED = 5.0  # blocks, level, that things fly at a death
FALLEN, FLOWN = 16, 2  # blocks below and above
MOST = 32


class _Grave(NamedTuple):
    dimension: str
    zone: Zone
    until_s: float


class Graves:
    """The latest deaths of others, until what they lost has vanished."""

    def __init__(self, stopwatch: Stopwatch, events: BotEvents) -> None:
        self._stopwatch = stopwatch
        self._known: deque[_Grave] = deque(maxlen=MOST)
        events.subscribe(self._take)

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, PlayerDied):
            at, until_s = event.position.block, self._stopwatch() + LIE_FOR_S
            low, high = replace(at, y=at.y - FALLEN), replace(at, y=at.y + FLOWN)
            self._known.append(_Grave(event.dimension, Zone(low, high, SCATTERED), until_s))

    def zones(self, dimension: str) -> tuple[Zone, ...]:
        """Where a bot lets things lie."""
        now_s = self._stopwatch()
        lasting = [one for one in self._known if one.until_s > now_s]
        return tuple(one.zone for one in lasting if one.dimension == dimension)


class Obituary:
    """Keeps the latest death of a bot, and how long it has lived since it joined or died."""

    def __init__(self, stopwatch: Stopwatch, events: BotEvents) -> None:
        self._stopwatch = stopwatch
        self._born_s = stopwatch()
        self._latest: tuple[BotDied, float, float] | None = None
        """The death, how long the bot had lived by then, and when it was."""
        events.subscribe(self._take)

    @property
    def lived_s(self) -> float:
        """Seconds since it joined, or died."""
        return self._stopwatch() - self._born_s

    def latest(self) -> dict[str, Any] | None:
        """For machines; None while it has not died."""
        if self._latest is None:
            return None
        event, lived_s, at_s = self._latest
        at = event.death.position.block
        return {
            "position": [int(at.x), int(at.y), int(at.z)],
            "dimension": event.dimension,
            "cause": event.cause and event.cause.as_json(),
            "livedSeconds": round(lived_s),
            "secondsAgo": round(self._stopwatch() - at_s),
            "sentence": f"I died at {at.x:g} {at.y:g} {at.z:g}{of_what(event.cause)}.",
        }

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, BotDied):
            self._latest = event, self.lived_s, self._stopwatch()
        if isinstance(event, BotDied | BotSpawned):
            self._born_s = self._stopwatch()
