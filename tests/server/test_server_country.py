"""The generated country: repeatable, and with everything where vanilla would have it."""

import math
from pathlib import Path
from typing import Any

import pytest
from server.scripts import printed_by

pytestmark = pytest.mark.real

REACH = 3
CLEAR_OF_ORE = 24.0
LOWEST_COVER = 4
DEEPEST_AND_HIGHEST = {
    "iron_ore": (5, 54),
    "gold_ore": (5, 29),
    "redstone_ore": (3, 15),
    "lapis_ore": (8, 26),
    "diamond_ore": (4, 14),
    "emerald_ore": (5, 30),
}


def survey(node: Path, node_dir: Path, seed: int, reach: int = REACH) -> dict[str, Any]:
    found: dict[str, Any] = printed_by("survey.cjs", node, node_dir, seed, reach)
    return found


@pytest.fixture(scope="module", params=[1, 42, 987654321])
def country(request: pytest.FixtureRequest, node_binary: Path, node_dir: Path) -> dict[str, Any]:
    return survey(node_binary, node_dir, request.param)


def test_the_same_seed_gives_the_same_chunk(
    country: dict[str, Any], node_binary: Path, node_dir: Path
) -> None:
    assert country["again"] is True
    assert (
        survey(node_binary, node_dir, 1, 0)["digest"]
        == (survey(node_binary, node_dir, 1, 0)["digest"])
    )


def test_another_seed_gives_another_chunk(node_binary: Path, node_dir: Path) -> None:
    one, other = (survey(node_binary, node_dir, seed, 0)["digest"] for seed in (1, 2))
    assert one != other


def test_iron_and_deeper_ores_are_buried(country: dict[str, Any]) -> None:
    shallow = [ore for ore in country["buried"] if ore[4] < LOWEST_COVER]
    assert (len(country["buried"]) > 0, shallow) == (True, [])


def test_no_iron_or_deeper_ore_is_near_spawn(country: dict[str, Any]) -> None:
    near = [ore for ore in country["buried"] if math.hypot(ore[1] - 8, ore[3] - 8) <= CLEAR_OF_ORE]
    assert near == []


def test_ores_lie_at_their_depths(country: dict[str, Any]) -> None:
    wrong = [
        ore
        for ore in country["buried"]
        if not DEEPEST_AND_HIGHEST[ore[0]][0] <= ore[2] <= DEEPEST_AND_HIGHEST[ore[0]][1]
    ]
    assert wrong == []


def test_every_ore_wood_and_ground_is_within_a_few_chunks(country: dict[str, Any]) -> None:
    woods = {f"{wood}_log" for wood in ("oak", "birch", "spruce")}
    grounds = {"sand", "gravel", "clay", "water", "lava", "obsidian", "stone", "coal_ore"}
    wanted = woods | grounds | set(DEEPEST_AND_HIGHEST)
    assert wanted - country["counts"].keys() == set()


def test_spawn_is_flat_and_clear(country: dict[str, Any]) -> None:
    assert set(map(tuple, country["spawn"].values())) == {("grass_block", "air", "air")}


def test_there_are_twenty_layers_of_stone_and_gentle_hills(country: dict[str, Any]) -> None:
    columns = ((2 * REACH + 1) * 16) ** 2
    assert country["counts"]["stone"] > 20 * columns
    assert min(country["surface"]) >= 55
    assert max(country["surface"]) <= 70
