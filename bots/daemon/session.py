"""The bots of a daemon: each one's mailbox and its wiring, and the roster of all of them.

pump ──put──▶ ░░░░░░░░ ──worker──▶ handle
              at the mark the bot's socket is paused, at half of it read again

A mailbox holds one bot's events, in order and bounded. Its worker is the only place that catches
every exception. What a handler raises is logged, and the player gets an apology; the bot goes on
with its next event, and other bots notice nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias

import structlog

from bots.access.permissions import rank_by_name
from bots.bot.bot import Bot
from bots.bot.view_distance import ViewDistance
from bots.chat.governor import Governor, Listener
from bots.daemon.connection import Connection
from bots.daemon.dispatcher import Dispatcher
from bots.daemon.goal_keeper import GoalKeeper
from bots.daemon.public_chat import PublicChat
from bots.daemon.shared import SharedServices
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.watching import CardWatch
from bots.knowledge.episodes import DeathNotice, EpisodeWatch
from bots.reflexes.reflexes import Reflexes
from bots.responder.limits import LineLimit
from bots.responder.responder import Responder
from bots.skills.handing import Fellows
from bots.talks.live.talks import Talks
from bots.vision.studio import Studio
from bridge import events
from bridge.errors import BridgeError
from bridge.events import BridgeEvent
from bridge.port import Bridge
from bridge.world import BotName

log = structlog.get_logger()

MARK = 10_000  # unhandled events at which the socket is no longer read
RETRY_S = 1.0  # until a pause or resume that the bridge could not take is tried again


class Mailbox:
    """Handles one bot's events one after another. `run` is owned by the daemon."""

    def __init__(
        self,
        bot: BotName,
        bridge: Bridge,
        handle: Callable[[BridgeEvent], Awaitable[None]],
        apologise: Callable[[BridgeEvent], Awaitable[None]],
        *,
        mark: int = MARK,
    ) -> None:
        self._bot, self._bridge, self._mark = bot, bridge, mark
        self._handle, self._apologise = handle, apologise
        self._waiting: deque[BridgeEvent] = deque()
        self._arrived = asyncio.Event()
        self._level_changed = asyncio.Event()
        self._full = False
        self._paused = False

    def __len__(self) -> int:
        """Events that wait."""
        return len(self._waiting)

    def put(self, event: BridgeEvent) -> None:
        """Add an event; never waits. Events under way when the socket paused still fit."""
        if isinstance(event, events.BotSpawned):
            self._paused = False  # a new socket is read until it is told otherwise
            self._level_changed.set()
        self._waiting.append(event)
        self._arrived.set()
        if len(self._waiting) >= self._mark:
            self._set_full(True)

    async def run(self) -> None:
        """Handle events until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._work(), name=f"mailbox of {self._bot}")
            group.create_task(self._keep_level(), name=f"mailbox level of {self._bot}")

    async def _work(self) -> None:
        while True:
            await self._arrived.wait()
            while self._waiting:
                event = self._waiting.popleft()
                if len(self._waiting) <= self._mark // 2:
                    self._set_full(False)
                try:
                    await self._handle(event)
                except Exception:  # the one catch-all: a bug in one event must not silence the bot
                    log.exception("event.failed", bot=self._bot, kind=type(event).__name__)
                    await self._apologise(event)
            self._arrived.clear()

    def _set_full(self, full: bool) -> None:
        if full != self._full:
            self._full = full
            self._level_changed.set()

    async def _keep_level(self) -> None:
        """Pause or resume the socket. The worker cannot do this: it may be the slow part."""
        while True:
            await self._level_changed.wait()
            self._level_changed.clear()
            if (pause := self._full) == self._paused:
                continue
            try:
                await (self._bridge.pause if pause else self._bridge.resume)(self._bot)
            except BridgeError as error:
                log.warning("mailbox.not_switched", bot=self._bot, pause=pause, why=str(error))
                asyncio.get_running_loop().call_later(RETRY_S, self._level_changed.set)
            else:
                self._paused = pause
                log.warning("mailbox.switched", bot=self._bot, paused=pause, waiting=len(self))


class Part(Protocol):
    """A part of a bot that runs for as long as the bot lives."""

    async def run(self) -> None: ...


Equip: TypeAlias = Callable[[Bot], Responder | None]
"""Gives a new bot its services, and returns its responder; None for one that only records."""


class BotSession:
    """One bot with its connection, mailbox and dispatcher. `run` is owned by the daemon."""

    def __init__(self, name: BotName, shared: SharedServices, equip: Equip) -> None:
        self.name = name
        self._present, self._vitals = shared.present, shared.vitals
        self._strangers = shared.strangers
        self._answers, self._server_lines = shared.answers, shared.server_lines
        self.connection = Connection(
            shared.bridge,
            name,
            shared.address,
            trace=shared.trace,
            stopwatch=shared.times.stopwatch,
            sleep=shared.times.sleep,
            rng=shared.times.rng,
            disconnections=shared.disconnections,
            entrance=shared.entrance,
        )
        self.bot = _bot(name, shared, self.connection)
        self.bot.services.provide(Cards, shared.cards.of(name))
        self.bot.services.provide(Studio, shared.studio)
        self.card_watch = CardWatch(self.bot, shared.cards.of(name))
        self.episode_watch = EpisodeWatch(self.bot)
        self._survival: list[Part] = []
        """What keeps it alive, and tells where it could not."""
        if shared.survival.enabled:
            reflexes = Reflexes(self.bot, shared.survival, shared.trace)
            self.bot.services.provide(Reflexes, reflexes)
            self._survival.append(reflexes)
        if shared.survival.enabled and shared.survival.tell_deaths:
            self._survival.append(DeathNotice(self.bot))
        self.view_distance = ViewDistance(
            self.bot, shared.bridge, shared.attendance, lambda: self.online
        )
        self.responder = equip(self.bot)
        """Answers what the bot hears; None for a bot that only records."""
        self.dispatcher = Dispatcher(self.bot, PublicChat(self.bot, shared), shared)
        self.keeper = GoalKeeper(self.bot, shared.commands, self.connection)
        self.mailbox = Mailbox(
            name, shared.bridge, self.dispatcher.handle, self.dispatcher.apologise
        )

    @property
    def online(self) -> bool:
        return self.connection.state == "online"

    def take(self, event: BridgeEvent) -> None:
        """One of this bot's events; never waits.

        What ends an action or a proof, tells of danger or is felt takes effect now: in the mailbox
        it would wait behind whispers, each of which is on the disk before the next is handled."""
        match event:
            case events.ActionFinished():
                self.bot.actions.finished(event)
            case events.ActionProgress():
                self.bot.jobs.progressed(event)
            case events.BotDisconnected():
                self._present.discard(self.name)
                if not self._present:
                    self._strangers.lost_sight()
                self.bot.permissions.proofs.lost_sight(self.name)
                self._vitals.lost(self.name)
                self.connection.ended(event)
                self.bot.actions.disconnected()
            case events.MonstersNear() | events.BotEndangered():
                self.bot.events.emit(event)
            case events.HealthChanged():
                self._vitals.felt(self.name, event.health)
                self.dispatcher.feel(event)
            case events.BotHurt() | events.BotDied() | events.PlayerHurt():
                self.dispatcher.feel(event)
            case events.PlayerLeft():
                self.bot.permissions.proofs.left(event.player)
                self._strangers.left(event.player)
                self.mailbox.put(event)
            case events.BotSpawned():
                self._present.add(self.name)
                self.view_distance.joined()
                self.bot.permissions.proofs.joined(self.name)
                self.bot.events.emit(event)  # before what is told of danger in this world
                self.mailbox.put(event)
            case events.LineAnswered():
                self._answers.take(event)
                self._server_lines.answered(event)
                if event.refusal is not None:
                    self.mailbox.put(event)
            case _:
                self.mailbox.put(event)

    async def run(self) -> None:
        """Live until cancelled."""
        answers = () if self.responder is None else (self.responder,)
        parts: tuple[Part, ...] = (
            self.connection,
            self.mailbox,
            self.keeper,
            self.card_watch,
            self.episode_watch,
            self.view_distance,
            *answers,
            *self._survival,
        )
        try:
            async with asyncio.TaskGroup() as group:
                for part in parts:
                    group.create_task(part.run(), name=f"{type(part).__name__} of {self.name}")
        finally:
            await self.bot.jobs.aclose()
            await self.dispatcher.aclose()
            await self.bot.aclose()

    def as_json(self) -> dict[str, Any]:
        """How this bot is, for machines."""
        advice, job = self.connection.diagnosis, self.bot.jobs.current
        limit, talks = self.bot.services.get(LineLimit), self.bot.services.get(Talks)
        talk, agenda = talks.of(self.name) if talks else None, self.bot.agenda
        goal = agenda.under_way or next(iter(agenda.goals), None)
        return {
            "name": self.name,
            "state": self.connection.state,
            "advice": str(advice) if advice else self._server_lines.advice,
            "doing": self.bot.doing,
            "job": job.as_json() if job else None,
            "goal": goal.title if goal else None,
            "talk": talk.number if talk else None,
            "latestSequence": self.bot.latest_sequence(),
            "linesWithheld": limit.withheld(self.name) if limit else 0,
        }


def _bot(name: BotName, shared: SharedServices, connection: Connection) -> Bot:
    async def send(to: Listener, line: str) -> None:
        if to is None:
            shared.answers.sent(name, to, line)
            await shared.bridge.chat(name, line)
        elif to not in shared.fellows or to in shared.present:
            await shared.whispers.whisper(name, to, line)

    governor = Governor(
        send,
        version=lambda: connection.version,
        rank=rank_by_name(shared.permissions, shared.known_bots),
        back=connection.back,
        stopwatch=shared.times.stopwatch,
        sleep=shared.times.sleep,
        pace=shared.pace,
        whisper_command=shared.whispers.longest,
    )
    return Bot(
        name,
        shared.bridge,
        conversation=shared.conversation,
        governor=governor,
        receipts=shared.receipts,
        answers=shared.answers,
        fallback=shared.fallback,
        permissions=shared.permissions,
        locations=shared.locations.of(name),
        agenda=shared.agendas.of(name),
        placements=shared.placements.of(name),
        chests=shared.chests,
        areas=shared.areas,
        perils=shared.perils.of(name),
        knowledge=shared.knowledge.of(name),
        vitals=shared.vitals,
        version_facts=shared.version_facts,
        times=shared.times,
        trace=shared.trace,
        known_bots=shared.known_bots,
        hearing_range=shared.hearing_range,
        quiet=shared.quiet,
        public_notice=shared.public_notice,
    )


class BotRoster:
    """The sessions by name."""

    def __init__(self, shared: SharedServices) -> None:
        self._shared = shared
        self._sessions: dict[str, BotSession] = {}
        self._lost: dict[int, tuple[BotName, ...]] = {}
        """The bots of each Node that is away, by its number."""
        self._all_lost_s: float | None = None

    @property
    def sessions(self) -> tuple[BotSession, ...]:
        return tuple(self._sessions.values())

    @property
    def bots_online(self) -> list[Bot]:
        return [session.bot for session in self.sessions if session.online]

    @property
    def node_down_s(self) -> float | None:
        """For how long no Node has carried bots; None while one does."""
        lost_s = self._all_lost_s
        return None if lost_s is None else self._shared.times.stopwatch() - lost_s

    def find(self, name: str) -> BotSession:
        """The session of this bot. Raises KeyError."""
        return self._sessions[name]

    def add(self, name: BotName, create: Callable[[BotName], BotSession]) -> BotSession:
        """Create a bot's session. Raises ValueError when there is a bot of this name."""
        if name.casefold() in map(str.casefold, self._sessions):
            raise ValueError(f"a bot called {name} lives here already")
        session = self._sessions[name] = create(name)
        self._shared.fellows.add(name)
        session.bot.services.provide(Fellows, Fellows(lambda: self.bots_online))
        return session

    def retry_now(self) -> None:
        """Reconnect now: what all bots waited for is back."""
        for session in self.sessions:
            session.connection.retry_now()

    async def end_jobs(self) -> None:
        """End what all bots are at, as the daemon ends: goals go on after the next start."""
        await asyncio.gather(*(session.bot.jobs.aclose() for session in self.sessions))

    async def pump(self) -> None:
        """Hand out the bridge's events until it closes; never waits for a bot."""
        async for event in self._shared.bridge.events():
            self._route(event)

    def _route(self, event: BridgeEvent) -> None:
        trace = self._shared.trace
        if isinstance(event, events.BridgeLost):
            self._lost[event.host] = event.bots
            if len(self._lost) == event.hosts:
                self._all_lost_s = self._shared.times.stopwatch()
            of = {"host": event.host, "hosts": event.hosts}
            trace.note("bridge.lost", None, why=event.why, bots=event.bots, **of)
        elif isinstance(event, events.BridgeRestored):
            theirs = self._lost.pop(event.host, ())
            self._all_lost_s = None
            of = {"host": event.host, "hosts": event.hosts}
            trace.note("bridge.restored", None, after_s=event.after_s, **of)
            for session in self.sessions:
                if session.name in theirs or not session.online:
                    session.connection.retry_now()
        elif event.bot in self._sessions:
            self._sessions[event.bot].take(event)
