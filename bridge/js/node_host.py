"""One Node process with the bots in it, started again in this process when it dies or hangs.

Its bots are then gone; whoever owns them spawns them again after `BridgeRestored`."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import structlog

from bridge import wire
from bridge.errors import (
    BridgeDown,
    BridgeError,
    HostError,
    NodeSetupError,
    NotConnected,
    SpawnFailed,
)
from bridge.events import (
    Arrivals,
    BotDisconnected,
    BotSpawned,
    BridgeEvent,
    BridgeLost,
    BridgeRestored,
)
from bridge.js.jspybridge import HostProcess, HostSettings
from bridge.js.link import Link, RestartPace, watch
from bridge.port import ServerAddress
from bridge.world import BotName

_WANTED = re.compile(
    r"(?:(?:incompatible|outdated) client! please use|outdated server! i'm still on)"
    r"\s+v?(\d+(?:\.\d+)+)",
    re.IGNORECASE,
)
"""Vanilla's words since 1.7; proxies and ViaVersion use them too."""

log = structlog.get_logger(__name__)

START_WITHIN_S = 30.0
LEAVE_WITHIN_S = 0.8
T = TypeVar("T")

MAX_PENDING = 10_000
COMMAND_TIMEOUT_S = 10.0
JOINING_AT_ONCE = 4  # a join keeps Node busy; a hundred at once would look like a Node that hangs
SHOWN_CHARS = 200  # of a message that cannot be read
SPAWN_GRACE_S = 5.0  # Node itself gives a spawn up at its timeout and says why

Sleep = Callable[[float], Awaitable[None]]


class NamedVersions:
    def __init__(self) -> None:
        self._named: dict[tuple[str, int], str] = {}

    def known(self, server: ServerAddress) -> ServerAddress:
        """The server with the version it named itself, if it did."""
        named = self._named.get((server.host, server.port))
        return server if named is None else replace(server, version=named)

    def learn(self, asked: ServerAddress, failure: SpawnFailed) -> ServerAddress | None:
        """What to try instead after a failure; None when the server named nothing new."""
        address = (asked.host, asked.port)
        found = _WANTED.search(failure.text)
        if found is None or found[1] == asked.version:
            self._named.pop(address, None)
            return None
        self._named[address] = found[1]
        return replace(asked, version=found[1])


class Life:
    """A Node that carries commands and events until `link.ended`."""

    def __init__(self, host: HostProcess, link: Link) -> None:
        self.host, self.link = host, link
        self._began_s = time.monotonic()
        self._watching = asyncio.create_task(watch(link), name="node-watch")

    @classmethod
    async def begin(
        cls,
        settings: HostSettings,
        deliver: Callable[[Sequence[wire.Wire]], None],
        unread: Callable[[], int],
    ) -> Life:
        """Start Node and load the host. Raises NodeSetupError."""
        link = Link(deliver, unread)
        host = await HostProcess.start(settings, link.receive, link.fail)
        async with AsyncExitStack() as unless_loaded:
            unless_loaded.push_async_callback(host.aclose)
            try:
                async with asyncio.timeout(START_WITHIN_S):
                    await asyncio.to_thread(host.load)
            except TimeoutError:
                raise NodeSetupError(f"Node was not ready after {START_WITHIN_S:g} s") from None
            unless_loaded.pop_all()
        link.open(host)
        log.info("node.started", pid=host.pid)
        return cls(host, link)

    @property
    def lived_s(self) -> float:
        return time.monotonic() - self._began_s

    async def leave(self) -> None:
        """Let the bots leave and Node end by itself, but not for long; then `end`."""
        if not self.link.ended.done():
            try:
                await self.link.command("shutdown", None, {}, LEAVE_WITHIN_S)
            except BridgeError as error:
                log.info("node.shutdown_unanswered", why=str(error))
            await asyncio.wait({self.link.ended}, timeout=LEAVE_WITHIN_S)
        await self.end("the bridge is closed")

    async def end(self, why: str) -> None:
        """End Node at once; commands under way raise BridgeDown. Safe to call twice."""
        self.link.fail(why)
        await self._watching
        await self.host.aclose()
        log.info("node.ended", why=self.link.ended.result(), lived_s=round(self.lived_s, 1))


@dataclass(frozen=True, slots=True)
class HostNumber:
    """Which of how many hosts."""

    number: int
    of: int

    @property
    def told(self) -> Mapping[str, int]:
        """For the log: its number, where there are several."""
        return {"host": self.number} if self.of > 1 else {}


