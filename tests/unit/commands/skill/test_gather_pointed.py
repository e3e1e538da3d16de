"""`!skill gather … at`: somebody who may points at what others built; that is taken, no more."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.acting import GROUND, carried, carry_out, put
from support.rig import STRANGERS, Rig

from bots.access.origin import Origin, Person
from bots.access.permissions import Permissions, PlayerReach
from bots.bot.hands import FORBIDDEN
from bridge.world import PlayerName, Position

Cell = tuple[int, int, int]
OLGA, ALEX, MALLORY = (Person(PlayerName(name)) for name in ("Olga", "Alex", "Mallory"))
WALL = [(12, GROUND + up, z) for z in range(2, 6) for up in range(3)]
HOUSE = [(16, GROUND + up, z) for z in range(2, 6) for up in range(3)]
DOORWAY = [(12, GROUND, 6), (12, GROUND + 1, 6)]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    reach = PlayerReach(frozenset({"skill gather"}))
    rig = await Rig.found(tmp_path, Permissions(STRANGERS.owners, STRANGERS.trusted, reach=reach))
    await rig.bot("Alice", Position(8.5, GROUND, 8.5))
    put(rig, "cobblestone", *WALL, *HOUSE)
    put(rig, "oak_planks", *DOORWAY)
    rig.world.give("Alice", "stone_pickaxe")
    yield rig
    await rig.aclose()


def stands(rig: Rig, cells: list[Cell], name: str = "cobblestone") -> int:
    return sum(rig.world.block(Position(*cell)) == name for cell in cells)


async def take(rig: Rig, who: Origin, words: str = "cobblestone at 12 64 2") -> dict[str, Any]:
    return await carry_out(rig, f"!skill gather {words}", origin=who)


async def test_a_wall_is_taken_whole_and_nothing_else(rig: Rig) -> None:
    result = await take(rig, ALEX)
    assert (result["success"], result["dug"], result["gathered"]) == (True, 12, 12)
    assert (stands(rig, WALL), stands(rig, HOUSE), stands(rig, DOORWAY, "oak_planks")) == (0, 12, 2)


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("cobblestone wall at 12 64 2", 12),
        ("wall at 12 65 3", 12),
        ("block at 12 65 3", 1),
        ("cobblestone block at 12, 65, 3", 1),
        ("丸石の壁 at 12 64 2", 12),
        ("cobblestone 5 at 12 64 2", 5),
        ("cobblestone at 11 64 2", 12),  # whoever says this stands before it
    ],
)
async def test_words_say_how_much_of_it(rig: Rig, words: str, taken: int) -> None:
    result = await take(rig, ALEX, words)
    assert (result["success"], result["dug"], stands(rig, WALL)) == (True, taken, 12 - taken)
    assert (stands(rig, HOUSE), carried(rig)["cobblestone"]) == (12, taken)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("oak_log at 12 64 2", "not_found"),
        ("wall at 9 64 2", "not_found"),
        ("marble wall at 12 64 2", "unknown_block"),
        ("stone at 8 62 8", "too_many"),
    ],
)
async def test_what_is_not_there_is_not_taken(rig: Rig, words: str, reason: str) -> None:
    put(rig, "stone", *((x, y, z) for x in range(4, 13) for y in (61, 62) for z in range(4, 13)))
    assert (await take(rig, ALEX, words))["reason"] == reason
    assert (stands(rig, WALL), stands(rig, HOUSE)) == (12, 12)


async def test_a_stranger_who_may_gather_cannot_point(rig: Rig) -> None:
    result = await take(rig, MALLORY)
    assert (result["reason"], result["level"]) == ("not_permitted", "trusted")
    assert stands(rig, WALL) == 12


async def test_a_forbidden_area_opens_for_an_owner_who_points_alone(rig: Rig) -> None:
    await carry_out(rig, "!area forbid base 12 64 2 20", origin=ALEX)
    result = await take(rig, ALEX)
    assert (result["reason"], stands(rig, WALL)) == (FORBIDDEN, 12)
    result = await take(rig, OLGA)
    assert (result["success"], stands(rig, WALL), stands(rig, HOUSE)) == (True, 0, 12)
    assert carried(rig)["cobblestone"] == 12


async def test_of_a_wall_that_a_forbidden_area_cuts_the_rest_is_taken(rig: Rig) -> None:
    await carry_out(rig, "!area forbid base 8 60 4 20 70 20", origin=OLGA)
    result = await take(rig, ALEX)
    assert (result["reason"], result["dug"]) == (FORBIDDEN, 6)
    inside = [at for at in WALL if at[2] >= 4]
    assert (stands(rig, inside), stands(rig, WALL)) == (6, 6)
    assert "Olga" in result["message"]


async def test_more_than_hangs_together_there_is_not_taken_elsewhere(rig: Rig) -> None:
    result = await take(rig, ALEX, "cobblestone 50 at 12 64 2")
    assert (result["success"], result["reason"], result["dug"]) == (False, "not_found", 12)
    assert stands(rig, HOUSE) == 12


async def test_pointing_answers_where_a_bot_is_to_ask(rig: Rig) -> None:
    await carry_out(rig, "!area ask base 12 64 2 20", origin=ALEX)
    assert (await take(rig, ALEX))["success"]
    await carry_out(rig, "!area ask base 12 64 2 20", origin=OLGA)
    assert (await take(rig, ALEX, "wall at 16 64 2"))["reason"] == FORBIDDEN


async def test_what_cannot_be_reached_is_told(rig: Rig) -> None:
    put(rig, "cobblestone", *((12, GROUND + up, 2) for up in range(3, 16)))
    result = await take(rig, ALEX)
    assert not result["success"]
    assert result["dug"] == 25 - stands(rig, [(12, GROUND + up, 2) for up in range(16)]) >= 12
    assert f"I broke {result['dug']} cobblestone" in result["message"]
