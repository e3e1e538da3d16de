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


async def test_a_zombie_comes_round_a_wall_and_kills(players: Players) -> None:
    assert await players.play("zombieHunts") == "alice was slain by Zombie"


async def test_a_struck_zombie_is_pushed_back_and_leaves_experience(players: Players) -> None:
    facts = await players.play("fightZombie")
    assert facts.pop("blows") in range(3, 9)  # of 6, if each is in time
    assert facts == {"struck": 14, "left": [], "points": 5}


async def test_monsters_vanish_on_peaceful(players: Players) -> None:
    assert await players.play("leaveInPeace") == {
        "left": [],
        "refused": "there are no monsters on peaceful",
    }


async def test_zombies_come_at_night_away_from_players_and_burn_by_day(players: Players) -> None:
    assert await players.play("aNight") == {"isAway": True, "wereWell": True}


async def test_a_spider_is_calm_by_day_and_bites_at_night(players: Players) -> None:
    assert await players.play("spiderByDay") == {"health": 20, "isStill": True, "bite": 2}
