"""One bot with everything that serves it, wired: connection, mouth, ears, memory, mailbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from bots.access.permissions import Permissions
from bots.access.rate_limit import RateLimit
from bots.bot.bot import Bot
from bots.bot.locations import AllLocations
from bots.chat.attendance import Attendance
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor, Listener
from bots.chat.public_room import PublicRoom
from bots.chat.receipts import Receipts
from bots.chat.turn_taking import TurnLimit
from bots.clock import Times
from bots.daemon.connection import Connection
from bots.daemon.dispatcher import Dispatcher
from bots.daemon.mailbox import Mailbox
from bots.daemon.public_chat import PublicEar, PublicNotice
from bots.observability.trace import TraceLog
from bots.registry.registry import CommandRegistry
from bots.responder.responder import Responder
from bridge.events import BotDisconnected, BridgeEvent
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName


@dataclass(frozen=True, slots=True)
class SharedServices:
    """What all bots of one town share."""

    bridge: Bridge
    commands: CommandRegistry
    address: Callable[[], ServerAddress]
    conversation: Conversation
    locations: AllLocations
    permissions: Permissions
    limit: RateLimit
    turns: TurnLimit
    trace: TraceLog
    times: Times
    pace: bool
    hearing_range: float
    public_notice: PublicNotice = "off"
    """What of public chat bots take notice of."""
    quiet: bool = False
    """Whether bots say nothing of a long command before its end, until told otherwise."""
    fellows: set[str] = field(default_factory=set)
    """The names of all our bots."""
    receipts: Receipts = field(default_factory=Receipts)
    room: PublicRoom = field(default_factory=PublicRoom)
    attendance: Attendance = field(default_factory=Attendance)


class Part(Protocol):
    """A part of a bot that runs for as long as the bot lives."""

    async def run(self) -> None: ...


class BotSession:
    """A bot of the town. `run` is owned by the daemon."""

    def __init__(self, name: BotName, shared: SharedServices) -> None:
        self.name = name
        self.connection = _connection(name, shared)
        self.bot = _bot(name, shared, self.connection)
        self.dispatcher = _dispatcher(self.bot, shared)
        self.mailbox = Mailbox(
            name, shared.bridge, self.dispatcher.handle, self.dispatcher.apologise
        )
        self.responder: Responder | None = None
        """Answers what the bot hears; None for a bot that only records."""

    @property
    def online(self) -> bool:
        return self.connection.state == "online"

    def take(self, event: BridgeEvent) -> None:
        """One of this bot's events; never waits."""
        if isinstance(event, BotDisconnected):
            self.connection.ended(event)
        self.mailbox.put(event)

    async def run(self) -> None:
        """Live until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for part in self._parts:
                    group.create_task(part.run(), name=f"{type(part).__name__} of {self.name}")
        finally:
            await self.dispatcher.aclose()
            await self.bot.aclose()

    @property
    def _parts(self) -> tuple[Part, ...]:
        always: tuple[Part, ...] = (self.connection, self.mailbox)
        return always if self.responder is None else (*always, self.responder)

    def as_json(self) -> dict[str, Any]:
        """How this bot is, for machines."""
        advice, job = self.connection.diagnosis, self.bot.jobs.current
        return {
            "name": self.name,
            "state": self.connection.state,
            "advice": str(advice) if advice else None,
            "doing": self.bot.doing,
            "job": job.as_json() if job else None,
            "latestSequence": self.bot.latest_sequence(),
        }


def _connection(name: BotName, shared: SharedServices) -> Connection:
    return Connection(
        shared.bridge,
        name,
        shared.address,
        trace=shared.trace,
        stopwatch=shared.times.stopwatch,
        sleep=shared.times.sleep,
        rng=shared.times.rng,
    )


def _bot(name: BotName, shared: SharedServices, connection: Connection) -> Bot:
    async def send(to: Listener, line: str) -> None:
        if to is None:
            await shared.bridge.chat(name, line)
        else:
            await shared.bridge.whisper(name, to, line)

    governor = Governor(
        send,
        version=lambda: connection.version,
        stopwatch=shared.times.stopwatch,
        sleep=shared.times.sleep,
        pace=shared.pace,
    )
    return Bot(
        name,
        shared.bridge,
        conversation=shared.conversation,
        governor=governor,
        receipts=shared.receipts,
        permissions=shared.permissions,
        locations=shared.locations.of(name),
        times=shared.times,
        trace=shared.trace,
        fellows=shared.fellows,
        hearing_range=shared.hearing_range,
        quiet=shared.quiet,
    )


def _dispatcher(bot: Bot, shared: SharedServices) -> Dispatcher:
    ear = PublicEar(
        bot,
        shared.public_notice,
        conversation=shared.conversation,
        receipts=shared.receipts,
        fellows=shared.fellows,
        turns=shared.turns,
        room=shared.room,
        trace=shared.trace,
        attendance=shared.attendance,
    )
    return Dispatcher(
        bot,
        public_ear=ear,
        commands=shared.commands,
        conversation=shared.conversation,
        receipts=shared.receipts,
        fellows=shared.fellows,
        turns=shared.turns,
        limit=shared.limit,
        trace=shared.trace,
        sleep=shared.times.sleep,
        attendance=shared.attendance,
    )
