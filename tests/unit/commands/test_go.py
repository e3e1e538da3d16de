"""`!go`: one command for places, players, kinds of blocks and points."""

import pytest
from support.acting import put
from support.job_runs import carry_out
from support.rig import Rig, alice_at, run_json

from bots.bot.bot import Bot
from bridge.world import PlayerName, Position

alice = alice_at(Position(0.5, 64, 0.5))


def away_from(rig: Rig, x: float, z: float) -> float:
    return rig.world.body("Alice").position.distance_to(Position(x, 64, z))


@pytest.mark.parametrize("command", ["!go 20 64 -5", "!go oak_log", "!skill moveTo 20 64 -5"])
async def test_a_bot_that_the_server_puts_back_says_so(rig: Rig, alice: Bot, command: str) -> None:
    put(rig, "oak_log", (10, 64, 10))
    rig.world.held.add(PlayerName("Alice"))
    result = await carry_out(rig, alice, command)
    assert (result["success"], result["reason"]) == (False, "unconfirmed")
    assert "the server put me back to 0 64 0" in result["message"].lower()


@pytest.mark.parametrize("is_player_too", [False, True])
async def test_a_bot_goes_to_a_place_it_knows_rather_than_to_a_player_of_its_name(
    rig: Rig, alice: Bot, is_player_too: bool
) -> None:
    if is_player_too:
        rig.world.person("home", Position(12.5, 64, 8.5))
    await run_json(alice, '!navigation register {"name": "home", "coords": [20, 64, 5]}')
    result = await carry_out(rig, alice, "!go home")
    assert (result["success"], result["message"]) == (True, "I am at home.")
    assert away_from(rig, 20.5, 5.5) <= 3


@pytest.mark.parametrize("where", ["Steve", "steve"])
async def test_a_bot_goes_to_a_player_in_view(rig: Rig, alice: Bot, where: str) -> None:
    rig.world.person("Steve", Position(12.5, 64, 8.5))
    assert (await carry_out(rig, alice, f"!go {where}"))["success"] is True
    assert away_from(rig, 12.5, 8.5) <= 3


@pytest.mark.parametrize("where", ["20 64 -5", "20, 64, -5"])
async def test_a_bot_goes_to_a_point(rig: Rig, alice: Bot, where: str) -> None:
    assert (await carry_out(rig, alice, f"!go {where}"))["success"] is True
    assert away_from(rig, 20.5, -4.5) <= 3


@pytest.mark.parametrize("where", ["oak_log", "Oak Log", "wood"])
async def test_a_bot_goes_to_the_nearest_block_of_a_kind(rig: Rig, alice: Bot, where: str) -> None:
    put(rig, "oak_log", (10, 64, 10))
    result = await carry_out(rig, alice, f"!go {where}")
    assert (result["success"], result["where"]) == (True, "oak_log")
    assert away_from(rig, 10, 10) <= 3


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("nowhere-land", "unknown_location"),
        ("diamond_ore", "not_found"),
        ("nan 64 0", "invalid_format"),
        ("1e9 64 0", "invalid_format"),
    ],
)
async def test_what_cannot_be_gone_to_is_refused(
    rig: Rig, alice: Bot, where: str, reason: str
) -> None:
    before = rig.world.body("Alice").position
    assert (await carry_out(rig, alice, f"!go {where}"))["reason"] == reason
    assert rig.world.body("Alice").position == before
