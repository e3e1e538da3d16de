"""A thousand valid commands on five bots at once: nothing hangs, nothing is left behind."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import psutil
import pytest
from e2e.memory_in_use import InUse, environment, in_use

from bots.app import Daemon
from bots.bot.bot import Bot
from bots.commands.catalogue import commands, handle_chat_command
from bots.observability.logs import logging_to
from bots.settings.settings import Settings
from bridge.js import JSBridge
from bridge.server.launcher import HOST, VERSION, EmbeddedServer
from bridge.world import BotName

pytestmark = [pytest.mark.real, pytest.mark.slow]

SEED = 20_26
NAMES = ("Anna", "Bert", "Cleo", "Dirk", "Emma")
ROUNDS, PER_ROUND = 5, 40  # of each bot: a thousand in all
LONGEST_WAIT_S = 1.0  # then the next command is given, whatever became of this one
ENDS_WITHIN_S = 5.0
RESTS_WITHIN_S = 30.0
KEPT = 100  # traces, and messages of each bot: so few that what is kept on purpose is soon full
GROUND_Y = 64  # the flat, clear chunk around the spawn point, x and z from 0 to 15
NODE_ROOM_OF_NEW_ORDERS = 4_000_000  # bytes in use in a Node after four rounds of other orders
PYTHON_ROOM_OF_NEW_ORDERS = 200_000  # and blocks in Python: catalogues are read when first asked
WARM, SAME_ROUNDS, SPANS = 4, 4, 3  # rounds of the very same orders; of those, then so often
NODE_ROOM_BYTES = 1_000_000  # what 800 commands may leave in use in a Node
PYTHON_ROOM_BLOCKS = 2_000  # and in Python

NOTHING_LEFT: dict[str, Any] = {"window": None, "goal": None, "digging": None, "keys": []}
LEFTOVERS = str(Path(__file__).with_name("leftovers.cjs"))
BELONGINGS = {
    **{"oak_log": 32, "oak_planks": 48, "stick": 32, "cobblestone": 64, "coal": 16},
    **{"iron_ore": 16, "golden_apple": 8, "dirt": 32, "iron_pickaxe": 1, "iron_axe": 1},
}
STATIONS = {"chest": (4, 4), "barrel": (12, 4), "furnace": (4, 12), "crafting_table": (12, 12)}

Dice = random.Random


def spot(dice: Dice) -> str:
    return f"{dice.randint(1, 14)} {GROUND_Y} {dice.randint(1, 14)}"


def item(dice: Dice) -> str:
    return dice.choice(tuple(BELONGINGS))


def fellow(dice: Dice) -> str:
    return dice.choice(NAMES)


def block(dice: Dice) -> str:
    return dice.choice(("grass_block", "oak_log", "dirt", "chest", "stone"))


ORDERS: dict[str, Callable[[Dice], str]] = {
    "area allow": lambda dice: f"all {spot(dice)} {dice.randint(100, 200)}",
    "area ask": lambda dice: f"yard {spot(dice)} {dice.randint(1, 4)}",
    "area forbid": lambda dice: f"base {spot(dice)} {dice.randint(1, 4)}",
    "area forget": lambda dice: dice.choice(("base", "yard", "all")),
    "area list": lambda dice: "",
    "chat": lambda dice: f"{fellow(dice)} hello {dice.randint(1, 9)}",
    "chest allow": lambda dice: dice.choice(("", f"4 {GROUND_Y} 4")),
    "chest forbid": lambda dice: dice.choice(("", f"4 {GROUND_Y} 4")),
    "chest list": lambda dice: "",
    "echo": lambda dice: f"echo {dice.random()}",
    "go": lambda dice: dice.choice(("spawn", fellow(dice), spot(dice))),
    "forget me": lambda dice: "",
    "goal": lambda dice: f"inventory.{dice.choice(('stick', 'ladder'))}:{dice.randint(1, 9)}",
    "goal list": lambda dice: "",
    "goal pause": lambda dice: "",
    "goal resume": lambda dice: "",
    "goal status": lambda dice: "",
    "goal then": lambda dice: f"inventory.stick:{dice.randint(1, 9)}",
    "help": lambda dice: dice.choice(("", "navigation", "skill gather")),
    "history": lambda dice: dice.choice(("", fellow(dice))),
    "idle off": lambda dice: "",
    "idle on": lambda dice: f'{{"intervalMs": {dice.randint(500, 2000)}}}',
    "info": lambda dice: "all",
    "info block": block,
    "info item": item,
    "info mob": lambda dice: dice.choice(("creeper", "cow", "cow2", "ウシ")),
    "info recipesFor": item,
    "attack": fellow,
    "info recipesUsing": item,
    "info intent": item,
    "info related": item,
    "info search": item,
    "info scanBlocks": lambda dice: f"{block(dice)} {dice.randint(1, 32)}",
    "info vision": lambda dice: f'{{"yaw": {dice.randint(-180, 180)}}}',
    "knows": lambda dice: dice.choice(("", fellow(dice), "Steve")),
    "look direction": lambda dice: f"{dice.randint(-180, 180)} {dice.randint(-90, 90)}",
    "look player": fellow,
    "look watch": fellow,
    "navigation chestClose": lambda dice: "",
    "navigation chestDeposit": lambda dice: f"{item(dice)} {dice.choice((1, 3, -1))}",
    "navigation chestOpen": lambda dice: dice.choice(("", f"4 {GROUND_Y} 4", f"12 {GROUND_Y} 4")),
    "navigation chestWithdraw": lambda dice: f"{item(dice)} {dice.choice((1, 3, -1))}",
    "navigation dropItem": lambda dice: f"{item(dice)} 1 {fellow(dice)}",
    "navigation follow": fellow,
    "navigation goto": lambda dice: dice.choice(("spawn", "home")),
    "navigation gotoCoords": spot,
    "navigation list": lambda dice: "",
    "navigation moveInDirection": lambda dice: f"{dice.randint(1, 6)} {dice.randint(-180, 180)}",
    "navigation pickupItems": lambda dice: str(dice.randint(1, 8)),
    "navigation register": lambda dice: '{"name": "home"}',
    "navigation remove": lambda dice: "home",
    "navigation stopFollow": lambda dice: "",
    "pin": lambda dice: f"guess-{dice.random()}",
    "primitive collectDrops": lambda dice: str(dice.randint(1, 8)),
    "primitive craftItem": lambda dice: dice.choice(("stick", "oak_planks", "chest")),
    "primitive digBlock": spot,
    "primitive equipBestToolForBlock": block,
    "primitive findBestTool": block,
    "primitive findBlock": block,
    "primitive findBlocks": block,
    "primitive moveTo": spot,
    "primitive placeBlock": lambda dice: (
        f'{{"position": [{", ".join(spot(dice).split())}], "itemName": "dirt"}}'
    ),
    "quiet": lambda dice: dice.choice(("", "on", "off")),
    "remember": lambda dice: dice.choice(("I like birch", "the bridge is broken", "橋は壊れた")),
    "knowledge": lambda dice: dice.choice(("", "bridge", "birch logs", "橋")),
    "forget": lambda dice: dice.choice(("1", "bridge", "nothing at all")),
    "recall": lambda dice: dice.choice(("hello", f"chest by {fellow(dice)}", "gestern")),
    "refresh": lambda dice: "",
    "skill collectDrops": lambda dice: str(dice.randint(1, 8)),
    "skill craft": lambda dice: dice.choice(("stick", "oak_planks", "wooden_axe", "furnace")),
    "skill build": lambda dice: dice.choice(("", "castle")),
    "skill jump": lambda dice: dice.choice(("", "2")),
    "skill sleep": lambda dice: "",
    "skill eat": lambda dice: "golden_apple",
    "skill equip": item,
    "skill fight": lambda dice: dice.choice(("", "zombie")),
    "skill gather": lambda dice: dice.choice(("dirt 2", "oak_log", "stone 2", "sand")),
    "skill gatherWood": lambda dice: dice.choice(("", "2")),
    "skill guard": lambda dice: dice.choice((fellow(dice), "", "spawn", "house")),
    "skill light": lambda dice: dice.choice(("", "6")),
    "skill stopFight": lambda dice: "",
    "skill moveTo": spot,
    "skill place": lambda dice: f"{dice.choice(('dirt', 'cobblestone'))} {spot(dice)}",
    "skill smelt": lambda dice: "iron_ore 1",
    "skill store": lambda dice: dice.choice(("", "dirt, cobblestone", '{"nearest": true}')),
    "skill tend": lambda dice: dice.choice(("", spot(dice))),
    "status": lambda dice: "",
    "stop": lambda dice: "",
    "talk end": lambda dice: "",
    "talk add": fellow,
    "talk join": lambda dice: "",
    "talk leave": lambda dice: "",
    "talk pause": lambda dice: "",
    "talk remove": fellow,
    "talk resume": lambda dice: "",
    "talk say": lambda dice: f"what about {item(dice)}?",
    "talk start": lambda dice: f"{fellow(dice)},{fellow(dice)},{fellow(dice)}",
    "talk status": lambda dice: "",
    "thoughts approve": lambda dice: "",
    "thoughts reanalyse": lambda dice: dice.choice(("", "periodic")),
    "thoughts status": lambda dice: "",
    "thoughts tell": lambda dice: f"we need {item(dice)}",
}


@dataclass
class Crowd:
    """Five bots of a daemon in this process, and what came of their commands."""

    daemon: Daemon
    bridge: JSBridge
    server: EmbeddedServer
    heaps: Path
    results: Counter[str] = field(default_factory=Counter)
    given: set[str] = field(default_factory=set)
    running: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def bots(self) -> list[Bot]:
        return [self.daemon.bot(name) for name in NAMES]

    async def round(self, number: int) -> None:
        """So many commands each, then a stop: all of it has ended when this returns."""
        async with asyncio.TaskGroup() as all_of_them:
            for place, bot in enumerate(self.bots):
                dice = Dice(SEED + 100 * number + place)
                all_of_them.create_task(self._give(bot, dice))
        await self._stop()
        async with asyncio.timeout(ENDS_WITHIN_S):
            await asyncio.gather(*self.running)
        self.running.clear()

    async def _stop(self) -> None:
        for bot in self.bots:
            await handle_chat_command(bot, "tester", "!stop")

    async def come_to_rest(self) -> dict[str, Any]:
        """Stop until no bot is at anything and nothing is left behind: what flew at a stop is
        caught, and handed on, later. Returns the listeners in Node."""
        async with asyncio.timeout(RESTS_WITHIN_S):
            while True:
                left = await self.leftovers()
                listeners = {name: of_bot.pop("listeners") for name, of_bot in left.items()}
                at_rest = not any(bot.doing for bot in self.bots)
                if at_rest and all(of_bot == NOTHING_LEFT for of_bot in left.values()):
                    return listeners
                await self._stop()

    async def _give(self, bot: Bot, dice: Dice) -> None:
        for _ in range(PER_ROUND):
            name = dice.choice(tuple(ORDERS))
            text = f"!{name} {ORDERS[name](dice)}".rstrip()
            self.given.add(name)
            command = asyncio.create_task(self._run(bot, text))
            self.running.add(command)
            await asyncio.wait({command}, timeout=dice.uniform(0, LONGEST_WAIT_S))

    async def _run(self, bot: Bot, text: str) -> None:
        result = (await handle_chat_command(bot, "tester", text)).as_json()
        reason = "success" if result["success"] else str(result["reason"])
        assert reason not in ("internal", "invalid_format", "unknown_command"), (text, result)
        self.results[reason] += 1

    async def leftovers(self) -> dict[str, dict[str, Any]]:
        """Of every bot, as its Node tells it."""
        call = {"module": LEFTOVERS, "call": "of", "args": []}
        return {name: await self.bridge._run("call_module", BotName(name), call) for name in NAMES}

    async def in_use(self) -> InUse:
        nodes = [child.pid for child in psutil.Process().children()]
        host = next(pid for pid in nodes if pid != self.server.pid)
        return await in_use(self.heaps, host, self.server.pid)


@asynccontextmanager
async def world(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir, smelt_ms=500)
    try:
        for name, (x, z) in STATIONS.items():
            await server.admin("setblock", x=x, y=GROUND_Y, z=z, block=name)
        yield server
    finally:
        await server.aclose()


def settings_for(server: EmbeddedServer, folder: Path) -> Settings:
    return Settings.model_validate(
        {
            "data_dir": folder,
            "server": {"host": HOST, "port": server.port, "version": VERSION},
            "bots": {"names": NAMES},
            "chat": {"pace": False},
            "history": {"view": KEPT},
            "log": {"level": "error"},  # pytest keeps what is logged
            "talk": {"small_talk": False},
            "idle": {"enabled": False},
        }
    )


@pytest.fixture
async def crowd(
    node_binary: Path, node_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Crowd]:
    monkeypatch.setenv("TOWNSFOLK_HOST_PROBES", "1")
    monkeypatch.setattr("bots.observability.trace.KEPT", KEPT)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    async with world(node_binary, node_dir) as server:
        settings = settings_for(server, tmp_path)
        with logging_to(settings.data_dir, settings.log, stream=StringIO()):
            bridge = JSBridge(node_binary, node_dir, tmp_path / "log" / "node.log")
            await bridge.start()
            async with Daemon(settings, bridge=bridge, answers=False) as daemon:
                assert await daemon.all_joined(30)
                for name in NAMES:
                    for what, count in BELONGINGS.items():
                        await server.admin("give", player=name, item=what, count=count)
                yield Crowd(daemon, bridge, server, tmp_path)


@pytest.mark.timeout(240)
async def test_five_bots_survive_a_thousand_commands(crowd: Crowd, tmp_path: Path) -> None:
    assert set(ORDERS) == {command.name for command in commands}
    await crowd.round(0)
    before, in_use = await crowd.come_to_rest(), await crowd.in_use()
    for number in range(1, ROUNDS):
        await crowd.round(number)
    assert await crowd.come_to_rest() == before
    assert crowd.results.total() == ROUNDS * PER_ROUND * len(NAMES)
    assert crowd.results["success"] > crowd.results.total() / 4
    assert crowd.given == set(ORDERS)
    assert len(crowd.daemon.roster.bots_online) == len(NAMES)
    more = await crowd.in_use() - in_use
    assert more.host_bytes < NODE_ROOM_OF_NEW_ORDERS
    assert more.server_bytes < NODE_ROOM_OF_NEW_ORDERS
    assert more.python_blocks < PYTHON_ROOM_OF_NEW_ORDERS
    assert "Traceback" not in logs_in(tmp_path)


@pytest.mark.timeout(480)
async def test_what_is_in_use_levels_off_over_rounds_of_the_same_orders(crowd: Crowd) -> None:
    at_first = await crowd.in_use()
    for _ in range(WARM):
        await crowd.round(0)
    warm = await crowd.in_use()
    first, seen = warm - at_first, []
    for _ in range(SPANS):  # what a slow machine reads late grows in one, what leaks in all
        for _ in range(SAME_ROUNDS):
            await crowd.round(0)
        now = await crowd.in_use()
        seen.append(now - warm)
        if has_levelled_off(seen[-1], first):
            return
        warm = now
    raise AssertionError((first, seen))


def has_levelled_off(later: InUse, first: InUse) -> bool:
    return (
        later.host_bytes < min(NODE_ROOM_BYTES, first.host_bytes / 2)
        and later.server_bytes < NODE_ROOM_BYTES
        and later.python_blocks < min(PYTHON_ROOM_BLOCKS, first.python_blocks / 10)
    )


def logs_in(folder: Path) -> str:
    return "".join(file.read_text(errors="replace") for file in (folder / "log").iterdir())
