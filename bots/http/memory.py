"""The endpoints of what bots know: cards of people and places, and entries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bots.daemon.memory import NewEntry, NewFact, OperatorMemory
from bots.daemon.shapes import Json
from bots.errors import CommandError
from bots.http import requests as asked
from bots.http.responses import Refused, answer

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
