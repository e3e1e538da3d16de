"""Actions: what a bot does in the world, each from its begin to the event that ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count

import structlog

from bots.access.origin import Origin
from bots.bot.hands import NOTHING_POINTED, Hands, Look, Pointed
from bots.clock import Clock
from bridge.actions import Action, Craft, Deposit, Toss, Withdraw
from bridge.errors import BridgeError, BridgeTimeout
from bridge.events import ActionFinished, ActionId, Outcome
from bridge.port import ACTION_DEADLINE_S, Bridge
from bridge.world import BotName

log = structlog.get_logger()

END_GRACE_S = 2.0  # beyond the deadline, which the bridge watches; then its event is lost
CANCEL_WITHIN_S = 1.0
LATE_MESSAGE = "it took too long"
COUNTED = (Craft, Deposit, Toss, Withdraw)
"""What would come to too much if it were begun again from half-way."""
COUNTED_END_S = 1.0  # for such an action to end by itself before a reflex ends it


@dataclass(frozen=True, slots=True, eq=False)
class RunningAction:
    """One action under way."""

    id: ActionId
    action: Action
    deadline_s: float
    started_by: Origin | None
    end: asyncio.Future[ActionFinished] = field(repr=False)
    cancel: Callable[[ActionId], Awaitable[None]] = field(repr=False)
    is_reflex: bool = False

    @property
    def name(self) -> str:
        return str(self.action.kind)

    async def stop(self) -> None:
        """Cancel it; its end follows as an event."""
        await self.cancel(self.id)


class Actions:
    """Begins the actions of one bot and matches each with its `ActionFinished`."""

    def __init__(self, bot: BotName, bridge: Bridge, clock: Clock, hands: Hands) -> None:
        self._bot, self._bridge, self._clock = bot, bridge, clock
        self.hands = hands
        self._open: dict[ActionId, RunningAction] = {}
        self._numbers = count(1)
        self._calm = asyncio.Event()
        self._calm.set()
        self._interrupted: ActionId | None = None
        """The latest action that a reflex ended."""

    @property
    def is_calm(self) -> bool:
        """Whether no reflex has the body."""
        return self._calm.is_set()

    async def until_calm(self) -> None:
        """Wait until no reflex has the body."""
        await self._calm.wait()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Have the body for a reflex: what is under way is interrupted, and nothing else begins."""
        self._calm.clear()
        try:
            if (running := self.current) is not None:
                if isinstance(running.action, COUNTED):
                    await asyncio.wait({running.end}, timeout=COUNTED_END_S)
                if not running.end.done():
                    self._interrupted = running.id
                    await running.stop()
            yield
        finally:
            self._calm.set()

    def was_interrupted(self, running: RunningAction) -> bool:
        """Whether a reflex ended it."""
        return self._interrupted == running.id and running.end.result().outcome == "cancelled"

    @property
    def current(self) -> RunningAction | None:
        """The action under way: the newest that has not ended."""
        return next(reversed(self._open.values()), None)

    @property
    def under_way(self) -> tuple[RunningAction, ...]:
        """The action under way that is no reflex, or nothing."""
        return () if self.current is None or self.current.is_reflex else (self.current,)

    async def begin(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
        pointed: Pointed = NOTHING_POINTED,
        look: Look | None = None,
        is_reflex: bool = False,
    ) -> RunningAction:
        """Start an action, as soon as no reflex has the body unless it is one; the one under way
        ends as `replaced`. Raises `BridgeError`, TypeError or
        ValueError for what is no value, and ActionFailed forbidden_area for what is to be left
        alone."""
        given, is_due = action, False
        while not is_due:  # a reflex may take the body while the hands look
            if not is_reflex:
                await self.until_calm()
            action = await self.hands.heed(given, pointed, look)
            shunned = await self.hands.shunned(given, look)
            is_due = is_reflex or self.is_calm
        end = asyncio.get_running_loop().create_future()
        action_id = ActionId(f"{self._bot}-{next(self._numbers)}")
        running = RunningAction(
            action_id, action, deadline_s, started_by, end, self._cancel, is_reflex
        )
        self._open[running.id] = running
        try:
            await self._bridge.begin(
                self._bot, running.id, action, deadline_s=deadline_s, shunned=shunned
            )
        except (BridgeTimeout, asyncio.CancelledError):
            await running.stop()  # it may have begun
            self._open.pop(running.id, None)
            raise
        except (BridgeError, TypeError, ValueError):  # the latter two: it could not be sent
            self._open.pop(running.id, None)
            raise
        return running

    async def wait(self, running: RunningAction) -> ActionFinished:
        """Wait for the end of an action. A caller that is cancelled ends the action too."""
        try:
            async with asyncio.timeout(running.deadline_s + END_GRACE_S):
                ended = await asyncio.shield(running.end)
                await self.hands.ended(running.action, ended)
                return ended
        except TimeoutError:
            await running.stop()
            self._close(running, "deadline", LATE_MESSAGE)
            ended = running.end.result()
            if ended.outcome == "cancelled":
                return replace(ended, outcome="deadline", message=LATE_MESSAGE)
            return ended
        except asyncio.CancelledError:
            await running.stop()
            raise

    def finished(self, event: ActionFinished) -> None:
        """The bridge reports that an action ended."""
        running = self._open.pop(event.action_id, None)
        if running is not None and not running.end.done():
            running.end.set_result(event)

    def disconnected(self) -> None:
        """The bot left the world: end every action."""
        for running in list(self._open.values()):
            self._close(running, "disconnected", "the bot left the world")

    async def clear(self) -> None:
        """End whatever the bridge has under way, except for a reflex, and close an open container.

        A bridge that does not answer in time is logged, not raised."""
        if self.is_calm:
            await self._end()

    async def _end(self) -> None:
        try:
            async with asyncio.timeout(CANCEL_WITHIN_S):
                ended = await self._bridge.cancel(self._bot)
        except (BridgeError, TimeoutError) as error:
            log.warning("action.not_cancelled", bot=self._bot, why=repr(error))
        else:
            if ended in self._open:
                self._close(self._open[ended], "cancelled", "cancelled")

    async def _cancel(self, action: ActionId) -> None:
        """Cancel it, unless a newer one has taken its place."""
        if self.current is not None and self.current.id == action:
            await self._end()

    def _close(self, running: RunningAction, outcome: Outcome, message: str) -> None:
        self.finished(
            ActionFinished(self._bot, running.id, outcome, None, message, at=self._clock())
        )
