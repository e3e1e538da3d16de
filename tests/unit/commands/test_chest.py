"""`!chest allow | forbid | list`."""

import pytest
from support.rig import Rig, alice_at, run_json

from bots.access.origin import Person
from bots.bot.bot import Bot
from bridge.world import PlayerName, Position

NEAR, FAR = Position(3, 64, 0), Position(12, 64, 0)
ALEX = Person(PlayerName("Alex"))
alice = alice_at(Position(0.5, 64, 0.5))


@pytest.fixture
def chests(rig: Rig) -> None:
    for at in (NEAR, FAR):
        rig.world.set_block(at, "chest")


@pytest.mark.usefixtures("chests")
async def test_the_nearest_chest_is_meant_unless_a_place_is_given(alice: Bot) -> None:
    nearest = await run_json(alice, "!chest allow")
    assert nearest["message"] == "We may use the chest at 3 64 0 now."
    given = await run_json(alice, "!chest allow 12 64 0")
    assert given["chests"][0]["position"] == {"x": 12, "y": 64, "z": 0}
    listed = await run_json(alice, "!chest list")
    assert listed["message"] == (
        "3 64 0 (allowed): not looked into; 12 64 0 (allowed): not looked into."
    )


@pytest.mark.usefixtures("chests")
async def test_a_player_means_the_chest_nearest_to_them(rig: Rig, alice: Bot) -> None:
    rig.world.person("Alex", Position(11.5, 64, 0.5))
    meant = await run_json(alice, "!chest allow", ALEX)
    assert meant["message"] == "We may use the chest at 12 64 0 now."


@pytest.mark.usefixtures("chests")
async def test_what_was_allowed_can_be_forbidden(alice: Bot) -> None:
    await run_json(alice, "!chest allow")
    forbidden = await run_json(alice, "!chest forbid")
    assert forbidden["message"] == "We leave the chest at 3 64 0 alone."
    assert forbidden["chests"][0]["allowed"] is False


async def test_what_is_no_chest_cannot_be_allowed(rig: Rig, alice: Bot) -> None:
    assert (await run_json(alice, "!chest allow"))["reason"] == "not_found"
    rig.world.set_block(NEAR, "stone")
    assert (await run_json(alice, "!chest allow 3 64 0"))["reason"] == "wrong_block"
    assert (await run_json(alice, "!chest list"))["message"] == "I know no chest here."
