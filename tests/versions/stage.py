"""A bridge beside a server of one version, and an arena over both: on the bench, or on any other
server (real_server.py)."""

import asyncio
import math
import socket
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from contract.arena import (
    CENTRE,
    GROUND_Y,
    WITHIN_S,
    Arena,
    ArenaPerson,
    EventLog,
    SecondClient,
    eventually,
)
from versions.bench import VersionServer
from versions.supported import since

from bridge.actions import Action, BlockAt
from bridge.events import ActionFinished
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.versions import USUAL_SHAPES, LineShapes
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

HOST = "127.0.0.1"

Stage = tuple[JSBridge, VersionServer, EventLog]


@asynccontextmanager
async def staged(node: Path, node_dir: Path, version: str, folder: Path) -> AsyncIterator[Stage]:
    """A bench server of a version, and bots on it; what the server finds wrong fails the test."""
    async with (
        VersionServer.of(node, node_dir, version) as game,
        listening_bridge(node, node_dir, folder) as (bridge, log),
    ):
        yield bridge, game, log
        assert not game.all("fault")


class Scene:
    """A bot on a server whose doings the test orders."""

    def __init__(self, stage: Stage) -> None:
        _, self.game, self.log = stage
        self.arena, self.version = VersionArena(*stage), self.game.version
        self.bot = BotName("")

    async def begins(self) -> None:
        self.bot = await self.arena.bot("Alice", CENTRE)

    async def do(self, op: str, **fields: Any) -> None:
        await self.game.do(op, player=self.bot, **fields)

    async def perform(self, action: Action) -> ActionFinished:
        return await self.arena.perform(self.bot, action)


@asynccontextmanager
async def listening_bridge(
    node: Path,
    node_dir: Path,
    folder: Path,
    lines: LineShapes = USUAL_SHAPES,
    within_s: float = WITHIN_S,
) -> AsyncIterator[tuple[JSBridge, EventLog]]:
    """A bridge whose events are read into a log."""
    bridge = JSBridge(node, node_dir, folder / "host.log", lines)
    await bridge.start()
    log = EventLog(bridge, within_s)
    reader = asyncio.create_task(log.read())
    try:
        yield bridge, log
    finally:
        await bridge.aclose()
        await reader


class ServerArena(Arena):
    """An arena on a server; what is ordered of it comes true in the eyes of bots."""

    def __init__(
        self, bridge: JSBridge, server: ServerAddress, log: EventLog, version: str
    ) -> None:
        super().__init__(bridge, server, log)
        self.version = version
        self.line_limit = 256 if since(version, "1.11") else 100
        self.keeps_spaces = since(version, "1.19")

    @property
    def nowhere(self) -> ServerAddress:
        with socket.create_server((HOST, 0)) as free:
            return ServerAddress(HOST, free.getsockname()[1])

    async def person(self, name: str = "Steve", at: Position = CENTRE) -> ArenaPerson:
        return SecondClient(self.bridge, self.log, await self.bot(name, at))

    async def give(self, bot: BotName, item: str, count: int = 1) -> None:
        before = (await self.bridge.snapshot(bot)).count(item)
        await self._order_items(bot, item, count)
        await self.sees(bot, lambda seen: seen.count(item) == before + count)

    async def set_block(self, position: Position, name: str) -> None:
        await self._order_block(position, name)
        for bot in self._bots:
            await self._knows(bot, position, name)

    async def teleport(self, player: str, position: Position) -> None:
        await self._order_place(player, position)
        await self.sees(BotName(player), lambda seen: level_distance(seen.position, position) < 1)
        for bot in self._bots:
            if bot != player and await self._is_connected(bot):
                await self.sees(bot, lambda seen: _nowhere_else(seen, player, position))

    async def _knows(self, bot: BotName, position: Position, name: str) -> None:
        async def look() -> bool | None:
            found = await self.bridge.query(bot, BlockAt(position))
            return not found or found[0].name == name or None

        await eventually(look)

    @abstractmethod
    async def _order_items(self, bot: BotName, item: str, count: int) -> None: ...

    @abstractmethod
    async def _order_block(self, position: Position, name: str) -> None: ...

    @abstractmethod
    async def _order_place(self, player: str, position: Position) -> None: ...


FIRST_ANIMAL = 5_000
"""Entities with such numbers are animals; players have lower ones."""
GROUND = {GROUND_Y - 1.0: "grass_block", GROUND_Y - 2.0: "dirt"}
"""What the bench's ground is made of, by height."""


class VersionArena(ServerArena):
    """The bench."""

    def __init__(self, bridge: JSBridge, game: VersionServer, log: EventLog) -> None:
        super().__init__(bridge, ServerAddress(HOST, game.port), log, game.version)
        self._game = game
        self._built: set[Position] = set()
        self._animals = 0

    async def order(self, op: str, **fields: Any) -> None:
        await self._game.do(op, **fields)

    async def set_health(self, bot: BotName, health: float, food: float) -> None:
        await self._game.do("health", player=bot, health=health, food=food)

    async def kill(self, bot: BotName) -> None:
        key = "genericKill" if since(self.version, "1.20") else "outOfWorld"
        await self._game.do("die", player=bot, key=f"death.attack.{key}")

    async def animal(self, kind: str, at: Position) -> None:
        self._animals += 1
        number = FIRST_ANIMAL + self._animals
        for bot in self._bots:
            await self._game.do("mob", player=bot, name=kind, id=number, at=_triple(at))

    async def kick(self, bot: BotName, text: str) -> None:
        await self._game.do("kick", player=bot, component={"text": text})

    async def restore(self) -> None:
        for position in self._built:
            name = GROUND.get(position.y, "air")
            await self._game.do("set_block", at=_triple(position), name=name)
        self._built.clear()

    async def _order_items(self, bot: BotName, item: str, count: int) -> None:
        await self._game.do("give", player=bot, item=item, count=count)

    async def _order_block(self, position: Position, name: str) -> None:
        self._built.add(position)
        await self._game.do("set_block", at=_triple(position), name=name)

    async def _order_place(self, player: str, position: Position) -> None:
        await self._game.do("teleport", player=player, at=_triple(position))


def level_distance(one: Position, other: Position) -> float:
    """Blocks between two places, height left out: who is put into the air falls."""
    return math.hypot(one.x - other.x, one.z - other.z)


def _nowhere_else(seen: WorldSnapshot, player: str, place: Position) -> bool:
    sighting = seen.player(PlayerName(player))
    at = None if sighting is None else sighting.position
    return at is None or level_distance(at, place) < 1


def _triple(position: Position) -> list[float]:
    return [position.x, position.y, position.z]
