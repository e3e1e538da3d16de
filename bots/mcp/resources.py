"""The world as resources: the bots, each of them, what is near it, what it heard, talks, events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate

from bots.http.elsewhere import at_daemon
from bots.mcp.feed import FOUND, LOST, Event, EventFeed
from bots.mcp.running_daemon import Json, RunningDaemon

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
        return [*always, *(one for bot in bots for one in _of_bot(bot["name"]))]

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
            found = await self._talks_of(bots)
            talks += found if daemon == here else [_elsewhere(talk, daemon) for talk in found]
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


def _elsewhere(talk: Json, daemon: str | None) -> Json:
    return {**talk, "talk": at_daemon(talk["talk"], str(daemon)), "daemon": daemon}


def changed_by(event: Event) -> frozenset[str]:
    """The resources that an event has changed."""
    name, bot = str(event.get("name")), event.get("bot")
    if name in {FOUND, LOST}:
        return frozenset({BOTS, TALKS, EVENTS})
    of_bot = f"{BOTS}/{quote(str(bot), safe='')}" if bot else None
    return frozenset(_changed(name, of_bot)) | {EVENTS}


def _changed(name: str, of_bot: str | None) -> Iterator[str]:
    if name.startswith("talk."):
        yield TALKS
    if name.startswith(("connection.", "job.")):
        yield BOTS
    if of_bot is None:
        return
    if name in _HEARD:
        yield f"{of_bot}/history"
    if name.startswith(_IN_WORLD):
        yield of_bot
        yield f"{of_bot}/nearby"


def _of_bot(name: str) -> Iterator[Resource]:
    for part, meaning in _MEANINGS.items():
        yield _resource(f"{BOTS}/{quote(name, safe='')}{part}", meaning.format(bot=name))


def _resource(uri: str, meaning: str) -> Resource:
    name = uri.removeprefix("townsfolk://")
    return Resource(uri=uri, name=name, description=meaning, mime_type=JSON)
