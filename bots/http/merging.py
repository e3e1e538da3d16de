"""The bots of other daemons beside ours: `OfAll` merges lists, `Forwarding` sends a request on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from typing import Any, NamedTuple, cast

from pydantic import ConfigDict, TypeAdapter, with_config
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import TypedDict

from bots.daemon.shapes import Json, PersonShape, Positions, PositionShape
from bots.http import requests as asked
from bots.http.carrier import AT, Asked, Carrier, DaemonGone, Gathered, at_daemon
from bots.http.responses import Outcomes, Refused

_OPEN = ConfigDict(extra="allow")
_OF_BOT = re.compile(r"/api/bots/([^/]+)/.+")
_OF_DECISION = re.compile(rf"/api/decisions/([0-9]{{1,15}}){AT}([^/]+)(/[a-z]+)")
_TAKEN_ALONG = ("accept", "content-type")
_MADE_HERE = frozenset({"content-length", "date", "server"})


@with_config(_OPEN)
class _OneTalk(TypedDict):
    talk: int | str


@with_config(_OPEN)
class _OneDecision(TypedDict):
    id: int | str


@with_config(_OPEN)
class _Named(TypedDict):
    name: str


@with_config(_OPEN)
class _Person(_Named):
    seenBy: list[str]


@with_config(_OPEN)
class _Positions(TypedDict):
    timeOfDay: int | None
    bots: list[_Named]
    people: list[_Person]


class _Talks(TypedDict):
    talks: list[_OneTalk]


class _Decisions(TypedDict):
    decisions: list[_OneDecision]


class _Bots(TypedDict):
    bots: dict[str, Any]


@with_config(_OPEN)
class _Stopped(TypedDict, total=False):
    stopped: dict[str, Any]


ANYTHING = TypeAdapter(Json)
PLACES = TypeAdapter(_Positions)
TALKS, DECISIONS = TypeAdapter(_Talks), TypeAdapter(_Decisions)
BOTS, STOPPED = TypeAdapter(_Bots), TypeAdapter(_Stopped)
"""As much of what other daemons answer as is relied on here."""


class OwnAlone:
    """Of a daemon alone, and of one that another daemon asks."""

    def bots(self, own: list[Json]) -> Json:
        return {"success": True, "bots": own}

    async def _as_it_is(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        return own

    positions = talks = decisions = budget = load = stats = _as_it_is

    async def stop(self, own: Coroutine[Any, Any, Json]) -> Mapping[str, Any]:
        return await own


class OfAll:
    """Of all daemons of a cluster: takes an answer of this one, gives that of all. Who does
    not answer in a second is named in `silent`."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier

    def bots(self, own: list[Json]) -> Json:
        """Each bot with its `daemon`; `daemon` beside them is the one that answers."""
        name, ours = self._carrier.name, {bot["name"] for bot in own}
        bots = [{**bot, "daemon": name} for bot in own]
        for bot in self._carrier.bots():
            if bot["name"] not in ours:
                # Its talk is called as `/api/talks` calls it.
                talk = bot.get("talk")
                named = {} if talk is None else {"talk": at_daemon(talk, bot["daemon"])}
                bots.append({**bot, **named})
        return {"success": True, "daemon": name, "bots": bots}

    async def positions(self, own: Positions) -> Mapping[str, Any]:
        found = await self._carrier.all("/api/positions", PLACES)
        others = cast(list[Positions], list(found.answers.values()))
        return {**together(own, others), "silent": found.silent}

    async def talks(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        found = await self._carrier.all("/api/talks", TALKS)
        there = _of_daemons(found.answers, "talks", "talk")
        return {**own, "talks": [*own["talks"], *there], "silent": found.silent}

    async def decisions(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """Oldest first."""
        found = await self._carrier.all("/api/decisions", DECISIONS)
        there = _of_daemons(found.answers, "decisions", "id")
        all_made = sorted([*own["decisions"], *there], key=lambda made: str(made.get("at", "")))
        return {**own, "decisions": all_made, "silent": found.silent}

    async def budget(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """All pay from one purse; each knows what its own bots spent of it."""
        found = await self._carrier.all("/api/budget", BOTS)
        bots: Json = {}
        for answer in found.answers.values():
            bots |= answer["bots"]
        return {**own, "bots": bots | own["bots"], "silent": found.silent}

    async def load(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        return _beside(own, await self._carrier.all("/api/load", ANYTHING))

    async def stats(self, own: Mapping[str, Any]) -> Mapping[str, Any]:
        return _beside(own, await self._carrier.all("/api/stats", ANYTHING))

    async def stop(self, own: Coroutine[Any, Any, Json]) -> Mapping[str, Any]:
        """All at once, however long they take."""
        there = self._carrier.all("/api/stop", STOPPED, "POST", within_s=None)
        here, found = await asyncio.gather(own, there)
        stopped = dict(here.get("stopped", {}))
        for answer in found.answers.values():
            stopped |= answer.get("stopped", {})
        return {**here, "stopped": stopped, "silent": found.silent}


def together(own: Positions, others: Iterable[Positions]) -> Positions:
    """Where everybody is, as several daemons see it. A bot of one is no person for another."""
    all_of_them = [own, *others]
    bots: dict[str, PositionShape] = {}
    for bot in (bot for one in all_of_them for bot in one["bots"]):
        bots.setdefault(bot["name"], bot)
    people: dict[str, PersonShape] = {}
    for one in all_of_them:
        for person in one["people"]:
            if person["name"] in bots:
                continue
            known = people.setdefault(person["name"], {**person, "seenBy": []})
            known["seenBy"] += person["seenBy"]
    hours = (one["timeOfDay"] for one in all_of_them)
    return {
        **own,
        "timeOfDay": next((hour for hour in hours if hour is not None), None),
        "bots": list(bots.values()),
        "people": list(people.values()),
    }


def _beside(own: Mapping[str, Any], found: Gathered) -> Json:
    """Figures that cannot be added up, each with its daemon's name."""
    return {**own, "daemons": dict(found.answers), "silent": found.silent}


def _of_daemons(answers: Mapping[str, Json], what: str, number: str) -> list[Json]:
    """A list that each daemon keeps for itself; what `number` says is numbered as `17@west`."""
    return [
        {**one, number: at_daemon(one[number], daemon), "daemon": daemon}
        for daemon, answer in answers.items()
        for one in answer[what]
    ]


class Destination(NamedTuple):
    """Where a request belongs."""

    daemon: str
    path: str
    whose: str
    """`Alice's`, or whoever's it is."""


class Forwarding:
    """Before `app`, which answers what belongs here."""

    def __init__(
        self,
        app: ASGIApp,
        here: Callable[[], Collection[str]],
        carrier: Carrier,
        outcomes: Outcomes,
    ) -> None:
        """`here` names our own bots."""
        self._app, self._here = app, here
        self._carrier, self._outcomes = carrier, outcomes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        destination = self._destination(scope["path"]) if scope["type"] == "http" else None
        if destination is None:
            return await self._app(scope, receive, send)
        request = Request(scope, receive)
        try:
            response = await self._forward(request, destination)
        except Refused as refused:
            response = refused.as_response()
        await response(scope, receive, send)

    def _destination(self, path: str) -> Destination | None:
        if found := _OF_BOT.fullmatch(path):
            bot = found[1]
            daemon = None if bot in self._here() else self._carrier.daemon_of(bot)
            return None if daemon is None else Destination(daemon, path, f"{bot}'s")
        if (found := _OF_DECISION.fullmatch(path)) and found[2] in self._carrier.others():
            return Destination(found[2], f"/api/decisions/{found[1]}{found[3]}", "its")
        return None

    async def _forward(self, request: Request, destination: Destination) -> Response:
        """Raises Refused."""
        taken = tuple((k, v) for k, v in request.headers.items() if k in _TAKEN_ALONG)
        body = await asked.read_bytes(request)
        query = request.scope["query_string"].decode("latin-1")
        sent = Asked(request.method, destination.path, query, taken, body)
        carrying = self._carrier.carry(destination.daemon, sent)
        try:
            answered = await self._outcomes.of(carrying, asked.left(request))
            kept = {name: value for name, value in answered.headers if name not in _MADE_HERE}
            return Response(answered.body, answered.status, kept)
        except DaemonGone:
            unknown = "" if request.method == "GET" else ". Whether this was done is unknown"
            message = (
                f"{destination.whose} daemon, {destination.daemon}, does not answer; "
                f"its bots are taken over within some seconds{unknown}"
            )
            raise Refused(503, "daemon_gone", message) from None
