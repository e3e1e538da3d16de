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
    api = _Memory(memory)

    def route(path: str, method: str, endpoint: Endpoint) -> Route:
        async def answered(request: Request) -> Response:
            return await _answered(endpoint(request, bot_of(request)))

        return Route(f"/api/bots/{{bot}}/{path}", answered, methods=[method])

    yield route("people", "GET", api.people)
    yield route("people/{name}", "GET", api.person)
    yield route("people/{name}", "DELETE", api.forget_person)
    yield route("people/{name}/facts", "POST", api.add_fact)
    yield route("people/{name}/facts", "DELETE", api.drop_fact)
    yield route("places", "GET", api.places)
    yield route("places/{name}", "GET", api.place)
    yield route("knowledge", "GET", api.knowledge)
    yield route("knowledge", "POST", api.add_entry)
    yield route("knowledge/{number}", "PUT", api.correct_entry)
    yield route("knowledge/{number}", "DELETE", api.forget_entry)


class _Memory:
    """One method per endpoint."""

    def __init__(self, memory: OperatorMemory) -> None:
        self._memory = memory

    async def people(self, _request: Request, bot: str) -> Json:
        return await self._memory.people(bot)

    async def person(self, request: Request, bot: str) -> Json:
        return await self._memory.person(bot, _name(request))

    async def forget_person(self, request: Request, bot: str) -> Json:
        return await self._memory.forget_person(bot, _name(request))

    async def add_fact(self, request: Request, bot: str) -> Json:
        fact = await asked.read_body(request, NewFact)
        return await self._memory.add_fact(bot, _name(request), fact)

    async def drop_fact(self, request: Request, bot: str) -> Json:
        query = asked.texts(request.query_params, ("kind", "words"))
        name, kind, words = _name(request), query["kind"], query["words"]
        if kind is None or words is None:
            raise Refused(400, "invalid_format", "write ?kind= and &words= of the fact")
        return await self._memory.drop_fact(bot, name, kind, words)

    async def places(self, _request: Request, bot: str) -> Json:
        return await self._memory.places(bot)

    async def place(self, request: Request, bot: str) -> Json:
        return await self._memory.place(bot, _name(request))

    async def knowledge(self, request: Request, bot: str) -> Json:
        query = asked.texts(request.query_params, ("words", "type", "speaker", "limit"))
        limit = asked.whole_number(query["limit"], "limit", 1, MOST) or USUAL
        words = query["words"] or ""
        return await self._memory.knowledge(bot, words, query["type"], query["speaker"], limit)

    async def add_entry(self, request: Request, bot: str) -> Json:
        return await self._memory.add_entry(bot, await asked.read_body(request, NewEntry))

    async def correct_entry(self, request: Request, bot: str) -> Json:
        entry = await asked.read_body(request, NewEntry)
        return await self._memory.correct_entry(bot, _number(request), entry)

    async def forget_entry(self, request: Request, bot: str) -> Json:
        return await self._memory.forget_entry(bot, _number(request))


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
