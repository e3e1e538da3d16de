"""Tells clients what has changed, and what happens, each at its own pace.

A resource that changes many times is told once. Clients of the protocol of 2026-07-28 listen
(`subscriptions/listen`, served by the SDK from `bus`); earlier ones subscribe, and get events as
log messages once they have set a level. Of these messages a slow client loses the oldest, and the
next one says how many (`skipped`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated
from mcp_types import LoggingLevel, LoggingMessageNotification, LoggingMessageNotificationParams

from bots.mcp.feed import FOUND, LOST, Event
from bots.mcp.resources import changed_by
from bots.owned_tasks import OwnedTasks
from bots.queues import BoundedQueue

TOGETHER_S = 0.25  # changes within this are told together
MOST_CLIENTS = 64  # of earlier protocols; one more makes the oldest go without notices
MOST_MESSAGES = 100
SEVERITY: Mapping[LoggingLevel, int] = {
    "debug": 0,
    "info": 1,
    "notice": 2,
    "warning": 3,
    "error": 4,
    "critical": 5,
    "alert": 6,
    "emergency": 7,
}
_BAD_ENDS = ("_failed", ".failed", ".lost", "withheld", ".dropped")


class Notices:
    """Takes events and passes them on. `run` is owned by the server."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._clients: dict[str, Client] = {}
        self._notifying: dict[str, asyncio.Task[None]] = {}
        self._tasks = OwnedTasks()
        self._changed: set[str] = set()
        self._bots_changed = False
        self._woken = asyncio.Event()

    def take(self, event: Event) -> None:
        """Note an event; never waits."""
        changed = changed_by(event)
        self._changed |= changed
        self._bots_changed |= event["name"] in {FOUND, LOST}
        self._woken.set()
        for client in self._clients.values():
            client.take(event, changed)

    async def run(self) -> None:
        """Tell those that listen, until cancelled."""
        try:
            while True:
                await self._woken.wait()
                self._woken.clear()
                await self._publish()
                await asyncio.sleep(TOGETHER_S)
        finally:
            await self._tasks.aclose()

    def client(self, context: ServerRequestContext[Any, Any]) -> Client:
        """The client that asks; known from now on."""
        key = _key(context)
        if key not in self._clients:
            if len(self._clients) >= MOST_CLIENTS:
                self._forget(next(iter(self._clients)))
            self._clients[key] = client = Client(context.session)
            self._notifying[key] = self._tasks.start(client.run(), "notices of a client")
        return self._clients[key]

    def _forget(self, key: str) -> None:
        del self._clients[key]
        self._notifying.pop(key).cancel()

    async def _publish(self) -> None:
        changed, self._changed = self._changed, set()
        for uri in sorted(changed):
            await self.bus.publish(ResourceUpdated(uri))
        if self._bots_changed:
            self._bots_changed = False
            await self.bus.publish(ResourcesListChanged())


class Client:
    """One client of an earlier protocol."""

    def __init__(self, session: ServerSession) -> None:
        self.subscribed: set[str] = set()
        self.level: LoggingLevel | None = None
        """The least severity of the events it wants; None: none of them."""
        self._session = session
        self._changed: set[str] = set()
        self._messages: BoundedQueue[Event] = BoundedQueue(MOST_MESSAGES, "drop_oldest")
        self._woken = asyncio.Event()

    def take(self, event: Event, changed: frozenset[str]) -> None:
        self._changed |= changed & self.subscribed
        if self.level is not None and SEVERITY[severity_of(event)] >= SEVERITY[self.level]:
            self._messages.put(event)
        if self._changed or len(self._messages):
            self._woken.set()

    async def run(self) -> None:
        """Tell it until cancelled."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            await self._tell()
            await asyncio.sleep(TOGETHER_S)

    async def _tell(self) -> None:
        changed, self._changed = self._changed, set()
        for uri in sorted(changed):
            await self._session.send_resource_updated(uri)
        lost, self._messages.lost = self._messages.lost, 0
        for event in self._messages.taken():
            skipped = int(event.get("skipped", 0)) + lost
            await self._session.send_notification(_message({**event, "skipped": skipped}))
            lost = 0


def severity_of(event: Event) -> LoggingLevel:
    """How grave an event is: what went wrong is a warning."""
    result = event.get("result")
    failed = isinstance(result, dict) and result.get("success") is False
    return "warning" if failed or str(event["name"]).endswith(_BAD_ENDS) else "info"


def _message(event: Event) -> LoggingMessageNotification:
    params = LoggingMessageNotificationParams(
        level=severity_of(event), logger="townsfolk", data=event
    )
    return LoggingMessageNotification(params=params)


def _key(context: ServerRequestContext[Any, Any]) -> str:
    """The number of a session over HTTP; over stdio there is one client."""
    headers = context.request.headers if context.request is not None else {}
    return str(headers.get("mcp-session-id", ""))
