"""`!skill jump | sleep | build`: in the simulated world."""

import asyncio
from collections import Counter

import pytest
from support.acting import GROUND, carry_out, comes_to, give
from support.rig import Rig, run_json

from bots.skills import building
from bots.skills.building import Design
from bridge.world import Position

HOUSE = building.designs()["small_house"]
NIGHT = 13_000
BED, OTHER_BED = Position(11, GROUND, 8), Position(5, GROUND, 8)


def stands(rig: Rig, design: Design, middle: Position, *, wood: str = "oak") -> Counter[str]:
    """The blocks of a design that stand there, by name."""
    cells = ((part, rig.world.block(part.at(middle))) for part in design.parts)
    return Counter(name for part, name in cells if name == building.item_of(part.sign, wood))


def middle_of(result: dict[str, object]) -> Position:
    at = result["at"]
    assert isinstance(at, dict)
    return Position(at["x"], at["y"], at["z"])


async def test_jumps_are_counted(rig: Rig) -> None:
    assert (await carry_out(rig, "!skill jump 3"))["times"] == 3


@pytest.mark.parametrize(
    ("time", "beds", "taken", "shown"),
    [
        (NIGHT, (), None, {"reason": "not_found"}),
        (1_000, (BED,), None, {"reason": "not_night"}),
        (NIGHT, (BED,), BED, {"reason": "bed_taken", "message": "Somebody lies in the bed."}),
        (NIGHT, (BED, OTHER_BED), BED, {"bed": {"x": 5, "y": GROUND, "z": 8}}),
    ],
    ids=["no bed", "by day", "the only bed is taken", "another is free"],
)
async def test_it_sleeps_till_morning_by_night_in_a_bed_that_is_free(
    rig: Rig,
    time: int,
    beds: tuple[Position, ...],
    taken: Position | None,
    shown: dict[str, object],
) -> None:
    rig.world.set_time_of_day(time)
    rig.world.person("Steve", Position(11.5, GROUND, 9.5)).body.bed = taken
    for bed in beds:
        rig.world.set_block(bed, "red_bed")
    result = await carry_out(rig, "!skill sleep")
    assert {key: result.get(key) for key in shown} == shown
    assert "reason" in shown or rig.world.time_of_day < 1_000


async def test_chased_from_its_bed_it_goes_back_to_sleep(rig: Rig) -> None:
    rig.world.set_time_of_day(NIGHT)
    rig.world.set_block(BED, "red_bed")
    rig.world.person("Steve", Position(11.5, GROUND, 9.5))  # who stays up
    alice, body = rig.bots["Alice"], rig.world.body("Alice")
    sleeping = asyncio.create_task(run_json(alice, "!skill sleep"))
    await comes_to(rig, lambda: body.bed is not None)
    async with alice.actions.held():
        rig.world.teleport("Alice", Position(30.5, GROUND, 8.5))
    await comes_to(rig, lambda: body.bed is not None and body.position.distance_to(BED) < 4)
    rig.world.set_time_of_day(1_000)
    await comes_to(rig, sleeping.done)
    assert sleeping.result()["success"]


async def test_a_bed_in_an_area_to_leave_alone_is_left_alone(rig: Rig) -> None:
    rig.world.set_time_of_day(NIGHT)
    rig.world.set_block(BED, "red_bed")
    await run_json(rig.bots["Alice"], f"!area forbid base 11 {GROUND} 8 2")
    assert (await carry_out(rig, "!skill sleep"))["reason"] == "not_found"


async def test_a_house_is_built_of_what_it_carries(rig: Rig) -> None:
    give(rig, oak_planks=128, oak_door=1, torch=1)
    result = await carry_out(rig, "!skill build")
    assert stands(rig, HOUSE, middle_of(result)) == {"oak_planks": 71, "oak_door": 1, "torch": 1}
    x, _, z = (result["at"][axis] for axis in "xyz")
    assert rig.world.body("Alice").position.block == Position(x, GROUND, z)


async def test_what_lacks_is_made_first(rig: Rig) -> None:
    give(rig, birch_log=24, crafting_table=1)
    result = await carry_out(rig, "!skill build small house")
    built = stands(rig, HOUSE, middle_of(result), wood="birch")
    assert built == {"birch_planks": 71, "birch_door": 1}


async def test_a_house_that_was_begun_is_gone_on_with(rig: Rig) -> None:
    give(rig, oak_planks=128, oak_door=1)
    building_it = asyncio.create_task(run_json(rig.bots["Alice"], "!skill build"))
    placed = rig.bots["Alice"].placements
    await comes_to(rig, lambda: len(placed.everyones("overworld")) >= 20)
    await run_json(rig.bots["Alice"], "!stop")
    assert (await building_it)["reason"] == "stopped"
    before = placed.everyones("overworld")
    rig.world.teleport("Alice", Position(14.5, GROUND, 14.5))
    result = await carry_out(rig, "!skill build")
    assert result["blocks"] == 72 - len(before)
    assert stands(rig, HOUSE, middle_of(result)) == {"oak_planks": 71, "oak_door": 1}


async def test_it_builds_neither_at_somebodys_house_nor_where_it_may_not(rig: Rig) -> None:
    give(rig, oak_planks=128, oak_door=1)
    rig.world.set_block(Position(13, GROUND, 8), "furnace")
    await run_json(rig.bots["Alice"], f"!area forbid base 2 {GROUND} 8 3")
    at = middle_of(await carry_out(rig, "!skill build"))
    assert max(abs(at.x - 13), abs(at.z - 8)) > 8
    assert max(abs(at.x - 2), abs(at.z - 8)) > 5


async def test_where_no_ground_is_level_nothing_is_built(rig: Rig) -> None:
    give(rig, oak_planks=128, oak_door=1)
    for x in range(-40, 60, 3):
        for z in range(-40, 60, 3):
            if (x, z) != (8, 8):
                rig.world.set_block(Position(x, GROUND, z), "stone")
    assert (await carry_out(rig, "!skill build"))["reason"] == "blocked"


async def test_an_unknown_design_is_refused_with_those_known(rig: Rig) -> None:
    result = await carry_out(rig, "!skill build castle")
    assert (result["reason"], *result["known"]) == ("unknown_design", "small_house")
