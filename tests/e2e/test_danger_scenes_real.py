"""Steve and Anna live with Alice and Bob where there are monsters, on the embedded server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from e2e.daemon_process import LOOK_AGAIN_S, DaemonProcess, Site
from e2e.people import People, Player

from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

FORENOON, DUSK = 1000, 12_600  # at dusk one sleeps and no zombie burns; more come 29 s later
PLACES = {"Alice": (8.5, 8.5), "Bob": (11.5, 8.5), "Steve": (8.5, 5.5), "Anna": (11.5, 5.5)}
GROUND_Y, MINE_Y = 64, 39
SHAFT, ORES = range(4, 16), range(16, 20)
WITHIN_S = 60.0


@pytest.fixture(scope="module")
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir)
    yield server
    await server.aclose()


@pytest.fixture(scope="module")
def minecraft(server: EmbeddedServer) -> ServerAddress:
    return ServerAddress(HOST, server.port)


@pytest.fixture(scope="module")
async def daemon(
    new_site: Callable[[], Site], server: EmbeddedServer
) -> AsyncIterator[DaemonProcess]:
    flags = ("--server", f"{HOST}:{server.port}", "--owner", "Steve,Anna")
    async with new_site().up(*flags) as daemon:
        yield daemon
        assert daemon.tracebacks == []


@dataclass
class Family:
    server: EmbeddedServer
    daemon: DaemonProcess
    steve: Player
    anna: Player
    is_dusk: bool = False

    async def gather(self) -> None:
        """All stand together in the forenoon, well and with nothing, and nobody is at anything."""
        for bot in ("Alice", "Bob"):
            await self.daemon.command(bot, "!stop")
        await self.server.admin("difficulty", level="peaceful")
        await self.server.admin("time", value=FORENOON)
        for name, (x, z) in PLACES.items():
            await self.server.admin("clear", player=name)
            await self.puts(name, x, GROUND_Y, z)
            await self.feels(name, 20, 20)
        await self.server.admin("difficulty", level="normal")

    async def dusk_falls(self) -> None:
        """It stays dusk while they fight: later more monsters come, earlier these burn."""
        self.is_dusk = True
        await self.server.admin("time", value=DUSK)

    async def puts(self, name: str, x: float, y: float, z: float) -> None:
        await self.server.admin("teleport", player=name, x=x, y=y, z=z)

    async def feels(self, name: str, health: float, food: float) -> None:
        await self.server.admin("health", player=name, level=health)
        await self.server.admin("feed", player=name, level=food)

    async def gives(self, name: str, **items: int) -> None:
        for item, count in items.items():
            await self.server.admin("give", player=name, item=item, count=count)

    async def comes(self, kind: str, x: float, y: float, z: float) -> None:
        await self.server.admin("summon", kind=kind, x=x, y=y, z=z, young=False)

    async def people(self) -> dict[str, Any]:
        """All who are there, as the server knows."""
        return {one["name"]: one for one in await self.server.admin("players")}

    async def survives(self) -> dict[str, float]:
        """Wait until no monster is left, and nobody has died; the health of all."""

        async def is_over() -> bool:
            if self.is_dusk:
                await self.dusk_falls()
            assert min(one["health"] for one in (await self.people()).values()) > 0
            return not await self.server.admin("monsters")

        await comes_to(is_over)
        return {name: one["health"] for name, one in (await self.people()).items()}

    async def eats(self, name: str) -> None:
        async def is_fed() -> bool:
            return bool((await self.people())[name]["food"] >= 14)

        await comes_to(is_fed)


async def comes_to(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not await is_so():  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(LOOK_AGAIN_S)


@pytest.fixture
async def family(
    server: EmbeddedServer, daemon: DaemonProcess, people: People, minecraft: ServerAddress
) -> AsyncIterator[Family]:
    async with (
        people.player(minecraft, "Steve", is_known=True) as steve,
        people.player(minecraft, "Anna", is_known=True) as anna,
    ):
        found = Family(server, daemon, steve, anna)
        await found.gather()
        yield found
        await server.admin("difficulty", level="peaceful")


async def test_starving_with_bread(family: Family) -> None:
    await family.gives("Alice", bread=5)
    await family.feels("Alice", 5, 0)
    await family.eats("Alice")


async def test_starving_with_none(family: Family) -> None:
    await family.feels("Bob", 5, 0)
    await family.steve.hears("Bob", containing="I starve, and have nothing to eat.")
    await family.gives("Bob", bread=5)
    await family.eats("Bob")


async def test_an_evening_with_three_zombies_at_the_door(family: Family) -> None:
    for bot in ("Alice", "Bob"):
        await family.gives(bot, iron_sword=1)
    await family.dusk_falls()
    for x in (6.5, 8.5, 10.5):
        await family.comes("zombie", x, GROUND_Y, 19.5)
    assert await family.anna.asks("Bob", "Bob help, zombies!") == "I am on it!"
    await family.survives()


async def test_a_creeper_behind_a_bot_that_talks(family: Family) -> None:
    assert "Alice" in await family.steve.asks("Alice", "tell me about yourself")
    async with family.daemon.watching() as watch:
        await family.comes("creeper", 8.5, GROUND_Y, 17.5)
        await watch.next("reflex.began", bot="Alice", kind="back_away", within_s=WITHIN_S)
    assert await family.steve.asks("Alice", "where are you from?")

    async def is_away() -> bool:
        alice = (await family.people())["Alice"]
        assert alice["health"] > 0
        return bool(alice["position"][2] < -4)

    await comes_to(is_away)


@pytest.mark.parametrize(
    ("asked", "agrees", "enough", "ends"),
    [
        ("protect me", "I guard you. Say “stop” when it is enough.", "stop", "I have stopped."),
        ("守って", "守ります。「止まって」と言うまで。", "止まって", "やめました。"),
    ],
)
async def test_protect_me(family: Family, asked: str, agrees: str, enough: str, ends: str) -> None:
    await family.gives("Alice", iron_sword=1)
    await family.dusk_falls()
    assert await family.steve.asks("Alice", asked) == agrees
    await family.comes("zombie", 8.5, GROUND_Y, -6.5)
    await family.survives()
    assert await family.steve.asks("Alice", enough) == ends


async def test_a_bed_taken_by_another(family: Family) -> None:
    await family.gives("Alice", red_bed=1)

    async def is_placed() -> bool:  # once she sees that she carries it
        command = "!skill place red_bed 10 64 11"
        return bool((await family.daemon.command("Alice", command))["success"])

    await comes_to(is_placed)
    await family.steve.asks("Alice", "follow me")  # else she may go to bed first
    await family.server.admin("time", value=DUSK)
    assert await family.steve.asks("Bob", "go to sleep") == "I go to bed. Good night!"

    async def is_taken() -> bool:
        bed = await family.server.admin("properties", x=10, y=GROUND_Y, z=11)
        return bool(bed["occupied"])

    await comes_to(is_taken)
    await family.steve.whispers("Alice", "ねて")
    await family.steve.hears("Alice", WITHIN_S, containing="ベッドはふさがっています。")
    await family.steve.whispers("Bob", "!stop")


async def test_stopped_amid_a_fight_it_fights_on_and_works_no_more(family: Family) -> None:
    await family.gives("Alice", iron_sword=1)
    await family.steve.asks("Alice", "follow me")
    async with family.daemon.watching() as watch:
        for z in (16.5, 18.5):
            await family.comes("zombie", 8.5, GROUND_Y, z)
        await watch.next("reflex.began", kind="fight")
    await family.steve.whispers("Alice", "!stop")
    await family.steve.hears("Alice", containing="Stopped: ")
    assert (await family.survives())["Alice"] > 0
    assert (await family.daemon.bots())["Alice"]["doing"] == []


async def test_a_miner_met_by_a_spider_at_half_health(family: Family) -> None:
    await dig_a_mine(family.server)
    await family.gives("Alice", stone_pickaxe=1)
    await family.puts("Alice", SHAFT.stop - 2.5, MINE_Y, 8.5)
    await family.server.admin("time", value=DUSK)  # a spider is calm by day
    async with family.daemon.watching() as watch:
        await family.steve.whispers("Alice", f"!skill gather iron_ore {len(ORES)}")
        await watch.next("job.started", bot="Alice")
        await family.feels("Alice", 10, 20)
        await family.comes("spider", SHAFT.start + 1.5, MINE_Y, 8.5)
        await watch.next("reflex.began", kind="fight", thing="spider")
        await watch.next("job.resumed", bot="Alice", within_s=WITHIN_S)
        mined = await watch.next("job.finished", bot="Alice", within_s=WITHIN_S)
    assert mined["result"]["gathered"] == len(ORES)


async def dig_a_mine(server: EmbeddedServer) -> None:
    """A shaft two wide and two high, with ores at its end."""
    mine = dict.fromkeys(product(range(3, 22), range(37, 43), range(6, 12)), "stone")
    mine |= dict.fromkeys(product(SHAFT, (MINE_Y, MINE_Y + 1), (8, 9)), "air")
    mine |= {(x, MINE_Y, 8): "iron_ore" for x in ORES}
    for (x, y, z), block in mine.items():
        await server.admin("setblock", x=x, y=y, z=z, block=block)
