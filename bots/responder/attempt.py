"""One decision being made: how much time it has, and how it is dropped."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any

from bots.responder.case.events import NOTHING, Batch
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.ports import MODEL_CUT_S
from bots.responder.decide import Reply

FIRST_LINE_S = 8.0  # after a person's line the first line of the answer is out
EVENT_S = 5.0  # after an event the first line about it is out
SPEAKING_S = 1.0  # of that, kept for the rules and the governor

_THINKING: ContextVar[object] = ContextVar("thinking", default=None)
"""Of what runs for a thought, the tools it uses included, that thought."""


class Attempt:
    """What is being made of one speaker's lines or of events; `dropped_because` is empty until
    it is dropped, and then nothing of it is said, even if it is there already."""

    def __init__(self, waiting: PendingTurn, batch: Batch = NOTHING) -> None:
        self.waiting = waiting
        self.batch = batch
        """What happened meanwhile and is told with it."""
        self.task: asyncio.Task[Reply | None] | None = None
        self.dropped_because = ""

    @property
    def answers_person(self) -> bool:
        return bool(self.waiting.messages) and not self.waiting.from_fellow

    def is_current(self) -> None:
        """Said by its own task: what runs in it from now on is this thought's."""
        _THINKING.set(self)

    def drop(self, why: str) -> None:
        if _THINKING.get() is self:
            return  # this very thought stops everything else
        self.dropped_because = why
        if self.task is not None:
            self.task.cancel()


def left_s(waiting: PendingTurn, now_s: float) -> float:
    """How long a model may think of it; fellows are patient."""
    if waiting.from_fellow:
        return MODEL_CUT_S
    within_s = FIRST_LINE_S if waiting.messages else EVENT_S
    return max(0.0, waiting.since + within_s - SPEAKING_S - now_s)


async def ended(task: asyncio.Task[Any]) -> BaseException | None:
    """Wait for the end of a task, which ends with us; what it raised, not raised again."""
    try:
        await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return None if task.cancelled() else task.exception()
