"""The HTTP interface to the daemon's OperatorService; every request passes the guard first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from bots.access.origin import Operator
from bots.daemon.memory import NewEntry, NewFact, OperatorMemory
from bots.daemon.operator import OperatorService
from bots.daemon.shapes import HealthShape, Json
from bots.daemon.watch import Watch
from bots.errors import CommandError
from bots.http import requests as asked
from bots.http.carrier import BusElsewhere
from bots.http.merging import Forwarding, Merging, OfAll, OwnAlone
from bots.http.openapi import openapi
from bots.http.page import endpoints_page, experiment_routes, favicon, page_file
from bots.http.responses import EXCEPTION_HANDLERS, HEADERS, Outcomes, Refused, answer, png
from bots.http.security import LINK_PARAMETER, TOKEN_PARAMETER, Guard, Keys, OwnAddresses, Redacted
from bots.http.shared_traces import Cluster
from bots.http.websocket import TraceStreams
from bots.observability.redaction import Redactor

ORIGIN = Operator("http")


def create_app(
    operator: OperatorService,
    watch: Watch,
    addresses: OwnAddresses,
    keys: Keys,
    secrets: Iterable[str],
    closing: asyncio.Event,
    cluster: Cluster | None = None,
) -> ASGIApp:
    """The whole interface; no answer holds the token or one of these secrets. Once `closing` is
    set, unfinished requests are answered with 503. With a `cluster`, the bots of all its daemons
    are shown and commanded here."""
    api = _Api(operator, watch, keys, Outcomes(closing), cluster)
    app: ASGIApp = _app((*_page_routes(api), *_member_routes(api), *_own_routes(api)))
    if cluster is not None:
        app = Forwarding(app, api.names, cluster.carrier, Outcomes(closing))
    return Redacted(Guard(app, addresses, keys), Redactor((*secrets, keys.token)))


def create_member_app(
    operator: OperatorService, watch: Watch, secrets: Iterable[str], closing: asyncio.Event
) -> ASGIApp:
    """What other daemons may ask of our bots, for a `MemberDoor`: there is no guard before it,
    so no socket may lead here. It sends nothing on."""
    api = _Api(operator, watch, Keys(""), Outcomes(closing), None)
    api.known_bot = _on_its_way
    return Redacted(_app(_member_routes(api)), Redactor(secrets))


def _app(routes: Iterable[BaseRoute]) -> Starlette:
    app = Starlette(routes=list(routes), exception_handlers=EXCEPTION_HANDLERS)
    app.router.redirect_slashes = False
    return app


def _page_routes(api: _Api) -> Iterator[BaseRoute]:
    yield Route("/", api.page)
    yield Route("/page/{name:path}", api.page_file)
    yield Route("/favicon.svg", api.icon)
    yield Route("/favicon.ico", api.icon)
    yield Route("/api", api.endpoints)
    yield Route("/api/openapi.json", api.openapi)
    yield Route("/api/link", api.link, methods=["POST"])


def _member_routes(api: _Api) -> Iterator[BaseRoute]:
    """What concerns bots: other daemons ask for it too."""
    yield Route("/api/positions", api.positions)
    yield Route("/api/talks", api.talks)
    yield Route("/api/budget", api.budget)
    yield Route("/api/load", api.load)
    yield Route("/api/bots/{bot}/goals", api.goals)
    yield Route("/api/decisions/{decision}/prompt", api.prompt_of)
    yield Route("/api/bots/{bot}/commands", api.command, methods=["POST"])
    yield Route("/api/bots/{bot}/messages", api.message, methods=["POST"])
    yield Route("/api/bots/{bot}/prompt", api.prompt, methods=["POST"])
    yield Route("/api/bots/{bot}/history", api.history)
    yield Route("/api/bots/{bot}/recall", api.recall)
    yield Route("/api/bots/{bot}/picture", api.picture)
    yield Route("/api/bots/{bot}/map", api.map)
    yield Route("/api/bots/{bot}/terrain", api.terrain)
    yield from memory_routes(api.memory, api.bot_of)
    yield Route("/api/decisions", api.decisions)
    yield Route("/api/decisions/{decision}/approve", api.approve, methods=["POST"])
    yield Route("/api/decisions/{decision}/reanalyse", api.reanalyse, methods=["POST"])
    yield Route("/api/stats", api.stats)
    yield Route("/api/stop", api.stop, methods=["POST"])


def _own_routes(api: _Api) -> Iterator[BaseRoute]:
    """What this daemon alone answers."""
    yield Route("/api/bots", api.bots)
    yield Route("/healthz", api.health)
    yield Route("/healthz/live", api.live)
    yield Route("/healthz/ready", api.ready)
    yield from experiment_routes(api.experiments)
    yield Route("/metrics", api.metrics)
    yield WebSocketRoute("/ws", api.stream)


class _Api:
    """One method per endpoint."""

    def __init__(
        self,
        operator: OperatorService,
        watch: Watch,
        keys: Keys,
        outcomes: Outcomes,
        cluster: Cluster | None,
    ) -> None:
        self._operator, self._watch = operator, watch
        self._keys, self._outcomes = keys, outcomes
        self.memory, self.experiments = operator.memory, operator.experiments
        self.known_bot: Callable[[str, Sequence[str]], str] = asked.known_bot
        self._merging: Merging = OwnAlone()
        self._streams = TraceStreams(operator.trace, watch.moving)
        if cluster is not None:
            self._streams = TraceStreams(cluster.traces.log, cluster.traces.moving, cluster.traces)
            self._merging = OfAll(cluster.carrier)
            self.known_bot = partial(_known_bot, cluster.carrier.elsewhere)

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
        return endpoints_page(self.names())

    async def openapi(self, _request: Request) -> Response:
        return answer(openapi())

    async def link(self, request: Request) -> Response:
        base = str(request.base_url).rstrip("/")
        return answer({"success": True, "url": base + self._keys.new_link()})

    async def positions(self, _request: Request) -> Response:
        return answer(await self._merging.positions(await self._watch.positions()))

    async def talks(self, _request: Request) -> Response:
        return answer(await self._merging.talks(self._watch.talks()))

    async def budget(self, _request: Request) -> Response:
        return answer(await self._merging.budget(self._watch.budget()))

    async def load(self, _request: Request) -> Response:
        return answer(await self._merging.load(await self._watch.load()))

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
        return answer(self._merging.bots(self._operator.bots()))

    async def command(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.CommandBody)
        text = asked.command_text(body.text)
        work = self._operator.command(bot, text, ORIGIN, body.wait, body.plain)
        leaving = asked.left(request) if body.attached and body.wait else None
        return answer(await self._outcomes.of(work, leaving))

    async def message(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcomes.of(self._operator.message(bot, text, name)))

    async def prompt(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.MessageBody)
        text, name = asked.message_text(body.text), asked.name_of_operator(body.name)
        return answer(await self._outcomes.of(self._operator.prompt(bot, text, name)))

    async def history(self, request: Request) -> Response:
        bot = self.bot_of(request)
        query = asked.history_query(request.query_params)
        return answer(await self._outcomes.of(self._operator.history(bot, query)))

    async def recall(self, request: Request) -> Response:
        bot = self.bot_of(request)
        query = asked.recall_query(request.query_params)
        return answer(await self._outcomes.of(self._operator.recall(bot, query)))

    async def picture(self, request: Request) -> Response:
        bot = self.bot_of(request)
        wanted = asked.picture_query(request.query_params)
        return png(await self._outcomes.of(self._operator.picture(bot, wanted)))

    async def map(self, request: Request) -> Response:
        bot = self.bot_of(request)
        reach = asked.map_reach(request.query_params)
        return png(await self._outcomes.of(self._operator.map(bot, reach)))

    async def terrain(self, request: Request) -> Response:
        bot = self.bot_of(request)
        reach = asked.map_reach(request.query_params)
        return answer(await self._outcomes.of(self._watch.terrain(bot, reach)))

    async def decisions(self, _request: Request) -> Response:
        own = {"success": True, "decisions": self._operator.decisions()}
        return answer(await self._merging.decisions(own))

    async def approve(self, request: Request) -> Response:
        decision = asked.decision_number(request.path_params["decision"])
        return _known(await self._outcomes.of(self._operator.approve(decision)))

    async def reanalyse(self, request: Request) -> Response:
        decision = asked.decision_number(request.path_params["decision"])
        return _known(await self._outcomes.of(self._operator.reanalyse(decision)))

    async def stats(self, _request: Request) -> Response:
        return answer(await self._merging.stats(self._operator.stats()))

    async def metrics(self, request: Request) -> Response:
        metrics = self._operator.metrics(request.headers.get("accept", ""))
        return Response(metrics.body, 200, HEADERS, metrics.media_type)

    async def stop(self, _request: Request) -> Response:
        return answer(await self._outcomes.of(self._merging.stop(self._operator.stop_all())))

    async def stream(self, websocket: WebSocket) -> None:
        await self._streams.serve(websocket)

    def names(self) -> list[str]:
        return [str(bot["name"]) for bot in self._operator.bots()]

    def bot_of(self, request: Request) -> str:
        return self.known_bot(request.path_params["bot"], self.names())


def _known_bot(elsewhere: BusElsewhere, name: str, bots: Sequence[str]) -> str:
    there = [str(bot["name"]) for bot in elsewhere.bots()]
    return asked.known_bot(name, bots, [bot for bot in there if bot not in bots])


def _on_its_way(name: str, bots: Sequence[str]) -> str:
    """A bot that another daemon takes for ours."""
    if name in bots:
        return name
    message = f"{name} has left that daemon; ask again in some seconds"
    raise Refused(503, "daemon_gone", message)


def _well_unless(why: list[str]) -> Response:
    found: HealthShape = {"ok": not why, "why": why}
    return answer(found, 503 if why else 200)


def _known(outcome: Json) -> Response:
    return answer(outcome, 404 if outcome.get("reason") == "unknown_decision" else 200)


MOST = 1_000
USUAL = 20

Endpoint: TypeAlias = Callable[[Request, str], Awaitable[Json]]
KnownBot: TypeAlias = Callable[[Request], str]


def memory_routes(memory: OperatorMemory, bot_of: KnownBot) -> Iterator[BaseRoute]:
    """`bot_of` names the bot of a request; it refuses what is none."""

    def route(path: str, method: str, endpoint: Endpoint) -> Route:
        async def answered(request: Request) -> Response:
            return await _answered(endpoint(request, bot_of(request)))

        return Route(f"/api/bots/{{bot}}/{path}", answered, methods=[method])

    async def add_fact(request: Request, bot: str) -> Json:
        return await memory.add_fact(bot, _name(request), await asked.read_body(request, NewFact))

    async def drop_fact(request: Request, bot: str) -> Json:
        query = asked.texts(request.query_params, ("kind", "words"))
        kind, words = query["kind"], query["words"]
        if kind is None or words is None:
            raise Refused(400, "invalid_format", "write ?kind= and &words= of the fact")
        return await memory.drop_fact(bot, _name(request), kind, words)

    async def knowledge(request: Request, bot: str) -> Json:
        query = asked.texts(request.query_params, ("words", "type", "speaker", "limit"))
        limit = asked.whole_number(query["limit"], "limit", 1, MOST) or USUAL
        words = query["words"] or ""
        return await memory.knowledge(bot, words, query["type"], query["speaker"], limit)

    async def add_entry(request: Request, bot: str) -> Json:
        return await memory.add_entry(bot, await asked.read_body(request, NewEntry))

    async def correct_entry(request: Request, bot: str) -> Json:
        entry = await asked.read_body(request, NewEntry)
        return await memory.correct_entry(bot, _number(request), entry)

    person, place = "people/{name}", "places/{name}"
    yield route("people", "GET", lambda _request, bot: memory.people(bot))
    yield route(person, "GET", lambda request, bot: memory.person(bot, _name(request)))
    yield route(person, "DELETE", lambda request, bot: memory.forget_person(bot, _name(request)))
    yield route(f"{person}/facts", "POST", add_fact)
    yield route(f"{person}/facts", "DELETE", drop_fact)
    yield route("places", "GET", lambda _request, bot: memory.places(bot))
    yield route(place, "GET", lambda request, bot: memory.place(bot, _name(request)))
    yield route("knowledge", "GET", knowledge)
    yield route("knowledge", "POST", add_entry)
    entry = "knowledge/{number}"
    yield route(entry, "PUT", correct_entry)
    yield route(entry, "DELETE", lambda request, bot: memory.forget_entry(bot, _number(request)))


async def _answered(work: Awaitable[Json]) -> Response:
    try:
        return answer(await work)
    except CommandError as error:
        status = 404 if error.reason == "unknown" else 400
        raise Refused(status, error.reason, str(error)) from error


def _name(request: Request) -> str:
    return str(request.path_params["name"])


def _number(request: Request) -> int:
    number = asked.whole_number(request.path_params["number"], "number", 1, 10**15)
    assert number is not None, "the path has one"
    return number
