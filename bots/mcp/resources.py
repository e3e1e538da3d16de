"""The world as resources, and the notices that tell clients what changed, each at its own pace.

A resource that changes many times is told once. Clients of the protocol of 2026-07-28 listen
(`subscriptions/listen`, served by the SDK from `bus`); earlier ones subscribe, and get events as
log messages once they have set a level. Of these messages a slow client loses the oldest, and the
next one says how many (`skipped`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated
from mcp_types import (
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    Resource,
    ResourceTemplate,
)

from bots.http.carrier import at_daemon
from bots.mcp.running_daemon import FOUND, LOST, Event, EventFeed, Json, RunningDaemon
from bots.owned_tasks import OwnedTasks
from bots.queues import BoundedQueue

BOTS, TALKS, EVENTS = "townsfolk://bots", "townsfolk://talks", "townsfolk://events"
JSON = "application/json"
_NEWEST = 50  # lines of a history
_OF_BOT = re.compile(rf"{BOTS}/(?P<bot>[^/?#]+)(?:/(?P<part>nearby|history))?")
_NEARBY = ("nearbyPlayers", "players", "nearby")
"""What of `!info all` is about others; the rest is about the bot."""
_MEANINGS = {
    "": "{bot}: what it does, carries and feels, and where it is",
    "/nearby": "Players and blocks near {bot}",
    "/history": f"The newest {_NEWEST} lines that {{bot}} heard and said",
}
_HEARD = ("message.heard", "reply.sent", "smalltalk.said", "chat.said", "talk.said", "talk.heard")
_IN_WORLD = ("job.", "goal.", "health.", "connection.", "command.")
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


class Resources:
    """Lists and reads them; each is made from what the daemon says at that moment."""

    def __init__(self, daemon: RunningDaemon, feed: EventFeed) -> None:
        self._daemon, self._feed = daemon, feed

    async def listed(self) -> list[Resource]:
        """Those there are now; without a daemon, those that would be there anyway."""
        bots = (await self._daemon.bots()).get("bots", [])
        always = [
            _resource(BOTS, "All bots, and how they are"),
            _resource(TALKS, "The talks under way, by bot"),
            _resource(EVENTS, "What happened lately"),
        ]
        names = [bot["name"] for bot in bots]
        of_bots = (
            _resource(f"{BOTS}/{quote(name, safe='')}{part}", meaning.format(bot=name))
            for name in names
            for part, meaning in _MEANINGS.items()
        )
        return [*always, *of_bots]

    def templates(self) -> list[ResourceTemplate]:
        return [
            ResourceTemplate(
                uri_template=f"{BOTS}/{{bot}}{part}",
                name=f"bot{part}",
                description=meaning.format(bot="A bot"),
                mime_type=JSON,
            )
            for part, meaning in _MEANINGS.items()
        ]

    async def read(self, uri: str) -> Json | None:
        """What is there now; None where there is no such resource."""
        if uri == BOTS:
            return await self._daemon.bots()
        if uri == TALKS:
            return await self._talks()
        if uri == EVENTS:
            return {"events": self._feed.since(None)}
        found = _OF_BOT.fullmatch(uri)
        return await self._bot(unquote(found["bot"]), found["part"]) if found else None

    async def _bot(self, name: str, part: str | None) -> Json:
        if part == "history":
            return await self._daemon.history(name, {"limit": _NEWEST})
        sensed = await self._daemon.command(name, "!info all")
        facts = sensed.get("data", {})
        if part == "nearby":
            return {key: facts[key] for key in _NEARBY} if facts else sensed
        states = await self._daemon.bots()
        state = next((bot for bot in states.get("bots", []) if bot["name"] == name), None)
        if state is None:
            return sensed if "bots" in states else states
        own = {key: fact for key, fact in facts.items() if key not in _NEARBY}
        return {**state, **(own or {"sensed": sensed})}

    async def _talks(self) -> Json:
        """Every talk once, numbers of other daemons as people type them: 3@west."""
        told = await self._daemon.bots()
        if "bots" not in told:
            return told
        here, by_daemon = told.get("daemon"), dict[str | None, list[str]]()
        for bot in told["bots"]:
            by_daemon.setdefault(bot.get("daemon"), []).append(bot["name"])
        talks = list[Json]()
        for daemon, bots in by_daemon.items():
            for talk in await self._talks_of(bots):
                there = {"talk": at_daemon(talk["talk"], str(daemon)), "daemon": daemon}
                talks.append(talk if daemon == here else {**talk, **there})
        return {"talks": talks}

    async def _talks_of(self, bots: list[str]) -> list[Json]:
        """Those of one daemon: a bot in a talk tells of that one, any other of all."""
        talks: dict[int, Json] = {}
        for bot in bots:
            seen = await self._daemon.command(bot, "!talk status")
            if "talks" in seen:
                return list(seen["talks"])
            if "talk" in seen:
                talks[seen["talk"]] = seen
        return list(talks.values())


def changed_by(event: Event) -> frozenset[str]:
    """The resources that an event has changed."""
    name, bot = str(event.get("name")), event.get("bot")
    if name in {FOUND, LOST}:
        return frozenset({BOTS, TALKS, EVENTS})
    of_bot = f"{BOTS}/{quote(str(bot), safe='')}" if bot else None
    changed = {EVENTS}
    if name.startswith("talk."):
        changed.add(TALKS)
    if name.startswith(("connection.", "job.")):
        changed.add(BOTS)
    if of_bot and name in _HEARD:
        changed.add(f"{of_bot}/history")
    if of_bot and name.startswith(_IN_WORLD):
        changed |= {of_bot, f"{of_bot}/nearby"}
    return frozenset(changed)


def _resource(uri: str, meaning: str) -> Resource:
    name = uri.removeprefix("townsfolk://")
    return Resource(uri=uri, name=name, description=meaning, mime_type=JSON)


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
                changed, self._changed = self._changed, set()
                for uri in sorted(changed):
                    await self.bus.publish(ResourceUpdated(uri))
                if self._bots_changed:
                    self._bots_changed = False
                    await self.bus.publish(ResourcesListChanged())
                await asyncio.sleep(TOGETHER_S)
        finally:
            await self._tasks.aclose()

    def client(self, context: ServerRequestContext[Any, Any]) -> Client:
        """The client that asks; known from now on."""
        # The number of a session over HTTP; over stdio there is one client.
        headers = context.request.headers if context.request is not None else {}
        key = str(headers.get("mcp-session-id", ""))
        if key not in self._clients:
            if len(self._clients) >= MOST_CLIENTS:
                oldest = next(iter(self._clients))
                del self._clients[oldest]
                self._notifying.pop(oldest).cancel()
            self._clients[key] = client = Client(context.session)
            self._notifying[key] = self._tasks.start(client.run(), "notices of a client")
        return self._clients[key]


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
            changed, self._changed = self._changed, set()
            for uri in sorted(changed):
                await self._session.send_resource_updated(uri)
            lost, self._messages.lost = self._messages.lost, 0
            for event in self._messages.taken():
                told = {**event, "skipped": int(event.get("skipped", 0)) + lost}
                params = LoggingMessageNotificationParams(
                    level=severity_of(event), logger="townsfolk", data=told
                )
                await self._session.send_notification(LoggingMessageNotification(params=params))
                lost = 0
            await asyncio.sleep(TOGETHER_S)


def severity_of(event: Event) -> LoggingLevel:
    """How grave an event is: what went wrong is a warning."""
    result = event.get("result")
    failed = isinstance(result, dict) and result.get("success") is False
    return "warning" if failed or str(event["name"]).endswith(_BAD_ENDS) else "info"
