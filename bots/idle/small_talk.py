"""Small talk: bots tell whoever is near what they see, and one of them replies.

    news or a memory ─▶ a free bot with somebody in earshot says it ─▶ a fellow who heard it replies

A line wants no answer: the next exchange begins with other news. While a person talks with one of
those near, and in talks, bots keep quiet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bots.access.origin import Level, Person
from bots.access.sources import Sources, of_name
from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bots.idle.company import IdleCompany
from bots.idle.memories import Memories, bot_cards
from bots.idle.model_words import Draft, ModelWords
from bots.idle.recent import RecentSentences
from bots.idle.seen import (
    Came,
    HourTurned,
    Item,
    KeptCompany,
    Left,
    SawFellow,
    TalkedOf,
    WeatherTurned,
    Wished,
)
from bots.idle.words.wording import Voice, Wording
from bots.observability.trace import TraceLog
from bots.responder.case.persona import PersonaFiles
from bots.text.language import Language, language_of, reading_length
from bridge.errors import BotError
from bridge.world import PlayerName, WorldSnapshot

READING_CPS = 20.0
"""Characters a second that people read."""
FOR_PEOPLE = 1.2  # times as long are pauses where people hear it: they have more to do
THOUGHT_S = 2.0  # before a reply
LOOKED_WITHIN_S = 1.0
SAY_WITHIN_S = 5.0
ONE_MORE = 0.5  # how often there is a second reply
KNOWS = 0.9  # how often somebody tells what they know of a thing
NEWS_AFTER_S = 5.0  # with nothing to say, it looks for news so often
OLD_TIMES = 0.2  # how often something remembered comes before what is new
ADDRESSED = 0.6  # how often a remark is for one fellow and not for all
JAPANESE = ("日本語", "Japanese")

KnownToAll: TypeAlias = WeatherTurned | HourTurned | Came | Left
"""What any bot may speak of, not only the one that saw it."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A free bot, and who hears what it says now."""

    speaker: Bot
    fellows: tuple[Bot, ...]
    people: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [*self.people, *(bot.name for bot in self.fellows)]


