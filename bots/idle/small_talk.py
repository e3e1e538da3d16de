"""Small talk: bots tell whoever is near what they see, and one of them replies.

    news or a memory ─▶ a free bot with somebody in earshot says it ─▶ a fellow who heard it replies

A line wants no answer: the next exchange begins with other news. A line for one is
whispered to that one. While a person talks with one of those near, and in talks, bots keep quiet.

Bots of other daemons hear it too. One of them may be chosen to reply: it is told the topic, and its
daemon finds the words.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, of_name
from bots.bot.bot import Bot
from bots.bot.events import BotEvent
from bots.bot.looking import in_time
from bots.chat.between_daemons import SmallTalkHeard
from bots.idle.company import LEAST_HEALTH, IdleCompany, Memories
from bots.idle.model_words import Draft, ModelWords
from bots.idle.seen import (
    STALE_S,
    Came,
    HeardOf,
    HourTurned,
    Item,
    KeptCompany,
    Left,
    SawFellow,
    Seen,
    TalkedOf,
    WeatherTurned,
    Wished,
)
from bots.idle.wording import RecentSentences, Voice, Wording, is_topic, topic_of
from bots.knowledge.cards.card import cards_of
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.responder.case.persona import Persona, PersonaFiles
from bots.text.language import Language, language_of, reading_length
from bridge.errors import BotError
from bridge.world import PlayerName

READING_CPS = 20.0
"""Characters a second that people read."""
FOR_PEOPLE = 1.2  # times as long are pauses where people hear it: they have more to do
FOR_BUSY_PEOPLE = 6.0  # the same where a person has the bots at work
BUSY_FOR_S = 180.0  # so long after a person's last word to a bot
THOUGHT_S = 2.0  # before a reply
LOOKED_WITHIN_S = 1.0
SAY_WITHIN_S = 5.0
ONE_MORE = 0.5  # how often there is a second reply
KNOWS = 0.9  # how often somebody tells what they know of a thing
NEWS_AFTER_S = 5.0  # with nothing to say, it looks for news so often
OLD_TIMES = 0.2  # how often something remembered comes before what is new
ADDRESSED = 0.6  # how often a remark is for one fellow and not for all
JAPANESE = ("日本語", "Japanese")

_SPEAKS_TO = re.compile(r"[?？]|\byour?\b|あなた", re.IGNORECASE)
KnownToAll: TypeAlias = WeatherTurned | HourTurned | Came | Left
"""What any bot may speak of, not only the one that saw it."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A free bot, and who hears what it says now."""

    speaker: Bot
    fellows: tuple[Bot, ...]
    people: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    """Bots of other daemons."""

    @property
    def names(self) -> list[str]:
        return [*self.outsiders, *(bot.name for bot in self.fellows)]

    @property
    def bots(self) -> list[str]:
        """Those who may reply."""
        return [*(bot.name for bot in self.fellows), *self.elsewhere]

    def of_one(self, name: str) -> Circle:
        """The same, where only one of them hears it."""
        fellows = tuple(one for one in self.fellows if one.name == name)
        people = tuple(one for one in self.people if one == name)
        elsewhere = tuple(one for one in self.elsewhere if one == name)
        return Circle(self.speaker, fellows, people, elsewhere)

    @property
    def outsiders(self) -> tuple[str, ...]:
        """Who may not hear more than a person may: a bot elsewhere could be a player now, who has
        taken its name."""
        return (*self.people, *self.elsewhere)


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
        self._memories = Memories(company.known_bots, self._times.stopwatch)
        self._last = ""
        """The newest line,"""
        self._people_heard = False
        """and whether it was for people too."""
        self._told_elsewhere_s: dict[str, float] = {}
        """When bots of other daemons last spoke of each topic,"""
        self._heard_at_s = float("-inf")
        """and of anything."""
        self._replies, self._one_at_a_time = OwnedTasks(), asyncio.Lock()

    def listen(self, bot: Bot) -> None:
        """Let this bot reply to bots of other daemons from now on."""

        def on_event(event: BotEvent) -> None:
            if isinstance(event, SmallTalkHeard):
                self._heard_at_s = self._told_elsewhere_s[event.topic] = self._times.stopwatch()
                self._recent.said(event.text)
                if event.asks and is_topic(event.topic):
                    self._replies.start(self._reply_elsewhere(bot, event), f"reply of {bot.name}")

        bot.events.subscribe(on_event)

    async def run(self) -> None:
        """Exchange a few lines every `every_s` on average, until cancelled."""
        try:
            while True:
                seconds = self._every_s * self._pace * self._times.rng.uniform(0.5, 1.5)
                await self._times.sleep(seconds)
                # So long also after the last words of bots of other daemons: they take turns.
                while (left_s := self._heard_at_s + seconds - self._times.stopwatch()) > 0:
                    await self._times.sleep(left_s)
                while not await self._has_spoken():
                    await self._times.sleep(NEWS_AFTER_S * self._company.pace)
        finally:
            await self._replies.aclose()

    async def _has_spoken(self) -> bool:
        """Exchange a few lines; False when there was nothing to say."""
        try:
            async with self._one_at_a_time:
                return await self._exchange()
        except BotError as error:  # as a bot leaves the world; try again next time
            self._trace.note("smalltalk.failed", why=str(error))
            return True

    @property
    def _pace(self) -> float:
        """By how much pauses are longer than usual."""
        if not self._people_heard:
            return self._company.pace
        return self._company.pace * (FOR_BUSY_PEOPLE if self._are_busy else FOR_PEOPLE)

    @property
    def _are_busy(self) -> bool:
        """Whether a person has told bots something of late."""
        return self._company.persons.any_within(BUSY_FOR_S)

    async def _exchange(self) -> bool:
        for item in await self._notable():
            circle = await self._circle(item)
            if circle is None:
                continue
            self._company.news.drop(item)
            to = self._addressee(circle)
            # The bot of another daemon that is to reply; else one of ours does.
            replying = to if to in circle.elsewhere or not circle.bots else None
            replying = replying or (self._times.rng.choice(circle.bots) if circle.bots else None)
            invited = replying if replying in circle.elsewhere else None
            if await self._remark(circle, item, to, invited):
                heard_by = circle if to is None else circle.of_one(to)
                replied = None if invited else await self._reply(heard_by, item)
                if replied is not None and not (circle.people and self._are_busy):
                    await self._carry_on(heard_by, item, replied)
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
        news = [item for item in self._company.news.fresh() if not self._is_told(item.seen)]
        if any(isinstance(item.seen, Came) for item in news):
            return news
        if news and self._times.rng.random() > OLD_TIMES:
            return news
        old = await self._remembered()
        return news if old is None else [old, *news]

    def _is_told(self, seen: Seen) -> bool:
        """Whether all near have heard of it from a bot of another daemon."""
        if not isinstance(seen, WeatherTurned | HourTurned):
            return False
        told_s = self._told_elsewhere_s.get(topic_of(seen), float("-inf"))
        return self._times.stopwatch() - told_s < STALE_S

    async def _remembered(self) -> Item | None:
        """What a bot remembers that those in earshot may know."""
        for bot in self._in_random_order(self._company.bots()):
            circle = await self._circle_of(bot)
            memory = None if circle is None else self._memories.of(bot, circle.outsiders)
            if memory is not None:
                return Item(bot.name, memory.seen, self._times.stopwatch(), memory.sources)
        return None

    async def _remark(
        self, circle: Circle, item: Item, to: str | None, invited: str | None
    ) -> bool:
        """Say something of it; False when there is nothing left to say."""
        voice = await self._voice(circle.speaker, circle.people)
        told = self._as_told(circle, item)
        text = self._wording.remark(voice, told.seen, to)
        if text is None:
            return False
        hearing = self._hearing(circle, item, told.seen, text, to)
        draft = Draft(voice, told.seen, text, told.sources, to)
        await self._say(hearing, draft, topic_of(item.seen), invited)
        if isinstance(item.seen, Came) and item.seen.met_before:
            cards_of(circle.speaker).absences.told(item.seen.person)
            await self._recall(circle.speaker, voice, item.seen.person)
        return True

    def _as_told(self, circle: Circle, item: Item) -> Item:
        """With the name by which a person wants to be called, where all may know it."""
        seen = item.seen
        if not isinstance(seen, Came | Left | KeptCompany | Wished | TalkedOf):
            return item
        level_of = circle.speaker.permissions.level_of
        sources = item.sources | of_name(Person(PlayerName(seen.person)), level_of)
        if isinstance(seen, Wished):
            seen = replace(seen, is_here=seen.person in circle.people)
        named = self._memories.name_of(circle.speaker, seen.person, circle.outsiders)
        if named is not None:
            seen, sources = replace(seen, person=named[0]), sources | named[1]
        return replace(item, seen=seen, sources=sources)

    def _hearing(self, circle: Circle, item: Item, told: Seen, text: str, to: str | None) -> Circle:
        """Those who are to hear it: all near, or the one for whom it is."""
        if isinstance(item.seen, Came | KeptCompany) and isinstance(told, Came | KeptCompany):
            return circle.of_one(item.seen.person) if told.person in text else circle
        is_for_one = to is not None and (to in text or _SPEAKS_TO.search(text) is not None)
        return circle.of_one(to) if to is not None and is_for_one else circle

    def _addressee(self, circle: Circle) -> str | None:
        """One of the bots, unless people would hear what is not for them."""
        if not circle.bots or circle.people or self._times.rng.random() > ADDRESSED:
            return None
        return self._times.rng.choice(circle.bots)

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
        if circle is None or not set(circle.outsiders) <= set(before.outsiders):
            return None
        voice, original = await self._voice(replying, circle.people), item
        item = self._as_told(circle, item)
        to = before.speaker.name
        known = self._wording.fact(voice, item.seen, to) if knows else None
        text = known or self._wording.reply(voice, item.seen, to)
        if text is not None:
            heard = before.speaker.name, self._last
            hearing = self._hearing(circle, original, item.seen, text, to)
            if before.names == [replying.name]:  # it was whispered to this one alone
                hearing = circle.of_one(to)
            await self._say(hearing, Draft(voice, item.seen, text, item.sources, heard=heard))
        return replying

    async def _reply_elsewhere(self, bot: Bot, heard: SmallTalkHeard) -> None:
        """Reply to a bot of another daemon, which wants no answer to that."""
        before = self._last
        async with self._one_at_a_time:
            if self._last != before:  # one of ours was about to speak of something else
                return
            await self._times.sleep(THOUGHT_S + self._times.rng.uniform(0, THOUGHT_S))
            circle = await self._circle_of(bot)
            if circle is None or heard.speaker not in circle.elsewhere:
                return
            voice, seen = await self._voice(bot, circle.people), HeardOf(heard.topic)
            text = self._wording.reply(voice, seen, heard.speaker)
            if text is not None:
                item = Item(bot.name, seen, 0.0)
                hearing = self._hearing(circle, item, seen, text, heard.speaker)
                with suppress(BotError):  # as it leaves the world
                    await self._say(hearing, Draft(voice, seen, text, FACTS))

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

    async def _say(
        self, circle: Circle, draft: Draft, topic: str = "", asks: str | None = None
    ) -> None:
        """Say it to all near, and leave them time to read it."""
        # In a model's words, where a person hears them and they are new.
        is_worth_it = circle.people and not isinstance(draft.seen, HeardOf)
        words = await self._model_words.instead_of(draft) if is_worth_it else None
        text = words if words and self._recent.are_fresh(words) else draft.text
        bot = circle.speaker
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
            topic=topic,
            asks=asks,
        )
        heard = [hearer.name for hearer in said.delivered]
        self._trace.note("smalltalk.said", bot.name, to=heard, text=text)
        await self._times.sleep(reading_length(text) / READING_CPS)

    async def _circle(self, item: Item) -> Circle | None:
        """Who may speak of it now, with who would hear it."""
        bots = list(self._company.bots())
        speakers = [bot for bot in bots if bot.name == item.by]
        if isinstance(item.seen, KnownToAll):
            speakers += self._in_random_order([bot for bot in bots if bot.name != item.by])
        for bot in speakers:
            circle = await self._circle_of(bot)
            if circle is not None and _concerns(item, circle):
                return circle
        return None

    def _in_random_order(self, bots: Sequence[Bot]) -> list[Bot]:
        return self._times.rng.sample(bots, len(bots))

    async def _circle_of(self, bot: Bot) -> Circle | None:
        """A bot and those in earshot; None when it is not free to talk, or nobody is there; badly
        hurt, it has no mind for it."""
        if bot.quiet or not self._company.is_free(bot):
            return None
        world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
        if world is None or world.health < LEAST_HEALTH:
            return None
        distances = {one.name: world.distance_to(one) for one in world.players}
        heard = (name for name, far in distances.items() if far is not None and far <= self._range)
        near = frozenset[str](heard)
        fellows = tuple(one for one in self._company.bots() if one.name in near)
        if any(self._company.persons.going_on(one.name) for one in fellows):
            return None
        free = tuple(one for one in fellows if self._company.is_free(one))
        people = tuple(near & self._company.people)
        if not self._company.is_ours:  # there only those who are trusted are talked to unasked
            level_of = bot.permissions.level_of
            people = tuple(
                one for one in people if level_of(Person(PlayerName(one))) >= Level.TRUSTED
            )
        elsewhere = tuple(name for name in near if self._company.known_bots.is_elsewhere(name))
        circle = Circle(bot, free, people, elsewhere)
        return circle if circle.names else None

    async def _voice(self, bot: Bot, people: tuple[str, ...]) -> Voice:
        persona = await self._personas.current(bot.name)
        return Voice(bot.name, persona.temperament, language_for(bot, people, persona))


def _concerns(item: Item, circle: Circle) -> bool:
    """Whether those near care: a person is spoken to when they hear it, nobody is spoken of beside
    them, and what a fellow does is told to others than that one."""
    seen, spoken_of = item.seen, ""
    if isinstance(seen, Came | KeptCompany):
        return seen.person in circle.people
    if isinstance(seen, TalkedOf):
        spoken_of = seen.person
    elif isinstance(seen, SawFellow) and seen.doing == "visiting":
        spoken_of = seen.what
    return spoken_of not in circle.people and not _is_of(item).issuperset(circle.names)


def _is_of(item: Item) -> frozenset[str]:
    """The fellow that it is about, who does not speak of himself."""
    return frozenset({item.seen.fellow} if isinstance(item.seen, SawFellow) else ())


def language_for(bot: Bot, people: tuple[str, ...], persona: Persona) -> Language:
    """The language in which those near talk with the bot; when they have not, its own."""
    said = bot.get_conversation_history(usernames=people, limit=1) if people else []
    lines = [message.text for message in said if message.text]
    if lines:
        return language_of(lines)
    return "ja" if persona.languages[0] in JAPANESE else "en"
