"""Carries out a talk's effects with real bots: asks them, has them speak, records who heard.

A line reaches the participants who stand within hearing range in the same dimension when it is
said, each once, by a whisper to each or in public chat. The others do not learn of it.

A request such as "Bob, follow me" is carried out by Bob as if nobody talked: he leaves the floor,
decides with his tools, answers the one who asked, and comes back. Nobody answers such a line in the
talk. Plain requests are recognised as they are heard; what only a model understands, in that bot's
turn. Who sees to what is stored, so that no other bot takes it after a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Literal, Protocol, TypeAlias

from bots.access.origin import OPERATOR_NAME, KnownBots, Level, Operator, Origin, Person, speaker_of
from bots.access.sources import FACTS, UNKNOWN, LevelOf, Sources
from bots.access.visibility import Visibility, hearers_of
from bots.bot.bot import Bot
from bots.bot.events import MessageAnswered
from bots.bot.locations import Location
from bots.bot.looking import in_time
from bots.catalogue.handbook import handbook_for
from bots.chat.broadcast import BroadcastResult
from bots.chat.conversation import Conversation
from bots.chat.message import Message, of_talk
from bots.chat.natural_message import NaturalMessage
from bots.errors import SpeechRefused
from bots.owned_tasks import OwnedTasks
from bots.responder.case.case import LOOK_WITHIN_S
from bots.responder.rules.reciting import told_to_all
from bots.skills.idle import pondering
from bots.talks.live.prompt import BLOCKS_WITHIN, SharedScene, TurnContext
from bots.talks.live.runner import Answer
from bots.talks.live.start_phrases import called, nicknames_of
from bots.talks.live.storage import TalkRecord
from bots.talks.live.thinker import Thinker
from bots.talks.live.with_people import accepts
from bots.talks.machine import system_lines
from bots.talks.machine.events import Announce, Participant, Say, Think
from bots.talks.machine.policy import TalkPolicy
from bots.text.language import language_of
from bots.words import sentence
from bridge.errors import BridgeError
from bridge.world import PlayerName, WorldSnapshot

MOST_REMEMBERED = 50  # requests of one talk; a prompt shows fewer lines
TALK_SPEAKER = "@talk"
"""The speaker of a talk's system lines in histories; no player can have this name."""
SAY_WITHIN_S = 20.0  # for all whispers of one line; later ones are refused
SYSTEM_LINE_WITHIN_S = 10.0  # for a system line; later it is out of date
Channel: TypeAlias = Literal["whisper", "public"]


class Deciders(Protocol):
    """The bots as they decide outside of talks."""

    async def sees_to(self, message: NaturalMessage) -> bool:
        """Have the bot of this line decide it, if it plainly asks for something to be done; returns
        whether it does."""

    async def decide(self, message: NaturalMessage) -> None:
        """Have the bot of this line decide it."""


class Asides:
    """The requests of one talk. `seen_to` are those from before a restart."""

    def __init__(
        self, deciders: Deciders, record: TalkRecord, seen_to: Mapping[int, tuple[str, ...]]
    ) -> None:
        self._deciders, self._record = deciders, record
        self.by = dict(islice(seen_to.items(), max(0, len(seen_to) - MOST_REMEMBERED), None))
        """Of each request's utterance, the bots that saw to it."""

    async def seen_to(
        self, meant_for: Sequence[str], heard: Mapping[str, NaturalMessage], utterance: int
    ) -> tuple[str, ...]:
        """Of the bots that a person's line is meant for, those that see to it.

        `heard` is the line in the history of each bot that heard it."""
        by = tuple([bot for bot in meant_for if await self._deciders.sees_to(heard[bot])])
        if by:
            await self._remember(utterance, by)
        return by

    async def see_to(self, heard: NaturalMessage, utterance: int) -> None:
        """Have a bot decide a line that it understood as a request in its turn."""
        await self._remember(utterance, (heard.bot,))
        await self._deciders.decide(heard)

    async def _remember(self, utterance: int, by: tuple[str, ...]) -> None:
        self.by[utterance] = by
        await self._record.sees_to(utterance, by)
        if len(self.by) > MOST_REMEMBERED:
            del self.by[next(iter(self.by))]


