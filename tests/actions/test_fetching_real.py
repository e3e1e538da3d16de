"""What a bot lost in a death while nobody wanted anything of it, by day on the embedded server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import product
from pathlib import Path

import pytest
from actions.crew import NAME, Crew, crew

from bots.settings.world import SurvivalSettings
from bridge.port import ServerAddress
from bridge.world import BotName, Position, WorldSnapshot

pytestmark = pytest.mark.real

HIGH = 40  # blocks: a fall that kills
WITHIN_S = 90.0  # things lie for 300 s
STEVE = BotName("Steve")
SKY, BOTTOM = 110, 40
POOL = range(-2, 3)


@pytest.fixture
async def idle(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[Crew]:
    """A bot with nothing to do in the forenoon, at normal difficulty, and its owner."""
    async with crew(node_binary, node_dir, tmp_path, survival=SurvivalSettings()) as one:
        await one.server.admin("time", value=1000)
        await one.bridge.spawn(STEVE, ServerAddress("127.0.0.1", one.server.port))
        await one.server.admin("difficulty", level="normal")
        yield one


async def ground(idle: Crew, x: int, z: int) -> Position:
    """Where one stands in this column."""
    for y in range(SKY, BOTTOM, -1):
        block = await idle.server.admin("block", x=x, y=y, z=z)
        if block in ("grass_block", "dirt", "sand", "stone"):
            return Position(x + 0.5, y + 1, z + 0.5)
    raise AssertionError("no ground")


async def put(idle: Crew, at: Position) -> None:
    await idle.server.admin("teleport", player=NAME, x=at.x, y=at.y, z=at.z)
    await watched(idle, lambda world: world.position.distance_to(at) < 3)


async def watched(idle: Crew, met: Callable[[WorldSnapshot], bool]) -> list[WorldSnapshot]:
    """What is seen of the bot until it is so."""
    seen: list[WorldSnapshot] = []
    async with asyncio.timeout(WITHIN_S):
        while not seen or not met(seen[-1]):
            seen.append(await idle.session.bot.snapshot())
            await asyncio.sleep(0.05)
    return seen


def told(idle: Crew) -> list[str]:
    return [line.text or "" for line in idle.session.bot.get_conversation_history(limit=20)]


async def hears(idle: Crew, words: str) -> None:
    await watched(idle, lambda _: any(words in line for line in told(idle)))


async def test_killed_by_a_zombie_it_has_its_things_back_and_says_so(idle: Crew) -> None:
    there = await ground(idle, 40, 8)
    await idle.give(bread=3, iron_ingot=5)
    await put(idle, there)
    await idle.server.admin("health", player=NAME, level=1)
    for dx, dz in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
        at = {"x": there.x + dx, "y": there.y, "z": there.z + dz}
        await idle.server.admin("summon", kind="zombie", **at, young=False)
    await watched(idle, lambda world: world.died is not None)
    await hears(idle, "I have my things back.")
    carried = await idle.carries()
    assert (carried["bread"], carried["iron_ingot"]) == (3, 5)


async def test_killed_by_a_fall_it_has_its_things_back_and_says_so(idle: Crew) -> None:
    there = await ground(idle, 40, 8)
    await idle.give(bread=3, iron_sword=1)
    await idle.server.admin("teleport", player=NAME, x=there.x, y=there.y + HIGH, z=there.z)
    await watched(idle, lambda world: world.died is not None)
    await hears(idle, "I have my things back.")
    assert await idle.carries() == {"bread": 3, "iron_sword": 1}


@pytest.mark.parametrize(
    ("stands", "health", "came"),
    [(0, 4, "I did not get 1 diamond back."), (2, 9, "I have my things back.")],
)
async def test_dead_of_lava_it_says_what_it_lost_and_does_not_walk_into_it(
    idle: Crew, stands: int, health: int, came: str
) -> None:
    there = await ground(idle, 40, 8)
    middle = there.block
    await idle.give(diamond=1)
    await put(idle, Position(there.x + stands, there.y, there.z))
    below = [(stands, -2, 0), (stands, -1, 0)]
    for dx, dy, dz in [one for one in product(POOL, (-2, -1), POOL) if one not in below]:
        await idle.set_block(Position(middle.x + dx, middle.y + dy, middle.z + dz), "lava")
    await idle.server.admin("health", player=NAME, level=health)
    for dx, dy, dz in below:  # it falls in, as weak as it is
        await idle.set_block(Position(middle.x + dx, middle.y + dy, middle.z + dz), "lava")
    await watched(idle, lambda world: world.died is not None)
    await hears(idle, came)
    world = (await watched(idle, lambda _: idle.session.bot.jobs.is_free))[-1]
    assert world.died is not None
    assert world.died.number == 1
