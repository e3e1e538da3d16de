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
from bots.responder.responder import Answerer
from bridge.events import BotDisconnected, BridgeEvent
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName


@dataclass(frozen=True, slots=True)
class Commons:
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


class Resident:
    """A bot of the town. `run` is owned by the daemon."""

    def __init__(self, name: BotName, commons: Commons) -> None:
        self.name = name
        self.connection = _connection(name, commons)
        self.bot = _bot(name, commons, self.connection)
        self.dispatcher = _dispatcher(self.bot, commons)
        self.mailbox = Mailbox(
            name, commons.bridge, self.dispatcher.handle, self.dispatcher.apologise
        )
        self.answerer: Answerer | None = None
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
        return always if self.answerer is None else (*always, self.answerer)

    def as_json(self) -> dict[str, Any]:
        """How this bot is, for machines."""
        advice, errand = self.connection.diagnosis, self.bot.errands.current
        return {
            "name": self.name,
            "state": self.connection.state,
            "advice": str(advice) if advice else None,
            "doing": self.bot.doing,
            "errand": errand.as_json() if errand else None,
            "latestSequence": self.bot.latest_sequence(),
        }


def _connection(name: BotName, commons: Commons) -> Connection:
    return Connection(
        commons.bridge,
        name,
        commons.address,
        trace=commons.trace,
        stopwatch=commons.times.stopwatch,
        sleep=commons.times.sleep,
        rng=commons.times.rng,
    )


def _bot(name: BotName, commons: Commons, connection: Connection) -> Bot:
    async def send(to: Listener, line: str) -> None:
        if to is None:
            await commons.bridge.chat(name, line)
        else:
            await commons.bridge.whisper(name, to, line)

    governor = Governor(
        send,
        version=lambda: connection.version,
        stopwatch=commons.times.stopwatch,
        sleep=commons.times.sleep,
        pace=commons.pace,
    )
    return Bot(
        name,
        commons.bridge,
        conversation=commons.conversation,
        governor=governor,
        receipts=commons.receipts,
        permissions=commons.permissions,
        locations=commons.locations.of(name),
        times=commons.times,
        trace=commons.trace,
        fellows=commons.fellows,
        hearing_range=commons.hearing_range,
        quiet=commons.quiet,
    )


def _dispatcher(bot: Bot, commons: Commons) -> Dispatcher:
    ear = PublicEar(
        bot,
        commons.public_notice,
        conversation=commons.conversation,
        receipts=commons.receipts,
        fellows=commons.fellows,
        turns=commons.turns,
        room=commons.room,
        trace=commons.trace,
        attendance=commons.attendance,
    )
    return Dispatcher(
        bot,
        public_ear=ear,
        commands=commons.commands,
        conversation=commons.conversation,
        receipts=commons.receipts,
        fellows=commons.fellows,
        turns=commons.turns,
        limit=commons.limit,
        trace=commons.trace,
        sleep=commons.times.sleep,
        attendance=commons.attendance,
    )