class NodeHost:
    """One of the Node processes that carry bots.

    At most `MAX_PENDING` commands are under way, and `JOINING_AT_ONCE` bots on their way into a
    world; further callers wait for a place. A command without an answer within
    `COMMAND_TIMEOUT_S` raises `BridgeTimeout`."""

    def __init__(
        self,
        which: HostNumber,
        settings: HostSettings,
        arrivals: Arrivals,
        versions: NamedVersions,
        sleep: Sleep,
    ) -> None:
        """All hosts of a bridge put their events into the same `arrivals`, and share what
        servers said of their versions."""
        self._which, self._settings = which, settings
        self._arrivals, self._versions, self._sleep = arrivals, versions, sleep
        self._places = asyncio.Semaphore(MAX_PENDING)
        self._turns = asyncio.Semaphore(JOINING_AT_ONCE)
        self._joining: Counter[BotName] = Counter()
        self._in_world: set[BotName] = set()
        self._lost_s = time.monotonic()
        self._life: Life | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start Node. Raises NodeSetupError."""
        self._life = await self._begin()
        self._keeping = asyncio.create_task(self._keep(self._life), name="node-keeper")

    async def aclose(self) -> None:
        """Bots leave, Node ends; safe to call twice."""
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            await asyncio.wait({keeping})
        life, self._life = self._life, None
        if life is not None:
            await life.leave()

    @property
    def life(self) -> Life | None:
        """The Node that runs now; None while there is none."""
        life = self._life
        return None if life is None or life.link.ended.done() else life

    @property
    def load(self) -> int:
        """How many bots it carries, with those on their way into a world."""
        return len(self._in_world | self._joining.keys())

    @property
    def away_s(self) -> float:
        """For how long there has been no Node here; 0 while there is one."""
        return 0.0 if self.life is not None else time.monotonic() - self._lost_s

    def holds(self, bot: BotName) -> bool:
        """Whether the bot is in a world here, or on its way into one."""
        return bot in self._in_world or bot in self._joining

    # --- commands ----------------------------------------------------------------

    async def run(
        self,
        operation: str,
        bot: BotName,
        args: Mapping[str, Any] | None = None,
        timeout_s: float = COMMAND_TIMEOUT_S,
    ) -> Any:
        """Run one operation of the host and return its value."""
        async with self._places:
            life = self.life
            if life is None:
                if operation == "spawn":  # nothing else has to hear why no bot is in a world
                    raise BridgeDown(operation, "Node is not running")
                raise NotConnected(bot)
            return await life.link.command(operation, bot, args or {}, timeout_s)

    async def spawn(
        self, bot: BotName, server: ServerAddress, timeout_s: float, view_chunks: int
    ) -> BotSpawned:
        """Join a server, in the version it names where it refuses another one."""
        self._joining[bot] += 1
        try:
            async with self._turns:
                asked = self._versions.known(server)
                try:
                    return await self._spawn(bot, asked, timeout_s, view_chunks)
                except SpawnFailed as failure:
                    named = self._versions.learn(asked, failure)
                    if named is None:
                        raise
                    log.warning(
                        "server.version_corrected", server=str(server), version=named.version
                    )
                    return await self._spawn(bot, named, timeout_s, view_chunks)
        finally:
            self._joining[bot] -= 1
            self._joining += Counter()  # without those at 0

    async def _spawn(
        self, bot: BotName, server: ServerAddress, timeout_s: float, view_chunks: int
    ) -> BotSpawned:
        account = server.accounts.file(bot)
        args = {
            "host": server.host,
            "port": server.port,
            "version": server.version,
            "on_join": [line.replace("{bot}", bot) for line in server.on_join],
            "account": account and str(account),
            "timeout_s": timeout_s,
            "view_chunks": view_chunks,
        }
        answer = await self.run("spawn", bot, args, timeout_s + SPAWN_GRACE_S)
        return understood("spawn", wire.parse_spawned, answer)

    # --- lives of Node -----------------------------------------------------------

    async def _begin(self) -> Life:
        return await Life.begin(self._settings, self._deliver, self._arrivals.unread)

    async def _keep(self, life: Life) -> None:
        pace = RestartPace()
        while True:
            why = await asyncio.shield(life.link.ended)
            lost_s = asyncio.get_running_loop().time()
            self._lost_s = time.monotonic()
            which, bots = self._which, tuple(sorted(self._in_world))
            log.warning("bridge.lost", why=why, bots=len(bots), **which.told)
            gone = [BotDisconnected(bot, "node_died", why, _now()) for bot in bots]
            self._in_world.clear()
            self._arrivals.put([BridgeLost(why, _now(), bots, which.number, which.of), *gone])
            await life.end(why)  # may be cut short by `aclose`, which then ends it
            self._life = life = await self._begin_again(pace, life.lived_s)
            after_s = asyncio.get_running_loop().time() - lost_s
            self._arrivals.put([BridgeRestored(after_s, _now(), which.number, which.of)])
            log.info("bridge.restored", after_s=round(after_s, 3), **which.told)

    async def _begin_again(self, pace: RestartPace, lived_s: float) -> Life:
        while True:
            await self._sleep(pace.delay_s(lived_s))
            try:
                return await self._begin()
            except NodeSetupError as error:
                log.warning("node.start_failed", why=str(error), **self._which.told)
                lived_s = 0.0

    # --- events ------------------------------------------------------------------

    def _deliver(self, messages: Sequence[wire.Wire]) -> None:
        events = list[BridgeEvent]()
        for message in messages:
            try:
                event = wire.parse_event(message)
            except wire.BROKEN as error:
                log.warning("event.malformed", sent=repr(message)[:SHOWN_CHARS], why=repr(error))
                continue
            events.append(event)
            if isinstance(event, BotSpawned):
                self._in_world.add(event.bot)
            elif isinstance(event, BotDisconnected):
                self._in_world.discard(event.bot)
        self._arrivals.put(events)


def _now() -> datetime:
    return datetime.now(UTC)


def understood(operation: str, parse: Callable[[Any], T], answer: Any) -> T:
    """An answer of Node as this type. Raises HostError."""
    try:
        return parse(answer)
    except wire.BROKEN as error:
        raise HostError(operation, f"an answer of another form: {error!r}") from error
