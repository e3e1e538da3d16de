"""The HTTP interface to the daemon's OperatorService: each endpoint, its meaning and its answer.

Every request passes the guard first. `/api/openapi.json`, `/api` and docs/http.md list what is
declared here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from bots.access.origin import Operator
from bots.daemon import shapes
from bots.daemon.memory import NewEntry, NewFact
from bots.daemon.operator import OperatorService
from bots.daemon.shapes import HealthShape, Json
from bots.errors import CommandError
from bots.http import requests as asked
from bots.http.carrier import Carrier
from bots.http.merging import Forwarding, OfAll, OwnAlone
from bots.http.page import FAVICON, REPORT_HEADERS, Endpoint, endpoints_page, openapi, page_file
from bots.http.responses import EXCEPTION_HANDLERS, HEADERS, Outcomes, Refused, answer, png
from bots.http.security import LINK_PARAMETER, TOKEN_PARAMETER, Guard, Keys, OwnAddresses, Redacted
from bots.http.shared_traces import Cluster
from bots.http.websocket import TraceStreams
from bots.observability.redaction import Redactor

ORIGIN = Operator("http")
MOST_ENTRIES = 1_000
USUAL_ENTRIES = 20
Whose: TypeAlias = Literal["ours", "of all"]
"""`of all`: it concerns bots, so other daemons of a cluster ask for it too."""


class _Declared(NamedTuple):
    endpoint: Endpoint
    whose: Whose
    handler: Callable[..., Awaitable[Any]]


_DECLARED: list[_Declared] = []
Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])


def _endpoint(
    method: str,
    path: str,
    meaning: str,
    answers: Any = shapes.Outcome,
    *,
    whose: Whose = "of all",
) -> Callable[[Handler], Handler]:
    """Declare a method of `_Api` as the handler of an endpoint; `answers` is the type of the JSON
    that it answers, or of another body."""

    def declare(handler: Handler) -> Handler:
        _DECLARED.append(_Declared(Endpoint(method, path, meaning, answers), whose, handler))
        return handler

    return declare


def create_app(
    operator: OperatorService,
    addresses: OwnAddresses,
    keys: Keys,
    secrets: Iterable[str],
    closing: asyncio.Event,
    cluster: Cluster | None = None,
) -> ASGIApp:
    """The whole interface; no answer holds the token or one of these secrets. Once `closing` is
    set, unfinished requests are answered with 503. With a `cluster`, the bots of all its daemons
    are shown and commanded here."""
    api = _Api(operator, keys, Outcomes(closing), cluster)
    for_people = (
        Route("/", api.page),
        Route("/page/{name:path}", api.page_file),
        Route("/favicon.svg", api.icon),
        Route("/favicon.ico", api.icon),
        Route("/api", api.endpoints),
    )
    app: ASGIApp = _app((*for_people, *_routes(api, "ours", "of all")))
    if cluster is not None:
        app = Forwarding(app, api.names, cluster.carrier, Outcomes(closing))
    return Redacted(Guard(app, addresses, keys), Redactor((*secrets, keys.token)))


def create_member_app(
    operator: OperatorService, secrets: Iterable[str], closing: asyncio.Event
) -> ASGIApp:
    """What other daemons may ask of our bots, for a `MemberDoor`: there is no guard before it,
    so no socket may lead here. It sends nothing on."""
    api = _Api(operator, Keys(""), Outcomes(closing), None)
    api.known_bot = _on_its_way
    return Redacted(_app(_routes(api, "of all")), Redactor(secrets))


def _app(routes: Iterable[BaseRoute]) -> Starlette:
    app = Starlette(routes=list(routes), exception_handlers=EXCEPTION_HANDLERS)
    app.router.redirect_slashes = False
    return app


def _routes(api: _Api, *whose: Whose) -> Iterable[BaseRoute]:
    for one in _DECLARED:
        if one.whose in whose:
            method, path = one.endpoint[:2]
            handler = partial(one.handler, api)
            if method == "WS":
                yield WebSocketRoute(path, handler)
            else:
                yield Route(path, handler, methods=[method])


class _Api:
    """One method per endpoint."""

    def __init__(
        self, operator: OperatorService, keys: Keys, outcomes: Outcomes, cluster: Cluster | None
    ) -> None:
        self._operator, self._memory = operator, operator.memory
        self._keys, self._outcomes = keys, outcomes
        self.known_bot: Callable[[str, Sequence[str]], str] = asked.known_bot
        self._merging: OwnAlone | OfAll = OwnAlone()
        self._streams = TraceStreams(operator.trace, operator.moving)
        if cluster is not None:
            self._streams = TraceStreams(cluster.traces.log, cluster.traces.moving, cluster.traces)
            self._merging = OfAll(cluster.carrier)
            self.known_bot = partial(_known_bot, cluster.carrier)

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

    async def icon(self, _request: Request) -> Response:
        return Response(FAVICON, headers=HEADERS, media_type="image/svg+xml")

    async def endpoints(self, _request: Request) -> Response:
        return endpoints_page(self.names(), ENDPOINTS)

    @_endpoint(
        "GET",
        "/healthz",
        "whether the daemon, its database and, in a cluster, its broker are well; needs no token",
        dict,
        whose="ours",
    )
    async def health(self, _request: Request) -> Response:
        health = self._operator.health()
        return answer(health, 200 if health.get("ok") else 503)

    @_endpoint(
        "GET",
        "/healthz/live",
        "whether it should be left alone, or else started anew; needs no token",
        shapes.HealthShape,
        whose="ours",
    )
    async def live(self, _request: Request) -> Response:
        return _well_unless(self._operator.why_not_live())

    @_endpoint(
        "GET",
        "/healthz/ready",
        "whether its bots can be talked with now, or else why not; needs no token",
        shapes.HealthShape,
        whose="ours",
    )
    async def ready(self, _request: Request) -> Response:
        return _well_unless(self._operator.why_not_ready())

    @_endpoint("GET", "/api/bots", "the bots and how they are", shapes.Bots, whose="ours")
    async def bots(self, _request: Request) -> Response:
        return answer(self._merging.bots(self._operator.bots()))

    @_endpoint("POST", "/api/bots/{bot}/commands", 'a command: {"text": "!info all", "wait": true}')
    async def command(self, request: Request) -> Response:
        bot = self.bot_of(request)
        body = await asked.read_body(request, asked.CommandBody)
        text = asked.command_text(body.text)
        work = self._operator.command(bot, text, ORIGIN, body.wait, body.plain)
        leaving = asked.left(request) if body.attached and body.wait else None
        return answer(await self._outcomes.of(work, leaving))

    @_endpoint(
        "POST", "/api/bots/{bot}/messages", 'words to a bot: {"text": "Hello!", "name": "Steve"}'
    )
    async def message(self, request: Request) -> Response:
        bot, text, name = await self._said(request)
        return answer(await self._outcomes.of(self._operator.message(bot, text, name)))

    @_endpoint(
        "POST", "/api/bots/{bot}/prompt", "what a model would be asked if the player `name` said it"
    )
    async def prompt(self, request: Request) -> Response:
        bot, text, name = await self._said(request)
        return answer(await self._outcomes.of(self._operator.prompt(bot, text, name)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/history",
        "what it heard and said: ?username=&type=&talk=&limit=&since=&before=",
    )
    async def history(self, request: Request) -> Response:
        bot, query = self.bot_of(request), asked.history_query(request.query_params)
        return answer(await self._outcomes.of(self._operator.history(bot, query)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/recall",
        "what of it, and of its episodes, fits some words, best first:"
        " ?words=&speaker=&since=&until=&episodes=&limit=&offset=",
    )
    async def recall(self, request: Request) -> Response:
        bot, query = self.bot_of(request), asked.recall_query(request.query_params)
        return answer(await self._outcomes.of(self._operator.recall(bot, query)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/picture",
        "what it sees, as a PNG: ?yaw=&pitch=&panorama=true&width=&height=",
        bytes,
    )
    async def picture(self, request: Request) -> Response:
        bot, wanted = self.bot_of(request), asked.picture_query(request.query_params)
        return png(await self._outcomes.of(self._operator.picture(bot, wanted)))

    @_endpoint(
        "GET", "/api/bots/{bot}/map", "the country around it from above, as a PNG: ?reach=", bytes
    )
    async def map(self, request: Request) -> Response:
        bot, reach = self.bot_of(request), asked.map_reach(request.query_params)
        return png(await self._outcomes.of(self._operator.map(bot, reach)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/terrain",
        "the ground around it for a map of yours, a pixel for each block: ?reach=",
        shapes.TerrainShape,
    )
    async def terrain(self, request: Request) -> Response:
        bot, reach = self.bot_of(request), asked.map_reach(request.query_params)
        return answer(await self._outcomes.of(self._operator.terrain(bot, reach)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/goals",
        "its goals, and the plan of the one under way, step by step",
        shapes.GoalsShape,
    )
    async def goals(self, request: Request) -> Response:
        return answer(self._operator.goals(self.bot_of(request)))

    @_endpoint("GET", "/api/positions", "where everybody is", shapes.Positions)
    async def positions(self, _request: Request) -> Response:
        return answer(await self._merging.positions(await self._operator.positions()))

    @_endpoint(
        "GET", "/api/talks", "the group talks under way, with their lines", shapes.TalksShape
    )
    async def talks(self, _request: Request) -> Response:
        return answer(await self._merging.talks(self._operator.talks()))

    @_endpoint(
        "GET",
        "/api/budget",
        "what models cost, beside the caps, and whether they answer",
        shapes.BudgetShape,
    )
    async def budget(self, _request: Request) -> Response:
        return answer(await self._merging.budget(self._operator.budget()))

    @_endpoint(
        "GET",
        "/api/load",
        "what the daemon and its Node processes take of the machine",
        shapes.LoadShape,
    )
    async def load(self, _request: Request) -> Response:
        return answer(await self._merging.load(await self._operator.load()))

    @_endpoint("GET", "/api/bots/{bot}/people", "whom it knows, and when they met", shapes.People)
    async def people(self, request: Request) -> Response:
        return await _answered(self._memory.people(self.bot_of(request)))

    @_endpoint("GET", "/api/bots/{bot}/people/{name}", "the card of a person", shapes.PersonCard)
    async def person(self, request: Request) -> Response:
        return await _answered(self._memory.person(self.bot_of(request), _name(request)))

    @_endpoint("DELETE", "/api/bots/{bot}/people/{name}", "forget a person, as !forget me does")
    async def forget_person(self, request: Request) -> Response:
        return await _answered(self._memory.forget_person(self.bot_of(request), _name(request)))

    @_endpoint(
        "POST",
        "/api/bots/{bot}/people/{name}/facts",
        'add to a card: {"kind": "likes", "words": "cherry wood", "forAll": true}',
        shapes.PersonCard,
    )
    async def add_fact(self, request: Request) -> Response:
        bot, fact = self.bot_of(request), await asked.read_body(request, NewFact)
        return await _answered(self._memory.add_fact(bot, _name(request), fact))

    @_endpoint("DELETE", "/api/bots/{bot}/people/{name}/facts", "take from a card: ?kind=&words=")
    async def drop_fact(self, request: Request) -> Response:
        bot, query = self.bot_of(request), asked.texts(request.query_params, ("kind", "words"))
        kind, words = query["kind"], query["words"]
        if kind is None or words is None:
            raise Refused(400, "invalid_format", "write ?kind= and &words= of the fact")
        return await _answered(self._memory.drop_fact(bot, _name(request), kind, words))

    @_endpoint("GET", "/api/bots/{bot}/places", "the places that it knows by name", shapes.Places)
    async def places(self, request: Request) -> Response:
        return await _answered(self._memory.places(self.bot_of(request)))

    @_endpoint("GET", "/api/bots/{bot}/places/{name}", "the card of a place", shapes.PlaceCard)
    async def place(self, request: Request) -> Response:
        return await _answered(self._memory.place(self.bot_of(request), _name(request)))

    @_endpoint(
        "GET",
        "/api/bots/{bot}/knowledge",
        "what it knows: ?words=&type=&speaker=&limit=",
        shapes.Entries,
    )
    async def knowledge(self, request: Request) -> Response:
        bot = self.bot_of(request)
        query = asked.texts(request.query_params, ("words", "type", "speaker", "limit"))
        limit = asked.whole_number(query["limit"], "limit", 1, MOST_ENTRIES) or USUAL_ENTRIES
        words = query["words"] or ""
        return await _answered(
            self._memory.knowledge(bot, words, query["type"], query["speaker"], limit)
        )

    @_endpoint(
        "POST",
        "/api/bots/{bot}/knowledge",
        'have it know: {"words": "cats help", "type": "counter", "days": 30, "forAll": true}',
        shapes.OneEntry,
    )
    async def add_entry(self, request: Request) -> Response:
        bot, entry = self.bot_of(request), await asked.read_body(request, NewEntry)
        return await _answered(self._memory.add_entry(bot, entry))

    @_endpoint(
        "PUT",
        "/api/bots/{bot}/knowledge/{id}",
        "correct an entry, with a body like that",
        shapes.OneEntry,
    )
    async def correct_entry(self, request: Request) -> Response:
        bot, entry = self.bot_of(request), await asked.read_body(request, NewEntry)
        return await _answered(self._memory.correct_entry(bot, _number(request), entry))

    @_endpoint("DELETE", "/api/bots/{bot}/knowledge/{id}", "forget an entry")
    async def forget_entry(self, request: Request) -> Response:
        return await _answered(self._memory.forget_entry(self.bot_of(request), _number(request)))

    @_endpoint(
        "GET",
        "/api/experiments",
        "the experiments that were played, the newest first",
        shapes.ExperimentsShape,
        whose="ours",
    )
    async def experiments(self, _request: Request) -> Response:
        return answer(await self._operator.experiments.experiments())

    @_endpoint(
        "GET",
        "/api/experiments/{id}/runs/{run}/report",
        "the report of one of its runs",
        shapes.Html,
        whose="ours",
    )
    @_endpoint(
        "GET",
        "/api/experiments/{id}/report",
        "the report of an experiment",
        shapes.Html,
        whose="ours",
    )
    async def report(self, request: Request) -> Response:
        wanted = request.path_params
        page = await self._operator.experiments.report(wanted["id"], wanted.get("run"))
        if page is None:
            message = "there is no such report; write one: townsfolk experiment report DIR"
            raise Refused(404, "unknown_report", message)
        return Response(page, 200, REPORT_HEADERS, "text/html; charset=utf-8")

    @_endpoint("GET", "/api/decisions", "what was decided and why")
    async def decisions(self, _request: Request) -> Response:
        own = {"success": True, "decisions": self._operator.decisions()}
        return answer(await self._merging.decisions(own))

    @_endpoint(
        "GET",
        "/api/decisions/{id}/prompt",
        "what the model was asked for a decision",
        shapes.PromptShape,
    )
    async def prompt_of(self, request: Request) -> Response:
        return _known(dict(await self._operator.prompt_of(asked.decision_number(request))))

    @_endpoint("POST", "/api/decisions/{id}/approve", "approve a decision")
    async def approve(self, request: Request) -> Response:
        number = asked.decision_number(request)
        return _known(await self._outcomes.of(self._operator.approve(number)))

    @_endpoint("POST", "/api/decisions/{id}/reanalyse", "have it decided anew")
    async def reanalyse(self, request: Request) -> Response:
        number = asked.decision_number(request)
        return _known(await self._outcomes.of(self._operator.reanalyse(number)))

    @_endpoint("GET", "/api/stats", "how well it is decided, beside what it should be")
    async def stats(self, _request: Request) -> Response:
        return answer(await self._merging.stats(self._operator.stats()))

    @_endpoint("GET", "/metrics", "figures for Prometheus, as text", str, whose="ours")
    async def metrics(self, request: Request) -> Response:
        metrics = self._operator.metrics(request.headers.get("accept", ""))
        return Response(metrics.body, 200, HEADERS, metrics.media_type)

    @_endpoint("POST", "/api/stop", "stop whatever any bot is doing")
    async def stop(self, _request: Request) -> Response:
        return answer(await self._outcomes.of(self._merging.stop(self._operator.stop_all())))

    @_endpoint(
        "POST",
        "/api/link",
        "an address that opens the page in a browser, once",
        shapes.Link,
        whose="ours",
    )
    async def link(self, request: Request) -> Response:
        base = str(request.base_url).rstrip("/")
        return answer({"success": True, "url": base + self._keys.new_link()})

    @_endpoint("GET", "/api/openapi.json", "all this for programs, as OpenAPI", dict, whose="ours")
    async def openapi(self, _request: Request) -> Response:
        return answer(openapi(ENDPOINTS))

    @_endpoint(
        "WS",
        "/ws",
        "everything as it happens: ?last=SEQUENCE resumes, ?positions=1 and ?batch=1: below",
        shapes.Positions,
        whose="ours",
    )
    async def stream(self, websocket: WebSocket) -> None:
        await self._streams.serve(websocket)

    def names(self) -> list[str]:
        return [str(bot["name"]) for bot in self._operator.bots()]

    def bot_of(self, request: Request) -> str:
        """The bot of a request; one that is none of ours is refused."""
        return self.known_bot(request.path_params["bot"], self.names())

    async def _said(self, request: Request) -> tuple[str, str, str | None]:
        """Who is told what, and under which name."""
        bot, body = self.bot_of(request), await asked.read_body(request, asked.MessageBody)
        return bot, asked.message_text(body.text), asked.name_of_operator(body.name)


ENDPOINTS = tuple(one.endpoint for one in _DECLARED)
"""As docs/http.md lists them."""


def _known_bot(carrier: Carrier, name: str, bots: Sequence[str]) -> str:
    there = [str(bot["name"]) for bot in carrier.bots()]
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


async def _answered(work: Awaitable[Json]) -> Response:
    try:
        return answer(await work)
    except CommandError as error:
        status = 404 if error.reason == "unknown" else 400
        raise Refused(status, error.reason, str(error)) from error


def _name(request: Request) -> str:
    return str(request.path_params["name"])


def _number(request: Request) -> int:
    number = asked.whole_number(request.path_params["id"], "number", 1, 10**15)
    assert number is not None, "the path has one"
    return number
