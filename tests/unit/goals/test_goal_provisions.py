"""Where monsters may come a bot brings a sword and torches along, if they cost little."""

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from support.acting import GROUND, put
from support.goal_runs import HERE, begin, furnish, reach, traced
from support.rig import Rig

from bots.settings.world import SurvivalSettings
from bridge.world import DUSK_TICK, MobSighting, Position

IRON_PICKAXE = "inventory.iron_pickaxe:1"


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path)
    found.shared = replace(found.shared, survival=SurvivalSettings())
    furnish(found)
    found.world.set_time_of_day(1_000)
    found.world.difficulty = "normal"
    yield found
    await found.aclose()


async def test_a_sword_and_torches_are_made_on_the_way_and_the_torches_put_up(rig: Rig) -> None:
    await rig.bot("Alice", HERE)
    rig.world.give("Alice", "coal", 1)
    done = await reach(rig, IRON_PICKAXE)
    steps = [entry["step"] for entry in traced(rig, "goal.step_done")]
    made = [step["target"] for step in steps if step["action"] == "craft"]
    assert done["success"], done
    assert {"stone_sword", "torch"} <= {*made}
    assert done["goal"] == IRON_PICKAXE
    assert made.index("stone_sword") < made.index("iron_pickaxe")
    around = product(range(-8, 25), range(50, 64), range(-8, 25))
    assert any("torch" in rig.world.block(Position(*cell)) for cell in around)


@pytest.mark.parametrize("why", ["peaceful", "survival is off", "far too dear"])
async def test_nothing_is_brought_where_it_is_not_wanted_or_too_dear(rig: Rig, why: str) -> None:
    if why == "peaceful":
        rig.world.difficulty = "peaceful"
    elif why == "survival is off":
        rig.shared = replace(rig.shared, survival=SurvivalSettings(enabled=False))
    await rig.bot("Alice", HERE)
    goal = "inventory.stick:4" if why == "far too dear" else IRON_PICKAXE
    assert (await reach(rig, goal))["success"]
    body = rig.world.body("Alice")
    assert not body.inventory.count("stone_sword") + body.inventory.count("torch")


@pytest.mark.parametrize("when", ["by day", "at dusk"])
async def test_no_meal_is_hunted_for_which_quick_work_would_wait_for_day(
    rig: Rig, when: str
) -> None:
    at = Position(HERE.x + 11, GROUND, HERE.z)
    rig.world.mobs.append(MobSighting("cow", at, hostile=False, id=1))
    put(rig, "stone", *product(range(8), range(56, 61), range(8)))
    await rig.bot("Alice", HERE)
    rig.world.set_time_of_day(1_000 if when == "by day" else DUSK_TICK)
    running = begin(rig, ["inventory.cobblestone:300", "inventory.oak_log:7"])
    while not (planned := traced(rig, "goal.planned")):
        await rig.pass_time(0.1)
    running.cancel()
    is_hunted = any(step.startswith("hunt") for step in planned[0]["steps"])
    assert is_hunted == (when == "by day")
