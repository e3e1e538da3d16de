"""What lies on somebody's field, where somebody died, or with their gear, is not a bot's."""

import random
from collections.abc import Awaitable, Callable

import pytest
from support.acting import GROUND, STEP_S, carried, carry_out, put
from support.rig import Rig, rig_with_alice, until

from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Failure, Result
from bots.idle.doings import Surroundings, pick
from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)
THERE = Position(8.5, GROUND, 13.5)  # where something lies, in the sweep of whoever gathers
LIES_FOR_S = 301
rig = rig_with_alice(HERE)


def lay(rig: Rig, *items: str) -> None:
    for item in items:
        rig.world.terrain().drop(item, 1, THERE)


async def dies(rig: Rig, item: str) -> None:
    """Steve, with something in his bag."""
    steve = rig.world.person("Steve", THERE)
    rig.world.give("Steve", item)
    rig.world.kill("Steve")
    steve.leave()
    await until(lambda: rig.bots["Alice"].graves.zones("overworld"))


async def on_a_field(rig: Rig) -> None:
    put(rig, "farmland", (8, GROUND - 1, 13))
    lay(rig, "oak_log")


async def beside_a_field(rig: Rig) -> None:
    put(rig, "farmland", (9, GROUND - 1, 14))
    lay(rig, "oak_log")


async def where_somebody_died(rig: Rig) -> None:
    await dies(rig, "oak_log")


async def with_gear(rig: Rig) -> None:
    lay(rig, "iron_pickaxe", "stone_sword", "oak_log")


async def on_the_ground(rig: Rig) -> None:
    lay(rig, "oak_log")


async def on_a_field_of_its_own(rig: Rig) -> None:
    await on_a_field(rig)
    above = Position(8, GROUND, 13)
    await rig.bots["Alice"].placements.add("wheat_seeds", "wheat", above, "overworld")


async def where_somebody_died_long_ago(rig: Rig) -> None:
    await dies(rig, "oak_log")
    await rig.world.clock.advance(LIES_FOR_S)


async def with_one_tool(rig: Rig) -> None:
    lay(rig, "iron_pickaxe", "oak_log")


@pytest.mark.parametrize(
    ("something_lies", "word", "is_taken"),
    [
        (on_a_field, "oak_log", False),
        (on_a_field, "log", False),
        (beside_a_field, "oak_log", False),
        (where_somebody_died, "oak_log", False),
        (where_somebody_died, "log", False),
        (with_gear, "log", False),
        (on_the_ground, "oak_log", True),
        (on_a_field_of_its_own, "oak_log", True),
        (where_somebody_died_long_ago, "oak_log", True),
        (with_one_tool, "log", True),
    ],
)
async def test_who_gathers_lets_things_of_others_lie(
    rig: Rig, something_lies: Callable[[Rig], Awaitable[None]], word: str, is_taken: bool
) -> None:
    put(rig, "oak_log", (11, GROUND, 8))
    await something_lies(rig)
    assert (await carry_out(rig, f"!skill gather {word}"))["success"]
    assert carried(rig)["oak_log"] == 1 + is_taken
    lying = [drop.item for drop in rig.world.terrain().drops]
    assert ("oak_log" in lying) != is_taken


async def test_who_is_told_to_pick_up_takes_what_lies_there(rig: Rig) -> None:
    await on_a_field(rig)
    assert (await carry_out(rig, "!skill collectDrops"))["collected"] == {"oak_log": 1}


@pytest.mark.parametrize("is_theirs", [True, False])
async def test_an_idle_bot_picks_its_flower_alone(rig: Rig, is_theirs: bool) -> None:
    put(rig, "poppy", (8, GROUND, 6))
    if is_theirs:
        await dies(rig, "poppy")
    else:
        lay(rig, "poppy")
    alice = rig.bots["Alice"]
    nothing: frozenset[str] = frozenset()
    world = await alice.snapshot()
    around = Surroundings(
        alice, world, HERE, 20.0, True, nothing, nothing, nothing, random.Random(1)
    )
    doing = await pick(around)
    assert doing is not None

    async def work(job: Job) -> Result:
        assert await doing.work(job)
        return Result()

    job = alice.jobs.begin(JobSpec("idle", work, lambda _: Failure(reason="", message=""), 60.0))
    while not job.is_over:
        await rig.world.clock.advance(STEP_S)
    assert job.outcome().as_json()["success"]
    assert carried(rig)["poppy"] == 1 + (not is_theirs)
