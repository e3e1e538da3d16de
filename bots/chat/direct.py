"""Words aimed at one player: may they hear it, was it said, did it arrive; recorded either way.

Between our own bots a line is one utterance: its speaker records it, and the whisper that
reaches the other bot is the receipt which marks it heard.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Literal

from bots.access.sources import Sources
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor
from bots.chat.message import Message, Utterance
from bots.chat.receipts import RECEIPT_WITHIN_S, Receipts
from bots.errors import SpeechRefused
from bots.text import suggest
from bots.text.numbers import blocks
from bridge.errors import BridgeError
from bridge.port import Bridge
from bridge.world import BotName, PlayerName, WorldSnapshot

FARTHEST = 100.0  # blocks; a wider hearing range is cut to this (seed 000)
SAY_WITHIN_S = 5.0  # a line that would wait longer for its turn is refused

Reason = Literal[
    "player_not_found",
    "entity_not_available",
    "out_of_range",
    "invalid_format",
    "rate_limited",
    "too_long",
    "undelivered",
    "nobody_in_range",
]


@dataclass(frozen=True, slots=True)
class SpeechResult:
    """How aimed words fared."""

    target: str
    text: str
    distance: float | None
    """Blocks, unrounded; None when the target was unseen or no range applied."""
    max_distance: float | None
    sources: Sources
    asked_by: str | None = None
    """Who had the bot say it; None: the bot's own words."""
    reason: Reason | None = None
    """Why nothing arrived; None when it did (or, to a person, was sent)."""
    sentence: str = ""

    @property
    def success(self) -> bool:
        return self.reason is None

    def failed(self, reason: Reason, sentence: str) -> SpeechResult:
        return replace(self, reason=reason, sentence=sentence)


class DirectSpeech:
    """The aimed speech of one bot."""

    def __init__(
        self,
        bot: BotName,
        bridge: Bridge,
        governor: Governor,
        conversation: Conversation,
        receipts: Receipts,
        fellows: Container[str],
    ) -> None:
        self._bot, self._bridge, self._governor = bot, bridge, governor
        self._conversation, self._fellows = conversation, fellows
        self._arrival = Arrival(bot, governor, conversation, receipts)

    async def tell(
        self,
        target: str,
        text: str,
        max_distance: float,
        sources: Sources,
        *,
        asked_by: str | None = None,
        may_order: bool = False,
    ) -> SpeechResult:
        """Whisper to a player within `max_distance` blocks, at most `FARTHEST`.

        `asked_by` is whose words these are, unless the bot's own. `may_order` lets a leading
        `!` or `/` through: only for what an operator typed."""
        world = await self._bridge.snapshot(self._bot)
        reach = min(max_distance, FARTHEST)
        aim = _aim(world, SpeechResult(target, text, None, reach, sources, asked_by))
        if aim.success:
            return await self._say(aim, SAY_WITHIN_S, may_order)
        await self._record(aim, delivered=False)
        return aim

    async def reply(self, target: str, text: str, sources: Sources) -> SpeechResult:
        """Whisper back to somebody who spoke: no range applies, and it waits for its turn."""
        aim = SpeechResult(target, text, None, None, sources)
        return await self._say(aim, None, may_order=False)

    async def _say(
        self, aim: SpeechResult, within_s: float | None, may_order: bool
    ) -> SpeechResult:
        try:
            lines = self._governor.lines(PlayerName(aim.target), aim.text, may_order=may_order)
        except SpeechRefused as refusal:
            told = _refused(aim, refusal)
            await self._record(told, delivered=False)
            return told
        is_order = lines[0].startswith("!")  # a command is not recorded by whoever gets it
        if aim.target in self._fellows and not is_order:
            return await self._say_to_fellow(aim, lines, within_s)
        return await self._say_to_person(aim, lines, within_s)

    async def _say_to_person(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        try:
            told = await self._send(aim, lines, within_s)
        except BridgeError:
            await self._record(aim, delivered=False)
            raise
        await self._record(told, delivered=told.success)
        return told

    async def _say_to_fellow(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        message = await self._record(aim, delivered=False)
        try:
            arrived = await self._arrival.whisper(aim.target, message.utterance, lines, within_s)
        except SpeechRefused as refusal:
            return _refused(aim, refusal)
        return aim if arrived else aim.failed("undelivered", UNDELIVERED.format(aim.target))

    async def _send(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        try:
            await self._governor.tell(PlayerName(aim.target), lines, max_wait_s=within_s)
        except SpeechRefused as refusal:
            return _refused(aim, refusal)
        return aim

    async def _record(self, told: SpeechResult, *, delivered: bool) -> Message:
        return await self._conversation.say(
            self._bot,
            told.target,
            told.text,
            told.distance,
            told.max_distance,
            delivered,
            asked_by=told.asked_by,
            sources=told.sources.released_to([told.target]),
        )


def reason_of(refusal: SpeechRefused) -> Reason:
    """The reason that a result gives for it."""
    return "invalid_format" if refusal.reason == "empty" else refusal.reason


def _refused(aim: SpeechResult, refusal: SpeechRefused) -> SpeechResult:
    return aim.failed(reason_of(refusal), str(refusal))


def _aim(world: WorldSnapshot, told: SpeechResult) -> SpeechResult:
    """With its distance; failed when the target cannot hear it."""
    target, reach = told.target, told.max_distance
    player = world.player(target)
    if player is None:
        return told.failed("player_not_found", _nobody(world, target))
    distance = world.distance_to(player)
    if distance is None:
        return told.failed("entity_not_available", f"{target} is here, but out of my sight.")
    aim = replace(told, distance=distance)
    if reach is not None and distance > reach:
        sentence = f"{target} is {blocks(distance)} blocks away; that is beyond {reach:g} blocks."
        return aim.failed("out_of_range", sentence)
    return aim


def _nobody(world: WorldSnapshot, target: str) -> str:
    if target == world.bot:
        return "I would be talking to myself."
    hint = suggest.as_sentence(suggest.similar(target, [p.name for p in world.players]))
    return f"Nobody called {target} is on this server.{hint}"


UNDELIVERED = "{} did not hear all of it within 2 s."


@dataclass(frozen=True, slots=True)
class Arrival:
    """One bot's whispers to its fellows."""

    bot: BotName
    governor: Governor
    conversation: Conversation
    receipts: Receipts

    async def whisper(
        self, fellow: str, said: Utterance, lines: tuple[str, ...], within_s: float | None
    ) -> bool:
        """Whisper the lines of an utterance; whether all arrived. Raises SpeechRefused.

        What arrived of a line that did not is recorded as heard by the fellow."""
        with self.receipts.expect(self.bot, fellow, said.id, lines) as receipt:
            await self.governor.tell(PlayerName(fellow), lines, max_wait_s=within_s)
            if await receipt.wait(RECEIPT_WITHIN_S):
                await receipt.wait_recorded()
                return True
        if receipt.heard:
            heard = " ".join(receipt.heard)
            await self.conversation.add(fellow, self.bot, heard, sources=said.sources)
        return False
