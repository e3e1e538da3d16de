"""`!navigation goto | gotoCoords | moveInDirection`: the bot ends where the result says."""

import pytest
from support.job_runs import begin, carry_out, pass_until_done
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.world import Position

HERE = Position(0.5, 64, 0.5)


def where(rig: Rig) -> Position:
    return rig.world.body("Alice").position


def wall_in(rig: Rig, centre: Position) -> None:
    for dx in (-1, 0, 1):
        for dz in (-1, 0, 1):
            for dy in (0, 1, 2):
                if dx or dz:
                    block = Position(centre.x + dx, centre.y + dy, centre.z + dz)
                    rig.world.set_block(block, "stone")


# --- goto -----------------------------------------------------------------------------


async def test_a_bot_goes_to_a_place_it_knows(rig: Rig, alice: Bot) -> None:
    await run_json(alice, '!navigation register {"name": "home", "coords": [20, 64, 5]}')
    result = await carry_out(rig, alice, '!navigation goto {"name": "home"}')
    here = where(rig)
    assert here.distance_to(Position(20.5, 64, 5.5)) <= 3
    assert result == {
        "success": True,
        "message": "I am at home.",
        "location": {"x": 20, "y": 64, "z": 5},
        "position": {"x": here.block.x, "y": 64, "z": here.block.z},
    }


async def test_the_range_says_how_near_is_near_enough(rig: Rig, alice: Bot) -> None:
    await run_json(alice, '!navigation register {"name": "home", "coords": [20, 64, 5]}')
    await carry_out(rig, alice, '!creative nav goto {"name": "home", "range": 0}')
    assert where(rig) == Position(20.5, 64, 5.5)


async def test_spawn_is_a_place_everybody_knows(rig: Rig, alice: Bot) -> None:
    assert (await carry_out(rig, alice, "!navigation goto spawn"))["success"] is True
    assert where(rig).distance_to(rig.world.spawn_point) <= 3


async def test_an_unknown_place_is_refused_with_the_known_ones(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    result = await carry_out(rig, alice, "!navigation goto hme")
    assert (result["success"], result["reason"]) == (False, "unknown_location")
    assert (result["registeredLocations"], result["nearest"]) == (["home"], "home")
    assert where(rig) == HERE


async def test_a_place_in_another_dimension_is_not_walked_to(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!navigation register home")
    rig.world.teleport("Alice", HERE, "the_nether")
    result = await carry_out(rig, alice, "!navigation goto home")
    assert (result["reason"], result["dimension"]) == ("other_dimension", "overworld")


async def test_where_no_way_leads_is_told(rig: Rig, alice: Bot) -> None:
    wall_in(rig, HERE.block)
    result = await carry_out(rig, alice, "!navigation goto spawn")
    assert (result["success"], result["reason"]) == (False, "no_path")
    assert where(rig) == HERE


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["!navigation goto spawn", "!navigation gotoCoords 8 64 8", "!skill moveTo 8 64 8"]
)
async def test_out_of_a_tunnel_it_digs_its_way(rig: Rig, alice: Bot, text: str) -> None:
    for height in (50, 51):
        rig.world.set_block(Position(0, height, 0), "air")
    rig.world.teleport("Alice", Position(0.5, 50, 0.5))
    result = await carry_out(rig, alice, text)
    assert result["success"] is True, result
    assert where(rig).distance_to(Position(8.5, 64, 8.5)) <= 3


@pytest.mark.parametrize(
    "text", ["!navigation goto spawn", "!navigation gotoCoords 8 64 8", "!skill moveTo 8 64 8"]
)
async def test_out_of_a_stone_house_it_breaks_no_wall(rig: Rig, alice: Bot, text: str) -> None:
    wall_in(rig, HERE.block)
    before = dict(rig.world.terrain().changes)
    assert (await carry_out(rig, alice, text))["reason"] == "no_path"
    assert dict(rig.world.terrain().changes) == before


async def test_a_walk_has_one_deadline_for_going_and_digging(rig: Rig, alice: Bot) -> None:
    for height in (50, 51):
        rig.world.set_block(Position(0, height, 0), "air")
    rig.world.teleport("Alice", Position(0.5, 50, 0.5))
    began = rig.world.clock.monotonic()
    text = '!primitive moveTo {"position": [8, 64, 8], "timeout": 5000}'
    assert (await carry_out(rig, alice, text))["reason"] == "deadline"
    assert rig.world.clock.monotonic() - began <= 6


# --- gotoCoords -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        *('{"coords": [12, 64, -7]}', '{"coords": {"x": 12, "y": 64, "z": -7}}'),
        *('{"x": 12, "y": 64, "z": -7}', "12 64 -7", "12, 64, -7"),
    ],
)
@pytest.mark.parametrize("name", ["navigation gotoCoords", "creative nav gotoCoords"])
async def test_a_point_may_be_written_in_every_known_way(
    rig: Rig, alice: Bot, name: str, arguments: str
) -> None:
    result = await carry_out(rig, alice, f"!{name} {arguments}")
    assert (result["success"], result["location"]) == (True, {"x": 12, "y": 64, "z": -7})
    assert where(rig).distance_to(Position(12.5, 64, -6.5)) <= 1


