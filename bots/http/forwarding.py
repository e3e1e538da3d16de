"""Sends on what concerns a bot or a decision of another daemon, and answers as that daemon does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bots.http import requests as asked
from bots.http.carrier import Carrier, DaemonGone
from bots.http.elsewhere import AT
from bots.http.outcome import Outcomes
from bots.http.parcels import Answered, Asked
from bots.http.responses import Refused

_OF_BOT = re.compile(r"/api/bots/([^/]+)/.+")
_OF_DECISION = re.compile(rf"/api/decisions/([0-9]{{1,15}}){AT}([^/]+)(/[a-z]+)")
_TAKEN_ALONG = ("accept", "content-type")
_MADE_HERE = frozenset({"content-length", "date", "server"})


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
        self._app, self._here, self._elsewhere = app, here, carrier.elsewhere
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
            daemon = None if bot in self._here() else self._elsewhere.daemon_of(bot)
            return None if daemon is None else Destination(daemon, path, f"{bot}'s")
        if (found := _OF_DECISION.fullmatch(path)) and found[2] in self._elsewhere.others():
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
            return _response(await self._outcomes.of(carrying, asked.left(request)))
        except DaemonGone:
            raise _gone(destination, request.method) from None


def _response(answered: Answered) -> Response:
    kept = {name: value for name, value in answered.headers if name not in _MADE_HERE}
    return Response(answered.body, answered.status, kept)


def _gone(destination: Destination, method: str) -> Refused:
    unknown = "" if method == "GET" else ". Whether this was done is unknown"
    message = (
        f"{destination.whose} daemon, {destination.daemon}, does not answer; "
        f"its bots are taken over within some seconds{unknown}"
    )
    return Refused(503, "daemon_gone", message)
