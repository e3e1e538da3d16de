"""What a bot saw people place is theirs, natural as it looks, after a restart too."""

from pathlib import Path

import pytest
from support.acting import GROUND, carry_out, put
from support.rig import OPEN_HOUSE, Rig, rig_with_alice, until

from bots.bot.placements import A_PERSON, AllPlacements, Placement
from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)
HUT = [
    Position(x, GROUND + up, z)
    for x in range(11, 16)
    for z in range(6, 11)
    for up in range(3)
    if x in (11, 15) or z in (6, 10) or up == 2
]


rig = rig_with_alice(HERE, OPEN_HOUSE)


async def build(rig: Rig, block: str, cells: list[Position]) -> None:
    """Somebody puts blocks down before the eyes of Alice."""
    steve = rig.world.person("Steve", Position(13.5, GROUND, 4.5))
    for at in cells:
        steve.place(block, at)
    seen = rig.bots["Alice"].placements
    await until(lambda: len(seen.peoples("overworld")) == len(cells))
    steve.leave()


def standing(rig: Rig, block: str, cells: list[Position]) -> int:
    return sum(rig.world.block(at) == block for at in cells)


@pytest.mark.parametrize("block", ["dirt", "sand", "gravel", "stone"])
async def test_a_hut_of_natural_blocks_is_left(rig: Rig, block: str) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    await build(rig, block, HUT)
    result = await carry_out(rig, f'!skill gather {{"itemName": "{block}", "maxDistance": 12}}')
    assert standing(rig, block, HUT) == len(HUT)
    if block in ("dirt", "stone"):  # which lies under the grass as well
        assert result["success"]
    else:
        assert result["reason"] == "built"


async def test_a_few_logs_that_somebody_laid_down_are_left(rig: Rig) -> None:
    await build(rig, "oak_log", HUT[:3])
    assert (await carry_out(rig, "!skill gather oak_log"))["reason"] == "built"
    assert standing(rig, "oak_log", HUT[:3]) == 3


async def test_a_restart_forgets_nothing_seen(rig: Rig, tmp_path: Path) -> None:
    await build(rig, "sand", HUT)
    await rig.aclose()
    again = await Rig.found(tmp_path)
    await again.bot("Alice", HERE)
    for at in HUT:
        again.world.set_block(at, "sand")
    far = [Position(-10, GROUND, z) for z in (8, 9)]
    for at in far:
        again.world.set_block(at, "sand")
    assert (await carry_out(again, "!skill gather sand 2"))["success"]
    assert (standing(again, "sand", HUT), standing(again, "sand", far)) == (len(HUT), 0)
    await again.aclose()


async def test_what_another_bot_places_is_nobodys(rig: Rig) -> None:
    await rig.bot("Bob", Position(12.5, GROUND, 8.5))
    rig.world.give("Bob", "sand", 1)
    assert (await carry_out(rig, "!skill place sand 11 64 8", bot="Bob"))["success"]
    assert (await carry_out(rig, "!skill gather sand"))["success"]
    assert not rig.bots["Alice"].placements.peoples("overworld")


async def test_what_somebody_pointed_at_is_taken_and_forgotten(rig: Rig) -> None:
    await build(rig, "sand", HUT[:5])
    at = HUT[0]
    assert (await carry_out(rig, f"!skill gather sand at {at.x} {at.y} {at.z}"))["success"]
    assert not rig.bots["Alice"].placements.peoples("overworld")


async def test_what_somebody_took_away_again_is_forgotten(rig: Rig) -> None:
    await build(rig, "sand", HUT[:3])
    steve = rig.world.person("Steve", Position(13.5, GROUND, 4.5))
    steve.place("air", HUT[0])
    seen = rig.bots["Alice"].placements
    await until(lambda: set(seen.peoples("overworld")) == set(HUT[1:3]))


async def test_no_way_is_dug_through_what_somebody_placed(rig: Rig) -> None:
    room = [(x, y, z) for x in range(5, 13) for y in range(63, 68) for z in range(5, 13)]
    inside = [(x, y, z) for x, y, z in room if {x, z}.isdisjoint((5, 12)) and y in (64, 65, 66)]
    put(rig, "bedrock", *(cell for cell in room if cell not in inside))
    heap = [Position(x, y, z) for x, y, z in inside if z > 8]
    await build(rig, "sand", heap)
    dug = await carry_out(rig, "!skill moveTo 8 64 11 1")
    assert not dug["success"]
    assert standing(rig, "sand", heap) == len(heap)


async def test_the_oldest_of_very_many_are_forgotten(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.bot.placements.MOST_OF_PEOPLE", 3)
    known: AllPlacements = rig.shared.placements
    for x in range(5):
        await known.of("Alice").seen("dirt", Position(x, GROUND, 0), "overworld")
    assert sorted(at.x for at in known.of("Bob").peoples("overworld")) == [2, 3, 4]


async def test_a_bots_own_block_stays_its_own(rig: Rig) -> None:
    placed, at = rig.bots["Alice"].placements, Position(1, GROUND, 0)
    await placed.add("dirt", "dirt", at, "overworld")
    await placed.seen("dirt", at, "overworld")
    assert not placed.peoples("overworld")
    await placed.seen("sand", at, "overworld")
    assert placed.peoples("overworld") == {at: "sand"}
    known = rig.shared.placements.known
    assert known == (Placement(A_PERSON, "sand", "sand", at, "overworld", None),)
