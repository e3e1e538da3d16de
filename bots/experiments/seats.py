"""Seats for persons who find the words of a bot, and join with `townsfolk chat --as`.

    chat ── /api/bots, /ws?as=PERSON, …/messages ──▶ Seats ── Seat ◀── by_person

The server is on this machine alone, and answers `chat` as a daemon does; the folder that it prints
holds its token. Seats last as long as `experiment run`: who sits there stays for all its talks.
Each is told what its own bot heard, and no more.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from bots.access.origin import operator_called
from bots.clock import utc_now
from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, DashboardAddress, ServerAddress
from bots.daemon.shapes import Json, Positions
from bots.experiments.scenario import JOIN_WITHIN_S, ExperimentFailed, Member, Scenario, Tell
from bots.http import requests as asked
from bots.http.responses import EXCEPTION_HANDLERS, Refused, answer
from bots.http.security import Guard, Keys, OwnAddresses
from bots.http.server import HttpServer
from bots.http.websocket import TraceStreams
from bots.observability.redaction import new_token
from bots.observability.trace import TraceLog
from bots.text.program import as_typed

HOST = "127.0.0.1"


async def _nobody_moves() -> AsyncGenerator[Positions]:
    return
    yield


class Seat:
    """Of one person; belongs to the loop of the server."""

    def __init__(self, person: str, bot: str) -> None:
        self.person = person
        self.bot = bot
        """For whom they speak, in the first talk at least."""
        self.taken = asyncio.Event()
        self._told = TraceLog(utc_now)
        self._streams = TraceStreams(self._told, _nobody_moves)
        self._awaited: asyncio.Future[str] | None = None
        """Words for the turn that is theirs; what is said outside it is dropped."""

    async def sit(self, websocket: WebSocket) -> None:
        """Stay until they leave. Raises Refused while somebody sits there."""
        if self.taken.is_set():
            raise Refused(409, "taken", f"{self.person} is here already")
        self.taken.set()
        try:
            await self._streams.serve(websocket)
        finally:
            self.taken.clear()

    async def ask(self, name: str, heard: Sequence[str], within_s: float) -> str | None:
        """What they say in time; who has left says nothing."""
        if not self.taken.is_set():
            return None
        self._awaited = asyncio.get_running_loop().create_future()
        self.tell(*heard, f"{name}, your words, within {within_s:g} s:")
        try:
            async with asyncio.timeout(within_s):
                words = await self._awaited
        except TimeoutError:
            self.tell("Time is up.")
            return None
        finally:
            self._awaited = None
        self.tell(f"{name}: {words}")
        return words

    def say(self, words: str) -> Json:
        if self._awaited is None or self._awaited.done():
            message = "It is not your turn: nobody heard that."
            return {"success": False, "reason": "not_your_turn", "message": message}
        self._awaited.set_result(words)
        return {"success": True}

    def tell(self, *lines: str) -> None:
        to = operator_called(self.person)
        for text in lines:
            self._told.note("reply.sent", self.bot, speaker=to, text=text, success=True)


class Seats:
    """All seats of an experiment: answers `chat`, and asks whoever sits there for its talks."""

    def __init__(
        self, seats: Iterable[Seat], folder: Path, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._seats = {seat.person: seat for seat in seats}
        self._folder, self._loop = folder, loop

    # --- as `chat` sees it: who sits where, what they hear, what they say -------------------

    def app(self, keys: Keys) -> Callable[[int, asyncio.Event], ASGIApp]:
        routes = [
            Route("/healthz", self._health),
            Route("/api/bots", self._bots),
            Route("/api/bots/{bot}/commands", self._command, methods=["POST"]),
            Route("/api/bots/{bot}/messages", self._message, methods=["POST"]),
            WebSocketRoute("/ws", self._sit),
        ]
        served = Starlette(routes=routes, exception_handlers=EXCEPTION_HANDLERS)
        return lambda port, _closing: Guard(served, OwnAddresses(port), keys)

    async def _health(self, _request: Request) -> Response:
        return answer({"ok": True})

    async def _bots(self, _request: Request) -> Response:
        bots = [{"name": seat.bot, "seat": seat.person} for seat in self._seats.values()]
        return answer({"success": True, "bots": bots})

    async def _command(self, _request: Request) -> Response:
        raise Refused(403, "no_commands", "Whoever speaks for a bot gives no commands.")

    async def _message(self, request: Request) -> Response:
        body = await asked.read_body(request, asked.MessageBody)
        seat = self._seat_of(body.name, request.path_params["bot"])
        return answer(seat.say(asked.message_text(body.text)))

    async def _sit(self, websocket: WebSocket) -> None:
        shown = websocket.query_params
        try:
            await self._seat_of(shown.get("as"), shown.get("bot", "")).sit(websocket)
        except Refused as refused:
            await websocket.send_denial_response(refused.as_response())

    def _seat_of(self, person: str | None, bot: str) -> Seat:
        seat = self._seats.get(person or "")
        if seat is None or seat.bot != bot:
            awaited = ", ".join(f"{one.person} for {one.bot}" for one in self._seats.values())
            message = f"no {person!r} is awaited to speak for {bot}; awaited: {awaited}"
            raise Refused(403, "not_awaited", message)
        return seat

    # --- as talks use it, in other threads ---------------------------------------------------

    async def ask(
        self, person: str, name: str, heard: Sequence[str], within_s: float
    ) -> str | None:
        asking = self._seats[person].ask(name, heard, within_s)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asking, self._loop))

    @contextmanager
    def talk(self, scenario: Scenario, tell: Tell) -> Iterator[None]:
        """The block is one talk, which waits until all are there. Raises ExperimentFailed."""
        sitting = [(self._seats[one.chat], one) for one in scenario.cast if one.chat]
        self._await([seat for seat, _ in sitting], tell)
        for seat, member in sitting:
            line = f"A talk begins. You speak for {member.name}."
            self._loop.call_soon_threadsafe(seat.tell, line)
        try:
            yield
        finally:
            for seat, _ in sitting:
                self._loop.call_soon_threadsafe(seat.tell, "The talk has ended.")

    def _await(self, sitting: Sequence[Seat], tell: Tell) -> None:
        """Until all are there at the same time."""
        for seat in sitting:
            if not seat.taken.is_set():
                at = shlex.quote(str(self._folder))
                joins = as_typed(f"townsfolk chat --as {seat.person} --data-dir {at}")
                tell(f"waiting {JOIN_WITHIN_S:g} s for {seat.person}: {joins}")
        until_s = monotonic() + JOIN_WITHIN_S
        while missing := [seat for seat in sitting if not seat.taken.is_set()]:
            joining = asyncio.run_coroutine_threadsafe(missing[0].taken.wait(), self._loop)
            try:
                joining.result(until_s - monotonic())
            except TimeoutError:
                joining.cancel()
                raise ExperimentFailed(f"{missing[0].person} did not join in time") from None


@contextmanager
def seats_of(cast: Iterable[Member]) -> Iterator[Seats]:
    """The seats of these bots, open while the block lasts. Raises SettingsError."""
    sitting = list({one.chat: Seat(one.chat, one.name) for one in cast if one.chat}.values())
    with TemporaryDirectory(prefix="townsfolk-") as folder, asyncio.Runner() as runner:
        # A loop in a thread, as talks have theirs now and then.
        loop = runner.get_loop()
        thread = Thread(target=loop.run_forever, daemon=True, name="seats")
        thread.start()
        seats, keys = Seats(sitting, Path(folder), loop), Keys(new_token())
        try:
            serving = HttpServer.serve(seats.app(keys), HOST, 0, "a port")
            server = asyncio.run_coroutine_threadsafe(serving, loop).result()
            try:
                file = DaemonFile(
                    pid=os.getpid(),
                    born_s=daemon_file.born_s(os.getpid()),
                    server=ServerAddress(host=server.host, port=server.port, version=""),
                    dashboard=DashboardAddress(url=server.url, token=keys.token),
                    bots=tuple(seat.bot for seat in sitting),
                )
                daemon_file.write(Path(folder), file)  # by which `chat` finds it
                yield seats
            finally:
                asyncio.run_coroutine_threadsafe(server.aclose(), loop).result()
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
