"""The port over real bots: every operation is one command to Node, every event comes from it.

When Node dies or hangs it is started again in this process. Its bots are then gone; whoever
owns them spawns them again after `BridgeRestored`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import structlog

from bridge import wire
from bridge.actions import Action, Query
from bridge.dialects import USUAL_SHAPES, LineShapes
from bridge.errors import BridgeDown, HostError, NodeSetupError, NotConnected, SpawnFailed
from bridge.events import (
    ActionId,
    BotDisconnected,
    BotSpawned,
    BridgeEvent,
    BridgeLost,
    BridgeRestored,
    LineUnheard,
)
from bridge.gaze import Gaze, Glance
from bridge.js.arrivals import Arrivals
from bridge.js.jspybridge import HostSettings
from bridge.js.life import Life
from bridge.js.versions import NamedVersions
from bridge.js.watch import RestartPace
from bridge.port import ACTION_DEADLINE_S, SPAWN_TIMEOUT_S, ServerAddress
from bridge.world import BotName, PlayerName, WorldSnapshot

log = structlog.get_logger(__name__)
T = TypeVar("T")

MAX_PENDING = 10_000
COMMAND_TIMEOUT_S = 10.0
JOINING_AT_ONCE = 4  # a join keeps Node busy; a hundred at once would look like a Node that hangs
HINT_EVERY_S = 60.0
SHOWN_CHARS = 200  # of a message that cannot be read
UNHEARD_HINT = "if this is a whisper, add a pattern for it to bridge.whisper_patterns"
SPAWN_GRACE_S = 5.0  # Node itself gives a spawn up at its timeout and says why

Sleep = Callable[[float], Awaitable[None]]


class JSBridge:
    """A `Bridge` whose bots are Mineflayer's, in one Node process.

    At most `MAX_PENDING` commands are under way, and `JOINING_AT_ONCE` bots on their way into a
    world; further callers wait for a place. A command without an answer within
    `COMMAND_TIMEOUT_S` raises `BridgeTimeout`."""

    def __init__(
        self,
        node: Path,
        node_dir: Path,
        log_path: Path,
        lines: LineShapes = USUAL_SHAPES,
        *,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """`node` is the executable, `node_dir` the folder with node_modules, `log_path` takes
        what packages print. `lines` are the formats of whispers and chat besides vanilla's."""
        self._settings = HostSettings(node, node_dir, log_path, lines)
        self._sleep = sleep
        self._arrivals = Arrivals()
        self._versions = NamedVersions()
        self._hinted_s = -HINT_EVERY_S
        self._places = asyncio.Semaphore(MAX_PENDING)
        self._joining = asyncio.Semaphore(JOINING_AT_ONCE)
        self._in_world: set[BotName] = set()
        self._life: Life | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start Node. Raises NodeSetupError."""
        self._life = await self._begin()
        self._keeping = asyncio.create_task(self._keep(self._life), name="node-keeper")

    @property
    def node_pid(self) -> int | None:
        """The process that carries the bots; None while there is none."""
        life = self._living
        return None if life is None else life.host.pid

    @property
    def crossings(self) -> int:
        """Batches carried to the present Node so far."""
        life = self._living
        return 0 if life is None else life.link.crossings

    # --- the port ----------------------------------------------------------------

    async def spawn(
        self, bot: BotName, server: ServerAddress, *, timeout_s: float = SPAWN_TIMEOUT_S
    ) -> BotSpawned:
        async with self._joining:
            return await self._join(bot, server, timeout_s)

    async def _join(self, bot: BotName, server: ServerAddress, timeout_s: float) -> BotSpawned:
        asked = self._versions.known(server)
        try:
            return await self._spawn(bot, asked, timeout_s)
        except SpawnFailed as failure:
            named = self._versions.learn(asked, failure)
            if named is None:
                raise
            log.warning("server.version_corrected", server=str(server), version=named.version)
            return await self._spawn(bot, named, timeout_s)

    async def _spawn(self, bot: BotName, server: ServerAddress, timeout_s: float) -> BotSpawned:
        account = server.accounts.file(bot)
        args = {
            "host": server.host,
            "port": server.port,
            "version": server.version,
            "on_join": [line.replace("{bot}", bot) for line in server.on_join],
            "account": account and str(account),
            "timeout_s": timeout_s,
        }
        answer = await self._run("spawn", bot, args, timeout_s + SPAWN_GRACE_S)
        return _understood("spawn", wire.parse_spawned, answer)

    async def despawn(self, bot: BotName) -> None:
        await self._run("despawn", bot)

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        answer = await self._run("snapshot", bot, {"blocks_within": blocks_within})
        return _understood("snapshot", wire.parse_snapshot, answer)

    async def whisper(self, bot: BotName, to: PlayerName, text: str) -> None:
        await self._run("whisper", bot, {"to": to, "text": text})

    async def chat(self, bot: BotName, text: str) -> None:
        await self._run("chat", bot, {"text": text})

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
    ) -> None:
        args = {"id": action_id, "action": wire.encode(action), "deadline_s": deadline_s}
        await self._run("begin", bot, args)

    async def cancel(self, bot: BotName) -> ActionId | None:
        ended = await self._run("cancel", bot)
        return None if ended is None else ActionId(ended)

    async def query(self, bot: BotName, query: Query[T]) -> T:
        answer = await self._run("query", bot, {"query": wire.encode(query)})
        return _understood("query", lambda it: wire.parse_answer(query, it), answer)

    async def glance(self, bot: BotName, gaze: Gaze) -> Glance:
        turned: Glance = await self._run("glance", bot, {"gaze": wire.encode(gaze)})
        return turned

    async def pause(self, bot: BotName) -> None:
        await self._run("pause", bot)

    async def resume(self, bot: BotName) -> None:
        await self._run("resume", bot)

    def events(self) -> AsyncIterator[BridgeEvent]:
        return self._arrivals.read()

    async def aclose(self) -> None:
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            await asyncio.wait({keeping})
        life, self._life = self._life, None
        if life is not None:
            await life.leave()
        self._arrivals.close()

    # --- commands ----------------------------------------------------------------

    async def _run(
        self,
        operation: str,
        bot: BotName,
        args: Mapping[str, Any] | None = None,
        timeout_s: float = COMMAND_TIMEOUT_S,
    ) -> Any:
        async with self._places:
            life = self._living
            if life is None:
                raise self._without_node(operation, bot)
            return await life.link.command(operation, bot, args or {}, timeout_s)

    def _without_node(self, operation: str, bot: BotName) -> BridgeDown | NotConnected:
        """Nothing ran, and no bot is in a world; only a spawn has to hear why."""
        if operation == "spawn":
            return BridgeDown(operation, "Node is not running")
        return NotConnected(bot)

    # --- lives of Node -----------------------------------------------------------

    @property
    def _living(self) -> Life | None:
        life = self._life
        return None if life is None or life.link.ended.done() else life

    async def _begin(self) -> Life:
        return await Life.begin(self._settings, self._deliver, self._arrivals.unread)

    async def _keep(self, life: Life) -> None:
        pace = RestartPace()
        while True:
            why = await asyncio.shield(life.link.ended)
            lost_s = asyncio.get_running_loop().time()
            self._lose(why)
            await life.end(why)  # may be cut short by `aclose`, which then ends it
            self._life = life = await self._begin_again(pace, life.lived_s)
            after_s = asyncio.get_running_loop().time() - lost_s
            self._arrivals.put([BridgeRestored(after_s, _now())])
            log.info("bridge.restored", after_s=round(after_s, 3))

    def _lose(self, why: str) -> None:
        log.warning("bridge.lost", why=why, bots=len(self._in_world))
        gone = [BotDisconnected(bot, "node_died", why, _now()) for bot in sorted(self._in_world)]
        self._in_world.clear()
        self._arrivals.put([BridgeLost(why, _now()), *gone])

    async def _begin_again(self, pace: RestartPace, lived_s: float) -> Life:
        while True:
            await self._sleep(pace.delay_s(lived_s))
            try:
                return await self._begin()
            except NodeSetupError as error:
                log.warning("node.start_failed", why=str(error))
                lived_s = 0.0

    # --- events ------------------------------------------------------------------

    def _deliver(self, messages: Sequence[wire.Wire]) -> None:
        self._arrivals.put([event for event in map(self._parsed, messages) if event is not None])

    def _parsed(self, message: wire.Wire) -> BridgeEvent | None:
        try:
            event = wire.parse_event(message)
        except wire.BROKEN as error:
            log.warning("event.malformed", sent=repr(message)[:SHOWN_CHARS], why=repr(error))
            return None
        if isinstance(event, BotSpawned):
            self._in_world.add(event.bot)
        elif isinstance(event, BotDisconnected):
            self._in_world.discard(event.bot)
        elif isinstance(event, LineUnheard):
            self._hint(event)
        return event

    def _hint(self, event: LineUnheard) -> None:
        now_s = time.monotonic()
        if now_s - self._hinted_s >= HINT_EVERY_S:
            self._hinted_s = now_s
            log.warning("whisper.unheard", bot=event.bot, line=event.text[:200], hint=UNHEARD_HINT)


def _now() -> datetime:
    return datetime.now(UTC)


def _understood(operation: str, parse: Callable[[Any], T], answer: Any) -> T:
    try:
        return parse(answer)
    except wire.BROKEN as error:
        raise HostError(operation, f"an answer of another form: {error!r}") from error
