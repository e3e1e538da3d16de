"""Notes in a bot's history what it does and sees happen, and tells it in English and Japanese.

Episodes are those of its commands, its deaths, and the visits of people once they are over. Who may
know an episode are those who may know what was asked for; what was handed over, also who got it.
What everybody sees, everybody may know.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

import structlog

from bots.access.origin import Person, called, speaker_of
from bots.access.sources import COMMANDERS, FACTS, Sources, among_commanders, of_name
from bots.bot.bot import Bot
from bots.bot.episode import Episode, What
from bots.bot.events import BotEvent, JobFinished
from bots.bot.looking import in_time
from bots.bot.result import Failure
from bots.catalogue.counted import item, mob_name, thing
from bots.errors import StoreError
from bots.text.causes import of_what
from bots.text.language import Language
from bots.text.printable import excerpt
from bots.words import filled, sentence, table
from bots.words.times import told_minutes
from bridge.events import BotDied, BotSpawned, ItemGiven, PlayerJoined, PlayerLeft
from bridge.world import PlayerName, Position, WorldSnapshot

log = structlog.get_logger()

LOOKED_WITHIN_S = 1.0
MOST_WAITING = 200  # episodes that are not stored yet; the oldest are dropped
LONGEST_WHY = 160
SHORTEST_VISIT_S = 60.0  # who looks in for less is not worth a note
MOST_VISITORS = 1_000
_NO_FAULT = frozenset({"stopped", "replaced", "paused", "closing", "disconnected"})
"""Reasons that say nothing of what was asked."""
_NOWHERE: frozenset[What] = frozenset({"visited", "failed"})


@dataclass(frozen=True, slots=True)
class _Done:
    """An episode that is yet to be noted."""

    episode: Episode
    sources: Sources
    at: datetime


class EpisodeWatch:
    """Notes the episodes of one bot. `run` is owned by the bot's session."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._clock, self._stopwatch = bot.times.clock, bot.times.stopwatch
        self._waiting: deque[_Done] = deque(maxlen=MOST_WAITING)
        self._due = asyncio.Event()
        self._spawned_s = 0.0
        self._came_s: dict[str, float] = {}

    async def run(self) -> None:
        """Note what is due, until cancelled."""
        unsubscribe = self._bot.events.subscribe(self._take)
        try:
            while True:
                await self._due.wait()
                self._due.clear()
                await self._note_all()
        finally:
            unsubscribe()

    def _take(self, event: BotEvent) -> None:
        match event:
            case JobFinished(is_whole_command=False):
                self._waiting.extend(self._done(event))
            case BotDied(death=death, dimension=dimension, cause=cause):
                here = death.position.block
                episode = Episode("died", at=here, dimension=dimension, cause=cause)
                self._waiting.append(_Done(episode, FACTS, event.at))
            case ItemGiven(player=player, item=item, count=count, meant_for=None):
                episode = Episode("received", item, count, player)
                self._waiting.append(_Done(episode, _between(player), self._clock()))
            case BotSpawned():
                self._spawned_s = self._stopwatch()
                self._came_s.clear()
            case PlayerJoined(player=player) if len(self._came_s) < MOST_VISITORS:
                self._came_s[player] = self._stopwatch()
            case PlayerLeft(player=player):
                self._left(player)
        if self._waiting:
            self._due.set()

    def _done(self, event: JobFinished) -> Iterator[_Done]:
        asker = event.started_by
        asked_by = speaker_of(asker) if isinstance(asker, Person) else ""
        for episode in _episodes_of(event):
            sources = among_commanders(event.sources)
            if episode.what == "gave":
                sources = _between(episode.person, asked_by)
            yield _Done(replace(episode, asked_by=asked_by), sources, self._clock())

    def _left(self, player: PlayerName) -> None:
        """The visit of a person is over; who was here before the bot came, has since then."""
        stayed_s = self._stopwatch() - self._came_s.pop(player, self._spawned_s)
        if stayed_s < SHORTEST_VISIT_S or player in self._bot.known_bots:
            return
        who = Person(player)
        episode = Episode("visited", count=int(stayed_s / 60), person=speaker_of(who))
        sources = of_name(who, self._bot.permissions.level_of)
        self._waiting.append(_Done(episode, sources, self._clock()))

    async def _note_all(self) -> None:
        needs_place = any(done.episode.what not in _NOWHERE for done in self._waiting)
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S) if needs_place else None
        for _ in range(len(self._waiting)):
            done = self._waiting.popleft()
            episode = _with_place(done.episode, world)
            try:
                await self._bot.note_episode(episode, in_words(episode), done.sources, done.at)
            except StoreError as fault:  # the store has logged what is wrong
                log.warning(
                    "episode.not_noted", bot=self._bot.name, what=episode.what, why=str(fault)
                )


