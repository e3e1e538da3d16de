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


async def test_armour_takes_a_part_of_a_blow_and_wears(players: Players) -> None:
    # 15 points: 3 * (1 - (15 - 3 / 2) / 25)
    assert await players.play("armourHelps") == {"lost": 1.38, "worn": [1, 1, 1, 1]}


async def test_a_raised_shield_takes_a_blow_and_wears(players: Players) -> None:
    assert await players.play("shieldBlocks") == {"health": 20, "uses": 4, "then": 3}


async def test_a_sword_sweeps_those_beside(players: Players) -> None:
    assert await players.play("sweepTwo") is True


async def test_a_young_zombie_is_seen_as_young(players: Players) -> None:
    assert await players.play("youngZombie") is True


async def test_a_skeleton_keeps_away_and_shoots(players: Players) -> None:
    facts = await players.play("skeletonShoots")
    assert facts.pop("hit") in range(2, 6)
    assert facts == {
        "holds": "bow",
        "aims": True,
        "arrow": True,
        "told": "alice was shot by Skeleton",
    }


async def test_a_creeper_goes_off_and_breaks_what_is_weak(players: Players) -> None:
    assert await players.play("creeperGoesOff") == {
        "isThrown": True,
        "broken": True,
        "kept": "obsidian",
        "told": "alice was blown up by Creeper",
        "left": [],
    }


async def test_a_creeper_that_loses_sight_calms_down(players: Players) -> None:
    assert await players.play("creeperLosesSight") == {"health": 20, "left": 1}


async def test_lava_burns_what_lies_in_it(players: Players) -> None:
    assert await players.play("lavaBurnsThings") == ["netherite_scrap"]


async def test_sand_and_gravel_fall_once_the_block_below_is_broken(players: Players) -> None:
    assert await players.play("sandFalls") == {"inPeace": "sand", "fell": ["air", "air"]}


async def test_a_player_shoots_what_is_carried_and_takes_the_arrow_back(players: Players) -> None:
    # 3 blocks a tick by 2, and up to 4 more of a bow drawn in full
    facts = await players.play("playerShoots")
    assert facts["took"] in range(6, 11)
    assert facts["worn"] == 1
