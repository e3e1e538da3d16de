"""A world that is not peaceful, on the embedded server."""

import pytest
from server.players import Players

pytestmark = pytest.mark.real


async def test_a_fall_hurts_from_the_fourth_block_on_and_never_on_peaceful(
    players: Players,
) -> None:
    assert await players.play("fall") == {"peaceful": 20, "low": 20, "high": 13}


async def test_a_deadly_fall_is_told(players: Players) -> None:
    assert await players.play("fallToDeath") == "alice fell from a high place"


async def test_lava_burns_and_kills(players: Players) -> None:
    assert await players.play("drownInLava") == {
        "first": 16,
        "told": "alice tried to swim in lava",
    }


async def test_healing_costs_food(players: Players) -> None:
    assert await players.play("runHungry") == {"food": 19, "isBetter": True, "level": "normal"}
