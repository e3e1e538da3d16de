"""A line said to a bot that is no command, and the handlers that are called with it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import structlog

from bots.access.origin import Origin
from bots.owned_tasks import OwnedTasks
from bridge.world import BotName

log = structlog.get_logger()

UNFINISHED_HANDLERS = 1_000  # per bot; beyond it lines are only recorded, and the log says so


@dataclass(frozen=True, slots=True)
class NaturalMessage:
    """One line that a bot heard; fired once, after it was recorded (`newNaturalMessage`)."""

    bot: BotName
    from_: str
    content: str
    timestamp_ms: int
    """When it was said, milliseconds since 1970."""
    origin: Origin
    sequence: int
    """Its number in the bot's history."""
    public: bool = False
    """It was said in public chat, where its answer belongs too."""
    relayed: bool = False
    """The bot overheard it: it was said to another bot of the same talk."""
    asked_by: str | None = None
    """Who had another bot of ours say it, by command."""

    def as_json(self) -> dict[str, Any]:
        heard = {"from": self.from_, "content": self.content, "timestamp": self.timestamp_ms}
        return {**heard, "public": True} if self.public else heard


NaturalHandler: TypeAlias = Callable[[NaturalMessage], Awaitable[None] | None]


class NaturalMessages:
    """Calls every handler with each natural message; no handler can stop another."""

    def __init__(self) -> None:
        self._handlers: list[NaturalHandler] = []
        self._tasks = OwnedTasks()

    def subscribe(self, handler: NaturalHandler) -> Callable[[], None]:
        """Call `handler`, sync or async, for every message from now on; returns the undo."""
        self._handlers.append(handler)

        def unsubscribe() -> None:
            if handler in self._handlers:
                self._handlers.remove(handler)

        return unsubscribe

    def fire(self, message: NaturalMessage) -> None:
        """Start every handler, in the order they subscribed, and return at once."""
        if len(self._tasks) >= UNFINISHED_HANDLERS:
            log.warning("natural_message.skipped", bot=message.bot, sender=message.from_)
            return
        for handler in tuple(self._handlers):
            self._tasks.start(_call(handler, message), f"natural message of {message.bot}")

    async def aclose(self) -> None:
        """End the handlers still running."""
        await self._tasks.aclose()


async def _call(handler: NaturalHandler, message: NaturalMessage) -> None:
    answer = handler(message)
    if inspect.isawaitable(answer):
        await answer
