"""A stub daemon of two bots behind HTTP, and short helpers to call it."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from bots.access.origin import Origin
from bots.clock import utc_now
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.memory import OperatorMemory
from bots.daemon.operator import OperatorService
from bots.daemon.shapes import (
    BudgetShape,
    ExperimentsShape,
    GoalsShape,
    HistoryQuery,
    Json,
    LoadShape,
    MetricsText,
    Positions,
    PromptShape,
    PurseShape,
    RecallQuery,
    TalksShape,
    TerrainShape,
)
from bots.daemon.tracker import Newest
from bots.errors import CommandError
from bots.http.app import create_app
from bots.http.security import Keys, OwnAddresses
from bots.observability.trace import TraceLog, TraceReader
from bots.vision.studio import Wanted
from bridge.errors import BotError

TOKEN = "tf_a-token-of-forty-characters-or-so-0123456"
PORT = 4711
PICTURE = b"\x89PNG\r\n\x1a\n\x00\xff\xfe a picture"
SECRETS = ('of "the" owner: pä\\ss',)
HOST = f"127.0.0.1:{PORT}"
BEARER = {"authorization": f"Bearer {TOKEN}"}


class WatchedTraceLog(TraceLog):
    """Tells, across threads too, that somebody has begun to read."""

    def __init__(self) -> None:
        super().__init__(utc_now)
        self.read = threading.Event()

    @contextmanager
    def reading(self) -> Iterator[TraceReader]:
        with super().reading() as reader:
            self.read.set()
            yield reader


class StubExperiments(ExperimentRecords):
    """None was played, but it has the report of one: `1`, and of its run `seed-1`."""

    async def experiments(self) -> ExperimentsShape:
        return {"success": True, "experiments": []}

    async def report(self, experiment: str, run: str | None) -> bytes | None:
        is_known = experiment == "1" and run in (None, "seed-1")
        return b"<!doctype html><h1>A report</h1>" if is_known else None


def _noting(what: str) -> Callable[..., Coroutine[Any, Any, Json]]:
    async def note(memory: Any, *asked: Any) -> Json:
        found: Json = memory._note(what, *asked)
        return found

    return note


class StubMemory(OperatorMemory):
    """Remembers what it was asked; it knows Steve, the lake and entry 1."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def _note(self, *asked: Any) -> Json:
        self.asked.append(asked)
        return {"success": True}

    async def person(self, bot: str, name: str) -> Json:
        if name == "Herobrine":
            raise CommandError("unknown", "Alice knows nobody called 'Herobrine'.")
        return self._note("person", bot, name)

    people, places, place = map(_noting, ("people", "places", "place"))
    forget_person, add_fact, drop_fact = map(_noting, ("forget_person", "add_fact", "drop_fact"))
    knowledge, add_entry = map(_noting, ("knowledge", "add_entry"))
    correct_entry, forget_entry = map(_noting, ("correct_entry", "forget_entry"))


