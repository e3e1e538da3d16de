"""What one bot does with a line of public chat.

its own line, or a command (`!`) ─▶ nothing
a line of another bot of ours    ─▶ receipt of a known utterance; then as below
                                    (a bot of another daemon is heard as below at once)
a line of the bot's talk         ─▶ to the talk, which knows who is near enough to hear it
any other line                   ─▶ recorded
names the bot, or is the next    ─▶ also `newNaturalMessage`, answered in public, unless
line to its question                `chat.public` is `off`

Public chat reaches everybody on the server, so no hearing range applies.
"""

from __future__ import annotations

from datetime import timedelta

import structlog

from bots.access.origin import Fellow, Origin, Person, speaker_of
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.chat.receipts import Partial
from bots.daemon.shared import SharedServices
from bots.registry.args import PREFIX
from bots.words.heard import calls
from bridge.events import ChatHeard
from bridge.world import BotName, PlayerName

log = structlog.get_logger()

ANSWERED_WITHIN = timedelta(seconds=60)
LOOKED_BACK = 12
"""Lines of the bot's history in which we look for its question."""


class PublicChat:
    """Records the lines that concern one bot and fires its natural messages."""

    def __init__(self, bot: Bot, shared: SharedServices) -> None:
        self._bot = bot
        self._conversation, self._receipts = shared.conversation, shared.receipts
        self._fellows, self._present = shared.fellows, shared.present
        self._known_bots = shared.known_bots
        self._attendance = shared.attendance
        self._turns, self._room, self._trace = shared.turns, shared.room, shared.trace

    async def hear(self, event: ChatHeard) -> None:
        """Handle one line of public chat."""
        name = self._bot.name
        if event.sender == PlayerName(name):
            return
        if event.sender in self._fellows:
            await self._hear_fellow(event, Fellow(BotName(event.sender)))
        elif event.text.startswith(PREFIX):
            return
        elif not self._attendance.takes_public(name, event.sender, event.text, event.at):
            await self._record(event, self._bot.origin_of(event.sender))

    async def _hear_fellow(self, event: ChatHeard, fellow: Fellow) -> None:
        name = self._bot.name
        arrival = self._receipts.match(name, fellow.name, event.text, public=True)
        if isinstance(arrival, Partial):
            return
        if arrival is None:
            if fellow.name not in self._present:
                log.warning("fellow.impersonated", bot=name, name=fellow.name)
            elif not event.text.startswith(PREFIX):
                await self._record(event, fellow)
            return
        try:  # every line of an utterance came: record it as delivered
            message = await self._conversation.hear(name, arrival, event.at)
            self._notice(fellow, message, in_talk=self._attendance.together(name, fellow.name))
        finally:
            self._receipts.recorded(arrival, name)

    async def _record(self, event: ChatHeard, origin: Origin) -> None:
        sources = Sources.said_by(origin, self._bot.permissions.level_of(origin), None)
        message = await self._conversation.add(
            self._bot.name,
            speaker_of(origin),
            event.text,
            at=event.at,
            sources=sources,
            public=True,
        )
        self._notice(origin, message)

    def _notice(self, origin: Origin, message: Message, *, in_talk: bool = False) -> None:
        """Pass on what is the bot's business."""
        text, speaker = message.text or "", message.utterance.speaker
        is_answer = isinstance(origin, Person) and not in_talk and self._is_answer(message)
        if not (in_talk or is_answer or self._bot.heeds(text)):
            return
        addressed = is_answer or calls(text, self._bot.name)
        if addressed:
            asked_by = message.utterance.asked_by
            if isinstance(origin, Person):
                self._turns.person_spoke(self._bot.name)
                self._bot.disturbed()
            elif self._known_bots.is_elsewhere(speaker):
                self._turns.heard_publicly_from_elsewhere()
            elif asked_by is not None:
                self._turns.had_said(self._bot.name, speaker)
                self._bot.disturbed()
            self._bot.addressed_by(speaker)
            natural = NaturalMessage(
                self._bot.name,
                speaker,
                text,
                message.timestamp_ms,
                origin,
                message.sequence,
                public=True,
                asked_by=asked_by,
            )
            self._bot.fire(natural)
        news = self._room.is_news(self._bot.name, speaker, text, message.heard_at)
        self._trace.note(
            "message.heard",
            self._bot.name,
            speaker=speaker,
            text=text,
            public=True,
            addressed=addressed,
            news=news,
        )

    def _is_answer(self, message: Message) -> bool:
        """Whether it is the asker's next line to a question that the bot asked in public, and calls
        nobody else."""
        lately = self._conversation.history(self._bot.name, limit=LOOKED_BACK)
        before = [one for one in lately if one.sequence < message.sequence and one.public][::-1]
        speaker = message.utterance.speaker
        others = {*self._fellows, *(one.utterance.speaker for one in before)} - {self._bot.name}
        if self._bot.public_notice == "off" or any(calls(message.text or "", o) for o in others):
            return False
        for number, one in enumerate(before):
            if one.role == "assistant":
                asks = any(mark in (one.text or "") for mark in "?？")
                is_fresh = message.heard_at - one.heard_at <= ANSWERED_WITHIN
                called = (b for b in before[number + 1 :] if calls(b.text or "", self._bot.name))
                asked = next((b.utterance.speaker for b in called), None)
                return asks and is_fresh and asked == speaker
            if one.utterance.speaker == speaker:
                return False
        return False
