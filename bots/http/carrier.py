"""Carries requests between the daemons of a cluster: `Carrier` asks, `MemberDoor` answers.

A request is begun, waited for, and its answer fetched in parts. The asker asks again each second
for as long as the work takes, so it hears soon of a daemon that died, and that daemon hears soon of
an asker that left. No socket leads to the door: only the cluster's broker does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeAlias
from uuid import uuid4

from pydantic import TypeAdapter
from starlette.types import ASGIApp, Message, Scope

from bots.cluster.bus import Bus
from bots.daemon.shapes import Json
from bots.http.responses import Refused
from bots.owned_tasks import OwnedTasks
from bridge.errors import BotError
from bridge.foreign_json import LARGEST, read_object

AT = "@"
"""Between a number and the daemon that counts it: `17@west`."""
DOOR = "http"  # a daemon is asked as `http.NAME`
PART_BYTES = 256 * 1024
WAITS_S = 1.0  # before the answer says that the work goes on
Headers: TypeAlias = tuple[tuple[str, str], ...]
Do: TypeAlias = Literal["begin", "wait", "leave"]
State: TypeAlias = Literal["working", "done", "unknown"]
SILENT_S = 1.5  # beside the wait that was asked for: until a daemon counts as gone
SILENT_AT_WORK_S = 5.0  # for one that has begun and may be busy
REST_S = 0.3  # before the second try: who connects to the broker anew is away for a moment
ALL_WITHIN_S = 1.0
LEFT_AFTER_S = 10.0  # an asker that was not heard of for so long has died
KEPT_S = 3.0  # an answer, once all of it was sent: the last part may be lost
MOST_AT_ONCE = 512


class MembersPort(Protocol):
    """The daemons of the cluster, as they are heard of now."""

    @property
    def name(self) -> str:
        """Of this daemon."""

    def others(self) -> tuple[str, ...]:
        """The names of the others."""

    def bots(self) -> list[Json]:
        """Their bots, as `OperatorService.bots` gives them there, each with its `daemon`."""

    def daemon_of(self, bot: str) -> str | None:
        """Where this bot lives; None where it is none of theirs."""


def at_daemon(number: object, daemon: str) -> str:
    """The name of a decision or talk of another daemon, as people type it."""
    return f"{number}{AT}{daemon}"


@dataclass(frozen=True, slots=True)
class Parcel:
    """One message: facts, and bytes behind them."""

    facts: Mapping[str, Any]
    body: bytes = b""

    def as_bytes(self) -> bytes:
        return json.dumps(dict(self.facts)).encode() + b"\n" + self.body

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Raises NotJson."""
        head, _, body = raw.partition(b"\n")
        return cls(read_object(head), body)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as far as it matters to another daemon."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answered:
    """The whole answer to one."""

    status: int
    headers: Headers
    body: bytes


def headers_of(raw: object) -> Headers:
    """Headers as they came in a message. Raises ValueError."""
    pairs = raw if isinstance(raw, list) else []
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ValueError("headers: no pairs")
    found = tuple((str(name), str(value)) for name, value in pairs)
    if not all(text.isascii() and text.isprintable() for pair in found for text in pair):
        raise ValueError("headers: no plain text")
    return found


class DaemonGone(BotError):
    """Another daemon does not answer, or has forgotten what it was asked."""


class Gathered(NamedTuple):
    """What all other daemons answer."""

    answers: Mapping[str, Json]
    """By the daemon's name."""
    silent: tuple[str, ...]
    """Those that did not answer in time."""


