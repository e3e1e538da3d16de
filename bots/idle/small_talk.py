"""Small talk: bots tell whoever is near what they see, and one of them replies.

    news ─▶ a free bot with somebody in earshot says it ─▶ a fellow who heard it replies

A line wants no answer: the next exchange begins with other news. While a person talks with one of
those near, and in talks, bots keep quiet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Level, Person
from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bots.chat.message import Message
from bots.idle.company import IdleCompany
from bots.idle.recent import RecentSentences
from bots.idle.seen import Came, HourTurned, Item, Left, SawFellow, WeatherTurned
from bots.idle.words.wording import Voice, Wording
from bots.observability.trace import TraceLog
from bots.responder.case.persona import PersonaFiles
from bots.text.language import Language, language_of
from bridge.errors import BotError
from bridge.world import PlayerName, WorldSnapshot

READING_CPS = 20.0
"""Characters a second that people read."""
THOUGHT_S = 2.0  # before a reply
LOOKED_WITHIN_S = 1.0
SAY_WITHIN_S = 5.0
ONE_MORE = 0.4  # how often there is a second reply
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
        trace: TraceLog,
        *,
        every_s: float,
        hearing_range: float,
    ) -> None:
        self._company, self._personas, self._trace = company, personas, trace
        self._every_s, self._range = every_s, hearing_range
        self._times = company.times
        self._recent = RecentSentences(self._times.stopwatch)
        self._wording = Wording(self._recent, self._times.rng)

    async def run(self) -> None:
        """Exchange a few lines every `every_s` on average, until cancelled."""
        while True:
            pause_s = self._every_s * self._company.pace * self._times.rng.uniform(0.5, 1.5)
            await self._times.sleep(pause_s)
            try:
                await self._exchange()
            except BotError as error:  # as a bot leaves the world; try again next time
                self._trace.note("smalltalk.failed", why=str(error))

    async def _exchange(self) -> None:
        for item in self._company.news.fresh():
            circle = await self._circle(item)
            if circle is None:
                continue
            self._company.news.drop(item)
            if await self._remark(circle, item):
                await self._reply(circle, item)
                if self._times.rng.random() < ONE_MORE:
                    await self._reply(circle, item)
                return

    async def _remark(self, circle: Circle, item: Item) -> bool:
        """Say something of it; False when there is nothing left to say."""
        voice = await self._voice(circle.speaker, circle.people)
        text = self._wording.remark(voice, item.seen, self._addressee(circle))
        if text is None:
            return False
        await self._say(circle, text)
        if isinstance(item.seen, Came) and item.seen.met_before:
            await self._recall(circle.speaker, voice, item.seen.person)
        return True

    def _addressee(self, circle: Circle) -> str | None:
        if not circle.fellows or self._times.rng.random() > ADDRESSED:
            return None
        return self._times.rng.choice(circle.fellows).name

    async def _reply(self, before: Circle, item: Item) -> None:
        """One of those who heard it replies, after a moment."""
        others = [one for one in before.fellows if one.name not in _is_of(item)]
        if not others:
            return
        replying = self._times.rng.choice(others)
        await self._times.sleep(THOUGHT_S + self._times.rng.uniform(0, THOUGHT_S))
        circle = await self._circle_of(replying)
        if circle is None:
            return
        voice = await self._voice(replying, circle.people)
        text = self._wording.reply(voice, item.seen, before.speaker.name)
        if text is not None:
            await self._say(circle, text)

    async def _recall(self, bot: Bot, voice: Voice, person: str) -> None:
        """Remind a person, and nobody else, of their last words."""
        said = bot.get_conversation_history(username=person, type="natural_language", limit=1)
        wish = said[-1] if said else None
        if wish is None or wish.text is None:
            return
        own = Voice(voice.name, voice.temperament, language_of([wish.text]))
        text = self._wording.last_wish(own, wish.text)
        if text is not None and _was_private(wish, bot):
            await bot.tell(person, text, self._range, sources=wish.utterance.sources)

    async def _say(self, circle: Circle, text: str) -> None:
        """Say it to all near, and leave them time to read it."""
        self._recent.said(text)
        bot = circle.speaker
        said = await bot.tell_all(
            text,
            "normal",
            self._range,
            among=circle.names,
            within_s=SAY_WITHIN_S,
            kind="small_talk",
        )
        heard = [hearer.name for hearer in said.delivered]
        self._trace.note("smalltalk.said", bot.name, to=heard, text=text)
        await self._times.sleep(len(text) / READING_CPS)

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
        self._times.rng.shuffle(others)
        return [*first, *others]

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
    """Whether those near care: who came is greeted when they hear it; of who does something, others
    are told."""
    if isinstance(item.seen, Came):
        return item.seen.person in circle.people
    return True


def _is_of(item: Item) -> frozenset[str]:
    """The fellow that it is about, who does not speak of himself."""
    return frozenset({item.seen.fellow} if isinstance(item.seen, SawFellow) else ())


def _language_of_people(bot: Bot, people: tuple[str, ...]) -> Language | None:
    """The language in which those near talk with the bot; None when they have not."""
    said = bot.get_conversation_history(usernames=people, limit=1) if people else []
    lines = [message.text for message in said if message.text]
    return language_of(lines) if lines else None


def _was_private(message: Message, bot: Bot) -> bool:
    """Whether it was said to this bot alone."""
    return message.bot == bot.name and not message.public and message.utterance.talk is None
