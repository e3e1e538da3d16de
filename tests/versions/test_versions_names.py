"""Up to 1.12 a block or an item is a number and metadata; a bot calls it as it is called since.

The bench writes numbers from a public table (bench/old_names.cjs), not from what bots read."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import CENTRE
from versions.stage import Scene, staged

from bridge.actions import BlockAt, FindBlocks
from bridge.looking import ScanBlocks
from bridge.world import Position

pytestmark = pytest.mark.real

KINDS = ("oak_log", "birch_log", "dark_oak_log", "podzol", "granite", "red_wool", "white_wool")
CARRIED = {"birch_log": 3, "oak_log": 2, "red_wool": 4, "white_wool": 1, "podzol": 5, "dirt": 6}


@pytest.fixture(scope="module", params=["1.8.8", "1.12.2", "1.16.5"])
async def scene(
    request: pytest.FixtureRequest,
    node_binary: Path,
    node_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Scene]:
    folder = tmp_path_factory.mktemp("names")
    async with staged(node_binary, node_dir, request.param, folder) as stage:
        scene = Scene(stage)
        await scene.begins()
        yield scene


def _place(number: int) -> Position:
    return Position(CENTRE.x // 1 + number - 3, CENTRE.y // 1, CENTRE.z // 1 + 2)


async def test_each_kind_of_block_is_found_where_it_is_and_nowhere_else(scene: Scene) -> None:
    bridge, bot = scene.arena.bridge, scene.bot
    for number, kind in enumerate(KINDS):
        await scene.arena.set_block(_place(number), kind)
    for number, kind in enumerate(KINDS):
        [seen] = await bridge.query(bot, BlockAt(_place(number)))
        assert seen.name == kind
    found = await bridge.query(bot, FindBlocks(("birch_log",), 5, 9))
    assert [(one.name, one.position) for one in found] == [("birch_log", _place(1))]
    scan = await bridge.query(bot, ScanBlocks(radius=4, names=("podzol", "red_wool")))
    assert {(one.name, one.position) for one in scan.blocks} == {
        ("podzol", _place(3)),
        ("red_wool", _place(5)),
    }


async def test_the_ground_under_the_feet_is_called_as_it_is_everywhere(scene: Scene) -> None:
    below = Position(CENTRE.x // 1, CENTRE.y // 1 - 1, CENTRE.z // 1)
    [ground] = await scene.arena.bridge.query(scene.bot, BlockAt(below))
    assert ground.name == "grass_block"


async def test_each_kind_of_item_is_counted_for_itself(scene: Scene) -> None:
    for kind, number in CARRIED.items():
        await scene.arena.give(scene.bot, kind, number)
    seen = await scene.arena.bridge.snapshot(scene.bot)
    assert {kind: seen.count(kind) for kind in CARRIED} == CARRIED