class Carrier:
    """Carries requests to other daemons, over the bus."""

    def __init__(self, bus: Bus, members: MembersPort) -> None:
        self._bus, self._leaving = bus, OwnedTasks()
        self.name = members.name
        self.others, self.bots, self.daemon_of = members.others, members.bots, members.daemon_of

    async def carry(self, daemon: str, asked: Asked) -> Answered:
        """The answer, however long it takes; cancelled, the other daemon hears that the asker left.

        Raises DaemonGone, also for what is no answer."""
        number = uuid4().hex
        try:
            return await self._answered(daemon, number, asked)
        except (ValueError, TypeError, KeyError) as error:
            raise DaemonGone(f"{daemon} does not answer as a daemon would") from error
        except asyncio.CancelledError:
            self._leaving.start(self._leave(daemon, number), f"leaving {daemon}")
            raise

    async def all(
        self,
        path: str,
        shape: TypeAdapter[Any],
        method: str = "GET",
        within_s: float | None = ALL_WITHIN_S,
    ) -> Gathered:
        """What all others answer in time, or without one all that do not die meanwhile; another
        shape counts as silence."""
        asked, others = Asked(method, path), self.others()
        asking = (self._told(daemon, asked, shape, within_s) for daemon in others)
        told = dict(zip(others, await asyncio.gather(*asking), strict=True))
        answers = {daemon: answer for daemon, answer in told.items() if answer is not None}
        return Gathered(answers, tuple(name for name in others if name not in answers))

    async def aclose(self) -> None:
        await self._leaving.aclose()

    async def _answered(self, daemon: str, number: str, asked: Asked) -> Answered:
        facts = {"method": asked.method, "path": asked.path, "query": asked.query}
        begin = {"do": "begin", "id": number, **facts, "headers": asked.headers}
        told = await self._ask(daemon, Parcel(begin, asked.body), SILENT_S)
        while told.facts["state"] == "working":
            told = await self._ask(daemon, Parcel({"do": "wait", "id": number, "from": 0}))
        first, body = told.facts, bytearray(told.body)
        while told.facts["state"] == "done" and len(body) < first["length"] <= LARGEST:
            if len(told.body) != PART_BYTES:
                raise ValueError("a part of its answer is missing")
            told = await self._ask(daemon, Parcel({"do": "wait", "id": number, "from": len(body)}))
            body += told.body
        if told.facts["state"] != "done":
            raise DaemonGone(f"{daemon} has forgotten what it was asked")
        if len(body) != first["length"]:
            raise ValueError("its answer is not as long as it says")
        if first["status"] not in range(200, 600):
            raise ValueError(f"{first['status']!r} is no status")
        return Answered(first["status"], headers_of(first["headers"]), bytes(body))

    async def _ask(self, daemon: str, parcel: Parcel, silent_s: float = SILENT_AT_WORK_S) -> Parcel:
        """Tries twice where nobody is there to answer at once, but waits no longer for that."""
        raw, now_s = parcel.as_bytes(), asyncio.get_running_loop().time
        begun_s = now_s()
        while True:
            try:
                told = await self._bus.request(f"{DOOR}.{daemon}", raw, WAITS_S + silent_s)
                return Parcel.of(told)
            except BotError as error:
                if now_s() - begun_s >= REST_S:
                    raise DaemonGone(str(error)) from error
            await asyncio.sleep(REST_S)

    async def _leave(self, daemon: str, number: str) -> None:
        with suppress(BotError):  # then it finds out by itself
            parcel = Parcel({"do": "leave", "id": number})
            await self._bus.request(f"{DOOR}.{daemon}", parcel.as_bytes(), SILENT_S)

    async def _told(
        self, daemon: str, asked: Asked, shape: TypeAdapter[Any], within_s: float | None
    ) -> Json | None:
        try:
            async with asyncio.timeout(within_s):
                answered = await self.carry(daemon, asked)
            if answered.status != 200:
                return None
            found: Json = shape.validate_python(read_object(answered.body))
        except (TimeoutError, DaemonGone, ValueError):
            return None
        return found


