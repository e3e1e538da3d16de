"""The actions of one bot, each from its begin to the event that ends it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from itertools import count

import structlog

from bots.access.origin import Origin
from bots.bot.stoppables import MayStop
from bots.clock import Clock
from bridge.actions import Action
from bridge.errors import BridgeError, BridgeTimeout
from bridge.events import ActionFinished, ActionId, Outcome
from bridge.port import ACTION_DEADLINE_S, Bridge
from bridge.world import BotName

log = structlog.get_logger()

END_GRACE_S = 2.0  # the bridge keeps the deadline; past this much more, its event is lost
CANCEL_WITHIN_S = 1.0
LATE = "it took too long"


@dataclass(frozen=True, slots=True, eq=False)
class RunningAction:
    """One action under way."""

    id: ActionId
    action: Action
    deadline_s: float
    started_by: Origin | None
    end: asyncio.Future[ActionFinished] = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.action.kind)


class Actions:
    """Begins actions and matches each with its `ActionFinished`."""

    def __init__(self, bot: BotName, bridge: Bridge, clock: Clock) -> None:
        self._bot, self._bridge, self._clock = bot, bridge, clock
        self._open: dict[ActionId, RunningAction] = {}
        self._numbers = count(1)

    @property
    def current(self) -> RunningAction | None:
        """The deed under way: the newest that has not ended."""
        return next(reversed(self._open.values()), None)

    async def begin(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
    ) -> RunningAction:
        """Start an action, which ends the one under way as `replaced`."""
        end = asyncio.get_running_loop().create_future()
        action_id = ActionId(f"{self._bot}-{next(self._numbers)}")
        deed = RunningAction(action_id, action, deadline_s, started_by, end)
        self._open[deed.id] = deed
        try:
            await self._bridge.begin(self._bot, deed.id, action, deadline_s=deadline_s)
        except (BridgeTimeout, asyncio.CancelledError):
            await self._cancel(deed)  # it may have begun
            self._open.pop(deed.id, None)
            raise
        except BridgeError:
            self._open.pop(deed.id, None)
            raise
        return deed

    async def wait(self, deed: RunningAction) -> ActionFinished:
        """The end of a deed. Whoever gives up waiting (is cancelled) ends the deed too."""
        try:
            async with asyncio.timeout(deed.deadline_s + END_GRACE_S):
                return await asyncio.shield(deed.end)
        except TimeoutError:
            await self._cancel(deed)
            self._close(deed, "deadline", LATE)
            ended = deed.end.result()
            if ended.outcome == "cancelled":
                return replace(ended, outcome="deadline", message=LATE)
            return ended
        except asyncio.CancelledError:
            await self._cancel(deed)
            raise

    def finished(self, event: ActionFinished) -> None:
        """The bridge reports an end."""
        deed = self._open.pop(event.action_id, None)
        if deed is not None and not deed.end.done():
            deed.end.set_result(event)

    def disconnected(self) -> None:
        """The bot is out of the world: whatever it did has ended."""
        for deed in list(self._open.values()):
            self._close(deed, "disconnected", "the bot left the world")

    async def stop(self, may_stop: MayStop) -> list[str]:
        """Cancel the deed under way if that is allowed; its name."""
        deed = self.current
        if deed is None or not may_stop(deed.started_by):
            return []
        await self._cancel(deed)
        return [deed.name]

    async def clear(self) -> None:
        """Leave nothing under way, nor a container open, however it came to be."""
        try:
            async with asyncio.timeout(CANCEL_WITHIN_S):
                ended = await self._bridge.cancel(self._bot)
        except (BridgeError, TimeoutError) as error:
            log.warning("action.not_cancelled", bot=self._bot, why=repr(error))
        else:
            if ended in self._open:
                self._close(self._open[ended], "cancelled", "cancelled")

    async def _cancel(self, deed: RunningAction) -> None:
        if deed is self.current:
            await self.clear()

    def _close(self, deed: RunningAction, outcome: Outcome, message: str) -> None:
        self.finished(ActionFinished(self._bot, deed.id, outcome, None, message, at=self._clock()))
