"""Tells an owner of each death of a bot, once, in one sentence, and what it got back unasked."""

from __future__ import annotations

import asyncio
from collections import deque

from bots.access.origin import Level, Person
from bots.access.sources import FACTS
from bots.bot.bot import Bot
from bots.bot.episode import Episode
from bots.bot.events import BotEvent, ThingsFetched
from bots.bot.looking import in_time
from bots.catalogue.counted import few, item
from bots.knowledge.episodes import in_words
from bots.text.language import Language, language_of
from bots.words import sentence
from bridge.events import BotDied
from bridge.world import PlayerName, WorldSnapshot, counts_of

LOOKED_WITHIN_S = 1.0
MOST_WAITING = 8


class DeathNotice:
    """The notices of one bot. `run` is owned by the bot's session."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._deaths: deque[BotDied | ThingsFetched] = deque(maxlen=MOST_WAITING)
        self._due = asyncio.Event()

    async def run(self) -> None:
        """Tell of deaths until cancelled."""
        unsubscribe = self._bot.events.subscribe(self._take)
        try:
            while True:
                await self._due.wait()
                self._due.clear()
                while self._deaths:
                    await self._tell(self._deaths.popleft())
        finally:
            unsubscribe()

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, BotDied | ThingsFetched):
            self._deaths.append(event)
            self._due.set()

    async def _tell(self, news: BotDied | ThingsFetched) -> None:
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        owner = world and self._owner(world)
        if owner and not self._hears_of_it_from_the_job(owner):
            said = self._bot.get_conversation_history(usernames=(owner,), limit=1)
            language = language_of([line.text for line in said if line.text])
            await self._bot.reply(owner, told(news, language), sources=FACTS)

    def _owner(self, world: WorldSnapshot) -> PlayerName | None:
        """The highest who is on the server and may command the bot, an owner before all others."""
        people = [one.name for one in world.players if one.name not in self._bot.known_bots]
        levels = {name: self._bot.permissions.level_of(Person(name)) for name in people}
        may = [name for name in people if levels[name] >= Level.TRUSTED]
        return min(may, key=lambda name: (-levels[name], name), default=None)

    def _hears_of_it_from_the_job(self, owner: PlayerName) -> bool:
        job = self._bot.jobs.current
        return job is not None and job.started_by == Person(owner)


def told(news: BotDied | ThingsFetched, language: Language) -> str:
    """A death in a sentence: where, of what, and what lies there; or what it did not get back."""
    if isinstance(news, ThingsFetched):
        missing = [item(name, count, language) for name, count in news.left.items()]
        if not missing:
            return sentence("loss.fetched", language)
        return sentence("loss.left", language, things=few(missing, language))
    died = news
    episode = Episode(
        "died", at=died.death.position.block, dimension=died.dimension, cause=died.cause
    )
    counts = counts_of(died.carried).most_common()
    named = [item(name, count, language) for name, count in counts]
    left = sentence("episode.part.left", language, things=few(named, language)) if named else ""
    return f"{in_words(episode)[language]}{left}"
