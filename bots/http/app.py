"""The HTTP interface to an OperatorPort; every request passes the guard first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from bots.access.origin import Operator
from bots.http import requests as asked
from bots.http.page import favicon, front_page
from bots.http.port import Json, OperatorPort
from bots.http.redacted import Redacted
from bots.http.responses import EXCEPTION_HANDLERS, Refused, answer
from bots.http.security import Guard, OwnAddresses
from bots.http.websocket import TraceStreams
from bots.observability.redaction import Redactor

ORIGIN = Operator("http")


def create_app(
    operator: OperatorPort,
    addresses: OwnAddresses,
    token: str,
    secrets: Iterable[str],
    closing: asyncio.Event,
) -> ASGIApp:
    """The whole interface; no answer holds the token or one of these secrets. Once `closing` is
    set, unfinished requests are answered with 503."""
    api = _Api(operator, closing)
    app = Starlette(routes=list(_routes(api)), exception_handlers=EXCEPTION_HANDLERS)
    app.router.redirect_slashes = False
    return Redacted(Guard(app, addresses, token), Redactor((*secrets, token)))


def _routes(api: _Api) -> Iterator[BaseRoute]:
    yield Route("/", api.page)
    yield Route("/healthz", api.health)
    yield Route("/favicon.svg", api.icon)
    yield Route("/favicon.ico", api.icon)
    yield Route("/api/bots", api.bots)
    yield Route("/api/bots/{bot}/commands", api.command, methods=["POST"])
    yield Route("/api/bots/{bot}/messages", api.message, methods=["POST"])
    yield Route("/api/bots/{bot}/prompt", api.prompt, methods=["POST"])
    yield Route("/api/bots/{bot}/history", api.history)
    yield Route("/api/bots/{bot}/recall", api.recall)
    yield Route("/api/decisions", api.decisions)
    yield Route("/api/decisions/{decision}/approve", api.approve, methods=["POST"])
    yield Route("/api/decisions/{decision}/reanalyse", api.reanalyse, methods=["POST"])
    yield Route("/api/stats", api.stats)
    yield Route("/api/stop", api.stop, methods=["POST"])
    yield WebSocketRoute("/ws", api.stream)


class _Api:
    """One method per endpoint."""

    def __init__(self, operator: OperatorPort, closing: asyncio.Event) -> None:
        self._operator, self._closing = operator, closing
        self._streams = TraceStreams(operator.trace)

    async def page(self, _request: Request) -> Response:
        return front_page(self._names())

    async def icon(self, _request: Request) -> Response:
        return favicon()

    async def health(self, _request: Request) -> Response:
        health = self._operator.health()
        return answer(health, 200 if health.get("ok") else 503)

    async def bots(self, _request: Request) -> Response:
        return answer({"success": True, "bots": self._operator.bots()})

    async def command(self, request: Request) -> Response:
        bot = self._bot(request)
        body = await asked.read_body(request, asked.CommandBody)
        text = asked.command_text(body.text)
        work = self._operator.command(bot, text, ORIGIN, body.wait)
        leaving = asked.left(request) if body.attached and body.wait else None
        return answer(await self._outcome(work, leaving))

    async def message(self, request: Request) -> Response:
        bot = self._bot(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcome(self._operator.message(bot, text, name)))

    async def prompt(self, request: Request) -> Response:
        bot = self._bot(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcome(self._operator.prompt(bot, text, name)))

    async def history(self, request: Request) -> Response:
        bot = self._bot(request)
        query = asked.history_query(request.query_params)
        found = self._operator.history(
            bot,
            usernames=query.usernames,
            type=query.type,
            since=query.since,
            before=query.before,
            limit=query.limit,
        )
        return answer(await self._outcome(found))

    async def recall(self, request: Request) -> Response:
        bot = self._bot(request)
        query = asked.recall_query(request.query_params)
        found = self._operator.recall(
            bot,
            query.words,
            speaker=query.speaker,
            since=query.since,
            until=query.until,
            limit=query.limit,
            offset=query.offset,
        )
        return answer(await self._outcome(found))

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

    async def stop(self, _request: Request) -> Response:
        return answer(await self._outcome(self._operator.stop_all()))

    async def stream(self, websocket: WebSocket) -> None:
        await self._streams.serve(websocket)

    def _names(self) -> list[str]:
        return [str(bot["name"]) for bot in self._operator.bots()]

    def _bot(self, request: Request) -> str:
        return asked.known_bot(request.path_params["bot"], self._names())

    async def _outcome(
        self, work: Coroutine[Any, Any, Json], leaving: Coroutine[Any, Any, None] | None = None
    ) -> Json:
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


def _known(outcome: Json) -> Response:
    return answer(outcome, 404 if outcome.get("reason") == "unknown_decision" else 200)
