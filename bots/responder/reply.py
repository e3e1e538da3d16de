"""Cleans a model's words, says answers where the lines came from, and records them."""

from __future__ import annotations

import re
from contextlib import suppress

import structlog

from bots.access.origin import Fellow, Operator
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.bot.events import MessageAnswered
from bots.chat.broadcast import SaidPublicly
from bots.chat.direct import SpeechResult
from bots.chat.message import Kind
from bots.chat.turn_taking import PersonTalk
from bots.clock import Stopwatch
from bots.observability.trace import TraceLog
from bots.responder.case.inbox import PendingTurn
from bots.responder.records.record import about
from bots.text.sanitise import sanitise
from bridge.errors import BotError
from bridge.foreign_json import NotJson, read_object
from llm.engine.decision import shortened

log = structlog.get_logger()

LONGEST = 320  # characters: fits four chat lines of any Minecraft version

_QUOTES = {'"': '"', "“": "”", "「": "」", "'": "'"}
LIMITS = (900, 600, 400, 320, 240, 160, 80)  # characters, until it fits


def spoken(text: str, bot: str) -> str:
    """Plain words: no leading `/` or `!`, no speaker's name, no quotes, cut to `LONGEST`."""
    words = text.strip()
    with suppress(NotJson):  # out of an object of the shape the model was shown
        says = read_object(words).get("says") if words.startswith("{") else None
        words = says if isinstance(says, str) else words
    words = sanitise(words)
    words = re.sub(rf"^\**{re.escape(bot)}\**\s*[:：]\s*", "", words, flags=re.IGNORECASE)
    if len(words) > 1 and _QUOTES.get(words[0]) == words[-1]:
        words = words[1:-1]
    return shortened(words.lstrip("/!！／ ").strip(), LONGEST)


class Saying:
    """Says the answers of one bot."""

    def __init__(
        self, bot: Bot, persons: PersonTalk, trace: TraceLog, stopwatch: Stopwatch
    ) -> None:
        self._bot, self._persons = bot, persons
        self._trace, self._stopwatch = trace, stopwatch

    def fitting(self, turn: PendingTurn, text: str) -> str:
        """Shorten the text until we can say it at once: a part is better than nothing."""
        listener = None if turn.public else turn.speaker
        shorter = (shortened(text, limit) for limit in (len(text), *LIMITS))
        is_read = isinstance(turn.origin, Operator) and not turn.public
        return next((one for one in shorter if is_read or self._bot.fits(listener, one)), text)

    async def say(self, turn: PendingTurn, text: str, sources: Sources, kind: Kind) -> str:
        """Say and record an answer. Returns why that failed, else ''; traces failures."""
        facts = about(turn)
        try:
            told = await self._told(turn, text, sources, kind)
        except BotError as error:
            log.warning("reply.failed", bot=self._bot.name, to=turn.speaker, why=str(error))
            self._trace.note("reply.failed", self._bot.name, **facts, why=str(error))
            return str(error) or "it could not be said."
        reason = told.reason if told is not None else None
        facts |= {"text": text, "success": reason is None, "why": reason}
        after_s = round(self._stopwatch() - turn.since, 3)
        self._trace.note("reply.sent", self._bot.name, **facts, after_s=after_s)
        if not turn.from_fellow:
            if reason is None and turn.messages:
                self._bot.events.emit(MessageAnswered(turn.speaker))
            self._persons.spoke(self._bot.name)
        return "" if told is None or reason is None else told.sentence

    async def _told(
        self, turn: PendingTurn, text: str, sources: Sources, kind: Kind
    ) -> SpeechResult | SaidPublicly | None:
        if turn.public:
            return await self._bot.say_publicly(text, within_s=None, sources=sources, kind=kind)
        match turn.origin:
            case Fellow():
                return await self._bot.tell(
                    turn.speaker, text, self._bot.hearing_range, sources=sources
                )
            case Operator():  # not in the world: reads the history
                await self._bot.note_answer(turn.speaker, text, sources=sources, kind=kind)
                return None
            case _:
                told = await self._bot.reply(turn.speaker, text, sources=sources, kind=kind)
        if told.reason != "refused" or not turn.may_be_public:
            return told
        words = f"{turn.speaker}: {text}"
        return await self._bot.say_publicly(words, within_s=None, sources=sources, kind=kind)
