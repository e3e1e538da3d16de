"""The HTTP interface to an OperatorPort; every request passes the guard first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from bots.access.origin import Operator
from bots.http import requests as asked
from bots.http.experiments import experiment_routes
from bots.http.files import page_file
from bots.http.keys import LINK_PARAMETER, TOKEN_PARAMETER, Keys
from bots.http.memory import memory_routes
from bots.http.openapi import openapi
from bots.http.page import endpoints_page, favicon
from bots.http.port import Json, OperatorPort, WatchPort
from bots.http.redacted import Redacted
from bots.http.responses import EXCEPTION_HANDLERS, HEADERS, Refused, answer, png
from bots.http.security import Guard, OwnAddresses
from bots.http.shapes import HealthShape
from bots.http.websocket import TraceStreams
from bots.observability.redaction import Redactor

ORIGIN = Operator("http")

T = TypeVar("T")


def create_app(
    operator: OperatorPort,
    watch: WatchPort,
    addresses: OwnAddresses,
    keys: Keys,
    secrets: Iterable[str],
    closing: asyncio.Event,
) -> ASGIApp:
    """The whole interface; no answer holds the token or one of these secrets. Once `closing` is
    set, unfinished requests are answered with 503."""
    api = _Api(operator, watch, keys, closing)
    app = Starlette(routes=list(_routes(api)), exception_handlers=EXCEPTION_HANDLERS)
    app.router.redirect_slashes = False
    return Redacted(Guard(app, addresses, keys), Redactor((*secrets, keys.token)))


def _routes(api: _Api) -> Iterator[BaseRoute]:
    yield Route("/", api.page)
    yield Route("/page/{name:path}", api.page_file)
    yield Route("/api", api.endpoints)
    yield Route("/api/openapi.json", api.openapi)
    yield Route("/api/link", api.link, methods=["POST"])
    yield Route("/api/positions", api.positions)
    yield Route("/api/talks", api.talks)
    yield Route("/api/budget", api.budget)
    yield Route("/api/load", api.load)
    yield Route("/api/bots/{bot}/goals", api.goals)
    yield Route("/api/decisions/{decision}/prompt", api.prompt_of)
    yield Route("/healthz", api.health)
    yield Route("/healthz/live", api.live)
    yield Route("/healthz/ready", api.ready)
    yield Route("/favicon.svg", api.icon)
    yield Route("/favicon.ico", api.icon)
    yield Route("/api/bots", api.bots)
    yield Route("/api/bots/{bot}/commands", api.command, methods=["POST"])
    yield Route("/api/bots/{bot}/messages", api.message, methods=["POST"])
    yield Route("/api/bots/{bot}/prompt", api.prompt, methods=["POST"])
    yield Route("/api/bots/{bot}/history", api.history)
    yield Route("/api/bots/{bot}/recall", api.recall)
    yield Route("/api/bots/{bot}/picture", api.picture)
    yield Route("/api/bots/{bot}/map", api.map)
    yield Route("/api/bots/{bot}/terrain", api.terrain)
    yield from memory_routes(api.memory, api.bot_of)
    yield from experiment_routes(api.experiments)
    yield Route("/api/decisions", api.decisions)
    yield Route("/api/decisions/{decision}/approve", api.approve, methods=["POST"])
    yield Route("/api/decisions/{decision}/reanalyse", api.reanalyse, methods=["POST"])
    yield Route("/api/stats", api.stats)
    yield Route("/metrics", api.metrics)
    yield Route("/api/stop", api.stop, methods=["POST"])
    yield WebSocketRoute("/ws", api.stream)


class _Api:
    """One method per endpoint."""

    def __init__(
        self, operator: OperatorPort, watch: WatchPort, keys: Keys, closing: asyncio.Event
    ) -> None:
        self._operator, self._watch = operator, watch
        self._keys, self._closing = keys, closing
        self.memory, self.experiments = operator.memory, operator.experiments
        self._streams = TraceStreams(operator.trace, watch.moving)

    async def page(self, request: Request) -> Response:
        if {LINK_PARAMETER, TOKEN_PARAMETER} & set(request.query_params):
            return self._keys.let_in()  # the guard has looked at it
        return self._file(request, "index.html")

    async def page_file(self, request: Request) -> Response:
        return self._file(request, request.path_params["name"])

    def _file(self, request: Request, name: str) -> Response:
        found = page_file(name, request.headers.get("if-none-match"))
        if found is None:
            raise HTTPException(404)
        return found

    async def endpoints(self, _request: Request) -> Response:
        return endpoints_page(self._names())

    async def openapi(self, _request: Request) -> Response:
        return answer(openapi())

    async def link(self, request: Request) -> Response:
        base = str(request.base_url).rstrip("/")
        return answer({"success": True, "url": base + self._keys.new_link()})

    async def positions(self, _request: Request) -> Response:
        return answer(await self._watch.positions())

    async def talks(self, _request: Request) -> Response:
        return answer(self._watch.talks())

    async def budget(self, _request: Request) -> Response:
        return answer(self._watch.budget())

    async def load(self, _request: Request) -> Response:
        return answer(await self._watch.load())

    async def goals(self, request: Request) -> Response:
        return answer(self._watch.goals(self.bot_of(request)))

    async def prompt_of(self, request: Request) -> Response:
        decision = asked.decision_number(request.path_params["decision"])
        return _known(dict(await self._watch.prompt_of(decision)))

    async def icon(self, _request: Request) -> Response:
        return favicon()

    async def health(self, _request: Request) -> Response:
        health = self._operator.health()
        return answer(health, 200 if health.get("ok") else 503)

    async def live(self, _request: Request) -> Response:
        return _well_unless(self._operator.why_not_live())

    async def ready(self, _request: Request) -> Response:
        return _well_unless(self._operator.why_not_ready())

    async def bots(self, _request: Request) -> Response:
        return answer({"success": True, "bots": self._operator.bots()})

    async def command(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.CommandBody)
        text = asked.command_text(body.text)
        work = self._operator.command(bot, text, ORIGIN, body.wait, body.plain)
        leaving = asked.left(request) if body.attached and body.wait else None
        return answer(await self._outcome(work, leaving))

    async def message(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcome(self._operator.message(bot, text, name)))

    async def prompt(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcome(self._operator.prompt(bot, text, name)))

    async def history(self, request: Request) -> Response:
        bot = self.bot_of(request)
        query = asked.history_query(request.query_params)
        found = self._operator.history(
            bot,
            usernames=query.usernames,
            type=query.type,
            since=query.since,
            before=query.before,
            talk=query.talk,
            limit=query.limit,
        )
        return answer(await self._outcome(found))

    async def recall(self, request: Request) -> Response:
        bot = self.bot_of(request)
        query = asked.recall_query(request.query_params)
        found = self._operator.recall(
            bot,
            query.words,
            speaker=query.speaker,
            since=query.since,
            until=query.until,
            limit=query.limit,
            offset=query.offset,
            episodes=query.episodes,
        )
        return answer(await self._outcome(found))

    async def picture(self, request: Request) -> Response:
        bot = self.bot_of(request)
        wanted = asked.picture_query(request.query_params)
        return png(await self._outcome(self._operator.picture(bot, wanted)))

    async def map(self, request: Request) -> Response:
        bot = self.bot_of(request)
        reach = asked.map_reach(request.query_params)
        return png(await self._outcome(self._operator.map(bot, reach)))

    async def terrain(self, request: Request) -> Response:
        bot = self.bot_of(request)
        reach = asked.map_reach(request.query_params)
        return answer(await self._outcome(self._watch.terrain(bot, reach)))

    async def decisions(self, _request: Request) -> Response:
        return answer({"success": True, "decisions": self._operator.decisions()})

    async def approve(self, request: Request) -> Response:
        decision = asked.decision_number(request.path_params["decision"])
        return _known(await self._outcome(self._operator.approve(decision)))

    async def reanalyse(self, request: Request) -> Response:
        decision = asked.decision_number(request.path_params["decision"])
        return _known(await self._outcome(self._operator.reanalyse(decision)))

    async def stats(self, _request: Request) -> Response:
        return answer(self._operator.stats())

    async def metrics(self, request: Request) -> Response:
        metrics = self._operator.metrics(request.headers.get("accept", ""))
        return Response(metrics.body, 200, HEADERS, metrics.media_type)

    async def stop(self, _request: Request) -> Response:
        return answer(await self._outcome(self._operator.stop_all()))

    async def stream(self, websocket: WebSocket) -> None:
        await self._streams.serve(websocket)

    def _names(self) -> list[str]:
        return [str(bot["name"]) for bot in self._operator.bots()]

    def bot_of(self, request: Request) -> str:
        return asked.known_bot(request.path_params["bot"], self._names())

    async def _outcome(
        self, work: Coroutine[Any, Any, T], leaving: Coroutine[Any, Any, None] | None = None
    ) -> T:
        """The outcome of `work`, unless the daemon closes or the asker leaves first."""
        working = asyncio.create_task(work, name="http outcome")
        ends: set[asyncio.Task[Any]] = {
            asyncio.create_task(self._closing.wait(), name="http closing")
        }
        if leaving is not None:
            ends.add(asyncio.create_task(leaving, name="http leaving"))
        try:
            await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            if not self._closing.is_set():
                raise Refused(400, "left", "whoever asked has left; the command was ended")
            message = "the daemon is ending; whether this was done is unknown"
            raise Refused(503, "shutting_down", message)
        finally:
            for task in (working, *ends):
                task.cancel()


def _well_unless(why: list[str]) -> Response:
    found: HealthShape = {"ok": not why, "why": why}
    return answer(found, 503 if why else 200)


def _known(outcome: Json) -> Response:
    return answer(outcome, 404 if outcome.get("reason") == "unknown_decision" else 200)
