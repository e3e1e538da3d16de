"""`!skill store | light | tend`: in the simulated world."""

import math
from collections.abc import Callable

import pytest
from support.acting import (
    GROUND,
    Cell,
    Scene,
    carried,
    carry_out,
    comes_to,
    fill,
    give,
    play,
    put,
    scenes,
    under_way,
)
from support.rig import Rig, run_json

from bots.access.origin import Person
from bridge.world import PlayerName, Position

NEAR, FAR = (11, GROUND, 8), (3, GROUND, 8)


def holds(rig: Rig, cell: Cell) -> dict[str, int]:
    return rig.world.terrain().chest(Position(*cell)).counts()


async def ours(rig: Rig, cell: Cell, **items: int) -> None:
    """A chest with these things, which the bots may use."""
    fill(rig, cell, items)
    await run_json(rig.bots["Alice"], f"!chest allow {' '.join(map(str, cell))}")


def reaped(rig: Rig, count: int) -> Callable[[], bool]:
    return lambda: carried(rig).get("wheat", 0) >= count


async def test_things_go_to_their_like_and_what_it_needs_stays(rig: Rig) -> None:
    await ours(rig, NEAR, cobblestone=3)
    await ours(rig, FAR, oak_log=1)
    give(rig, oak_planks=8, gravel=9, torch=10, iron_axe=1, stone_axe=1, bread=2)
    result = await carry_out(rig, "!skill store")
    assert holds(rig, NEAR) == {"cobblestone": 3, "gravel": 9, "stone_axe": 1, "torch": 2}
    assert holds(rig, FAR) == {"oak_log": 1, "oak_planks": 8}
    assert carried(rig) == result["kept"] == {"torch": 8, "iron_axe": 1, "bread": 2}
    assert result["message"].startswith("I put 9 gravel, ")
    assert "and 8 oak planks into the chest at 3 64 8; I keep 1 iron axe" in result["message"]


async def test_somebodys_chest_is_used_only_where_it_is_pointed_at(rig: Rig) -> None:
    fill(rig, NEAR, {})
    rig.world.give("Alice", "dirt", 4)
    assert (await carry_out(rig, "!skill store"))["reason"] == "not_found"
    assert holds(rig, NEAR) == {}
    assert (await carry_out(rig, '!skill store {"nearest": true}'))["success"]
    assert holds(rig, NEAR) == {"dirt": 4}


async def test_what_is_remembered_as_full_is_looked_into_again(rig: Rig) -> None:
    await ours(rig, NEAR, cobblestone=27 * 64)
    rig.world.give("Alice", "dirt", 4)
    assert (await carry_out(rig, "!skill store"))["reason"] == "not_found"
    rig.world.terrain().chest(Position(*NEAR)).take("cobblestone", 64)
    assert (await carry_out(rig, "!skill store"))["success"]


async def test_what_finds_no_room_is_told(rig: Rig) -> None:
    await ours(rig, NEAR, cobblestone=26 * 64)
    rig.world.give("Alice", "dirt", 70)
    result = await carry_out(rig, "!skill store")
    assert (result["reason"], holds(rig, NEAR)["dirt"]) == ("inventory_full", 64)
    assert result["message"].endswith("There is no room in a chest for 6 dirt.")


