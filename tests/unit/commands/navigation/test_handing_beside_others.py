"""What is thrown for somebody reaches them, whoever of ours stands beside."""

import pytest
from support.acting import carry_out
from support.rig import Rig

from bots.bot.bot import Bot
from bridge.fake import Person
from bridge.world import Position

STEVES = Position(20.5, 64, 0.5)
BESIDE, BEHIND = Position(20.5, 64, 1.5), Position(20.5, 64, -0.5)
GIVE = "!navigation dropItem bread 2 Steve"


@pytest.fixture
async def bob(rig: Rig) -> Bot:
    """He picks things up before Steve does."""
    rig.world.give("Alice", "bread", 2)
    return await rig.bot("Bob", BESIDE)


@pytest.fixture
async def steve(rig: Rig, bob: Bot) -> Person:
    return rig.world.person("Steve", STEVES)


def has_bread(rig: Rig) -> dict[str, int]:
    counts = {name: body.inventory.count("bread") for name, body in rig.world.bodies.items()}
    return {name: count for name, count in counts.items() if count}


def wall_in(rig: Rig, at: Position) -> None:
    """Let nobody step back from there."""
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
        for up in (0, 1):
            rig.world.set_block(Position(at.x + dx, 64 + up, at.z + dz).block, "stone")
    rig.world.set_block(Position(at.x, 66, at.z).block, "stone")


@pytest.mark.parametrize("stays", [False, True])
async def test_an_idle_fellow_steps_back_from_a_hand_over(
    rig: Rig, bob: Bot, steve: Person, stays: bool
) -> None:
    bob.leisure.stays = stays
    result = await carry_out(rig, GIVE)
    assert (result["success"], result["taken"]) == (True, {"Steve": 2})
    assert rig.world.body("Bob").position.distance_to(STEVES) > 4
    assert has_bread(rig) == {"Steve": 2}
    assert bob.leisure.stays is stays


async def test_what_a_fellow_got_by_mistake_it_hands_on(rig: Rig, bob: Bot, steve: Person) -> None:
    wall_in(rig, BESIDE)
    result = await carry_out(rig, GIVE)
    assert has_bread(rig) == {"Steve": 2}, result
    assert (result["success"], result["taken"]) == (True, {"Steve": 2})


async def test_what_one_fellow_has_handed_on_another_keeps(rig: Rig, bob: Bot) -> None:
    """Bob and Carl stand before and behind Steve; each would catch what the other throws."""
    await rig.bot("Carl", BEHIND)
    rig.world.person("Steve", STEVES)
    wall_in(rig, BESIDE)
    wall_in(rig, BEHIND)
    result = await carry_out(rig, GIVE)
    assert result["reason"] == "not_received"
    for _ in range(60):
        await rig.pass_time(1)
    assert has_bread(rig) == {"Carl": 2}
    handed = {entry.bot: entry.facts["reason"] for entry in rig.trace.recent("item.handed_on")}
    assert handed == {"Bob": "not_received", "Carl": "handed_on_before"}


async def test_who_is_far_away_or_is_the_one_to_get_it_stays_where_it_is(
    rig: Rig, bob: Bot, steve: Person
) -> None:
    result = await carry_out(rig, "!navigation dropItem bread 2 Bob")
    assert result["taken"] == {"Bob": 2}
    assert rig.world.body("Bob").position == BESIDE
