"""`!info related`: where a thing comes from and what it leads to."""

from typing import Any

from support.rig import Rig, run_json

from bridge.world import BotName


async def related(rig: Rig, text: str) -> dict[str, str]:
    result: dict[str, Any] = await run_json(rig.bots[BotName("Alice")], f"!info related {text}")
    return {one["name"]: one["how"] for one in result["related"]}


async def test_an_item_is_related_to_what_it_is_made_of_and_makes(rig: Rig) -> None:
    ways = await related(rig, '{"name": "iron ingot", "limit": 100}')
    assert ways["iron_ore"] == "cooked from"
    assert ways["bucket"] == "makes"
    assert ways["gold_ingot"] == "like it"
    assert "iron_ingot" not in ways


async def test_a_mob_leads_to_what_it_drops(rig: Rig) -> None:
    assert (await related(rig, "cow"))["leather"] == "drops"
    assert (await related(rig, "leather"))["cow"] == "left by"


async def test_a_walk_over_relations_leaves_out_what_it_has_seen(rig: Rig) -> None:
    ways = await related(rig, '{"name": "bread", "excludeIds": ["wheat"]}')
    assert "wheat" not in ways


async def test_an_unknown_thing_is_answered_with_the_nearest(rig: Rig) -> None:
    result = await run_json(rig.bots[BotName("Alice")], "!info related creper")
    assert result["reason"] == "unknown_item"
    assert "creeper" in result["nearest"]