@scenes(
    Scene("without a chest it puts down its own", "!skill store", {"kept": {}, "success": True},
          given={"dirt": 4, "chest": 1}, carried={}),
    Scene("a kind that is named goes whole", "!skill store pickaxe, dirt",
          {"kept": {}, "success": True},
          given={"dirt": 4, "iron_pickaxe": 1, "stick": 2, "chest": 1}, carried={"stick": 2}),
    Scene("nothing is named", "!skill store dirt", {"reason": "missing_item"}, given={"stick": 2}),
    Scene("nothing can be spared", "!skill store", {"reason": "missing_item"}, given={"bread": 2},
          says="nothing to put away but what I need: 2 bread"),
    Scene("no such thing", "!skill store blorb", {"reason": "unknown_item"}),
)  # fmt: skip
async def test_what_is_put_away(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_chest_in_an_area_to_leave_alone_is_left_alone(rig: Rig) -> None:
    await ours(rig, NEAR)
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
    give(rig, coal=4, oak_log=2)
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
    assert (len(torches(rig)), result["reason"]) == (2, "missing_item")
    assert result["message"].startswith("I put 2 torches, and within 8 blocks it is still dark. ")


async def test_where_an_area_forbids_it_no_torch_is_put(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 20)
    await run_json(rig.bots["Alice"], f"!area forbid base 14 {GROUND} 8 3")
    result = await carry_out(rig, "!skill light 9")
    assert torches(rig)
    assert all(math.hypot(at.x - 14, at.z - 8) > 3 for at in torches(rig))
    assert result["dark"] == len(dark_around(rig, 9))


BEDS = [(x, GROUND - 1, 12) for x in (4, 5, 6, 8, 9)]  # with water between
STEVE, BOB = Person(PlayerName("Steve")), Person(PlayerName("Bob"))


def field(rig: Rig, *beds: Cell) -> list[Cell]:
    """Wheat, which is always ripe here; where it stands."""
    crops = [(x, y + 1, z) for x, y, z in beds]
    put(rig, "farmland", *beds)
    put(rig, "wheat", *crops)
    return crops


async def test_the_field_by_the_asker_is_reaped_and_sown_till_the_stop(rig: Rig) -> None:
    crops = field(rig, *BEDS)
    elsewhere = field(rig, (20, GROUND - 1, 8))
    rig.world.person("Steve", Position(6.5, GROUND, 14.5))
    rig.world.give("Alice", "wheat_seeds", 64)
    async with under_way(rig, "!skill tend", origin=STEVE):
        await comes_to(rig, reaped(rig, 2 * len(crops)))
    assert {rig.world.block(Position(*at)) for at in (*crops, *elsewhere)} == {"wheat"}
    assert carried(rig)["wheat_seeds"] <= 64 - 2 * len(crops)


async def test_what_no_one_points_at_is_tended_only_where_a_bot_sowed_or_an_area_allows(
    rig: Rig,
) -> None:
    alice = rig.bots["Alice"]
    field(rig, *BEDS)
    rig.world.give("Alice", "wheat_seeds", 64)
    refused = await run_json(alice, "!skill tend")
    assert (refused["reason"], carried(rig)) == ("not_found", {"wheat_seeds": 64})
    await run_json(alice, f"!area allow field 6 {GROUND} 12 5")
    async with under_way(rig, "!skill tend"):
        await comes_to(rig, reaped(rig, 3))
    await run_json(alice, "!area forget field")
    async with under_way(rig, "!skill tend"):  # now the bots sowed it
        await comes_to(rig, reaped(rig, 2 * len(BEDS)))


@pytest.mark.parametrize(("rule", "goes"), [("forbid", False), ("ask", True)])
async def test_an_area_that_forbids_it_is_left_alone_and_where_it_asks_the_order_is_the_yes(
    rig: Rig, rule: str, goes: bool
) -> None:
    field(rig, *BEDS)
    rig.world.person("Steve", Position(6.5, GROUND, 14.5))
    rig.world.give("Alice", "wheat_seeds", 9)
    await run_json(rig.bots["Alice"], f"!area {rule} base 6 {GROUND} 12 8", BOB)
    if goes:
        async with under_way(rig, "!skill tend", origin=STEVE):
            await comes_to(rig, reaped(rig, 3))
    else:
        assert (await carry_out(rig, "!skill tend", origin=STEVE))["reason"] == "forbidden_area"
        assert "wheat" not in carried(rig)


async def test_the_harvest_goes_into_the_chest_when_the_bag_fills(rig: Rig) -> None:
    field(rig, *BEDS)
    await ours(rig, NEAR)
    for name in ("dirt", "gravel", "sand", "stone", "cobblestone", "stick"):
        rig.world.give("Alice", name, 5 * 64)
    give(rig, coal=3 * 64, wheat_seeds=30)
    async with under_way(rig, f"!skill tend 6 {GROUND} 12", origin=STEVE):
        await comes_to(rig, lambda: holds(rig, NEAR).get("wheat"))
    assert holds(rig, NEAR).keys() <= {"wheat", "wheat_seeds"}
    assert holds(rig, NEAR)["wheat"] >= 1
    assert carried(rig)["dirt"] == 5 * 64
