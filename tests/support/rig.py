"""Our bots in the simulated world, wired as the daemon wires them."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bots.access.origin import Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.chat.natural_message import NaturalMessage
from bots.clock import Times
from bots.commands.catalogue import commands, handle_chat_command
from bots.daemon.session import BotRoster, BotSession, Equip
from bots.daemon.shared import SharedServices
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import render
from bots.settings.settings import ChatSettings, Settings
from bots.settings.talk import PublicNotice
from bots.settings.world import SurvivalSettings
from bots.store.database import FILE_NAME, Store
from bots.store.migrations import migrate
from bridge.actions import Query
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

T = TypeVar("T")

SERVER = ServerAddress("localhost", 25565)
OPEN_HOUSE = Permissions(open_house=True)
STRANGERS = Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Alex"}))
JOINED_WITHIN_S = 5.0


def records_only(bot: Bot) -> None:
    """The `Equip` of a bot that records what it hears and calls its handlers."""


@cache
def _empty_database() -> bytes:
    """A database of the newest shape, which takes longer to make than to write."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection)
        return connection.serialize()


async def never_back() -> bool:
    """A bot out of the world that does not come back."""
    return False


class CountingBridge(FakeBridge):
    """Counts the snapshots and the queries that cross."""

    snapshots = 0
    queries = 0

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        self.snapshots += 1
        return await super().snapshot(bot, blocks_within=blocks_within)

    async def query(self, bot: BotName, query: Query[T]) -> T:
        self.queries += 1
        return await super().query(bot, query)


class Rig:
    """Bots by name, in one world with one memory, without model, talks and HTTP."""

    def __init__(self, bridge: CountingBridge, store: Store, shared: SharedServices) -> None:
        self.bridge, self.world, self.shared = bridge, bridge.world, shared
        self.conversation, self.locations = shared.conversation, shared.locations
        self.trace = shared.trace
        self.roster = BotRoster(shared)
        self.fired: list[NaturalMessage] = []
        """Every natural message of every bot, in the order of firing."""
        self._store, self._tasks = store, OwnedTasks()
        self._tasks.start(self.roster.pump(), "pump")

    @classmethod
    async def found(cls, folder: Path, permissions: Permissions = OPEN_HOUSE) -> "Rig":
        # Time stands still unless a test advances it: the store's thread is real.
        world, file = FakeWorld(VirtualClock(auto=False)), folder / FILE_NAME
        if not file.exists():
            file.write_bytes(_empty_database())
        bridge, store = CountingBridge(world), await Store.open(file)
        clock = world.clock
        shared = await SharedServices.open(
            Settings(
                data_dir=folder,
                chat=ChatSettings(pace=False),
                survival=SurvivalSettings(enabled=False),
            ),
            bridge=bridge,
            commands=commands,
            address=lambda: SERVER,
            is_ours_alone=True,
            store=store,
            times=Times(clock.now, clock.monotonic, clock.sleep, random.Random(1)),
            trace=TraceLog(clock.now),
        )
        return cls(bridge, store, replace(shared, permissions=permissions))

    @property
    def bots(self) -> Mapping[str, Bot]:
        return {session.name: session.bot for session in self.roster.sessions}

    def jumping_clock(self) -> VirtualClock:
        """A clock for pauses: it jumps when nobody has anything to do, not even the database."""
        clock = VirtualClock()
        self.holds(clock)
        return clock

    def holds(self, clock: VirtualClock) -> None:
        """Let a clock stand still while the database is at work."""
        clock.hold_while(lambda: self._store.is_at_work)

    async def pass_time(self, seconds: float) -> None:
        """Let the world's time pass. It waits for the database, whose threads are real."""
        await until(lambda: not self._store.is_at_work)
        await self.world.clock.advance(seconds)
        await asyncio.sleep(0.001)

    async def bot(
        self,
        name: str,
        position: Position | None = None,
        registry: CommandRegistry = commands,
        *,
        public_notice: PublicNotice = "off",
        equip: Equip = records_only,
    ) -> Bot:
        """A bot that has joined; with `equip` it answers."""
        shared = replace(self.shared, commands=registry, public_notice=public_notice)
        session = self.roster.add(BotName(name), lambda name: BotSession(name, shared, equip))
        session.bot.on_natural_message(self.fired.append)
        self._tasks.start(session.run(), name)
        async with asyncio.timeout(JOINED_WITHIN_S):
            await session.connection.until_online()
        if position is not None:
            self.world.teleport(name, position)
        return session.bot

    async def aclose(self) -> None:
        await self._tasks.aclose()
        await self.bridge.aclose()
        await self._store.aclose()


def allowing(permissions: Permissions) -> Any:
    """A module's fixture `permissions`: who may do what on its `rig`."""
    return pytest.fixture(lambda: permissions)


def rig_with_alice(
    at: Position | None = None, allowed: Permissions | None = None, **people: Position
) -> Any:
    """A module's fixture `rig`: Alice and people; without `allowed` its `permissions` count."""

    async def rig(tmp_path: Path, permissions: Permissions) -> AsyncIterator[Rig]:
        found = await Rig.found(tmp_path, permissions if allowed is None else allowed)
        await found.bot("Alice", at)
        for person, place in people.items():
            found.world.person(person, place)
        yield found
        await found.aclose()

    return pytest.fixture(rig)


def alice_at(at: Position) -> Any:
    """A module's fixture `alice`: she joins its `rig` there."""

    async def alice(rig: Rig) -> Bot:
        return await rig.bot("Alice", at)

    return pytest.fixture(alice)


async def until(met: Callable[[], object], within_s: float = 30.0) -> None:
    """Give way until a condition holds; fails when that takes too long."""
    async with asyncio.timeout(within_s):
        while not met():  # noqa: ASYNC110 - any condition, not only an event
            await asyncio.sleep(0.001)


async def run_json(bot: Bot, text: str, origin: Origin | None = None) -> dict[str, Any]:
    """A command's result as JSON, from Python or from an origin."""
    return (await handle_chat_command(bot, "tester", text, origin)).as_json()


async def in_words(bot: Bot, text: str, origin: Origin | None = None) -> list[str]:
    """The whispers that answer a command, from Steve in Python or from an origin."""
    asker = origin.name if isinstance(origin, Person) else "Steve"
    return render(await handle_chat_command(bot, asker, text, origin))


def asked_by(bot: Bot, name: str, registry: CommandRegistry = commands) -> CommandContext:
    """The context of a command that a person gives."""
    return CommandContext(bot, Person(PlayerName(name)), name, registry)


PYTHON = Operator("python")
