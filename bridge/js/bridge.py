"""The port over real bots: every operation is one command to Node, every event comes from it.

Several Node processes may carry the bots, each of them a host. Where one dies or hangs, only
its bots are gone until it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from bridge import wire
from bridge.actions import Action, Gaze, Glance, Query
from bridge.events import ActionId, Arrivals, BotSpawned, BridgeEvent
from bridge.js.jspybridge import HostSettings
from bridge.js.node_host import (
    COMMAND_TIMEOUT_S,
    HostNumber,
    Life,
    NamedVersions,
    NodeHost,
    Sleep,
    understood,
)
from bridge.port import (
    ACTION_DEADLINE_S,
    SPAWN_TIMEOUT_S,
    WHISPER_COMMAND,
    WIDE_VIEW_CHUNKS,
    ServerAddress,
)
from bridge.versions import USUAL_SHAPES, LineShapes
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

BACK_SOON_S: Final = 5.0  # a Node that died is back in a second or two, and so are its bots

T = TypeVar("T")


class Carrier(Protocol):
    """A host, as far as it matters for a place on it."""

    @property
    def load(self) -> int:
        """How many bots it carries."""
        ...

    @property
    def away_s(self) -> float:
        """For how long it has had no Node; 0 while it has one."""
        ...

    def holds(self, bot: BotName) -> bool:
        """Whether the bot is in a world there, or on its way into one."""
        ...


C = TypeVar("C", bound=Carrier)


class Placement(Generic[C]):
    """A bot moves only while it is in no world: so its events come from one host at a time."""

    def __init__(self, hosts: Sequence[C]) -> None:
        self._hosts = hosts
        self._placed: dict[BotName, C] = {}

    def host_of(self, bot: BotName) -> C:
        """Where the bot was placed last; the first host, which does not know it either, for
        one that never was."""
        return self._placed.get(bot, self._hosts[0])

    def place(self, bot: BotName) -> C:
        """Where a bot is to join: on the host with the fewest bots, if alike where it was.

        A host that was lost counts for `BACK_SOON_S`, or its bots would all move to the others
        and leave it empty."""
        last = self.host_of(bot)
        if last.holds(bot):
            return last
        there = [host for host in self._hosts if host.away_s < BACK_SOON_S] or self._hosts
        chosen = min(there, key=lambda host: (host.load, host is not last))
        self._placed[bot] = chosen
        return chosen


class JSBridge:
    """A `Bridge` whose bots are Mineflayer's, in one Node process or several.

    A bot is placed on a host when it joins, and all it does runs there."""

    def __init__(
        self,
        node: Path,
        node_dir: Path,
        log_path: Path,
        lines: LineShapes = USUAL_SHAPES,
        *,
        hosts: int = 1,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """`node` is the executable, `node_dir` the folder with node_modules, `log_path` takes
        what packages print; the log of a second host lies beside it. `lines` are the formats of
        whispers and chat besides vanilla's."""
        self._arrivals = Arrivals()
        versions, self._hosts = NamedVersions(), list[NodeHost]()
        for number in range(1, hosts + 1):
            # Each keeps its log within a size, so each has one of its own.
            own = f"{log_path.stem}-{number}{log_path.suffix}" if number > 1 else log_path.name
            settings = HostSettings(node, node_dir, log_path.with_name(own), lines)
            place = HostNumber(number, hosts)
            self._hosts.append(NodeHost(place, settings, self._arrivals, versions, sleep))
        self._placement = Placement(self._hosts)

    async def start(self) -> None:
        """Start every Node. Raises NodeSetupError."""
        starting = (host.start() for host in self._hosts)
        failed = [it for it in await asyncio.gather(*starting, return_exceptions=True) if it]
        if failed:
            await self._close_hosts()
            raise failed[0]

    @property
    def node_pid(self) -> int | None:
        """The process of the first host; None while there is none."""
        life = self._hosts[0].life
        return None if life is None else life.host.pid

    @property
    def crossings(self) -> int:
        """Batches carried to the present Node processes so far."""
        return sum(life.link.crossings for life in self._lives)

    # --- the port ----------------------------------------------------------------

    async def spawn(
        self,
        bot: BotName,
        server: ServerAddress,
        *,
        timeout_s: float = SPAWN_TIMEOUT_S,
        view_chunks: int = WIDE_VIEW_CHUNKS,
    ) -> BotSpawned:
        return await self._placement.place(bot).spawn(bot, server, timeout_s, view_chunks)

    async def despawn(self, bot: BotName) -> None:
        await self._run("despawn", bot)

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        answer = await self._run("snapshot", bot, {"blocks_within": blocks_within})
        return understood("snapshot", wire.parse_snapshot, answer)

    async def whisper(
        self, bot: BotName, to: PlayerName, text: str, *, command: str = WHISPER_COMMAND
    ) -> None:
        await self._run("whisper", bot, {"to": to, "text": text, "command": command})

    async def chat(self, bot: BotName, text: str) -> None:
        await self._run("chat", bot, {"text": text})

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        shunned: tuple[Position, ...] = (),
    ) -> None:
        way = {"deadline_s": deadline_s, "shunned": [[at.x, at.y, at.z] for at in shunned]}
        await self._run("begin", bot, {"id": action_id, "action": wire.encode(action), **way})

    async def cancel(self, bot: BotName) -> ActionId | None:
        ended = await self._run("cancel", bot)
        return None if ended is None else ActionId(ended)

    async def query(self, bot: BotName, query: Query[T]) -> T:
        answer = await self._run("query", bot, {"query": wire.encode(query)})
        return understood("query", lambda it: wire.parse_answer(query, it), answer)

    async def glance(self, bot: BotName, gaze: Gaze) -> Glance:
        turned: Glance = await self._run("glance", bot, {"gaze": wire.encode(gaze)})
        return turned

    async def see(self, bot: BotName, chunks: int) -> None:
        await self._run("see", bot, {"chunks": chunks})

    async def pause(self, bot: BotName) -> None:
        await self._run("pause", bot)

    async def resume(self, bot: BotName) -> None:
        await self._run("resume", bot)

    def events(self) -> AsyncIterator[BridgeEvent]:
        return self._arrivals.read()

    async def aclose(self) -> None:
        await self._close_hosts()
        self._arrivals.close()

    # -----------------------------------------------------------------------------

    @property
    def _lives(self) -> list[Life]:
        return [host.life for host in self._hosts if host.life is not None]

    async def _close_hosts(self) -> None:
        await asyncio.gather(*(host.aclose() for host in self._hosts))

    async def _run(
        self,
        operation: str,
        bot: BotName,
        args: Mapping[str, Any] | None = None,
        timeout_s: float = COMMAND_TIMEOUT_S,
    ) -> Any:
        return await self._placement.host_of(bot).run(operation, bot, args, timeout_s)