class MemberDoor:
    """What other daemons asked and have not fetched yet."""

    def __init__(
        self,
        app: ASGIApp,
        closing: asyncio.Event | None = None,
        *,
        waits_s: float = WAITS_S,
        left_after_s: float = LEFT_AFTER_S,
    ) -> None:
        """`closing` is that of the app: set, it answers all that is unfinished."""
        self._app, self._closing = app, closing or asyncio.Event()
        self._waits_s, self._left_after_s = waits_s, left_after_s
        self._works: dict[str, _Work] = {}
        self._tasks = OwnedTasks()

    async def answer(self, raw: bytes) -> bytes:
        """Answer one message of another daemon. Raises ValueError for what is none."""
        parcel = Parcel.of(raw)
        number, do = _text(parcel, "id"), _text(parcel, "do")
        start = parcel.facts.get("from", 0)
        if not isinstance(start, int):
            raise ValueError("from: no number")
        if do == "begin":
            self._begin(number, parcel)
        work = self._works.get(number)
        if work is None:
            return Parcel({"state": "unknown"}).as_bytes()
        if do == "leave":
            self._forget(number)
            return Parcel({"state": "unknown"}).as_bytes()
        self._forget_in(self._left_after_s, number)
        await work.wait(self._waits_s)
        return self._told(number, work, max(0, start))

    async def aclose(self) -> None:
        """Answer what is unfinished, as `closing` has it answered, and end."""
        self._closing.set()
        works = [work.ended.wait() for work in self._works.values()]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._waits_s):
                await asyncio.gather(*works)
        for number in list(self._works):
            self._forget(number)
        await self._tasks.aclose()

    def _begin(self, number: str, parcel: Parcel) -> None:
        if number in self._works:  # the answer to its beginning was lost
            return
        method, path, query = (_text(parcel, name) for name in ("method", "path", "query"))
        headers = headers_of(parcel.facts.get("headers"))
        work = self._works[number] = _Work(Asked(method, path, query, headers, parcel.body))
        if len(self._works) > MOST_AT_ONCE:
            work.refuse(Refused(503, "busy", f"{MOST_AT_ONCE} requests are under way already"))
        else:
            self._tasks.start(work.run(self._app), f"request of another daemon {number}")

    def _told(self, number: str, work: _Work, start: int) -> bytes:
        answered = work.answered
        if answered is None:
            return Parcel({"state": "working"}).as_bytes()
        part = answered.body[start : start + PART_BYTES]
        if start + len(part) == len(answered.body):
            self._forget_in(KEPT_S, number)
        facts = {"state": "done", "status": answered.status, "length": len(answered.body)}
        return Parcel({**facts, "headers": answered.headers}, part).as_bytes()

    def _forget_in(self, seconds: float, number: str) -> None:
        work = self._works[number]
        if work.forgetting is not None:
            work.forgetting.cancel()
        loop = asyncio.get_running_loop()
        work.forgetting = loop.call_later(seconds, self._forget, number)

    def _forget(self, number: str) -> None:
        """Nobody waits any more: what ends when its asker leaves ends, the rest goes on."""
        if work := self._works.pop(number, None):
            work.left.set()
            if work.forgetting is not None:
                work.forgetting.cancel()


class _Work:
    """One request in the app."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self.left, self.ended = asyncio.Event(), asyncio.Event()
        self.answered: Answered | None = None
        self.forgetting: asyncio.TimerHandle | None = None
        self._is_read = False

    async def run(self, app: ASGIApp) -> None:
        try:
            await app(_scope(self._asked), self._receive, self._send)
        finally:
            if self.answered is None:
                self.refuse(Refused(503, "unavailable", "the daemon could not answer"))
            self.ended.set()

    async def wait(self, within_s: float) -> None:
        """Until it is answered, or so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.ended.wait()

    def refuse(self, why: Refused) -> None:
        response = why.as_response()
        self.answered = Answered(response.status_code, (), bytes(response.body))
        self.ended.set()

    async def _receive(self) -> Message:
        if self._is_read:
            await self.left.wait()
            return {"type": "http.disconnect"}
        self._is_read = True
        return {"type": "http.request", "body": self._asked.body, "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = ((name.decode(), value.decode()) for name, value in message["headers"])
            self._status, self._headers = message["status"], tuple(headers)
        else:  # in one piece, as `Redacted` has it
            self.answered = Answered(self._status, self._headers, message.get("body", b""))
            self.ended.set()


def _text(parcel: Parcel, name: str) -> str:
    found = parcel.facts.get(name)
    if not isinstance(found, str):
        raise ValueError(f"{name}: no text")
    found.encode()  # half a character is no text
    return found


def _scope(asked: Asked) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode("utf-8", "replace"),
        "query_string": asked.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in asked.headers],
        "client": None,
        "server": None,
        "state": {},
    }
