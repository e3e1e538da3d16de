"""`!navigation goto | gotoCoords | moveInDirection`: the bot ends where the result says."""

import pytest
from support.acting import Scene, carry_out, play, put, scenes
from support.job_runs import begin, pass_until_done
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.world import Position

HERE = Position(0.5, 64, 0.5)
HOME = '!navigation register {"name": "home", "coords": [20, 64, 5]}'
WALLS = [(x, y, z) for x in (-1, 0, 1) for y in (64, 65, 66) for z in (-1, 0, 1) if x or z]
SPAWN = {"x": 8, "y": 64, "z": 8}
TO_SPAWN = ("!navigation goto spawn", "!navigation gotoCoords 8 64 8", "!skill moveTo 8 64 8")


def where(rig: Rig) -> Position:
    return rig.world.body("Alice").position


async def test_a_bot_goes_to_a_place_it_knows(rig: Rig, alice: Bot) -> None:
    await run_json(alice, HOME)
    result = await carry_out(rig, '!navigation goto {"name": "home"}')
    here = where(rig)
    assert here.distance_to(Position(20.5, 64, 5.5)) <= 3
    assert result == {
        "success": True,
        "message": "I am at home.",
        "location": {"x": 20, "y": 64, "z": 5},
        "position": {"x": here.block.x, "y": 64, "z": here.block.z},
    }


THERE = {"success": True, "location": {"x": 12, "y": 64, "z": -7}}


@scenes(
    Scene("the range says how near is near enough",
          '!creative nav goto {"name": "home", "range": 0}', {"success": True},
          before=[HOME], near=(20.5, 64, 5.5), within=0),
    Scene("everybody knows the spawn", "!navigation goto spawn",
          {"success": True, "location": SPAWN}, near=(8.5, 64, 8.5)),
    Scene("an unknown place is refused with the known ones", "!navigation goto hme",
          {"success": False, "reason": "unknown_location", "registeredLocations": ["home"],
           "nearest": "home"}, before=[HOME], stays=True),
    *(Scene(f"a point in every known way: {name} {point}", f"!{name} {point}", THERE,
            near=(12.5, 64, -6.5), within=1)
      for name in ("navigation gotoCoords", "creative nav gotoCoords")
      for point in ('{"coords": [12, 64, -7]}', '{"coords": {"x": 12, "y": 64, "z": -7}}',
                    '{"x": 12, "y": 64, "z": -7}', "12 64 -7", "12, 64, -7")),
)  # fmt: skip
async def test_a_walk_leads_to_a_place_or_a_point(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_place_in_another_dimension_is_not_walked_to(rig: Rig, alice: Bot) -> None:
    await run_json(alice, HOME)
    rig.world.teleport("Alice", HERE, "the_nether")
    result = await carry_out(rig, "!navigation goto home")
    assert (result["reason"], result["dimension"]) == ("other_dimension", "overworld")


def in_a_tunnel(rig: Rig) -> None:
    put(rig, "air", (0, 50, 0), (0, 51, 0))
    rig.world.teleport("Alice", Position(0.5, 50, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize("text", TO_SPAWN)
async def test_out_of_a_tunnel_it_digs_its_way(rig: Rig, text: str) -> None:
    in_a_tunnel(rig)
    result = await carry_out(rig, text)
    assert result["success"] is True, result
    assert where(rig).distance_to(Position(8.5, 64, 8.5)) <= 3


@pytest.mark.parametrize("text", TO_SPAWN)
async def test_out_of_a_stone_house_it_breaks_no_wall_and_stays(rig: Rig, text: str) -> None:
    put(rig, "stone", *WALLS)
    before = dict(rig.world.terrain().changes)
    result = await carry_out(rig, text)
    assert (result["success"], result["reason"], where(rig)) == (False, "no_path", HERE)
    assert dict(rig.world.terrain().changes) == before


async def test_a_walk_has_one_deadline_for_going_and_digging(rig: Rig) -> None:
    in_a_tunnel(rig)
    began = rig.world.clock.monotonic()
    text = '!primitive moveTo {"position": [8, 64, 8], "timeout": 5000}'
    assert (await carry_out(rig, text))["reason"] == "deadline"
    assert rig.world.clock.monotonic() - began <= 6


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
    result = await carry_out(rig, "!navigation gotoCoords -5 64 0")
    await pass_until_done(rig, first)
    assert (await first)["reason"] == "replaced"
    assert result["success"] is True
    assert where(rig).distance_to(Position(-4.5, 64, 0.5)) <= 1


# --- moveInDirection ------------------------------------------------------------------


FLOORS = {"stone": [*WALLS, (0, 70, -10), (0, 89, -10)], "air": [(0, 41, -10), (0, 42, -10)]}


@scenes(
    *(Scene(f"to the {side}", f'!navigation moveInDirection {{"distance": 10, "yaw": {yaw}}}',
            {"success": True, "targetPosition": {"x": x, "y": 64, "z": z},
             "actualPosition": {"x": x, "y": 64, "z": z}},
            near=(x + 0.5, 64, z + 0.5), within=0)
      for side, yaw, x, z in (("north", 0, 0, -10), ("west", 90, -10, 0), ("south", 180, 0, 10),
                              ("east", -90, 10, 0))),
    Scene("farther than it sees", "!navigation moveInDirection 150 0",
          {"success": True, "targetPosition": {"x": 0, "y": 64, "z": -150}},
          near=(0.5, 64, -149.5), within=1),
    Scene("the ground there may be higher", "!navigation moveInDirection 10 0",
          {"targetPosition": {"x": 0, "y": 66, "z": -10}}, near=(0.5, 66, -9.5), within=1,
          blocks={"stone": [(0, 64, -8), (0, 64, -9), (0, 64, -10), (0, 65, -10)]}),
    *(Scene(f"the mode {mode} chooses among the floors",
            f'!navigation moveInDirection {{"distance": 10, "yaw": 0, "verticalMode": "{mode}"}}',
            {"success": False, "reason": "no_path", "targetPosition": {"x": 0, "y": y, "z": -10}},
            blocks=FLOORS)
      for mode, y in (("nearest", 64), ("above", 71), ("surface", 90), ("below", 41))),
    Scene("nowhere to stand",
          '!navigation moveInDirection {"distance": 10, "verticalMode": "above"}',
          {"success": False, "reason": "not_found"}, stays=True),
)  # fmt: skip
async def test_a_step_has_a_direction_a_length_and_a_floor(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_without_a_yaw_it_goes_where_it_looks(rig: Rig) -> None:
    rig.world.body("Alice").yaw = 90.0
    result = await carry_out(rig, "!navigation moveInDirection 6")
    assert result["targetPosition"] == {"x": -6, "y": 64, "z": 0}
