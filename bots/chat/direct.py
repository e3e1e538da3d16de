"""Direct speech: a whisper to one player, checked for range, said, and recorded either way.

Between our own bots a line is one utterance: the speaker records it, and the whisper that
reaches the other bot is its receipt.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Literal

from bots.access.sources import Sources
from bots.chat.answers import Answers
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor, Listener
from bots.chat.message import Delivery, Kind, Message, Utterance
from bots.chat.receipts import Receipts
from bots.errors import SpeechRefused
from bots.settings.world import WhisperFallback
from bots.text import suggest
from bots.text.numbers import blocks, in_blocks
from bridge.errors import BridgeError
from bridge.events import Refusal
from bridge.port import Bridge
from bridge.world import BotName, PlayerName, WorldSnapshot

FARTHEST = 100.0  # blocks; the widest hearing range
SAY_WITHIN_S = 5.0  # we refuse a line that would wait longer for its turn
UNDELIVERED = "{} did not hear all of it within 2 s."
HIDDEN = "{} is one of us, but not on the server's player list as it is shown to me."
REFUSED = "The server refused it: “{}”."

Reason = Literal[
    "player_not_found",
    "entity_not_available",
    "out_of_range",
    "invalid_format",
    "rate_limited",
    "too_long",
    "undelivered",
    "refused",
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
    """The person who had the bot say it; None for the bot's own words."""
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
class Delivering:
    """The path of one bot's lines, and the proof that they arrived."""

    bot: BotName
    governor: Governor
    conversation: Conversation
    receipts: Receipts
    answers: Answers
    fellows: Container[str]
    fallback: WhisperFallback
    """Where a refused whisper goes."""

    async def whisper(
        self,
        fellow: str,
        said: Utterance,
        lines: tuple[str, ...],
        within_s: float | None,
        asked_by: str | None,
        *,
        may_be_public: bool = False,
    ) -> bool:
        """Whisper the lines of an utterance to another bot of ours; True when all arrived. Raises
        SpeechRefused.

        When only some arrived, the other bot's history records these."""
        with self.receipts.expect(self.bot, fellow, said.id, lines) as receipt:
            await self.governor.tell(
                PlayerName(fellow), lines, max_wait_s=within_s, on_behalf_of=asked_by
            )
            refusal = await self.answers.refusal(self.bot, PlayerName(fellow), lines, said.id)
            if refusal is not None:
                return await self._otherwise(said, PlayerName(fellow), refusal, may_be_public)
            if await receipt.wait_both():
                return True
        if receipt.heard:
            heard = " ".join(receipt.heard)
            await self.conversation.add(
                fellow, self.bot, heard, said.kind, sources=said.sources, talk=said.talk
            )
        return False

    async def unless_refused(
        self,
        said: Utterance,
        to: Listener,
        lines: tuple[str, ...],
        *,
        may_be_public: bool = False,
    ) -> None:
        """Wait for what the server says of lines just sent. Raises SpeechRefused where it carries
        them in no way; the history knows it then."""
        refusal = await self.answers.refusal(self.bot, to, lines, said.id)
        if refusal is not None:
            await self._otherwise(said, to, refusal, may_be_public)

    async def _otherwise(
        self, said: Utterance, to: Listener, refusal: Refusal, may_be_public: bool
    ) -> bool:
        """Say a refused whisper in public, where that is set; whether our own bots, too, would
        have heard it. Raises SpeechRefused."""
        is_of_command = refusal.kind in ("unknown_command", "forbidden")
        if to is not None and may_be_public and is_of_command and self.fallback == "public":
            lines = self.governor.lines(None, f"{to}: {said.content}")
            with self.receipts.expect(self.bot, to, said.id, lines, public=True) as receipt:
                await self.governor.tell(None, lines, on_behalf_of=to)
                again = await self.answers.refusal(self.bot, None, lines, said.id)
                if again is None:
                    return to not in self.fellows or await receipt.wait_both()
                refusal = again
        await self.conversation.unreached(said.id, to, refusal.words)
        raise SpeechRefused("refused", REFUSED.format(refusal.words))


class DirectSpeech:
    """One bot's whispers to one player at a time."""

    def __init__(self, bridge: Bridge, delivering: Delivering) -> None:
        self._bot, self._bridge, self._governor = delivering.bot, bridge, delivering.governor
        self._conversation, self._fellows = delivering.conversation, delivering.fellows
        self._delivering = delivering

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
        aim = _aim(world, SpeechResult(target, text, None, reach, sources, asked_by), self._fellows)
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
        to, is_sent = PlayerName(aim.target), False
        try:
            await self._governor.tell(to, lines, max_wait_s=within_s, on_behalf_of=aim.asked_by)
            message, is_sent = await self._record(aim, delivered=True), True
            await self._delivering.unless_refused(
                message.utterance, to, lines, may_be_public=_may_be_public(aim)
            )
        except (SpeechRefused, BridgeError) as failure:
            if not is_sent:
                await self._record(aim, delivered=False)
            if isinstance(failure, BridgeError):
                raise
            return _refused(aim, failure)
        return aim

    async def _say_to_fellow(
        self, aim: SpeechResult, lines: tuple[str, ...], within_s: float | None
    ) -> SpeechResult:
        message = await self._record(aim, delivered=False)
        try:
            arrived = await self._delivering.whisper(
                aim.target,
                message.utterance,
                lines,
                within_s,
                aim.asked_by,
                may_be_public=_may_be_public(aim),
            )
        except SpeechRefused as refusal:
            return _refused(aim, refusal)
        return aim if arrived else aim.failed("undelivered", UNDELIVERED.format(aim.target))

    async def _record(self, result: SpeechResult, *, delivered: bool) -> Message:
        return await self._conversation.say(
            self._bot,
            result.text,
            Delivery(result.target, result.distance, result.max_distance, delivered),
            asked_by=result.asked_by,
            sources=result.sources.released_to(frozenset({result.target})),
            kind=result.kind,
        )


def reason_of(refusal: SpeechRefused) -> Reason:
    """The reason for a refusal, in the form that results use."""
    return "invalid_format" if refusal.reason == "empty" else refusal.reason


def _may_be_public(aim: SpeechResult) -> bool:
    """Keep confidential words confidential, even if the server turns whispers into public lines."""
    audience = aim.sources.audience
    return audience is None or audience == {aim.target}


def _refused(aim: SpeechResult, refusal: SpeechRefused) -> SpeechResult:
    return aim.failed(reason_of(refusal), str(refusal))


def _aim(world: WorldSnapshot, result: SpeechResult, fellows: Container[str]) -> SpeechResult:
    """The whisper with its distance; failed when the target cannot hear it."""
    target, reach = result.target, result.max_distance
    player = world.player(target)
    if player is None and target in fellows and target != world.bot:
        return result.failed("entity_not_available", HIDDEN.format(target))
    if player is None and target == world.bot:
        return result.failed("player_not_found", "I would be talking to myself.")
    if player is None:
        hint = suggest.as_sentence(suggest.similar(target, [one.name for one in world.players]))
        sentence = f"Nobody called {target} is on this server.{hint}"
        return result.failed("player_not_found", sentence)
    distance = world.distance_to(player)
    if distance is None:
        return result.failed("entity_not_available", f"{target} is here, but out of my sight.")
    aim = replace(result, distance=distance)
    if reach is not None and distance > reach:
        away, most = in_blocks(blocks(distance)), in_blocks(reach)
        sentence = f"{target} is {away} away; that is beyond {most}."
        return aim.failed("out_of_range", sentence)
    return aim
