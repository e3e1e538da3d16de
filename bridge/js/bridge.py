"""The port over real bots: every operation is one command to Node, every event comes from it.

Several Node processes may carry the bots, each of them a host. Where one dies or hangs, only
its bots are gone until it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bridge import wire
from bridge.actions import Action, Query
from bridge.dialects import USUAL_SHAPES, LineShapes
from bridge.events import ActionId, BotSpawned, BridgeEvent
from bridge.gaze import Gaze, Glance
from bridge.js.arrivals import Arrivals
from bridge.js.jspybridge import HostSettings
from bridge.js.life import Life
from bridge.js.node_host import COMMAND_TIMEOUT_S, HostNumber, NodeHost, Sleep, understood
from bridge.js.placement import Placement
from bridge.js.versions import NamedVersions
from bridge.port import (
    ACTION_DEADLINE_S,
    SPAWN_TIMEOUT_S,
    WHISPER_COMMAND,
    WIDE_VIEW_CHUNKS,
    ServerAddress,
)
from bridge.world import BotName, PlayerName, WorldSnapshot

T = TypeVar("T")


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
        settings, versions = HostSettings(node, node_dir, log_path, lines), NamedVersions()
        self._hosts = [
            NodeHost(
                HostNumber(number, hosts), _of(settings, number), self._arrivals, versions, sleep
            )
            for number in range(1, hosts + 1)
        ]
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
    ) -> None:
        args = {"id": action_id, "action": wire.encode(action), "deadline_s": deadline_s}
        await self._run("begin", bot, args)

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


def _of(settings: HostSettings, number: int) -> HostSettings:
    """For this host: each keeps its log within a size, so each has one of its own."""
    if number == 1:
        return settings
    path = settings.log_path
    return replace(settings, log_path=path.with_name(f"{path.stem}-{number}{path.suffix}"))