BEGINS = system_lines.began((), "").partition(":")[0]


@dataclass(frozen=True, slots=True)
class TalkServices:
    """What all talks of a daemon share."""

    bot: Callable[[str], Bot]
    """A bot of ours by name. Raises KeyError."""
    known_bots: KnownBots
    """The names of all our bots."""
    conversation: Conversation
    thinker: Thinker
    level_of: LevelOf
    hearing_range: float
    channel: Channel
    handful: int
    """Lines like a machine's in a row after which a speaker is left alone."""
    deciders: Deciders
    nicknames: Mapping[str, Participant]
    """The bots that talks know by other names too."""
    hush: Callable[[], None]
    """Somebody has heard enough."""


@dataclass(frozen=True, slots=True)
class Heard:
    """How a person's line reached the talk."""

    hearing: Mapping[str, str | None]
    """For every other participant None, or why it was not heard."""
    meant_for: tuple[str, ...] = ()
    """The bots that it calls, or else the one it was whispered to."""
    seen_to_by: tuple[str, ...] = ()
    """The bots that see to it outside of the talk, as it asks them to do something."""


class BotIO:
    """The I/O of one talk. `who` returns the current participants."""

    def __init__(
        self,
        number: int,
        services: TalkServices,
        who: Callable[[], Sequence[Participant]],
        policy: TalkPolicy,
        started_by: Origin,
        record: TalkRecord,
        seen_to: Mapping[int, tuple[str, ...]],
    ) -> None:
        self._number, self._services, self._who = number, services, who
        self._policy, self._started_by = policy, started_by
        self._scene = SharedScene(self._look_around)
        self._asides = Asides(services.deciders, record, seen_to)
        self._jobs = OwnedTasks()
        self._warned: set[str] = set()
        self._made_from: dict[str, Sources] = {}
        """By speaker, the sources of its last answer."""
        self._thought_for: dict[str, frozenset[str]] = {}
        """By speaker, who may hear that answer."""
        self._asked: dict[str, set[str]] = {}
        """By bot, the people whose words it has not answered yet."""
        self._offers: dict[str, str] = {}
        """By bot, the request it has offered since a person spoke last."""

    async def think(self, effect: Think) -> Answer:
        bot = self._services.bot(effect.speaker)
        present = [one for one in self._who() if one.name != effect.speaker]
        others = tuple(one.name for one in present)
        context = TurnContext(
            others,
            await self._scene.of_round(effect.round),
            self._policy.topic,
            effect.why,
            effect.say_goodbye,
            self._view(),
            of_talk(self._number),
            self.topic_sources(),
            bot.job_in_words,
            self._asides.by,
            self._policy.may_follow(effect.speaker, present),
            may_act=True,
            nicknames=nicknames_of(self._who()),
            handbook=partial(handbook_for, bot),
            told=partial(told_to_all, bot, self._may_know),
            place=await self._place_near(bot),
        )
        people = [one.name for one in self._who() if one.kind == "person"]
        seeing = next((name for name in people if name != OPERATOR_NAME), None)
        with pondering(bot, seeing) if seeing else nullcontext():
            answer = await self._services.thinker.think(bot, context)
        self._made_from[effect.speaker] = answer.sources
        if answer.text:
            self._offers[effect.speaker] = answer.offer
        hearers = frozenset(others) if answer.hearers is None else answer.hearers
        self._thought_for[effect.speaker] = hearers
        for line in answer.sees_to:
            self._asked.pop(bot.name, None)  # who asked is answered outside of the talk
            natural = self._natural(line, public=self._is_public)
            await self._asides.see_to(natural, line.utterance.id)
        return answer

    def _may_know(self, sources: Sources) -> bool:
        """Whether all in the talk may know a text with these sources."""
        return self._view().shows(sources, self._services.level_of)

    async def _place_near(self, bot: Bot) -> Location | None:
        """The nearest place with a name of which all in the talk may know."""
        known = bot.locations.all(self._may_know)
        world = await in_time(bot.snapshot(), LOOK_WITHIN_S) if known else None
        here = [one for one in known if world and one.dimension == world.dimension]
        far = {one.name: world.position.distance_to(one.position) for one in here} if world else {}
        return min(here, key=lambda one: far[one.name], default=None)

    async def say(self, effect: Say) -> Mapping[str, str | None]:
        told = self._thought_for.get(effect.speaker, frozenset(effect.to))
        in_world = [name for name in effect.to if name != OPERATOR_NAME and name in told]
        bot = self._services.bot(effect.speaker)
        sources = self._made_from.get(effect.speaker, UNKNOWN)
        if self._is_public:
            heard = await self._say_publicly(bot, effect.text, in_world, sources)
        else:
            sent = await bot.tell_all(
                effect.text,
                "normal",
                self._services.hearing_range,
                among=in_world,
                within_s=SAY_WITHIN_S,
                sources=sources,
                talk=self._number,
            )
            heard = _outcomes(sent, in_world)
        for person in self._asked.pop(bot.name, set()):  # who heard it has an answer
            if person in heard and heard[person] is None:
                bot.events.emit(MessageAnswered(person))
        # The operator reads the transcript.
        untold = dict.fromkeys(set(effect.to) - told - {OPERATOR_NAME}, "not_told")
        return {name: heard.get(name, untold.get(name)) for name in effect.to}

    async def announce(self, effect: Announce) -> None:
        bots = [name for name in effect.to if name in self._services.known_bots.ours]
        await self._record(bots, TALK_SPEAKER, effect.text, "system_info")
        people = [name for name in effect.to if name not in self._services.known_bots]
        for person in people:
            if bots and person != OPERATOR_NAME:
                is_new = person not in self._warned and effect.text.startswith(BEGINS)
                text = self._opening(effect) if is_new else effect.text
                self._warned.add(person)
                self._jobs.start(self._tell(bots[0], person, text), f"tell {person}")

    def _opening(self, begun: Announce) -> str:
        """The line in the language of its topic, and that all hear what is said."""
        topic, names = " ".join(self._policy.topic.split()), ", ".join(begun.to)
        if not topic:
            return sentence("talk.began", "en", names=names)
        return sentence("talk.began_of", language_of([topic]), names=names, topic=topic)

    def tell(self, person: str, text: str, said: Callable[[], None] | None = None) -> None:
        """Whisper a sentence to a person, by the first bot of the talk; returns at once, and calls
        `said` once it is. Bots are told nothing: they would answer it."""
        bots = [one.name for one in self._who() if one.kind == "bot"]
        if bots and person not in self._services.known_bots:
            self._jobs.start(self._tell(bots[0], person, text, said), f"tell {person}")

    def topic_sources(self) -> Sources:
        """Of the topic, which who began the talk has chosen."""
        if not self._policy.topic:
            return FACTS
        sources = self._said_to_the_talk(self._started_by)
        has_persons = any(one.kind == "person" for one in self._who())
        return sources if has_persons else sources.released_to(None)

    async def person_said(
        self, origin: Origin, text: str, heard: Message | None, to: str | None, *, public: bool
    ) -> Heard:
        """Record a person's line for every bot within range; a bot may see to it.

        `to` is the bot that was addressed, which hears the line at any distance. `heard` is the
        line in that bot's history, None if it is not recorded yet."""
        speaker = speaker_of(origin)
        others = [one for one in self._who() if one.name != speaker]
        bots = [one.name for one in others if one.kind == "bot"]
        reasons = await asyncio.gather(*(self._unheard_why(bot, speaker) for bot in bots))
        hearing = dict(zip(bots, reasons, strict=True))
        names = nicknames_of(self._who())
        reached = called(text, bots, names) if public else ()  # public chat goes to everybody
        for bot in (to, *reached):
            if bot in hearing and (bot == to or hearing[bot] != "not_in_world"):
                hearing[bot] = None
        hearers = [bot for bot in bots if hearing[bot] is None]
        messages = await self._spread(origin, text, heard, hearers, public=public)
        unheard = None if public else "whispered"
        told = {one.name: hearing.get(one.name, unheard) for one in others}
        hearers = [one.bot for one in messages]
        whom = called(text, hearers, names)
        meant_for = whom or tuple(bot for bot in hearers if bot == to)
        takes, self._offers = self._taken(text, meant_for or hearers), {}
        if takes:
            meant_for = tuple(takes)
        seen_to_by = await self._seen_to(meant_for, messages, takes, public=public)
        for bot in () if seen_to_by else meant_for or hearers:
            self._asked.setdefault(bot, set()).add(speaker)
        return Heard(told, meant_for, seen_to_by)

    def _taken(self, text: str, hearers: Sequence[str]) -> dict[str, str]:
        """The request that one of these bots has offered and that a line says yes to, by bot."""
        open_to = [bot for bot in reversed(self._offers) if bot in hearers and self._offers[bot]]
        taken = [bot for bot in open_to if accepts(text, bot)]
        return {bot: self._offers[bot] for bot in taken[:1]}

    async def _seen_to(
        self,
        meant_for: Sequence[str],
        messages: Sequence[Message],
        takes: Mapping[str, str],
        *,
        public: bool,
    ) -> tuple[str, ...]:
        """The bots that see to a line, which stands for the request that it `takes` them up on."""
        if not messages:
            return ()
        heard = {one.bot: self._natural(one, public=public) for one in messages}
        for bot, offered in takes.items():
            heard[bot] = replace(heard[bot], content=offered)
        return await self._asides.seen_to(meant_for, heard, messages[0].utterance.id)

    async def aclose(self) -> None:
        """Cancel system lines that are still being sent."""
        await self._jobs.aclose()

    @property
    def _is_public(self) -> bool:
        return self._services.channel == "public"

    def _view(self) -> Visibility:
        """What all persons in the talk may know, at their current levels; a player could have taken
        the name of a bot elsewhere, so that it counts as one."""
        level_of = self._services.level_of
        persons = [_participant_origin(one) for one in self._who() if one.kind != "bot"]
        return Visibility(Level.PLAYER, hearers_of(persons, level_of, public=self._is_public))

    def _said_to_the_talk(self, origin: Origin, *, public: bool = False) -> Sources:
        """The sources of words to the talk, which everybody who hears it may know."""
        in_talk = [one.name for one in self._who() if one.kind != "bot"]
        persons = None if public or self._is_public else in_talk
        return Sources.said_by(origin, self._services.level_of(origin), persons)

    async def _look_around(self) -> WorldSnapshot:
        main = next(one.name for one in self._who() if one.kind == "bot")
        return await self._services.bot(main).snapshot(blocks_within=BLOCKS_WITHIN)

    async def _say_publicly(
        self, bot: Bot, text: str, to: Sequence[str], sources: Sources
    ) -> dict[str, str | None]:
        """Speak in public chat; of the participants only those in range count as hearing it."""
        world = await bot.snapshot()
        outcomes = {name: _unheard_in(world, name, self._services.hearing_range) for name in to}
        near = [name for name, why_not in outcomes.items() if why_not is None]
        said = await bot.say_publicly(
            text, among=near, within_s=SAY_WITHIN_S, sources=sources, talk=self._number
        )
        for name in near:
            unproven = name in self._services.known_bots.ours and name not in said.heard_by
            outcomes[name] = said.reason or ("undelivered" if unproven else None)
        return outcomes

    async def _unheard_why(self, bot: str, speaker: str) -> str | None:
        """Why a bot does not hear a person; None if it does."""
        if speaker == OPERATOR_NAME:
            return None
        world = await in_time(self._services.bot(bot).snapshot(), LOOK_WITHIN_S)
        if world is None:
            return "not_in_world"
        return _unheard_in(world, speaker, self._services.hearing_range)

    async def _spread(
        self,
        origin: Origin,
        text: str,
        heard: Message | None,
        hearers: Sequence[str],
        *,
        public: bool,
    ) -> list[Message]:
        """Record the line for every hearer that does not have it yet; the line of each."""
        if heard is None:
            sources = self._said_to_the_talk(origin, public=public)
            return await self._record(hearers, speaker_of(origin), text, "conversation", sources)
        said = heard.utterance
        sources = said.sources.released_to(None) if self._is_public else said.sources
        await self._services.conversation.taken_by(self._number, said, sources)
        others = [bot for bot in hearers if bot != heard.bot]
        return [heard, *await asyncio.gather(*(self._hear(bot, said.id) for bot in others))]

    async def _record(
        self, bots: Sequence[str], speaker: str, text: str, kind: str, sources: Sources = UNKNOWN
    ) -> list[Message]:
        """Record one utterance in the history of each bot."""
        if not bots:
            return []
        first = await self._services.conversation.add(
            bots[0], speaker, text, kind, sources=sources, talk=self._number
        )
        self._fire(first)
        others = await asyncio.gather(*(self._hear(bot, first.utterance.id) for bot in bots[1:]))
        return [first, *others]

    async def _hear(self, bot: str, utterance_id: int) -> Message:
        message = await self._services.conversation.hear(bot, utterance_id)
        self._fire(message)
        return message

    def _fire(self, message: Message) -> None:
        """Fire a person's line as a natural message of the bot that heard it."""
        if message.utterance.kind == "conversation":
            hearer = self._services.bot(message.bot)
            hearer.fire(replace(self._natural(message, public=False), relayed=True))

    def _natural(self, message: Message, *, public: bool) -> NaturalMessage:
        said = message.utterance
        return NaturalMessage(
            self._services.bot(message.bot).name,
            message.utterance.speaker,
            message.text or "",
            message.timestamp_ms,
            next(iter(said.sources.origins), Person(PlayerName(said.speaker))),
            message.sequence,
            public,
        )

    async def _tell(
        self, bot: str, person: str, text: str, said: Callable[[], None] | None = None
    ) -> None:
        """Whisper a system line to a person; not recorded, and dropped if that fails."""
        with suppress(SpeechRefused, BridgeError):
            await self._services.bot(bot).speak(
                person, text, max_wait_s=SYSTEM_LINE_WITHIN_S, gives_way=True
            )
            if said is not None:
                said()


def _participant_origin(one: Participant) -> Origin:
    is_operator = one.name == OPERATOR_NAME  # which no player of ours is recorded as
    return Operator("python") if is_operator else Person(PlayerName(one.name))


def _outcomes(sent: BroadcastResult, to: Sequence[str]) -> dict[str, str | None]:
    heard = {hearer.name for hearer in sent.delivered}
    missed: dict[str, str | None] = {missed.name: missed.reason for missed in sent.missed}
    return {
        name: None if name in heard else missed.get(name) or sent.reason or "undelivered"
        for name in to
    }


def _unheard_in(world: WorldSnapshot, name: str, reach: float) -> str | None:
    """Why `world.bot` and this player cannot hear each other; None if they can."""
    player = world.player(name)
    if player is None:
        return "player_not_found"
    distance = world.distance_to(player)
    if distance is None:
        return "entity_not_available"
    return "out_of_range" if distance > reach else None
