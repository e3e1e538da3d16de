"""Out of holes: a walk that is ordered leads out of a mine however far away its goal is."""

from collections import Counter

import pytest
from support.acting import carried, carry_out, put
from support.job_runs import begin
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.world import Position

SURFACE = 64
DEEP = 52
GOAL = Position(60, SURFACE, 20)
ORDERS = ('!navigation gotoCoords {"coords": [60, 64, 20]}', "!skill moveTo 60 64 20 1")


def dig_cell(rig: Rig, x: int, bottom: int, top: int) -> None:
    put(rig, "air", *((x, y, 0) for y in range(bottom, top + 1)))


def in_a_shaft(rig: Rig, depth: int) -> None:
    dig_cell(rig, 0, SURFACE - depth, SURFACE - 1)
    rig.world.teleport("Alice", Position(0.5, SURFACE - depth, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
async def test_a_bot_in_a_tunnel_digs_up_and_walks_on(rig: Rig, alice: Bot, order: str) -> None:
    for x in range(4):
        dig_cell(rig, x, DEEP, DEEP + 1)
    rig.world.teleport("Alice", Position(0.5, DEEP, 0.5))
    rig.world.give("Alice", "iron_pickaxe")
    result = await carry_out(rig, order)
    assert result["success"] is True, result
    assert rig.world.body("Alice").position.distance_to(GOAL) <= 2


async def test_earth_that_is_carried_is_put_under_the_feet(rig: Rig, alice: Bot) -> None:
    in_a_shaft(rig, 6)
    rig.world.give("Alice", "dirt", 5)
    rig.world.give("Alice", "cobblestone", 2)
    assert (await carry_out(rig, ORDERS[0]))["success"] is True
    assert carried(rig) == {"cobblestone": 1}
    pillar = [rig.world.block(Position(0, y, 0)) for y in range(SURFACE - 6, SURFACE)]
    assert Counter(pillar) == {"dirt": 5, "cobblestone": 1}


async def test_too_little_earth_is_kept(rig: Rig, alice: Bot) -> None:
    in_a_shaft(rig, 6)
    rig.world.give("Alice", "granite", 3)
    assert (await carry_out(rig, ORDERS[0]))["success"] is True
    assert carried(rig)["granite"] == 3


async def test_a_bot_told_to_follow_comes_out_of_its_shaft_first(rig: Rig, alice: Bot) -> None:
    rig.world.person("Steve", Position(9.5, SURFACE, 0.5))
    in_a_shaft(rig, 5)
    following = await begin(rig, alice, "!navigation follow Steve")
    await rig.world.clock.advance(200)
    assert rig.world.body("Alice").position.distance_to(Position(9.5, SURFACE, 0.5)) <= 3
    await run_json(alice, "!stop")
    assert (await following)["reason"] == "stopped"


async def test_what_is_asked_for_is_brought_out_of_a_shaft(rig: Rig, alice: Bot) -> None:
    rig.world.person("Steve", Position(9.5, SURFACE, 0.5))
    rig.world.give("Alice", "bread", 1)
    in_a_shaft(rig, 5)
    result = await carry_out(rig, "!navigation dropItem bread 1 Steve")
    assert (result["success"], result["taken"]) == (True, {"Steve": 1})
