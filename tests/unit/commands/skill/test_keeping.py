"""`!skill store | light`: in the simulated world."""

import math

from support.acting import GROUND, Scene, carried, carry_out, play, put, scenes
from support.rig import Rig, run_json

from bridge.world import Position

NEAR, FAR = (11, GROUND, 8), (3, GROUND, 8)


def fill(rig: Rig, cell: tuple[int, int, int], **items: int) -> None:
    put(rig, "chest", cell)
    for item, count in items.items():
        rig.world.terrain().chest(Position(*cell)).add(item, count)


def holds(rig: Rig, cell: tuple[int, int, int]) -> dict[str, int]:
    return rig.world.terrain().chest(Position(*cell)).counts()


async def allow(rig: Rig, *cells: tuple[int, int, int]) -> None:
    for cell in cells:
        await run_json(rig.bots["Alice"], f"!chest allow {' '.join(map(str, cell))}")


async def test_things_go_to_their_like_and_what_it_needs_stays(rig: Rig) -> None:
    fill(rig, NEAR, cobblestone=3)
    fill(rig, FAR, oak_log=1)
    await allow(rig, NEAR, FAR)
    given = {"oak_planks": 8, "gravel": 9, "torch": 10, "iron_axe": 1, "stone_axe": 1, "bread": 2}
    for item, count in given.items():
        rig.world.give("Alice", item, count)
    result = await carry_out(rig, "!skill store")
    assert holds(rig, NEAR) == {"cobblestone": 3, "gravel": 9, "stone_axe": 1, "torch": 2}
    assert holds(rig, FAR) == {"oak_log": 1, "oak_planks": 8}
    assert carried(rig) == result["kept"] == {"torch": 8, "iron_axe": 1, "bread": 2}
    assert result["message"].startswith("I put 9 gravel, ")
    assert "and 8 oak planks into the chest at 3 64 8; I keep 1 iron axe" in result["message"]


async def test_somebodys_chest_is_used_only_where_it_is_pointed_at(rig: Rig) -> None:
    fill(rig, NEAR)
    rig.world.give("Alice", "dirt", 4)
    assert (await carry_out(rig, "!skill store"))["reason"] == "not_found"
    assert holds(rig, NEAR) == {}
    assert (await carry_out(rig, '!skill store {"nearest": true}'))["success"]
    assert holds(rig, NEAR) == {"dirt": 4}


async def test_what_is_remembered_as_full_is_looked_into_again(rig: Rig) -> None:
    fill(rig, NEAR, cobblestone=27 * 64)
    await allow(rig, NEAR)
    rig.world.give("Alice", "dirt", 4)
    assert (await carry_out(rig, "!skill store"))["reason"] == "not_found"
    rig.world.terrain().chest(Position(*NEAR)).take("cobblestone", 64)
    assert (await carry_out(rig, "!skill store"))["success"]


async def test_what_finds_no_room_is_told(rig: Rig) -> None:
    fill(rig, NEAR, cobblestone=26 * 64)
    await allow(rig, NEAR)
    rig.world.give("Alice", "dirt", 70)
    result = await carry_out(rig, "!skill store")
    assert (result["reason"], holds(rig, NEAR)["dirt"]) == ("inventory_full", 64)
    assert result["message"].endswith("There is no room in a chest for 6 dirt.")


@scenes(
    Scene(
        "without a chest it puts down its own",
        "!skill store",
        {"kept": {}, "success": True},
        given={"dirt": 4, "chest": 1},
        carried={},
    ),
    Scene(
        "a kind that is named goes whole",
        "!skill store pickaxe, dirt",
        {"kept": {}, "success": True},
        given={"dirt": 4, "iron_pickaxe": 1, "stick": 2, "chest": 1},
        carried={"stick": 2},
    ),
    Scene("nothing is named", "!skill store dirt", {"reason": "missing_item"}, given={"stick": 2}),
    Scene(
        "nothing can be spared",
        "!skill store",
        {"reason": "missing_item"},
        given={"bread": 2},
        says="nothing to put away but what I need: 2 bread",
    ),
    Scene("no such thing", "!skill store blorb", {"reason": "unknown_item"}),
)
async def test_what_is_put_away(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_chest_in_an_area_to_leave_alone_is_left_alone(rig: Rig) -> None:
    fill(rig, NEAR)
    await allow(rig, NEAR)
    await run_json(rig.bots["Alice"], f"!area forbid base 11 {GROUND} 8 2")
    rig.world.give("Alice", "dirt", 4)
    assert (await carry_out(rig, "!skill store"))["reason"] == "not_found"
    assert holds(rig, NEAR) == {}


def torches(rig: Rig) -> set[Position]:
    terrain = rig.world.terrain()
    return {at for at, name in terrain.changes if name == "torch"}


def dark_around(rig: Rig, radius: int) -> set[tuple[int, int]]:
    """The open ground that is farther than six blocks from any torch, on level ground."""
    at = {(int(one.x), int(one.z)) for one in torches(rig)}
    ways = range(-radius, radius + 1)
    cells = {(8 + dx, 8 + dz) for dx in ways for dz in ways if dx * dx + dz * dz <= radius**2}
    return {(x, z) for x, z in cells if not any(abs(x - a) + abs(z - b) <= 6 for a, b in at)}


async def test_no_ground_stays_dark(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 20)
    result = await carry_out(rig, "!skill light")
    assert not dark_around(rig, 12)
    count = len(torches(rig))
    assert count == len(result["torches"]) <= 13
    assert result["dark"] == 0
    assert carried(rig) == {"torch": 20 - count}
    sentence = f"I put {count} torches: within 12 blocks no ground is dark enough for monsters."
    assert result["message"] == sentence
    again = await carry_out(rig, f"!skill light 12 8 {GROUND} 8")
    assert again["message"].startswith("I put no torch: within 12 blocks")


async def test_torches_are_made_of_coal_and_sticks(rig: Rig) -> None:
    rig.world.give("Alice", "coal", 4)
    rig.world.give("Alice", "oak_log", 2)
    await carry_out(rig, "!skill light 6")
    assert not dark_around(rig, 6)
    assert "coal" in carried(rig), "no more than are needed"


async def test_what_lacks_is_told_and_what_there_is_is_put(rig: Rig) -> None:
    result = await carry_out(rig, "!skill light 8")
    assert result["reason"] == "missing_item"
    assert "torches more would do" in result["message"]
    assert "coal" in result["message"]
    rig.world.give("Alice", "torch", 2)
    result = await carry_out(rig, "!skill light 8")
    assert (len(torches(rig)), result["success"]) == (2, True)
    assert result["message"].startswith("I put 2 torches, and within 8 blocks it is still dark: ")


async def test_where_an_area_forbids_it_no_torch_is_put(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 20)
    await run_json(rig.bots["Alice"], f"!area forbid base 14 {GROUND} 8 3")
    result = await carry_out(rig, "!skill light 9")
    assert torches(rig)
    assert all(math.hypot(at.x - 14, at.z - 8) > 3 for at in torches(rig))
    assert result["dark"] == len(dark_around(rig, 9))
