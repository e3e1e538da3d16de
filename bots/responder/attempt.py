"""One attempt at a decision: its deadline, its cancellation, and what the bot says meanwhile."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import structlog

from bots.access.origin import Person
from bots.bot.bot import Bot
from bots.clock import Sleep
from bots.responder.case.case import MODEL_CUT_S
from bots.responder.case.inbox import NOTHING, Batch, PendingTurn
from bots.responder.decide import Reply
from bots.words import said_to
from bridge.errors import BotError

log = structlog.get_logger()

FIRST_LINE_S = 8.0  # from a person's line to the first line of the answer
EVENT_S = 5.0  # from an event to the first line about it
SPEAKING_S = 1.0  # of that, reserved for the rules and the governor

_CURRENT: ContextVar[object] = ContextVar("attempt", default=None)
"""The attempt that the current task works for, tools included."""
ASKED_AFTER_S = 4.0


class Attempt:
    """A decision being made on one pending turn.

    Once `dropped_because` is set, nothing of it is said, even if the decision is there already."""

    def __init__(
        self, turn: PendingTurn, batch: Batch = NOTHING, *, in_depth: bool = False
    ) -> None:
        self.turn = turn
        self.in_depth = in_depth
        """It may take longer than `FIRST_LINE_S`; the bot tells the speaker that it is thinking."""
        self.batch = batch
        """Buffered events that are told with it."""
        self.task: asyncio.Task[Reply | None] | None = None
        self.dropped_because = ""

    @property
    def answers_person(self) -> bool:
        return bool(self.turn.messages) and not self.turn.from_fellow

    def mark_current(self) -> None:
        """Called by its own task: whatever that task starts belongs to this attempt."""
        _CURRENT.set(self)

    def drop(self, why: str) -> None:
        if _CURRENT.get() is self:
            return  # this attempt stops everything else
        self.dropped_because = why
        if self.task is not None:
            self.task.cancel()


def left_s(attempt: Attempt, now_s: float) -> float:
    """How long a model may take for it, if that is not cut anyway; other bots are patient."""
    turn = attempt.turn
    if attempt.in_depth:
        return math.inf
    if turn.is_small_talk:
        return MODEL_CUT_S
    within_s = FIRST_LINE_S if turn.messages else EVENT_S
    return max(0.0, turn.since + within_s - SPEAKING_S - now_s)


async def ended(task: asyncio.Task[Any]) -> BaseException | None:
    """Wait for a task, which is cancelled with its caller; returns what the task raised."""
    try:
        await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return None if task.cancelled() else task.exception()


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
        await bot.speak(turn.origin.name, said_to("closing.patience", turn.lines[-1]))
    except BotError as error:
        log.warning("reply.failed", bot=bot.name, to=turn.speaker, why=str(error))
