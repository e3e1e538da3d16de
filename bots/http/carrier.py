"""Asks other daemons: one of them for as long as it takes, or all of them for a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import uuid4

from pydantic import TypeAdapter

from bots.http.elsewhere import ElsewherePort
from bots.http.parcels import PART_BYTES, WAITS_S, Answered, Asked, Parcel, headers_of
from bots.http.port import Json
from bots.owned_tasks import OwnedTasks
from bridge.errors import BotError
from bridge.foreign_json import LARGEST, read_object

SILENT_S = 1.5  # beside the wait that was asked for: until a daemon counts as gone
SILENT_AT_WORK_S = 5.0  # for one that has begun and may be busy
REST_S = 0.3  # before the second try: who connects to the broker anew is away for a moment
ALL_WITHIN_S = 1.0


class DaemonGone(BotError):
    """Another daemon does not answer, or has forgotten what it was asked."""


class Gathered(NamedTuple):
    """What all other daemons answer."""

    answers: Mapping[str, Json]
    """By the daemon's name."""
    silent: tuple[str, ...]
    """Those that did not answer in time."""


class Carrier:
    """Carries requests to other daemons."""

    def __init__(self, elsewhere: ElsewherePort) -> None:
        self.elsewhere = elsewhere
        self._leaving = OwnedTasks()

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

    async def all(self, path: str, shape: TypeAdapter[Any], method: str = "GET") -> Gathered:
        """What all others answer within a second; another shape counts as silence."""
        asked = Asked(method, path)
        return await self._gathered(lambda daemon: self._in_time(daemon, asked, shape))

    async def all_however_long(self, path: str, shape: TypeAdapter[Any], method: str) -> Gathered:
        """What all others answer that do not die meanwhile; another shape counts as silence."""
        asked = Asked(method, path)
        return await self._gathered(lambda daemon: self._told(daemon, asked, shape))

    async def aclose(self) -> None:
        await self._leaving.aclose()

    async def _answered(self, daemon: str, number: str, asked: Asked) -> Answered:
        told = await self._ask(daemon, _beginning(number, asked), SILENT_S)
        while told.facts["state"] == "working":
            told = await self._ask(daemon, _waiting(number))
        first, body = told.facts, bytearray(told.body)
        while told.facts["state"] == "done" and len(body) < first["length"] <= LARGEST:
            if len(told.body) != PART_BYTES:
                raise ValueError("a part of its answer is missing")
            told = await self._ask(daemon, _waiting(number, len(body)))
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
                return Parcel.of(await self.elsewhere.ask(daemon, raw, WAITS_S + silent_s))
            except BotError as error:
                if now_s() - begun_s >= REST_S:
                    raise DaemonGone(str(error)) from error
            await asyncio.sleep(REST_S)

    async def _leave(self, daemon: str, number: str) -> None:
        with suppress(BotError):  # then it finds out by itself
            parcel = Parcel({"do": "leave", "id": number})
            await self.elsewhere.ask(daemon, parcel.as_bytes(), SILENT_S)

    async def _gathered(self, ask: Callable[[str], Coroutine[Any, Any, Json | None]]) -> Gathered:
        others = self.elsewhere.others()
        found = await asyncio.gather(*(ask(daemon) for daemon in others))
        told = dict(zip(others, found, strict=True))
        answers = {daemon: answer for daemon, answer in told.items() if answer is not None}
        return Gathered(answers, tuple(name for name in others if name not in answers))

    async def _in_time(self, daemon: str, asked: Asked, shape: TypeAdapter[Any]) -> Json | None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ALL_WITHIN_S):
                return await self._told(daemon, asked, shape)
        return None

    async def _told(self, daemon: str, asked: Asked, shape: TypeAdapter[Any]) -> Json | None:
        try:
            answered = await self.carry(daemon, asked)
            if answered.status != 200:
                return None
            found: Json = shape.validate_python(read_object(answered.body))
        except (DaemonGone, ValueError):
            return None
        return found


def _beginning(number: str, asked: Asked) -> Parcel:
    facts = {"method": asked.method, "path": asked.path, "query": asked.query}
    return Parcel({"do": "begin", "id": number, **facts, "headers": asked.headers}, asked.body)


def _waiting(number: str, start: int = 0) -> Parcel:
    return Parcel({"do": "wait", "id": number, "from": start})
