"""Jumping, sleeping and building on a real server, by what the server and another bot see."""

import asyncio

import pytest
from actions.crew import NAME, Crew
from contract.arena import eventually

from bots.skills import building
from bridge.world import Position

pytestmark = pytest.mark.real

HOUSE = building.designs()["small_house"]
NIGHT = 13_000
FOOT, HEAD = Position(12, 64, 8), Position(13, 64, 8)


async def standing(worker: Crew, middle: dict[str, int]) -> dict[str, int]:
    """The blocks of the house that the server knows, by name."""
    found: dict[str, int] = {}
    for part in HOUSE.parts:
        at = part.at(Position(middle["x"], middle["y"], middle["z"]))
        name = await worker.server.admin("block", x=at.x, y=at.y, z=at.z)
        if name == building.item_of(part.sign, "oak"):
            found[name] = found.get(name, 0) + 1
    return found


@pytest.mark.timeout(300)
async def test_a_house_stands_and_is_mended(worker: Crew) -> None:
    await worker.give(oak_planks=64, oak_log=4, oak_door=1, torch=1)
    built = await worker.done("!skill build small house")
    assert await standing(worker, built["at"]) == {"oak_planks": 71, "oak_door": 1, "torch": 1}
    hole = HOUSE.parts[-4].at(Position(*built["at"].values()))
    await worker.set_block(hole, "air")
    await worker.give(oak_planks=1)

    async def knows() -> bool | None:
        return await worker.session.bot.block(hole) == "air" or None

    await eventually(knows)
    mended = await worker.done("!skill build")
    assert (mended["at"], mended["blocks"]) == (built["at"], 1)
    assert (await standing(worker, built["at"]))["oak_planks"] == 71
    out = await worker.done(f"!skill moveTo {built['at']['x']} 64 {built['at']['z'] + 5} 1")
    assert out["distance"] <= 1  # through its own door


async def test_it_lies_down_at_night_and_gets_up_when_stopped(worker: Crew) -> None:
    await worker.give(red_bed=1)
    await worker.done("!skill place red_bed 12 64 8")
    assert (await worker.run("!skill sleep"))["reason"] == "not_night"
    await worker.server.admin("time", value=NIGHT)

    async def is_taken() -> bool | None:
        halves = [
            await worker.server.admin("properties", x=at.x, y=at.y, z=at.z) for at in (FOOT, HEAD)
        ]
        return all(half["occupied"] for half in halves) or None

    await eventually(lambda: _is_dark(worker))
    sleeping = asyncio.create_task(worker.run("!skill sleep"))
    await eventually(is_taken)
    await worker.session.bot.stop()
    assert (await sleeping)["reason"] == "stopped"
    await eventually(lambda: _is_free(worker))
    slept = await worker.done("!skill sleep")
    assert slept["message"] == "I have slept."
    assert (await worker.session.bot.snapshot()).is_day


async def test_who_slept_comes_back_at_the_bed_and_without_it_at_the_common_place(
    worker: Crew,
) -> None:
    await worker.give(red_bed=1)
    await worker.done("!skill moveTo 24 64 8 2")
    placed = (await worker.done("!skill place red_bed"))["position"]
    await worker.run("!skill sleep")  # by day it does not sleep, but it comes back there
    await worker.run(f"!primitive moveTo 8 {placed['y']} 8")
    bed = Position(placed["x"], placed["y"], placed["z"])
    await worker.server.admin("time", value=NIGHT)
    await eventually(lambda: _is_dark(worker))
    await worker.done("!skill sleep")
    await worker.server.admin("kill", player=NAME)
    await eventually(lambda: _lives_near(worker, bed))
    await worker.done(f"!primitive digBlock {placed['x']} {placed['y']} {placed['z']}")
    await worker.done("!primitive collectDrops")
    assert (await worker.carries())["red_bed"] == 1
    await worker.server.admin("kill", player=NAME)
    await eventually(lambda: _lives_near(worker, Position(8, 64, 8)))


async def _is_free(worker: Crew) -> bool | None:
    half = await worker.server.admin("properties", x=HEAD.x, y=HEAD.y, z=HEAD.z)
    return not half["occupied"] or None


async def _is_dark(worker: Crew) -> bool | None:
    return not (await worker.session.bot.snapshot()).is_day or None


async def _lives_near(worker: Crew, place: Position) -> bool | None:
    seen = await worker.session.bot.snapshot()
    return (seen.health == 20 and seen.position.distance_to(place) <= 4) or None
