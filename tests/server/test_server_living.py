"""Eating, being hurt, dying and coming back on the embedded server."""

import pytest
from server.players import Players

pytestmark = pytest.mark.real


async def test_bread_fills_five_and_is_gone(players: Players) -> None:
    assert await players.play("eat") == {"food": 15, "end": {"bread": 1}}


async def test_a_stew_leaves_its_bowl(players: Players) -> None:
    assert await players.play("eatStew") == {"bowl": 1}


async def test_damage_lowers_health(players: Players) -> None:
    assert await players.play("hurt") == 14


async def test_others_see_how_a_player_is(players: Players) -> None:
    assert await players.play("hurtInSight") == {"alice": 14, "bob": 20}


async def test_the_dead_drop_everything_and_come_back_at_spawn(players: Players) -> None:
    assert await players.play("die") == {
        "dropped": [["diamond", 3], ["oak_log", 5]],
        "end": {},
        "food": 20,
        "at": [8.5, 8.5],
        "seen": [8.5, 8.5],
    }


async def test_what_the_dead_dropped_can_be_fetched(players: Players) -> None:
    assert await players.play("fetchOwnDrops") == {"emerald": 2}
