"""Runs what other daemons ask through an app in this process.

No socket leads here: whoever may send on the cluster's broker may ask, and nobody else.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Scope

from bots.http.parcels import PART_BYTES, WAITS_S, Answered, Asked, Parcel, headers_of
from bots.http.responses import Refused
from bots.owned_tasks import OwnedTasks

LEFT_AFTER_S = 10.0  # an asker that was not heard of for so long has died
KEPT_S = 3.0  # an answer, once all of it was sent: the last part may be lost
MOST_AT_ONCE = 512


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
        work = self._works[number] = _Work(_asked(parcel))
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


def _asked(parcel: Parcel) -> Asked:
    """Raises ValueError."""
    method, path, query = (_text(parcel, name) for name in ("method", "path", "query"))
    return Asked(method, path, query, headers_of(parcel.facts.get("headers")), parcel.body)


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
