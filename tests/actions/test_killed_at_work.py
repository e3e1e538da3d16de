"""A bot that is killed or robbed in the middle of its clicks still knows what it carries."""

import random
from collections import Counter
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import anyio
import pytest
from actions.crew import NAME, Crew, crew

from bots.bot.actions import RunningAction
from bridge.actions import Action, Craft, Deposit, OpenContainer, Smelt
from bridge.world import Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

TABLE, FURNACE, CHEST = (Position(10, 64, z) for z in (8, 9, 7))
THINGS = {"oak_log": 20, "cobblestone": 20, "stick": 10, "coal": 4, "iron_ore": 8}
WORK: dict[str, tuple[Action, str, float]] = {
    "by hand": (Craft("oak_planks", 40), "oak_log", 0.25),
    "at a table": (Craft("stone_pickaxe", 4, TABLE), "cobblestone", 0.35),
    "at a furnace": (Smelt("iron_ore", "coal", FURNACE, 4), "iron_ore", 1.5),
    "at a chest": (Deposit("cobblestone", 13), "cobblestone", 0.15),
}
"""What the bot does, of what, and about how long it takes, seconds."""
STRIKES = [
    *product(WORK, ("killed", "robbed")),
    *product(("at a table", "at a furnace", "at a chest"), ("broken",)),
]
REASONS = {
    "killed": ("died",),
    "robbed": ("missing_item",),
    "broken": ("window_closed", "wrong_block", "blocked"),
}
"""Why the work may fail."""
TIMES = 8
AGREED_WITHIN_S = 20.0


@pytest.fixture(scope="module")
async def worker(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Crew]:
    async with crew(node_binary, node_dir, tmp_path_factory.mktemp("killed")) as crew_:
        yield crew_


@pytest.mark.parametrize(("where", "how"), STRIKES)
async def test_struck_in_the_middle_it_knows_what_it_carries(
    worker: Crew, where: str, how: str
) -> None:
    action, _, lasts_s = WORK[where]
    for when_s in moments(lasts_s):
        await furnish(worker)
        running = await begin(worker, action)
        await anyio.sleep(when_s)
        await strike(worker, where, how)
        ended = await worker.session.bot.actions.wait(running)
        assert ended.outcome == "done" or ended.reason in REASONS[how], ended
        if (where, how) == ("at a table", "broken"):
            await nothing_went_with_the_table(worker)
        await works_on(worker)


async def strike(worker: Crew, where: str, how: str) -> None:
    match how:
        case "killed":
            await worker.server.admin("kill", player=NAME)
        case "robbed":
            await worker.server.admin("clear", player=NAME, item=WORK[where][1])
        case "broken":
            for place in (TABLE, FURNACE, CHEST):
                await worker.set_block(place, "air")


async def nothing_went_with_the_table(worker: Crew) -> None:
    await agree(worker)
    carried = await worker.carries()
    made = carried["stone_pickaxe"]
    used = Counter(cobblestone=3 * made, stick=2 * made)
    assert carried == Counter(THINGS) - used + Counter(stone_pickaxe=made)


def moments(lasts_s: float) -> list[float]:
    """When to strike: any moment may be the wrong one."""
    chance = random.Random(7)
    return [chance.uniform(0, lasts_s) for _ in range(TIMES)]


async def begin(worker: Crew, action: Action) -> RunningAction:
    if isinstance(action, Deposit):
        opened = await worker.session.bot.act(OpenContainer(CHEST))
        assert opened.outcome == "done", opened
    return await worker.session.bot.begin(action)


async def furnish(worker: Crew) -> None:
    for at, block in ((TABLE, "crafting_table"), (FURNACE, "furnace"), (CHEST, "chest")):
        await worker.set_block(at, "air")
        await worker.set_block(at, block)
    await empty(worker)
    await worker.give(**THINGS)
    await agree(worker)


async def empty(worker: Crew) -> None:
    await worker.server.admin("sweep")
    await worker.server.admin("clear", player=NAME)
    await agree(worker)


async def works_on(worker: Crew) -> None:
    """Client and server agree, and the next craft goes as if nothing had happened."""
    await agree(worker)
    await empty(worker)
    await worker.give(acacia_log=3)
    again = await worker.session.bot.act(Craft("acacia_planks", 8))
    assert again.outcome == "done", again
    await agree(worker)
    assert await worker.carries() == {"acacia_planks": 8, "acacia_log": 1}


async def agree(worker: Crew) -> None:
    """Wait until the bot is alive and believes to carry what the server knows it carries."""
    deadline = anyio.current_time() + AGREED_WITHIN_S
    while True:
        seen = await worker.session.bot.snapshot()
        believed: Counter[str] = Counter()
        for stack in seen.items:
            believed[stack.name] += stack.count
        carried = await worker.carries()
        if seen.health > 0 and believed == carried:
            return
        assert anyio.current_time() < deadline, (seen.health, believed, carried)
        await anyio.sleep(0.05)
