"""The newest of something that changes often; whoever is slow skips what is outdated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Generic, TypeVar

from bots.clock import Times
from bots.daemon.session import BotRoster
from bots.daemon.shapes import PersonShape, Positions
from bots.owned_tasks import OwnedTasks
from bridge.errors import BridgeError
from bridge.looking import AskWhereabouts, Whereabouts
from bridge.port import Bridge
from bridge.world import BotName

T = TypeVar("T")
EVERY_S = 0.2


class Newest(Generic[T]):
    """One value, replaced again and again, for any number of readers."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._changed = asyncio.Event()

    def put(self, value: T) -> None:
        self._value = value
        self._changed.set()
        self._changed = asyncio.Event()

    async def read(self) -> AsyncGenerator[T]:
        """The value there is, and then each newest one; never the same twice."""
        while True:
            changed, value = self._changed, self._value
            if value is not None:
                yield value
            if changed is self._changed:
                await changed.wait()


class Tracker:
    """Asks the bridge for as long as anybody reads `watch`."""

    def __init__(
        self, roster: BotRoster, bridge: Bridge, times: Times, hearing_range: float
    ) -> None:
        self._roster, self._bridge, self._times = roster, bridge, times
        self._hearing_range = hearing_range
        self._newest = Newest[Positions]()
        self._watchers = 0
        self._tasks = OwnedTasks()
        self._asking: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches."""
        return self._asking is None

    async def now(self) -> Positions:
        """Where everybody is."""
        sessions = [one for one in self._roster.sessions if one.online]
        asked = AskWhereabouts(tuple(one.name for one in sessions))  # each tells of itself
        found = await asyncio.gather(*(self._ask(one.name, asked) for one in sessions))
        told = {one.name: at for one, at in zip(sessions, found, strict=True) if at is not None}
        here = positions(told, self._times.clock(), self._hearing_range)
        shared = next((one.bot.areas.all() for one in sessions), ())  # all bots share them
        here["areas"] = [
            {
                "name": one.name,
                "rule": one.rule,
                "dimension": one.dimension,
                "west": one.low.x,
                "north": one.low.z,
                "east": one.high.x + 1,
                "south": one.high.z + 1,
                "within": one.within,
                "saidBy": one.by,
            }
            for one in shared
        ]
        return here

    async def watch(self) -> AsyncGenerator[Positions]:
        """Where everybody is, again and again; a slow reader gets the newest."""
        self._watchers += 1
        if self._asking is None:
            self._asking = self._tasks.start(self._keep_asking(), "positions")
        try:
            async for newest in self._newest.read():
                yield newest
        finally:
            self._watchers -= 1
            if not self._watchers and self._asking is not None:
                self._asking.cancel()
                self._asking = None

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _keep_asking(self) -> None:
        while True:
            self._newest.put(await self.now())
            await self._times.sleep(EVERY_S)

    async def _ask(self, bot: BotName, asked: AskWhereabouts) -> Whereabouts | None:
        with suppress(BridgeError):  # it has left this moment
            return await self._bridge.query(bot, asked)
        return None


def positions(bots: Mapping[BotName, Whereabouts], at: datetime, hearing_range: float) -> Positions:
    """What bots told of themselves and of the people they see, each of whom comes once."""
    return {
        "name": "positions",
        "at": at.isoformat(),
        "timeOfDay": next((one.time_of_day for one in bots.values()), None),
        "hearingRange": hearing_range,
        "bots": [
            {
                "name": name,
                "x": round(one.position.x, 2),
                "y": round(one.position.y, 2),
                "z": round(one.position.z, 2),
                "yaw": round(one.yaw),
                "dimension": one.dimension,
                "health": one.health,
                "food": one.food,
                "held": one.held,
            }
            for name, one in bots.items()
        ],
        "people": list(_people(bots)),
    }


def _people(bots: Mapping[BotName, Whereabouts]) -> Iterable[PersonShape]:
    found: dict[str, PersonShape] = {}
    for bot, at in bots.items():
        for seen in at.players:
            if BotName(seen.name) in bots:
                continue
            person = found.setdefault(
                seen.name,
                {
                    "name": seen.name,
                    "x": round(seen.position.x, 2),
                    "y": round(seen.position.y, 2),
                    "z": round(seen.position.z, 2),
                    "dimension": at.dimension,
                    "seenBy": [],
                },
            )
            person["seenBy"].append(bot)
    return found.values()
