"""Direct speech: a whisper to one player, checked for range, said, and recorded either way.

Between our own bots a line is one utterance: the speaker records it, and the whisper that
reaches the other bot is its receipt.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Literal

from bots.access.sources import Sources
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor
from bots.chat.message import Kind, Message, Utterance
from bots.chat.receipts import RECEIPT_WITHIN_S, Receipts
from bots.errors import SpeechRefused
from bots.text import suggest
from bots.text.numbers import blocks, in_blocks
from bridge.errors import BridgeError
from bridge.port import Bridge
from bridge.world import BotName, PlayerName, WorldSnapshot

FARTHEST = 100.0  # blocks; a wider hearing range is cut to this (seed 000)
SAY_WITHIN_S = 5.0  # a line that would wait longer for its turn is refused
UNDELIVERED = "{} did not hear all of it within 2 s."

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
    """The outcome of a whisper."""

    target: str
    text: str
    distance: float | None
    """Blocks, unrounded; None when the target was unseen or no range applied."""
    max_distance: float | None
    sources: Sources
    asked_by: str | None = None
    """Who had the bot say it; None for the bot's own words."""
    kind: Kind = "conversation"
    reason: Reason | None = None
    """Why it did not arrive; None when it did (to a person: when it was sent)."""
    sentence: str = ""

    @property
    def success(self) -> bool:
        return self.reason is None

    def failed(self, reason: Reason, sentence: str) -> SpeechResult:
        """The same whisper, not delivered for this reason."""
        return replace(self, reason=reason, sentence=sentence)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One bot's whispers to our other bots, each with its receipt."""

    bot: BotName
    governor: Governor
    conversation: Conversation
    receipts: Receipts

    async def whisper(
        self,
        fellow: str,
        said: Utterance,
        lines: tuple[str, ...],
        within_s: float | None,
        asked_by: str | None,
    ) -> bool:
        """Whisper the lines of an utterance; True when all arrived. Raises SpeechRefused.

        When only some arrived, the other bot's history records these."""
        with self.receipts.expect(self.bot, fellow, said.id, lines) as receipt:
            await self.governor.tell(
                PlayerName(fellow), lines, max_wait_s=within_s, on_behalf_of=asked_by
            )
            if await receipt.wait(RECEIPT_WITHIN_S):
                await receipt.wait_recorded()
                return True
        if receipt.heard:
            heard = " ".join(receipt.heard)
            await self.conversation.add(
                fellow, self.bot, heard, said.kind, sources=said.sources, talk=said.talk
            )
        return False


class DirectSpeech:
    """One bot's whispers to one player at a time."""

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

        `asked_by` had the bot say it; None for the bot's own words. `may_order` lets a leading
        `!` or `/` through: only for what an operator typed."""
        world = await self._bridge.snapshot(self._bot)
        reach = min(max_distance, FARTHEST)
        aim = _aim(world, SpeechResult(target, text, None, reach, sources, asked_by))
        if aim.success:
            return await self._say(aim, SAY_WITHIN_S, may_order)
        await self._record(aim, delivered=False)
        return aim

    async def reply(self, target: str, text: str, sources: Sources, kind: Kind) -> SpeechResult:
        """Whisper back to somebody who spoke, at any distance; waits for its turn."""
        aim = SpeechResult(target, text, None, None, sources, kind=kind)
        return await self._say(aim, None, may_order=False)

    async def _say(
        self, aim: SpeechResult, within_s: float | None, may_order: bool
    ) -> SpeechResult:
        try:
            lines = self._governor.lines(PlayerName(aim.target), aim.text, may_order=may_order)
        except SpeechRefused as refusal:
            result = _refused(aim, refusal)
            await self._record(result, delivered=False)
            return result
        is_order = lines[0].startswith("!")  # a command is not recorded by whoever gets it
        if aim.target in self._fellows and not is_order:
            return await self._say_to_fellow(aim, lines, within_s)
        return await self._say_to_person(aim, lines, within_s)

    async def _say_to_person(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        try:
            result = await self._send(aim, lines, within_s)
        except BridgeError:
            await self._record(aim, delivered=False)
            raise
        await self._record(result, delivered=result.success)
        return result

    async def _say_to_fellow(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        message = await self._record(aim, delivered=False)
        try:
            arrived = await self._arrival.whisper(
                aim.target, message.utterance, lines, within_s, aim.asked_by
            )
        except SpeechRefused as refusal:
            return _refused(aim, refusal)
        return aim if arrived else aim.failed("undelivered", UNDELIVERED.format(aim.target))

    async def _send(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        try:
            await self._governor.tell(
                PlayerName(aim.target), lines, max_wait_s=within_s, on_behalf_of=aim.asked_by
            )
        except SpeechRefused as refusal:
            return _refused(aim, refusal)
        return aim

    async def _record(self, result: SpeechResult, *, delivered: bool) -> Message:
        return await self._conversation.say(
            self._bot,
            result.target,
            result.text,
            result.distance,
            result.max_distance,
            delivered,
            asked_by=result.asked_by,
            sources=result.sources.released_to(frozenset({result.target})),
            kind=result.kind,
        )


def reason_of(refusal: SpeechRefused) -> Reason:
    """The reason of a refusal as results give it."""
    return "invalid_format" if refusal.reason == "empty" else refusal.reason


def _refused(aim: SpeechResult, refusal: SpeechRefused) -> SpeechResult:
    return aim.failed(reason_of(refusal), str(refusal))


def _aim(world: WorldSnapshot, result: SpeechResult) -> SpeechResult:
    """The whisper with its distance; failed when the target cannot hear it."""
    target, reach = result.target, result.max_distance
    player = world.player(target)
    if player is None:
        return result.failed("player_not_found", _nobody(world, target))
    distance = world.distance_to(player)
    if distance is None:
        return result.failed("entity_not_available", f"{target} is here, but out of my sight.")
    aim = replace(result, distance=distance)
    if reach is not None and distance > reach:
        away, most = in_blocks(blocks(distance)), in_blocks(reach)
        sentence = f"{target} is {away} away; that is beyond {most}."
        return aim.failed("out_of_range", sentence)
    return aim


def _nobody(world: WorldSnapshot, target: str) -> str:
    if target == world.bot:
        return "I would be talking to myself."
    hint = suggest.as_sentence(suggest.similar(target, [p.name for p in world.players]))
    return f"Nobody called {target} is on this server.{hint}"
