"""How often a goal asks the bridge: it looks once per moment and checks every step."""

import pytest
from support.acting import carried
from support.goal_runs import reach
from support.rig import Rig

pytestmark = [pytest.mark.usefixtures("alice_in_the_country")]

MOST_SNAPSHOTS = MOST_QUERIES = 25


async def test_a_stone_pickaxe_takes_few_snapshots_and_queries(rig: Rig) -> None:
    snapshots, queries = rig.bridge.snapshots, rig.bridge.queries
    result = await reach(rig, "inventory.stone_pickaxe:1")
    assert (result["success"], result["steps"], result["replans"]) == (True, 8, 0)
    assert carried(rig)["stone_pickaxe"] == 1
    assert rig.bridge.snapshots - snapshots <= MOST_SNAPSHOTS
    assert rig.bridge.queries - queries <= MOST_QUERIES


async def test_what_is_so_already_is_seen_at_one_look(rig: Rig) -> None:
    rig.world.give("Alice", "stick", 4)
    before = rig.bridge.snapshots
    assert (await reach(rig, "inventory.stick:4"))["success"] is True
    assert rig.bridge.snapshots - before == 1
