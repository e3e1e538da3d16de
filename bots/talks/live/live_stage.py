"""The stage of real bots: their senses, their mouths, and the histories of all who heard.

What is said reaches those of the talk who stand within hearing range in the same dimension at
that moment, each once, as a whisper to each or in public chat; the others never know of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.access.origin import OPERATOR_NAME, Level, Operator, Origin, Person, speaker_of
from bots.access.sources import UNKNOWN, LevelOf, Sources
from bots.access.visibility import Visibility, hearers_of
from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bots.chat.broadcast import BroadcastResult
from bots.chat.conversation import Conversation
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.errors import SpeechRefused
from bots.owned_tasks import OwnedTasks
from bots.responder.decide import LOOK_WITHIN_S
from bots.talks.live.prompt import Occasion
from bots.talks.live.shared_scene import BLOCKS_WITHIN, SharedScene
from bots.talks.live.stage import Thought
from bots.talks.live.thinking import Thinks
from bots.talks.machine.events import Announce, Participant, Say, Think
from bridge.errors import BridgeError
from bridge.world import PlayerName, WorldSnapshot

TALK_SPEAKER = "@talk"
"""The speaker of a talk's system lines in histories; no player can be called so."""
SAY_WITHIN_S = 20.0  # a line's whispers to all; later ones are refused
PERSON_TOLD_WITHIN_S = 10.0  # a system line; later it is not worth telling

