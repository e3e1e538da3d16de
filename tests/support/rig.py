"""Bots of ours over the simulated world, wired as the daemon does it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bots.access.origin import Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.access.rate_limit import RateLimit
from bots.bot.bot import Bot, NaturalMessage
from bots.bot.locations import AllLocations
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor, Listener
from bots.chat.public_room import PublicRoom
from bots.chat.receipts import Receipts
from bots.chat.turn_taking import TurnLimit
from bots.clock import Times
from bots.commands.catalogue import commands, handle_chat_command
from bots.daemon.dispatcher import Dispatcher
from bots.daemon.mailbox import Mailbox
from bots.daemon.public_chat import PublicEar, PublicNotice
from bots.observability.trace import TraceLog
from bots.registry.registry import CommandContext, CommandRegistry
from bots.store.database import Store
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

SERVER = ServerAddress("localhost", 25565)
OPEN_HOUSE = Permissions(open_house=True)


class CountingBridge(FakeBridge):
    """Counts what crosses for a snapshot."""

    snapshots = 0

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        self.snapshots += 1
        return await super().snapshot(bot, blocks_within=blocks_within)


class Rig:
    """Bots by name, in one world with one memory; `pump` plays the daemon's part."""

    def __init__(
        self,
        world: FakeWorld,
        store: Store,
        conversation: Conversation,
        locations: AllLocations,
        permissions: Permissions,
    ) -> None:
        self.world = world
        self.bridge = CountingBridge(self.world)
        self.conversation, self.locations = conversation, locations
        self.permissions, self._store = permissions, store
        self.receipts, self.turns = Receipts(), TurnLimit()
        self.public_notice: PublicNotice = "off"
        """What bots that join from now on notice of public chat."""
        self.room = PublicRoom()
        self.trace = TraceLog(world.clock.now)
        self.limit = RateLimit(asyncio.get_running_loop().time)
        self.bots: dict[str, Bot] = {}
        self.dispatchers: dict[str, Dispatcher] = {}
        self.mailboxes: dict[str, Mailbox] = {}
        self.fired: list[NaturalMessage] = []
        self._tasks = [asyncio.create_task(self._pump())]

    @classmethod
    async def found(cls, folder: Path, permissions: Permissions = OPEN_HOUSE) -> Rig:
        # Time stands still unless a test advances it: the store's thread is real.
        world = FakeWorld(VirtualClock(auto=False))
        store = await Store.open(folder / "town.sqlite")
        conversation = await Conversation.load(store, world.clock.now)
        return cls(world, store, conversation, await AllLocations.load(store), permissions)

    async def bot(
        self, name: str, position: Position | None = None, registry: CommandRegistry = commands
    ) -> Bot:
        """A bot that has joined, with its dispatcher and mailbox at work."""
        clock = self.world.clock
        bot = Bot(
            BotName(name),
            self.bridge,
            conversation=self.conversation,
            governor=self._governor(BotName(name)),
            receipts=self.receipts,
            permissions=self.permissions,
            locations=self.locations.of(name),
            times=Times(clock.now, clock.monotonic, clock.sleep, random.Random(1)),
            trace=self.trace,
            fellows=self.bots,
        )
        self.bots[name] = bot
        bot.on_natural_message(self.fired.append)
        self._attend(bot, registry)
        await self.bridge.spawn(bot.name, SERVER)
        if position is not None:
            self.world.teleport(name, position)
        return bot

    def _attend(self, bot: Bot, registry: CommandRegistry) -> None:
        dispatcher = Dispatcher(
            bot,
            commands=registry,
            conversation=self.conversation,
            receipts=self.receipts,
            fellows=self.bots,
            turns=self.turns,
            limit=self.limit,
            trace=self.trace,
            sleep=self.world.clock.sleep,
            public_ear=self._ear(bot),
        )
        mailbox = Mailbox(bot.name, self.bridge, dispatcher.handle, dispatcher.apologise)
        self.dispatchers[bot.name], self.mailboxes[bot.name] = dispatcher, mailbox
        self._tasks.append(asyncio.create_task(mailbox.run()))

    def _ear(self, bot: Bot) -> PublicEar:
        return PublicEar(
            bot,
            self.public_notice,
            conversation=self.conversation,
            receipts=self.receipts,
            fellows=self.bots,
            turns=self.turns,
            room=self.room,
            trace=self.trace,
        )

    async def aclose(self) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for dispatcher in self.dispatchers.values():
            await dispatcher.aclose()
        for bot in self.bots.values():
            await bot.aclose()
        await self.bridge.aclose()
        await self._store.aclose()

    def _governor(self, name: BotName) -> Governor:
        return Governor(
            partial(self._send, name),
            version=lambda: self.world.version,
            stopwatch=self.world.clock.monotonic,
            sleep=self.world.clock.sleep,
            pace=False,
        )

    async def _send(self, name: BotName, to: Listener, line: str) -> None:
        if to is None:
            await self.bridge.chat(name, line)
        else:
            await self.bridge.whisper(name, to, line)

    async def _pump(self) -> None:
        async for event in self.bridge.events():
            bot = getattr(event, "bot", None)
            if bot is not None:
                self.mailboxes[bot].put(event)


async def until(met: Callable[[], object], within_s: float = 5.0) -> None:
    """Give way until a condition holds; fails when that takes too long."""
    async with asyncio.timeout(within_s):
        while not met():  # noqa: ASYNC110 - any condition, not only an event
            await asyncio.sleep(0.001)


async def run_json(bot: Bot, text: str, origin: Origin | None = None) -> dict[str, Any]:
    """A command's result as JSON, from Python or from an origin."""
    return (await handle_chat_command(bot, "tester", text, origin)).as_json()


def asked_by(bot: Bot, name: str, registry: CommandRegistry = commands) -> CommandContext:
    """The context of a command that a person gives."""
    return CommandContext(bot, Person(PlayerName(name)), name, registry)


PYTHON = Operator("python")
