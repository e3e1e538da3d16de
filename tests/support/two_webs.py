"""Two stub daemons of one cluster, east with Alice and Bob and west with Carol, over a bus."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp
from support.http_stub import PORT, SECRETS, TOKEN, StubDaemon
from support.local_bus import LocalBus

from bots.clock import utc_now
from bots.cluster.bus import Bus
from bots.daemon.shapes import Json
from bots.http.app import create_app, create_member_app
from bots.http.security import Keys, OwnAddresses
from bots.http.shared_traces import Cluster, open_door, shared_web


class StubAt(StubDaemon):
    """A stub daemon with bots of its own."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names
        self.made: list[Json] = super().decisions()

    def bots(self) -> list[Json]:
        return list(map(_bot, self.names))

    def decisions(self) -> list[Json]:
        return self.made


@dataclass(slots=True)
class StubMembers:
    """Who is heard of, set by the test."""

    name: str
    there: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The bots of each daemon."""

    def others(self) -> tuple[str, ...]:
        return tuple(self.there)

    def bots(self) -> list[Json]:
        return [{**_bot(bot), "daemon": name} for name, bots in self.there.items() for bot in bots]

    def daemon_of(self, bot: str) -> str | None:
        return next((name for name, bots in self.there.items() if bot in bots), None)


@dataclass(slots=True)
class Web:
    """One of the daemons: its app, and how to end its part of the cluster."""

    name: str
    daemon: StubAt
    members: StubMembers
    app: ASGIApp
    cluster: Cluster
    door: AsyncExitStack
    closing: asyncio.Event

    async def die(self) -> None:
        """Answer the other one no more; it is still heard of."""
        await self.door.aclose()


@asynccontextmanager
async def web_on(
    bus: Bus, name: str, daemon: StubAt, secrets: tuple[str, ...] = SECRETS
) -> AsyncIterator[Web]:
    members, closing = StubMembers(name), asyncio.Event()
    async with AsyncExitStack() as stack, AsyncExitStack() as door:
        sharing = shared_web(bus, members, daemon.trace, daemon.moving, secrets)
        cluster = await stack.enter_async_context(sharing)
        theirs = create_member_app(daemon, secrets, closing)
        await door.enter_async_context(open_door(bus, name, theirs, closing))
        own = OwnAddresses(PORT)
        app = create_app(daemon, own, Keys(TOKEN), secrets, asyncio.Event(), cluster)
        yield Web(name, daemon, members, app, cluster, door, closing)


@dataclass(frozen=True, slots=True)
class TwoWebs:
    bus: Bus
    """Of west."""
    east: Web
    west: Web


@asynccontextmanager
async def two_webs(**west: Any) -> AsyncIterator[TwoWebs]:
    """Each has heard of the other, over a bus in this process."""
    bus = LocalBus(utc_now, time.monotonic, 6.0)
    async with webs_over(bus, bus, **west) as webs:
        yield webs
    await bus.aclose()


@asynccontextmanager
async def webs_over(mine: Bus, yours: Bus, **west: Any) -> AsyncIterator[TwoWebs]:
    """Over the bus as east and west see it."""
    alice, carol = StubAt("Alice", "Bob"), StubAt("Carol")
    async with web_on(mine, "east", alice) as east, web_on(yours, "west", carol, **west) as there:
        east.members.there["west"] = carol.names
        there.members.there["east"] = alice.names
        yield TwoWebs(yours, east, there)


def _bot(name: str) -> Json:
    facts: Json = {"advice": None, "doing": [], "job": None, "goal": None}
    return {"name": name, "state": "online", "talk": 3 if name == "Carol" else None, **facts}