Channel: TypeAlias = Literal["whisper", "public"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every talk of a town has in common."""

    bot: Callable[[str], Bot]
    """A bot of ours by name. Raises KeyError."""
    fellows: Container[str]
    """The names of all our bots."""
    conversation: Conversation
    thinking: Thinks
    level_of: LevelOf
    hearing_range: float
    channel: Channel = "whisper"


class LiveStage:
    """One talk's stage. `who` tells who takes part at the moment asked."""

    def __init__(
        self, around: Surroundings, who: Callable[[], Sequence[Participant]], topic: str
    ) -> None:
        self._around, self._who, self._topic = around, who, topic
        self._scene = SharedScene(self._look_around)
        self._jobs = OwnedTasks()
        self._before: dict[str, int] = {}
        self._made_from: dict[str, Sources] = {}
        """By speaker, of the words it thought of last."""
        for one in who():
            self._since(one.name)

    async def think(self, wish: Think) -> Thought:
        others = tuple(one.name for one in self._who() if one.name != wish.speaker)
        occasion = Occasion(
            others,
            await self._scene.of_round(wish.round),
            self._topic,
            wish.why,
            wish.say_goodbye,
            self._view(),
            self._since(wish.speaker) if self._is_public else None,
        )
        thought = await self._around.thinking.think(self._around.bot(wish.speaker), occasion)
        self._made_from[wish.speaker] = thought.sources
        return thought

    async def say(self, wish: Say) -> Mapping[str, str | None]:
        in_world = [name for name in wish.to if name != OPERATOR_NAME]
        bot = self._around.bot(wish.speaker)
        sources = self._made_from.get(wish.speaker, UNKNOWN)
        if self._is_public:
            heard = await self._say_publicly(bot, wish.text, in_world, sources)
        else:
            told = await bot.tell_all(
                wish.text,
                "normal",
                self._around.hearing_range,
                among=in_world,
                within_s=SAY_WITHIN_S,
                sources=sources,
            )
            heard = _fates(told, in_world)
        # Whoever holds the machine reads the record.
        return {name: heard.get(name) for name in wish.to}

    async def announce(self, wish: Announce) -> None:
        bots = [name for name in wish.to if name in self._around.fellows]
        await self._record(bots, TALK_SPEAKER, wish.text, "system_info")
        people = [name for name in wish.to if name not in self._around.fellows]
        for person in people:
            if bots and person != OPERATOR_NAME:
                self._jobs.start(self._tell(bots[0], person, wish.text), f"tell {person}")

    async def person_said(
        self, origin: Origin, text: str, heard: Message | None, to: str | None, *, public: bool
    ) -> dict[str, str | None]:
        """Let a person's line reach all of the talk within range; why it did not, of the others.

        `to` is the bot it was said to, which hears it wherever it stands; `heard` what that bot
        has of it in its history, None if it has nothing yet."""
        speaker = speaker_of(origin)
        others = [one for one in self._who() if one.name != speaker]
        bots = [one.name for one in others if one.kind == "bot"]
        reasons = await asyncio.gather(*(self._ear(bot, speaker) for bot in bots))
        hearing = dict(zip(bots, reasons, strict=True))
        if to in hearing:
            hearing[to] = None
        hearers = [bot for bot in bots if hearing[bot] is None]
        await self._spread(origin, text, heard, hearers, public=public)
        unheard = None if public else "whispered"
        return {one.name: hearing.get(one.name, unheard) for one in others}

    async def aclose(self) -> None:
        """End what is still being told."""
        await self._jobs.aclose()

    @property
    def _is_public(self) -> bool:
        return self._around.channel == "public"

    def _view(self) -> Visibility:
        """What all persons of the talk may know; they are asked anew for every turn."""
        level_of = self._around.level_of
        persons = [_participant_origin(one) for one in self._who() if one.kind == "person"]
        return Visibility(Level.PLAYER, hearers_of(persons, level_of, public=self._is_public))

    def _sources_of(self, origin: Origin, *, public: bool) -> Sources:
        """Of a line to the talk: it is for all who take part."""
        persons = None if public else [one.name for one in self._who() if one.kind == "person"]
        return Sources.said_by(origin, self._around.level_of(origin), persons)

    def _since(self, name: str) -> int:
        """The number of a bot's last message before the talk, or before it came into it."""
        return self._before.setdefault(name, self._around.conversation.latest_sequence(name))

    async def _look_around(self) -> WorldSnapshot:
        main = next(one.name for one in self._who() if one.kind == "bot")
        return await self._around.bot(main).snapshot(blocks_within=BLOCKS_WITHIN)

    async def _say_publicly(
        self, bot: Bot, text: str, to: Sequence[str], sources: Sources
    ) -> dict[str, str | None]:
        """The server takes it to everybody, but the talk goes on among those in range."""
        world = await bot.snapshot()
        fates = {name: _out_of_hearing(world, name, self._around.hearing_range) for name in to}
        near = [name for name, why_not in fates.items() if why_not is None]
        said = await bot.say_publicly(text, among=near, within_s=SAY_WITHIN_S, sources=sources)
        for name in near:
            unproven = name in self._around.fellows and name not in said.heard_by
            fates[name] = said.reason or ("undelivered" if unproven else None)
        return fates

    async def _ear(self, bot: str, speaker: str) -> str | None:
        """Why a bot does not hear a person; None when it does."""
        if speaker == OPERATOR_NAME:
            return None
        world = await in_time(self._around.bot(bot).snapshot(), LOOK_WITHIN_S)
        if world is None:
            return "not_in_world"
        return _out_of_hearing(world, speaker, self._around.hearing_range)

    async def _spread(
        self,
        origin: Origin,
        text: str,
        heard: Message | None,
        hearers: Sequence[str],
        *,
        public: bool,
    ) -> None:
        """Record the line in the history of everyone who heard it and has it not yet."""
        if heard is None:
            sources = self._sources_of(origin, public=public)
            await self._record(hearers, speaker_of(origin), text, "conversation", sources)
            return
        number = heard.utterance.id
        others = [bot for bot in hearers if bot != heard.bot]
        await asyncio.gather(*(self._hear(bot, number) for bot in others))

    async def _record(
        self, bots: Sequence[str], speaker: str, text: str, kind: str, sources: Sources = UNKNOWN
    ) -> None:
        """The same utterance in the history of each."""
        if not bots:
            return
        first = await self._around.conversation.add(bots[0], speaker, text, kind, sources=sources)
        self._fire(first)
        await asyncio.gather(*(self._hear(bot, first.utterance.id) for bot in bots[1:]))

    async def _hear(self, bot: str, utterance_id: int) -> None:
        self._fire(await self._around.conversation.hear(bot, utterance_id))

    def _fire(self, message: Message) -> None:
        """Tell whoever listens to the bot's natural messages of a person's line."""
        said = message.utterance
        if said.kind != "conversation":
            return
        hearer = self._around.bot(message.bot)
        natural = NaturalMessage(
            hearer.name,
            said.speaker,
            message.text or "",
            message.timestamp_ms,
            _origin_of(message),
            message.sequence,
            relayed=True,
        )
        hearer.fire(natural)

    async def _tell(self, bot: str, person: str, text: str) -> None:
        """A system line for a person's eyes; not recorded, and not insisted on."""
        with suppress(SpeechRefused, BridgeError):
            await self._around.bot(bot).speak(
                person, text, max_wait_s=PERSON_TOLD_WITHIN_S, gives_way=True
            )


def _origin_of(message: Message) -> Origin:
    """Whose line of a person it is."""
    said = message.utterance
    return next(iter(said.sources.origins), Person(PlayerName(said.speaker)))


def _participant_origin(one: Participant) -> Origin:
    is_operator = one.name == OPERATOR_NAME  # which no player of ours is recorded as
    return Operator("python") if is_operator else Person(PlayerName(one.name))


def _fates(told: BroadcastResult, to: Sequence[str]) -> dict[str, str | None]:
    heard = {hearer.name for hearer in told.delivered}
    missed: dict[str, str | None] = {missed.name: missed.reason for missed in told.missed}
    return {
        name: None if name in heard else missed.get(name) or told.reason or "undelivered"
        for name in to
    }


def _out_of_hearing(world: WorldSnapshot, name: str, reach: float) -> str | None:
    """Why somebody is out of the hearing of `world.bot`, either way; None when in it."""
    player = world.player(name)
    if player is None:
        return "player_not_found"
    distance = world.distance_to(player)
    if distance is None:
        return "entity_not_available"
    return "out_of_range" if distance > reach else None