@pytest.mark.parametrize(
    "arguments",
    ["", "12 64", "12 64 x", '{"x": 1, "y": 2}', '{"coords": "here"}', '{"coords": [1, 2, 4e7]}'],
)
async def test_what_is_no_point_is_refused_with_the_usage(alice: Bot, arguments: str) -> None:
    result = await run_json(alice, f"!navigation gotoCoords {arguments}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")
    assert result["usage"].startswith("!navigation gotoCoords <x> <y> <z>")


async def test_a_stopped_walk_goes_no_further(rig: Rig, alice: Bot) -> None:
    running = await begin(rig, alice, "!navigation gotoCoords 60 64 0")
    await rig.world.clock.advance(3)
    assert (await run_json(alice, "!stop"))["stoppedActions"] == ["!navigation gotoCoords"]
    stopped_at = where(rig)
    assert (await running)["reason"] == "stopped"
    await rig.world.clock.advance(30)
    assert HERE.x < stopped_at.x < 60
    assert where(rig) == stopped_at


async def test_a_new_walk_takes_the_place_of_the_old_one(rig: Rig, alice: Bot) -> None:
    first = await begin(rig, alice, "!navigation gotoCoords 60 64 0")
    result = await carry_out(rig, alice, "!navigation gotoCoords -5 64 0")
    await pass_until_done(rig, first)
    assert (await first)["reason"] == "replaced"
    assert result["success"] is True
    assert where(rig).distance_to(Position(-4.5, 64, 0.5)) <= 1


# --- moveInDirection ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yaw", "target"),
    [
        (0, {"x": 0, "y": 64, "z": -10}),
        (90, {"x": -10, "y": 64, "z": 0}),
        (180, {"x": 0, "y": 64, "z": 10}),
        (-90, {"x": 10, "y": 64, "z": 0}),
    ],
)
async def test_yaw_turns_from_north_against_the_clock(
    rig: Rig, alice: Bot, yaw: float, target: dict[str, int]
) -> None:
    command = f'!navigation moveInDirection {{"distance": 10, "yaw": {yaw}}}'
    result = await carry_out(rig, alice, command)
    assert (result["success"], result["targetPosition"]) == (True, target)
    assert where(rig) == Position(target["x"] + 0.5, 64, target["z"] + 0.5)


async def test_without_a_yaw_it_goes_where_it_looks(rig: Rig, alice: Bot) -> None:
    rig.world.body("Alice").yaw = 90.0
    result = await carry_out(rig, alice, "!navigation moveInDirection 6")
    assert result["targetPosition"] == {"x": -6, "y": 64, "z": 0}


async def test_the_ground_there_may_be_higher(rig: Rig, alice: Bot) -> None:
    for height, z in ((64, -8), (64, -9), (64, -10), (65, -10)):
        rig.world.set_block(Position(0, height, z), "stone")
    result = await carry_out(rig, alice, "!navigation moveInDirection 10 0")
    assert result["actualPosition"]["y"] >= 65
    assert result["targetPosition"] == {"x": 0, "y": 66, "z": -10}


@pytest.mark.parametrize(
    ("mode", "y"), [("nearest", 64), ("above", 71), ("surface", 90), ("below", 41)]
)
async def test_the_vertical_mode_chooses_among_the_floors(
    rig: Rig, alice: Bot, mode: str, y: int
) -> None:
    wall_in(rig, HERE.block)
    for height in (70, 89):
        rig.world.set_block(Position(0, height, -10), "stone")
    for height in (41, 42):
        rig.world.set_block(Position(0, height, -10), "air")
    command = f'{{"distance": 10, "yaw": 0, "verticalMode": "{mode}"}}'
    result = await carry_out(rig, alice, f"!navigation moveInDirection {command}")
    assert (result["success"], result["reason"]) == (False, "no_path")
    assert result["targetPosition"] == {"x": 0, "y": y, "z": -10}


async def test_nowhere_to_stand_is_told(alice: Bot, rig: Rig) -> None:
    command = '!navigation moveInDirection {"distance": 10, "verticalMode": "above"}'
    result = await carry_out(rig, alice, command)
    assert (result["success"], result["reason"]) == (False, "not_found")
    assert where(rig) == HERE


async def test_it_goes_farther_than_it_sees(rig: Rig, alice: Bot) -> None:
    result = await carry_out(rig, alice, "!navigation moveInDirection 150 0")
    assert (result["success"], result["targetPosition"]["z"]) == (True, -150)
    assert where(rig).distance_to(Position(0.5, 64, -149.5)) <= 1


@pytest.mark.parametrize(
    "arguments", ["", "0", "-5", "1001", "nan", "5 north", '{"distance": 5, "verticalMode": "up"}']
)
async def test_a_wrong_step_is_refused(alice: Bot, arguments: str) -> None:
    result = await run_json(alice, f"!navigation moveInDirection {arguments}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")
