"""Skills on a real server, asserted by what it knows; from bare hands on: e2e/test_a_day.py."""

import itertools
from functools import partial

import pytest
from actions.crew import NAME, Crew
from contract.arena import eventually

from bridge.actions import FindBlocks
from bridge.world import Position

pytestmark = pytest.mark.real

ORE = Position(13, 57, 8)  # seven blocks below the ground at spawn


async def test_ore_under_the_ground_is_dug_for_and_the_way_back_is_open(worker: Crew) -> None:
    await worker.set_block(ORE, "iron_ore")
    await worker.give(stone_pickaxe=1)
    gathered = await worker.done('!skill gather {"itemName": "iron_ore", "maxDistance": 16}')
    assert gathered["gathered"] == 1
    assert (await worker.carries())["iron_ore"] == 1
    back = await worker.done("!skill moveTo 8 64 8 1")
    assert back["distance"] <= 1


async def test_a_wall_that_is_pointed_at_is_taken_and_nothing_beside_it(worker: Crew) -> None:
    wall = [Position(12, 64 + up, z) for up in range(3) for z in (6, 7, 8)]
    house, fence = [Position(12, 64, 10), Position(13, 64, 9)], Position(12, 64, 9)
    for at in (*wall, *house):
        await worker.set_block(at, "cobblestone")
    await worker.set_block(fence, "oak_planks")
    await worker.sees("cobblestone", "oak_planks")
    await worker.give(stone_pickaxe=1)
    taken = await worker.done("!skill gather cobblestone wall at 12 64 7")
    assert (taken["dug"], (await worker.carries())["cobblestone"]) == (9, 9)
    left = {("cobblestone", at) for at in house} | {("oak_planks", fence)}
    found = await worker.session.bot.query(FindBlocks(("cobblestone", "oak_planks"), 8))
    assert {(one.name, one.position) for one in found} == left


async def test_a_chest_opens_that_was_put_down_in_a_narrow_pit(worker: Crew) -> None:
    for down in (3, 2, 1):
        await worker.set_block(Position(8, 64 - down, 8), "air")
    await worker.give(stone_pickaxe=1, chest=1)
    await eventually(partial(_is_down, worker, 61))
    placed = await worker.done("!skill place chest")
    assert placed["position"]["y"] == 61
    opened = await worker.done("!navigation chestOpen")
    assert opened["position"] == placed["position"]


@pytest.mark.parametrize("ground", ["sand", "gravel"])
async def test_a_way_leads_out_of_a_pit_in_loose_ground(worker: Crew, ground: str) -> None:
    for x, y, z in itertools.product(range(4, 13), range(60, 64), range(4, 13)):
        is_pit = abs(x - 8) <= 1 and abs(z - 8) <= 1
        await worker.set_block(Position(x, y, z), "air" if is_pit else ground)
    await worker.server.admin("teleport", player=NAME, x=8.5, y=60, z=8.5)
    await eventually(partial(_is_down, worker, 60))
    out = await worker.done("!skill moveTo 3 64 8 1")
    assert out["distance"] <= 1


async def test_hands_do_what_they_are_told(worker: Crew) -> None:
    await worker.give(iron_helmet=1, stone_axe=1, dirt=2, bread=2)
    assert (await worker.done("!skill equip iron_helmet"))["place"] == "head"
    assert (await worker.done("!skill equip axe"))["itemName"] == "stone_axe"
    placed = await worker.done("!skill place dirt 10 64 8")
    assert (placed["block"], (await worker.carries())["dirt"]) == ("dirt", 1)
    dug = await worker.done("!primitive digBlock 10 64 8")
    if not dug["gained"]:  # it fell out of reach
        await worker.done("!primitive collectDrops")
    assert (await worker.carries())["dirt"] == 2
    await worker.server.admin("feed", player="Worker", level=10)
    await eventually(partial(_is_hungry, worker))
    eaten = await worker.done("!skill eat")
    assert (eaten["itemName"], (await worker.carries())["bread"]) == ("bread", 1)
    found = await worker.done('!primitive findBlocks {"match": "log", "maxDistance": 100}')
    assert found["blocks"][0]["name"].endswith("_log")


async def _is_hungry(worker: Crew) -> bool | None:
    return (await worker.session.bot.snapshot()).food == 10 or None


async def _is_down(worker: Crew, level: int) -> bool | None:
    return (await worker.session.bot.snapshot()).position.block.y == level or None
