"""Saying a recorded line to a fellow bot, whose receipt shows that it arrived."""

from __future__ import annotations

from dataclasses import dataclass

from bots.conversation.conversation import Conversation
from bots.conversation.receipts import RECEIPT_WITHIN_S, Receipts
from bots.speech.governor import Governor
from bridge.world import BotName, PlayerName

UNDELIVERED = "{} did not hear all of it within 2 s."


@dataclass(frozen=True, slots=True)
class Arrival:
    """One bot's whispers to its fellows."""

    bot: BotName
    governor: Governor
    conversation: Conversation
    receipts: Receipts

    async def whisper(
        self, fellow: str, utterance_id: int, lines: tuple[str, ...], within_s: float | None
    ) -> bool:
        """Whisper the lines of an utterance; whether all arrived. Raises SpeechRefused.

        What arrived of a line that did not is recorded as heard by the fellow."""
        with self.receipts.expect(self.bot, fellow, utterance_id, lines) as receipt:
            await self.governor.tell(PlayerName(fellow), lines, max_wait_s=within_s)
            if await receipt.wait(RECEIPT_WITHIN_S):
                await receipt.wait_recorded()
                return True
        if receipt.heard:
            await self.conversation.add(fellow, self.bot, " ".join(receipt.heard))
        return False
