"""Real Mineflayer bots on the embedded server keep the same contract."""

import asyncio
import math
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from contract.arena import CENTRE, Arena, ArenaPerson, EventLog, SecondClient, eventually
from contract.bridge_contract import BridgeContract
from contract.contract_danger import DangerArena, DangerContract
from contract.contract_moving import LavaContract
from contract.contract_resting import BED, MORNING, RestingContract

from bridge.actions import Action, BlockAt, Place
from bridge.events import ActionId
from bridge.js import JSBridge
from bridge.port import ACTION_DEADLINE_S, ServerAddress
from bridge.server.launcher import EmbeddedServer
from bridge.world import BotName, Difficulty, Position

pytestmark = pytest.mark.real

SMELT_MS = 300  # vanilla takes 10 s an item
BITE_MS = 500  # in vanilla a bite takes 5 s at the soonest
MARK, NEAR_BLOCKS = Position(8, 90, 8), 16
"""A block in the sky, and how near to the centre one sees it."""


class RealArena(DangerArena):
    def __init__(self, bridge: JSBridge, game: EmbeddedServer, log: EventLog) -> None:
        super().__init__(bridge, ServerAddress("127.0.0.1", game.port), log)
        self._game = game
        self._found: dict[Position, str] = {}
        """What stood where this test builds: the next one has the same ground."""

    @property
    def nowhere(self) -> ServerAddress:
        with socket.create_server(("127.0.0.1", 0)) as free:
            return ServerAddress("127.0.0.1", free.getsockname()[1])

    async def begin(
        self, bot: BotName, action: Action, deadline_s: float = ACTION_DEADLINE_S
    ) -> ActionId:
        if isinstance(action, Place):
            await self._remember(action.position)
        return await super().begin(bot, action, deadline_s)

    async def person(self, name: str = "Steve", at: Position = CENTRE) -> ArenaPerson:
        return SecondClient(self.bridge, self.log, await self.bot(name, at))

    async def give(self, bot: BotName, item: str, count: int = 1) -> None:
        before = (await self.bridge.snapshot(bot)).count(item)
        left = await self._game.admin("give", player=bot, item=item, count=count)
        await self.sees(bot, lambda seen: seen.count(item) == before + count - left)

    async def set_block(self, position: Position, name: str) -> None:
        await self._remember(position)
        await self._set_block(position, name)
        for bot in self._bots:
            await self._knows(bot, position, name)

    async def teleport(self, player: str, position: Position) -> None:
        await self._game.admin("teleport", player=player, **_xyz(position))
        bot = BotName(player)
        # A bot in country not loaded yet falls.
        await self.sees(bot, lambda seen: _level_distance(seen.position, position) < 1)
        if _level_distance(position, CENTRE) < NEAR_BLOCKS:
            await self._hears_the_server_out(bot)

    async def set_health(self, bot: BotName, health: float, food: float) -> None:
        if health <= 0:
            await self.kill(bot)
            return
        await self._game.admin("feed", player=bot, level=food)
        await self._game.admin("health", player=bot, level=health)
        await self.sees(bot, lambda seen: (seen.health, seen.food) == (health, food))

    async def hurt(self, bot: BotName, amount: float) -> None:
        await self._game.admin("damage", player=bot, amount=amount)

    async def kill(self, bot: BotName) -> None:
        await self._game.admin("kill", player=bot)

    async def animal(self, kind: str, at: Position) -> None:
        await self._game.admin("animal", kind=kind, **_xyz(at))

    async def monster(self, kind: str, at: Position) -> None:
        await self._game.admin("summon", kind=kind, **_xyz(at))

    async def make_war(self, difficulty: Difficulty = "normal") -> None:
        await self._game.admin("difficulty", level=difficulty)

    async def make_peace(self) -> None:
        await self._game.admin("difficulty", level="peaceful")

    async def set_time(self, ticks: int) -> None:
        await self._game.admin("time", value=ticks)

    async def is_asleep(self, bot: BotName) -> bool:
        return bool((await self._game.admin("properties", **_xyz(BED))).get("occupied"))

    async def kick(self, bot: BotName, text: str) -> None:
        await self._game.admin("kick", player=bot, reason=text)

    async def restore(self) -> None:
        for position, name in self._found.items():
            await self._set_block(position, name)
        await self._game.admin("sweep")
        await self.make_peace()
        await self.set_time(MORNING)

    async def _remember(self, position: Position) -> None:
        if position not in self._found:
            self._found[position] = await self._game.admin("block", **_xyz(position))

    async def _set_block(self, position: Position, name: str) -> None:
        await self._game.admin("setblock", **_xyz(position), block=name)

    async def _hears_the_server_out(self, bot: BotName) -> None:
        """Who stood there already is turned by the teleport that comes after."""
        await self._remember(MARK)
        for name in ("glass", "air"):
            await self._set_block(MARK, name)
            await self._knows(bot, MARK, name)

    async def _knows(self, bot: BotName, position: Position, name: str) -> None:
        async def look() -> bool | None:
            (sighting,) = await self.bridge.query(bot, BlockAt(position))
            return sighting.name == name or None

        await eventually(look)


@asynccontextmanager
async def _stage(
    node_binary: Path, node_dir: Path, folder: Path
) -> AsyncIterator[tuple[JSBridge, EmbeddedServer]]:
    game = await EmbeddedServer.start(
        node_binary, node_dir, smelt_ms=SMELT_MS, bite_ms=BITE_MS, log_path=folder / "server.log"
    )
    # two hosts, so that bots who meet live in different ones; versions/ runs the same with one
    bridge = JSBridge(node_binary, node_dir, folder / "host.log", hosts=2)
    try:
        await bridge.start()
        yield bridge, game
    finally:
        await bridge.aclose()
        await game.aclose()


@pytest.fixture(scope="module")
async def stage(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[JSBridge, EmbeddedServer, EventLog]]:
    """One bridge, one server and one reader of events for all tests here."""
    async with _stage(node_binary, node_dir, tmp_path_factory.mktemp("real")) as (bridge, game):
        log = EventLog(bridge)
        reader = asyncio.create_task(log.read())
        yield bridge, game, log
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)


@pytest.fixture
async def arena(stage: tuple[JSBridge, EmbeddedServer, EventLog]) -> AsyncIterator[Arena]:
    arena = RealArena(*stage)
    yield arena
    await arena.clear()


class TestJSBridge(BridgeContract, RestingContract, LavaContract, DangerContract):
    pass


def _level_distance(one: Position, other: Position) -> float:
    return math.hypot(one.x - other.x, one.z - other.z)


def _xyz(position: Position) -> dict[str, float]:
    return {"x": position.x, "y": position.y, "z": position.z}
