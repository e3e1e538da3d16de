"""A world that is not peaceful, on the embedded server."""

from typing import Any

import pytest
from server.players import Players

pytestmark = pytest.mark.real

DANGERS: dict[str, tuple[str, Any]] = {
    "a fall hurts from the fourth block on and never on peaceful": (
        "fall", {"peaceful": 20, "low": 20, "high": 13},
    ),
    "a deadly fall is told": ("fallToDeath", "alice fell from a high place"),
    "lava burns and kills": ("drownInLava", {"first": 16, "told": "alice tried to swim in lava"}),
    "healing costs food": ("runHungry", {"food": 19, "isBetter": True, "level": "normal"}),
    "a zombie comes round a wall and kills": ("zombieHunts", "alice was slain by Zombie"),
    "a command sets the difficulty, and no unknown one": (
        "setDifficulty", [["easy", "easy"], ["hard", "hard"], "hard"],
    ),
    "monsters vanish on peaceful": (
        "leaveInPeace", {"left": [], "refused": "there are no monsters on peaceful"},
    ),
    "zombies come at night away from players and burn by day": (
        "aNight", {"isAway": True, "wereWell": True},
    ),
    "a spider is calm by day and bites at night": (
        "spiderByDay", {"byDay": 20, "bite": 2},
    ),
    "a spider climbs over a wall": ("spiderClimbs", True),
    "a spider in the dark bites by day": ("spiderInTheDark", 2),
    # of 3 half-hearts, by 15 points: 3 * (1 - (15 - 3 / 2) / 25)
    "armour takes a part of a blow and wears": (
        "armourHelps", {"lost": 1.38, "worn": [1, 1, 1, 1]},
    ),
    "a raised shield takes a blow and wears": (
        "shieldBlocks", {"health": 20, "uses": 4, "then": 3},
    ),
    "a blow that lands wears the weapon": (
        "blowsWear", {"monster": 1, "again": 1, "animal": 2, "player": 2, "creative": 2},
    ),
    "a sword sweeps those beside": ("sweepTwo", True),
    "a young zombie is seen as young": ("youngZombie", True),
    "a creeper goes off and breaks what is weak": (
        "creeperGoesOff", {"isThrown": True, "broken": True, "kept": "obsidian",
        "told": "alice was blown up by Creeper", "left": []},
    ),
    "a creeper that loses sight calms down": ("creeperLosesSight", {"health": 20, "left": 1}),
    "lava burns what lies in it": ("lavaBurnsThings", ["netherite_scrap"]),
    "sand and gravel fall once what held them is gone": (
        "sandFalls", ["red_sand", "gravel", "air", "air"],
    ),
    "sand put down over nothing falls, for all to see": (
        "sandOverNothing", {"block": "sand", "moves": True, "left": 0},
    ),
    "what falls breaks on what does not give way": (
        "landsOn", {"torch": "sand as an item", "oak_slab": "gravel as an item",
        "grass": "red_sand", "water": "white_concrete", "stone": "anvil"},
    ),
    "who is buried suffocates": (
        "buried", {"first": True, "told": "alice suffocated in a wall"},
    ),
    "an anvil crushes by two for each block but the first": ("anvilFalls", 12),
    "a drowned hunts by day who is in the water, and at night comes out of it": (
        "drownedHunts", {"byDay": [20, 20], "blow": 3},
    ),
    "a drowned out of the water burns by day, and goes back in": ("drownedOnLand", True),
}  # fmt: skip


@pytest.mark.parametrize("sentence", DANGERS)
async def test_a_danger_is_as_in_vanilla(players: Players, sentence: str) -> None:
    scene, facts = DANGERS[sentence]
    assert await players.play(scene) == facts


async def test_a_struck_zombie_is_pushed_back_and_leaves_experience(players: Players) -> None:
    facts = await players.play("fightZombie")
    assert facts.pop("blows") in range(3, 9)  # of 6, if each is in time
    assert facts == {"struck": 14, "left": [], "points": 5}


async def test_a_skeleton_keeps_away_and_shoots(players: Players) -> None:
    facts = await players.play("skeletonShoots")
    assert facts.pop("hit") in range(2, 6)
    assert facts == {
        "holds": "bow",
        "aims": True,
        "arrow": True,
        "told": "alice was shot by Skeleton",
    }


async def test_a_player_shoots_what_is_carried_and_takes_the_arrow_back(players: Players) -> None:
    # 3 blocks a tick, a little more or less by chance, by 2; and up to 4 of a bow drawn in full
    facts = await players.play("playerShoots")
    assert facts["took"] in range(6, 12)
    assert facts["wornAShot"] == 1