class StubDaemon(OperatorService):
    """Remembers what it was asked; `failure` is raised by the next command."""

    def __init__(self) -> None:
        self.watched = WatchedTraceLog()
        self.trace: TraceLog = self.watched
        self.memory: StubMemory = StubMemory()
        self.experiments: StubExperiments = StubExperiments(Path())
        self.asked: list[tuple[Any, ...]] = []
        self.outcome: Json = {"success": True, "text": "done"}
        self.failure: Exception | None = None
        self.started, self.cancelled = asyncio.Event(), asyncio.Event()
        self.hold: asyncio.Event | None = None
        self.well = True
        self.here: Positions = {
            "name": "positions",
            "at": "2026-11-23T12:00:00+00:00",
            "timeOfDay": 6000,
            "hearingRange": 15.0,
            "bots": [],
            "people": [],
        }
        self.moved = Newest[Positions]()

    def bots(self) -> list[Json]:
        return [{"name": "Alice", "state": "online"}, {"name": "Bob", "state": "waiting"}]

    async def command(
        self, bot: str, text: str, origin: Origin, wait: bool = True, plain: bool = False
    ) -> Json:
        found = await self._note("command", bot, text, origin, wait)
        return {**found, "plain": [str(found.get("text"))]} if plain else found

    async def message(self, bot: str, text: str, name: str | None = None) -> Json:
        return await self._note("message", bot, text, name)

    async def prompt(self, bot: str, text: str, name: str | None = None) -> Json:
        return await self._note("prompt", bot, text, name)

    async def recall(self, bot: str, query: RecallQuery) -> Json:
        self.asked.append(("recall", bot, query))
        return {"success": True, "count": 0, "lines": []}

    async def history(self, bot: str, query: HistoryQuery) -> Json:
        self.asked.append(("history", bot, query))
        return {"success": True, "latestSequence": 3, "history": []}

    def goals(self, bot: str) -> GoalsShape:
        return {"success": True, "goals": [], "plan": None}

    async def positions(self) -> Positions:
        return self.here

    async def moving(self) -> AsyncGenerator[Positions]:
        async for newest in self.moved.read():
            yield newest

    async def terrain(self, bot: str, reach: int | None) -> TerrainShape:
        self.asked.append(("terrain", bot, reach))
        return {
            "success": True,
            "bot": bot,
            "west": -48,
            "north": -48,
            "width": 97,
            "height": 97,
            "png": "iVBORw0KGgo=",
        }

    def talks(self) -> TalksShape:
        return {"success": True, "talks": []}

    def budget(self) -> BudgetShape:
        purse: PurseShape = {"spentUsd": 0.25, "capUsd": 2.0}
        return {
            "success": True,
            "model": {"state": "ok", "why": None, "found": None, "nextStep": None},
            "periodS": 86_400.0,
            "spentUsd": 0.25,
            "heldUsd": 0.0,
            "capUsd": 2.0,
            "background": purse,
            "strangers": purse,
            "bots": {"Alice": purse},
        }

    async def load(self) -> LoadShape:
        return {
            "success": True,
            "daemon": {"memoryBytes": 120_000_000, "cpuSeconds": 4.5},
            "node": {"memoryBytes": 210_000_000, "cpuSeconds": 9.0},
            "nodes": 1,
            "server": None,
            "loopLagS": 0.004,
            "ended": [],
        }

    async def prompt_of(self, decision: int) -> PromptShape:
        if decision != 1:
            return {"success": False, "reason": "unknown_decision", "message": "no such decision"}
        return {"success": True, "prompt": {"system": "You are Alice."}}

    async def picture(self, bot: str, wanted: Wanted) -> bytes:
        self.asked.append(("picture", bot, wanted))
        return PICTURE

    async def map(self, bot: str, reach: int | None) -> bytes:
        self.asked.append(("map", bot, reach))
        return PICTURE

    def decisions(self) -> list[Json]:
        return [{"id": 1, "chosen": "rules"}]

    async def approve(self, decision: int) -> Json:
        return await self._decide("approve", decision)

    async def reanalyse(self, decision: int) -> Json:
        return await self._decide("reanalyse", decision)

    def stats(self) -> Json:
        return {"success": True, "metrics": {}}

    def metrics(self, accept: str) -> MetricsText:
        return MetricsText(b"townsfolk_bots 2\n", f"text/{accept or 'any'}; charset=utf-8")

    async def stop_all(self) -> Json:
        return await self._note("stop")

    def health(self) -> Json:
        return {"ok": self.well, "database": "ok" if self.well else "the disk is full"}

    def why_not_live(self) -> list[str]:
        return [] if self.well else ["Node is down for 31 s"]

    def why_not_ready(self) -> list[str]:
        return [] if self.well else ["no bot is in the world"]

    async def _decide(self, verb: str, decision: int) -> Json:
        if decision != 1:
            return {"success": False, "reason": "unknown_decision", "message": "no such decision"}
        return await self._note(verb, decision)

    async def _note(self, *facts: Any) -> Json:
        self.asked.append(facts)
        self.started.set()
        if self.hold is not None:
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
        if self.failure is not None:
            raise self.failure
        return self.outcome


class Broken(BotError):
    """A part of the daemon that does not work."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value


def app_over(daemon: StubDaemon, keys: Keys | None = None) -> ASGIApp:
    return create_app(daemon, OwnAddresses(PORT), keys or Keys(TOKEN), SECRETS, asyncio.Event())


async def ask(
    app: ASGIApp,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] = b"",
    headers: Mapping[str, str] | None = None,
    *,
    host: str | None = HOST,
    leaves: asyncio.Event | None = None,
) -> Reply:
    """One request without a network; the token is sent unless other headers are given. Whoever
    asks stays, unless `leaves` is set."""
    path, _, query = path.partition("?")
    given = dict(BEARER if headers is None else headers)
    if host is not None:
        given["host"] = host
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query.encode("latin-1", "replace"),
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in given.items()
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", PORT),
        "state": {},
    }
    chunks = [body] if isinstance(body, bytes) else list(body)
    return await _run(app, scope, chunks, leaves or asyncio.Event())


async def _run(app: ASGIApp, scope: Scope, chunks: list[bytes], leaves: asyncio.Event) -> Reply:
    sent: list[Message] = []
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": index < len(chunks) - 1}
        for index, chunk in enumerate(chunks)
    ]

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await leaves.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], headers, b"".join(m.get("body", b"") for m in sent[1:]))


def body(**facts: Any) -> bytes:
    return json.dumps(facts).encode()