class SmallTalk:
    """Begins exchanges now and then. `run` is owned by the daemon."""

    def __init__(
        self,
        company: IdleCompany,
        personas: PersonaFiles,
        model_words: ModelWords,
        trace: TraceLog,
        *,
        every_s: float,
        hearing_range: float,
    ) -> None:
        self._company, self._personas, self._trace = company, personas, trace
        self._model_words = model_words
        self._every_s, self._range = every_s, hearing_range
        self._times = company.times
        self._recent = RecentSentences(self._times.stopwatch)
        self._wording = Wording(self._recent, self._times.rng)
        self._memories = Memories(company.fellows, self._times.stopwatch)
        self._last = ""
        """The newest line,"""
        self._people_heard = False
        """and whether it was for people too."""

    async def run(self) -> None:
        """Exchange a few lines every `every_s` on average, until cancelled."""
        while True:
            await self._times.sleep(self._every_s * self._pace * self._times.rng.uniform(0.5, 1.5))
            while not await self._has_spoken():
                await self._times.sleep(NEWS_AFTER_S * self._company.pace)

    async def _has_spoken(self) -> bool:
        """Exchange a few lines; False when there was nothing to say."""
        try:
            return await self._exchange()
        except BotError as error:  # as a bot leaves the world; try again next time
            self._trace.note("smalltalk.failed", why=str(error))
            return True

    @property
    def _pace(self) -> float:
        """By how much pauses are longer than usual."""
        return self._company.pace * (FOR_PEOPLE if self._people_heard else 1.0)

    async def _exchange(self) -> bool:
        for item in await self._notable():
            circle = await self._circle(item)
            if circle is None:
                continue
            self._company.news.drop(item)
            if await self._remark(circle, item):
                if (replied := await self._reply(circle, item)) is not None:
                    await self._carry_on(circle, item, replied)
                return True
        return False

    async def _carry_on(self, circle: Circle, item: Item, replied: Bot) -> None:
        """Now and then somebody tells what they know of it, or there is a second reply."""
        if self._wording.knows(item.seen) and self._times.rng.random() < KNOWS:
            await self._reply(circle, item, besides=replied, knows=True)
        elif self._times.rng.random() < ONE_MORE:
            await self._reply(circle, item, besides=replied)

    async def _notable(self) -> list[Item]:
        """What is new, and now and then something that is remembered before it."""
        news = self._company.news.fresh()
        if any(isinstance(item.seen, Came) for item in news):
            return news
        if news and self._times.rng.random() > OLD_TIMES:
            return news
        old = await self._remembered()
        return news if old is None else [old, *news]

    async def _remembered(self) -> Item | None:
        """What a bot remembers that those in earshot may know."""
        for bot in self._in_random_order(self._company.bots()):
            circle = await self._circle_of(bot)
            memory = None if circle is None else self._memories.of(bot, circle.people)
            if memory is not None:
                return Item(bot.name, memory.seen, self._times.stopwatch(), memory.sources)
        return None

    async def _remark(self, circle: Circle, item: Item) -> bool:
        """Say something of it; False when there is nothing left to say."""
        voice = await self._voice(circle.speaker, circle.people)
        told, to = self._as_told(circle, item), self._addressee(circle)
        text = self._wording.remark(voice, told.seen, to)
        if text is None:
            return False
        await self._say(circle, Draft(voice, told.seen, text, told.sources, to))
        if isinstance(item.seen, Came) and item.seen.met_before:
            bot_cards(circle.speaker).absences.told(item.seen.person)
            await self._recall(circle.speaker, voice, item.seen.person)
        return True

    def _as_told(self, circle: Circle, item: Item) -> Item:
        """With the name by which a person wants to be called, where all may know it."""
        seen = item.seen
        if not isinstance(seen, Came | Left | KeptCompany | Wished | TalkedOf):
            return item
        sources = item.sources | _of_name(circle.speaker, seen.person)
        if isinstance(seen, Wished):
            seen = replace(seen, is_here=seen.person in circle.people)
        named = self._memories.name_of(circle.speaker, seen.person, circle.people)
        if named is not None:
            seen, sources = replace(seen, person=named[0]), sources | named[1]
        return replace(item, seen=seen, sources=sources)

    def _addressee(self, circle: Circle) -> str | None:
        if not circle.fellows or self._times.rng.random() > ADDRESSED:
            return None
        return self._times.rng.choice(circle.fellows).name

    async def _reply(
        self, before: Circle, item: Item, besides: Bot | None = None, *, knows: bool = False
    ) -> Bot | None:
        """One of those who heard it replies, or tells what it knows, after a moment; who did."""
        others = [
            one for one in before.fellows if one is not besides and one.name not in _is_of(item)
        ]
        if not others:
            return None
        replying = self._times.rng.choice(others)
        await self._times.sleep(THOUGHT_S + self._times.rng.uniform(0, THOUGHT_S))
        circle = await self._circle_of(replying)
        if circle is None or not set(circle.people) <= set(before.people):
            return None
        voice = await self._voice(replying, circle.people)
        item = self._as_told(circle, item)
        to = before.speaker.name
        known = self._wording.fact(voice, item.seen, to) if knows else None
        text = known or self._wording.reply(voice, item.seen, to)
        if text is not None:
            heard = before.speaker.name, self._last
            await self._say(circle, Draft(voice, item.seen, text, item.sources, heard=heard))
        return replying

    async def _recall(self, bot: Bot, voice: Voice, person: str) -> None:
        """Remind a person, and nobody else, of their wish."""
        memory = self._memories.wish_of(bot, person)
        if memory is None or not isinstance(memory.seen, Wished):
            return
        own = replace(voice, language=language_of([memory.seen.words]))
        text = self._wording.remark(own, memory.seen, None)
        if text is not None:
            self._recent.said(text)
            await bot.tell(person, text, self._range, sources=memory.sources)

    async def _say(self, circle: Circle, draft: Draft) -> None:
        """Say it to all near, and leave them time to read it."""
        bot, text = circle.speaker, await self._in_best_words(circle, draft)
        if not self._company.is_free(bot):  # somebody came first while a model thought
            return
        self._recent.said(text)
        self._model_words.said(draft, text)
        self._last, self._people_heard = text, bool(circle.people)
        said = await bot.tell_all(
            text,
            "normal",
            self._range,
            among=circle.names,
            sources=draft.sources,
            within_s=SAY_WITHIN_S,
            kind="small_talk",
        )
        heard = [hearer.name for hearer in said.delivered]
        self._trace.note("smalltalk.said", bot.name, to=heard, text=text)
        await self._times.sleep(reading_length(text) / READING_CPS)

    async def _in_best_words(self, circle: Circle, draft: Draft) -> str:
        """A model's, where a person hears them and they are new; else the draft's."""
        words = await self._model_words.instead_of(draft) if circle.people else None
        return words if words and self._recent.are_fresh(words) else draft.text

    async def _circle(self, item: Item) -> Circle | None:
        """Who may speak of it now, with who would hear it."""
        for bot in self._speakers(item):
            circle = await self._circle_of(bot)
            if circle is not None and _concerns(item, circle):
                return circle
        return None

    def _speakers(self, item: Item) -> list[Bot]:
        bots = list(self._company.bots())
        first = [bot for bot in bots if bot.name == item.by]
        if not isinstance(item.seen, KnownToAll):
            return first
        others = [bot for bot in bots if bot.name != item.by]
        return [*first, *self._in_random_order(others)]

    def _in_random_order(self, bots: Sequence[Bot]) -> list[Bot]:
        return self._times.rng.sample(bots, len(bots))

    async def _circle_of(self, bot: Bot) -> Circle | None:
        """A bot and those in earshot; None when it is not free to talk, or nobody is there."""
        if bot.quiet or not self._company.is_free(bot):
            return None
        world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
        if world is None:
            return None
        near = self._near(world)
        fellows = tuple(one for one in self._company.bots() if one.name in near)
        if any(self._company.persons.going_on(one.name) for one in fellows):
            return None
        free = tuple(one for one in fellows if self._company.is_free(one))
        people = tuple(name for name in near & self._company.people if self._may_hear(bot, name))
        return Circle(bot, free, people) if free or people else None

    def _near(self, world: WorldSnapshot) -> frozenset[str]:
        distances = {one.name: world.distance_to(one) for one in world.players}
        return frozenset(
            name for name, far in distances.items() if far is not None and far <= self._range
        )

    def _may_hear(self, bot: Bot, name: str) -> bool:
        """On a server of others, only those who are trusted are talked to unasked."""
        level = bot.permissions.level_of(Person(PlayerName(name)))
        return self._company.is_ours or level >= Level.TRUSTED

    async def _voice(self, bot: Bot, people: tuple[str, ...]) -> Voice:
        persona = await self._personas.current(bot.name)
        own: Language = "ja" if persona.languages[0] in JAPANESE else "en"
        return Voice(bot.name, persona.temperament, _language_of_people(bot, people) or own)


def _concerns(item: Item, circle: Circle) -> bool:
    """Whether those near care: a person is spoken to when they hear it, and what a fellow does is
    told to others than that one."""
    if isinstance(item.seen, Came | KeptCompany):
        return item.seen.person in circle.people
    return not _is_of(item).issuperset(circle.names)


def _is_of(item: Item) -> frozenset[str]:
    """The fellow that it is about, who does not speak of himself."""
    return frozenset({item.seen.fellow} if isinstance(item.seen, SawFellow) else ())


def _language_of_people(bot: Bot, people: tuple[str, ...]) -> Language | None:
    """The language in which those near talk with the bot; None when they have not."""
    said = bot.get_conversation_history(usernames=people, limit=1) if people else []
    lines = [message.text for message in said if message.text]
    return language_of(lines) if lines else None


def _of_name(bot: Bot, person: str) -> Sources:
    """Where a name comes from."""
    return of_name(Person(PlayerName(person)), bot.permissions.level_of)
