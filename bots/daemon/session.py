"""Wires one bot: connection, speech, dispatcher, mailbox and, unless it only records, responder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from bots.access.precedence import rank_by_name
from bots.bot.bot import Bot
from bots.bot.view_distance import ViewDistance
from bots.chat.governor import Governor, Listener
from bots.daemon.connection import Connection
from bots.daemon.dispatcher import Dispatcher
from bots.daemon.goal_keeper import GoalKeeper
from bots.daemon.mailbox import Mailbox
from bots.daemon.public_chat import PublicChat
from bots.daemon.shared import SharedServices
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.watching import CardWatch
from bots.knowledge.episodes import EpisodeWatch
from bots.responder.limits import LineLimit
from bots.responder.responder import Responder
from bots.talks.live.talks import Talks
from bots.vision.studio import Studio
from bridge.events import (
    ActionFinished,
    ActionProgress,
    BotDisconnected,
    BotSpawned,
    BridgeEvent,
    HealthChanged,
    LineAnswered,
    PlayerLeft,
)
from bridge.world import BotName


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
        self.connection = _connection(name, shared)
        self.bot = _bot(name, shared, self.connection)
        self.bot.services.provide(Cards, shared.cards.of(name))
        self.bot.services.provide(Studio, shared.studio)
        self.card_watch = CardWatch(self.bot, shared.cards.of(name))
        self.episode_watch = EpisodeWatch(self.bot)
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

        What ends an action or a proof takes effect now: in the mailbox it would wait behind
        whispers, each of which is on the disk before the next is handled."""
        match event:
            case ActionFinished():
                self.bot.actions.finished(event)
            case ActionProgress():
                self.bot.jobs.progressed(event)
            case BotDisconnected():
                self._present.discard(self.name)
                if not self._present:
                    self._strangers.lost_sight()
                self.bot.permissions.proofs.lost_sight(self.name)
                self._vitals.lost(self.name)
                self.connection.ended(event)
                self.bot.actions.disconnected()
            case HealthChanged():
                self._vitals.felt(self.name, event.health)
                self.mailbox.put(event)
            case PlayerLeft():
                self.bot.permissions.proofs.left(event.player)
                self._strangers.left(event.player)
                self.mailbox.put(event)
            case BotSpawned():
                self._present.add(self.name)
                self.view_distance.joined()
                self.bot.permissions.proofs.joined(self.name)
                self.mailbox.put(event)
            case LineAnswered():
                self._answers.take(event)
                self._server_lines.answered(event)
                if event.refusal is not None:
                    self.mailbox.put(event)
            case _:
                self.mailbox.put(event)

    async def run(self) -> None:
        """Live until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for part in self._parts:
                    group.create_task(part.run(), name=f"{type(part).__name__} of {self.name}")
        finally:
            await self.end_jobs()
            await self.dispatcher.aclose()
            await self.bot.aclose()

    async def end_jobs(self) -> None:
        """End what the bot is at, as the daemon ends: goals go on after the next start."""
        await self.bot.jobs.aclose()

    @property
    def _parts(self) -> tuple[Part, ...]:
        always: tuple[Part, ...] = (
            self.connection,
            self.mailbox,
            self.keeper,
            self.card_watch,
            self.episode_watch,
            self.view_distance,
        )
        return always if self.responder is None else (*always, self.responder)

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


def _connection(name: BotName, shared: SharedServices) -> Connection:
    return Connection(
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
