"""Notes in a bot's history what it does and sees happen, and tells it in English and Japanese.

Episodes are those of its commands, its deaths, and the visits of people once they are over. Who may
know an episode are those who may know what was asked for; what was handed over, also who got it.
What everybody sees, everybody may know. An owner is told of each death, once, in one sentence, and
of what the bot got back unasked.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import get_args

import structlog

from bots.access.origin import Level, Person, called, speaker_of
from bots.access.sources import COMMANDERS, FACTS, Sources, among_commanders, of_name
from bots.bot.bot import Bot
from bots.bot.deaths import LIE_FOR_S
from bots.bot.episode import Episode, What
from bots.bot.events import BotEvent, JobFinished, ThingsFetched
from bots.bot.looking import in_time
from bots.bot.result import Failure
from bots.catalogue.counted import few, item, mob_name, thing
from bots.errors import StoreError
from bots.text.causes import of_what
from bots.text.language import Language, language_of
from bots.text.printable import excerpt
from bots.words import filled, sentence, table
from bots.words.times import told_ago, told_minutes
from bridge.events import BotDied, BotSpawned, ItemGiven, PlayerJoined, PlayerLeft
from bridge.world import PlayerName, Position, WorldSnapshot, counts_of

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
            episode = done.episode
            if world is not None and episode.what not in _NOWHERE:
                at = episode.at or world.position.block  # as its command says, or where the bot is
                episode = replace(episode, at=at, dimension=episode.dimension or world.dimension)
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


@dataclass(frozen=True, slots=True)
class EpisodeWords:
    """In which language episodes are told, and to whom."""

    language: str
    listener: str = ""
    """Who is “you”, as lines of theirs are recorded; '': nobody."""

    def sentence(self, episode: Episode, ago: str = "") -> str:
        """A episode as the bot tells it: I made 4 torches for Steve at 10 64 -3."""
        language, why, for_whom = self.language, episode.why, ""
        if language != "en":
            reasons = table("own.failure", language)
            why = str(reasons.get(episode.reason, reasons["other"]))
        if episode.asked_by and episode.asked_by != episode.person:
            for_whom = sentence("episode.part.for", language, who=self._who(episode.asked_by))
        if episode.what == "visited":
            count = told_minutes(episode.count, language)
        else:
            count = item(episode.thing, episode.count, language)
        told = sentence(
            f"episode.{episode.what}",
            language,
            count=count,
            thing=self._thing(episode.thing),
            place=episode.thing.replace("_", " ") or _axes(episode.at),
            who=self._who(episode.person),
            why=why,
            cause=self._cause(episode),
            **{"for": for_whom, "at": self._at(episode)},
            ago=sentence("episode.part.ago", language, ago=ago) if ago else "",
        )
        return told[:1].upper() + told[1:]

    def _thing(self, name: str) -> str:
        """An item, a goal, or what a command does: “a fight” is `!skill fight`."""
        if not name.startswith("!"):
            return thing(name, self.language)
        tasks = table("episode.task", self.language)
        return str(tasks.get(name.removeprefix("!").replace(" ", "_"), tasks["other"]))

    def _who(self, name: str) -> str:
        if name == self.listener:
            return sentence("who.you", self.language)
        return sentence("who.person", self.language, who=called(name))

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


MOST_DEATHS = 8  # that wait to be told


class DeathNotice:
    """The notices of one bot. What no owner is there to hear is told to the next who comes. `run`
    is owned by the bot's session."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._deaths: deque[BotDied | ThingsFetched] = deque(maxlen=MOST_DEATHS)
        self._due = asyncio.Event()

    async def run(self) -> None:
        """Tell of deaths until cancelled."""
        unsubscribe = self._bot.events.subscribe(self._take)
        try:
            while True:
                await self._due.wait()
                self._due.clear()
                news, self._deaths = [*self._deaths], deque(maxlen=MOST_DEATHS)
                for one in news:
                    if not await self._tell(one):
                        self._deaths.append(one)
        finally:
            unsubscribe()

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, BotDied | ThingsFetched):
            self._deaths.append(event)
            self._due.set()
        if isinstance(event, PlayerJoined) and self._deaths:
            self._due.set()

    async def _tell(self, news: BotDied | ThingsFetched) -> bool:
        """Whether nobody is left who is to hear it."""
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        owner, job = world and self._owner(world), self._bot.jobs.current
        if not owner:
            return isinstance(news, ThingsFetched) and not news.left  # which is of no use later
        is_theirs = job is not None and job.started_by == Person(owner)
        if is_theirs and isinstance(news, BotDied):
            return True  # whose job it is hears of it as that ends
        said = self._bot.get_conversation_history(usernames=(owner,), limit=1)
        language = language_of([line.text for line in said if line.text])
        now = self._bot.times.clock()
        await self._bot.reply(owner, told(news, language, now), sources=FACTS)
        return True

    def _owner(self, world: WorldSnapshot) -> PlayerName | None:
        """The highest who is on the server and may command the bot, an owner before all others."""
        people = [one.name for one in world.players if one.name not in self._bot.known_bots]
        levels = {name: self._bot.permissions.level_of(Person(name)) for name in people}
        may = [name for name in people if levels[name] >= Level.TRUSTED]
        return min(may, key=lambda name: (-levels[name], name), default=None)


def told(news: BotDied | ThingsFetched, language: Language, now: datetime) -> str:
    """A death in a sentence: where, of what, and what lies there, or when, if that has vanished; or
    what it did not get back."""
    if isinstance(news, ThingsFetched):
        missing = [item(name, count, language) for name, count in news.left.items()]
        if not missing:
            return sentence("loss.fetched", language)
        return sentence("loss.left", language, things=few(missing, language))
    died = news
    episode = Episode(
        "died", at=died.death.position.block, dimension=died.dimension, cause=died.cause
    )
    if now - died.at > timedelta(seconds=LIE_FOR_S):
        return EpisodeWords(language).sentence(episode, told_ago(died.at, now, language))
    counts = counts_of(died.carried).most_common()
    named = [item(name, count, language) for name, count in counts]
    left = sentence("episode.part.left", language, things=few(named, language)) if named else ""
    return f"{in_words(episode)[language]}{left}"
