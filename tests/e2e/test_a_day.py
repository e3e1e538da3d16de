"""A day in the life of a bot, commanded by whispers alone, each step checked from outside."""

import asyncio
from collections import Counter

import pytest
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import Player

from bridge.world import Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

DAY_S = 300
STEP_WITHIN_S = 90.0
GROUND_Y = 64  # the flat, clear chunk around the spawn point, x and z from 0 to 15
HOME = Position(3, GROUND_Y, 13)
MARKET = Position(12.5, GROUND_Y, 3.5)
LOGS, STONES, KEPT = 8, 12, 2
TOLD = 40  # characters of a result's sentence: a whisper may be cut later
FOLLOWED_WITHIN = 4.5  # blocks: the distance kept, and a step

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}


daemon = daemon_with("--bots", "Alice", **QUIET)


class Day:
    """Steve's whispers to Alice, and what can be seen of her over HTTP."""

    def __init__(self, daemon: DaemonProcess, watch: Watch, steve: Player) -> None:
        self.daemon, self._watch, self.steve = daemon, watch, steve

    async def does(self, order: str, ends: str = "") -> Json:
        """What came of a world command, or of the one it `ends`, which must succeed and be told to
        Steve. She may be at something of her own as well."""
        await self.steve.whispers("Alice", order)
        command = ends or " ".join(order.split()[:2])
        ended = await self._watch.next(
            "job.finished", bot="Alice", command=command, within_s=STEP_WITHIN_S
        )
        result: Json = ended["result"]
        assert result["success"] is True, (order, result)
        assert await self.steve.hears("Alice", containing=result.get("message", "")[:TOLD])
        return result

    async def begins(self, order: str) -> None:
        await self.steve.whispers("Alice", order)
        await self._watch.next("job.started", bot="Alice")

    async def replies(self, order: str) -> str:
        """The first line of a reply to a command that is done at once."""
        return await self.steve.asks("Alice", order)

    async def carries(self) -> Counter[str]:
        items = (await self._all())["inventory"]["items"]
        return Counter({item["name"]: item["count"] for item in items})

    async def position(self) -> Position:
        at = (await self._all())["position"]["position"]
        return Position(at["x"], at["y"], at["z"])

    async def health(self) -> float:
        return float((await self._all())["position"]["health"])

    async def is_near(self, place: Position, within: float, within_s: float = 20.0) -> None:
        """Wait until Alice is so near. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            while (await self.position()).distance_to(place) > within:
                pass  # every look is a request of its own

    async def _all(self) -> Json:
        seen = await self.daemon.command("Alice", "!info all")
        assert seen["success"] is True, seen
        data: Json = seen["data"]
        return data


@pytest.mark.timeout(DAY_S + 60)
async def test_a_day_of_work_trade_death_and_return(daemon: DaemonProcess, steve: Player) -> None:
    async with asyncio.timeout(DAY_S), daemon.watching() as watch:
        day = Day(daemon, watch, steve)
        await morning_finds_a_home(day)
        wood = await forenoon_makes_tools(day)
        await noon_mines_and_smelts(day)
        await afternoon_fills_a_chest(day, wood)
        await evening_is_spent_with_steve(day)
        await night_ends_at_home(day)
        async with asyncio.timeout(STEP_WITHIN_S):  # while she fetches what she lost
            while (await daemon.bots())["Alice"]["doing"]:
                pass


async def morning_finds_a_home(day: Day) -> None:
    home = f'{{"name": "home", "coords": [{HOME.x:g}, {HOME.y:g}, {HOME.z:g}]}}'
    assert "home" in await day.replies(f"!navigation register {home}")
    listed = await day.daemon.command("Alice", "!navigation list")
    assert [place["name"] for place in listed["locations"]] == ["spawn", "home"]
    assert await day.carries() == {}


async def forenoon_makes_tools(day: Day) -> str:
    """From bare hands to a wooden pickaxe; the kind of wood."""
    gathered = await day.does(f'!skill gather {{"itemName": "log", "count": {LOGS}}}')
    logs = {name: n for name, n in (await day.carries()).items() if name.endswith("_log")}
    assert sum(logs.values()) == gathered["have"] >= LOGS
    wood = max(logs, key=lambda name: logs[name]).removesuffix("_log")
    planks = f"{wood}_planks"
    await day.does(f"!skill craft {planks} {4 * (logs[f'{wood}_log'] - 1)}")
    before = (await day.carries())[planks]
    await day.does("!skill craft crafting_table")
    await day.does("!skill craft stick 4")
    carried = await day.carries()
    assert (carried["crafting_table"], carried["stick"]) == (1, 4)
    assert carried[planks] == before - 4 - 2
    await day.does("!skill craft wooden_pickaxe")
    carried = await day.carries()
    assert (carried["wooden_pickaxe"], carried["stick"], carried[planks]) == (1, 2, before - 9)
    return wood


async def noon_mines_and_smelts(day: Day) -> None:
    mined = await day.does(f"!skill gather stone {STONES}")
    assert (await day.carries())["cobblestone"] == mined["have"] >= STONES
    await day.does("!skill craft furnace")
    carried = await day.carries()
    assert carried["furnace"] == 1
    stones = carried["cobblestone"]
    await day.does("!skill smelt cobblestone 1")
    carried = await day.carries()
    assert (carried["stone"], carried["cobblestone"]) == (1, stones - 1)
    await day.does("!skill equip wooden_pickaxe")


async def afternoon_fills_a_chest(day: Day, wood: str) -> None:
    table = day.daemon.command("Alice", '!primitive findBlock {"match": "crafting_table"}')
    assert (await table)["success"] is True
    await day.does("!skill craft chest")
    assert (await day.carries())["chest"] == 1
    placed = await day.does("!skill place chest")
    carried = await day.carries()
    assert carried["chest"] == 0
    opened = await day.does("!navigation chestOpen")
    assert opened["position"] == placed["position"]
    assert opened["chest"]["itemCount"] == 0
    put = await day.does('!navigation chestDeposit {"item": "cobblestone", "count": -1}')
    assert put["count"] == carried["cobblestone"]
    assert (await day.carries())["cobblestone"] == 0
    taken = f'{{"item": "cobblestone", "count": {KEPT}}}'
    await day.does(f"!navigation chestWithdraw {taken}")
    assert (await day.carries())["cobblestone"] == KEPT
    await day.does("!navigation chestClose")


async def evening_is_spent_with_steve(day: Day) -> None:
    steve = day.steve
    await day.begins(f"!navigation follow {steve.name}")
    await steve.walks(MARKET)
    async with asyncio.timeout(30):
        while (await steve.sees()).position.distance_to(MARKET) > 1:
            pass
    await day.is_near(MARKET, FOLLOWED_WITHIN)
    await day.does("!navigation stopFollow", ends="!navigation follow")
    gift = f'{{"itemName": "cobblestone", "count": 1, "targetPlayer": "{steve.name}"}}'
    await day.does(f"!navigation dropItem {gift}")
    assert (await day.carries())["cobblestone"] == KEPT - 1
    async with asyncio.timeout(10):
        while (await steve.sees()).count("cobblestone") != 1:
            pass
    await steve.tells_server("/give Alice golden_apple 2")
    async with asyncio.timeout(10):
        while (await day.carries())["golden_apple"] != 2:
            pass
    assert (await day.does("!skill eat golden_apple"))["left"] == 1
    assert (await day.carries())["golden_apple"] == 1


async def night_ends_at_home(day: Day) -> None:
    await day.steve.tells_server("/kill Alice")
    async with asyncio.timeout(20):
        while await day.carries() or await day.health() < 20:
            pass
    async with asyncio.TaskGroup() as group:  # once there she may go and fetch what she lost
        group.create_task(day.is_near(HOME, 3.5, STEP_WITHIN_S))
        group.create_task(day.does("!navigation goto home"))
