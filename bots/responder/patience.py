"""Words for whoever waits longer than usual: in the promised time they hear that the bot thinks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog

from bots.access.origin import Person
from bots.bot.bot import Bot
from bots.clock import Sleep
from bots.responder.case.inbox import PendingTurn
from bots.text.language import Language, language_of
from bridge.errors import BotError

log = structlog.get_logger()

ASKED_AFTER_S = 4.0
WORDS: Mapping[Language, str] = {
    "en": "Let me think about that.",
    "ja": "少し考えさせてください。",
}


@contextmanager
def asking_for_patience(bot: Bot, turn: PendingTurn, sleep: Sleep) -> Iterator[None]:
    """Ask a player for it if the block takes long."""
    asking = asyncio.create_task(_ask(bot, turn, sleep), name=f"{bot.name}: asks for patience")
    try:
        yield
    finally:
        asking.cancel()


async def _ask(bot: Bot, turn: PendingTurn, sleep: Sleep) -> None:
    """It is whispered but not recorded: no words to be remembered or imitated."""
    await sleep(ASKED_AFTER_S)
    if not isinstance(turn.origin, Person):
        return
    try:
        await bot.speak(turn.origin.name, WORDS[language_of(turn.lines)])
    except BotError as error:
        log.warning("reply.failed", bot=bot.name, to=turn.speaker, why=str(error))