def _between(*persons: str) -> Sources:
    """Of what changed hands: names and numbers, for those who were in it."""
    return replace(FACTS, audience=frozenset({COMMANDERS, *persons}) - {""})


def in_words(episode: Episode) -> Mapping[Language, str]:
    """An episode in each language."""
    return {language: EpisodeWords(language).sentence(episode) for language in get_args(Language)}


def _episodes_of(event: JobFinished) -> Iterator[Episode]:
    """What a command did, and whether it failed."""
    result = event.result
    yield from (episode for episode in result.episodes() if episode.count)
    if isinstance(result, Failure) and result.reason not in _NO_FAULT:
        why = excerpt(result.message, LONGEST_WHY)
        what = event.goal or event.command
        yield Episode("failed", what, why=why, reason=result.reason)


def _with_place(episode: Episode, world: WorldSnapshot | None) -> Episode:
    """With where it was: where its command says, or else where the bot is."""
    if world is None or episode.what in _NOWHERE:
        return episode
    dimension = episode.dimension or world.dimension
    return replace(episode, at=episode.at or world.position.block, dimension=dimension)


@dataclass(frozen=True, slots=True)
class EpisodeWords:
    """In which language episodes are told, and to whom."""

    language: str
    listener: str = ""
    """Who is “you”, as lines of theirs are recorded; '': nobody."""

    def sentence(self, episode: Episode, ago: str = "") -> str:
        """A episode as the bot tells it: I made 4 torches for Steve at 10 64 -3."""
        told = sentence(
            f"episode.{episode.what}",
            self.language,
            count=self._count(episode),
            thing=self._thing(episode.thing),
            place=episode.thing.replace("_", " ") or _axes(episode.at),
            who=self._who(episode.person),
            why=self._why(episode),
            cause=self._cause(episode),
            **{"for": self._for(episode), "at": self._at(episode)},
            ago=sentence("episode.part.ago", self.language, ago=ago) if ago else "",
        )
        return told[:1].upper() + told[1:]

    def _thing(self, name: str) -> str:
        """An item, a goal, or what a command does: “a fight” is `!skill fight`."""
        if not name.startswith("!"):
            return thing(name, self.language)
        tasks = table("episode.task", self.language)
        return str(tasks.get(name.removeprefix("!").replace(" ", "_"), tasks["other"]))

    def _count(self, episode: Episode) -> str:
        if episode.what == "visited":
            return told_minutes(episode.count, self.language)
        return item(episode.thing, episode.count, self.language)

    def _who(self, name: str) -> str:
        if name == self.listener:
            return sentence("who.you", self.language)
        return sentence("who.person", self.language, who=called(name))

    def _why(self, episode: Episode) -> str:
        if self.language == "en":
            return episode.why
        reasons = table("own.failure", self.language)
        return str(reasons.get(episode.reason, reasons["other"]))

    def _for(self, episode: Episode) -> str:
        if not episode.asked_by or episode.asked_by == episode.person:
            return ""
        return sentence("episode.part.for", self.language, who=self._who(episode.asked_by))

    def _cause(self, episode: Episode) -> str:
        language, cause = self.language, episode.cause
        if language == "en":
            return of_what(cause)
        if cause is None:
            return sentence("own.cause.unknown", language)
        if cause.kind == "player":
            who = sentence("who.person", language, who=cause.name)
        elif cause.kind == "creature":
            who = mob_name(cause.name, language)
        else:
            who = table("names.cause", language).get(cause.name) or thing(cause.name, language)
        is_guess = cause.how == "guessed"
        return sentence("own.cause.guessed" if is_guess else "own.cause.known", language, cause=who)

    def _at(self, episode: Episode) -> str:
        """Where it was, in the world where nothing else is said."""
        if episode.at is None:
            return ""
        land = episode.dimension.removeprefix("minecraft:").removeprefix("the_")
        lands = table("episode.land", self.language)
        told = filled(lands.get(land, lands["elsewhere"]), {"land": land})
        if land in ("", "overworld"):
            told = ""
        return sentence("episode.part.at", self.language, at=_axes(episode.at), land=told)


def _axes(at: Position | None) -> str:
    return "" if at is None else f"{at.x:.10g} {at.y:.10g} {at.z:.10g}"
