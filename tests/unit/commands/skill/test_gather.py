"""`!skill gather`: nearest blocks, the right tool, counts from the inventory."""

import asyncio
import math

import pytest
from support.acting import GROUND, Scene, carried, carry_out, give, in_hand, play, put, scenes
from support.rig import Rig, run_json, until

from bots.errors import ActionFailed
from bots.skills.breaking import Breaking
from bridge.world import BlockSighting, Position

HERE = Position(8.5, GROUND, 8.5)
TREE = ((12, GROUND, 8), (12, GROUND + 1, 8), (12, GROUND + 2, 8))


AT, NEXT, HIGH = (12, GROUND, 8), (13, GROUND, 8), (10, GROUND + 12, 8)


@scenes(
    Scene("three logs are in the bag afterwards",
          '!skill gather {"itemName": "oak_log", "count": 3}',
          {"success": True, "itemName": "oak_log", "count": 3, "gathered": 3, "before": 0,
           "have": 3, "dug": 3, "avoided": 0, "message": "Gathered 3 oak_log, now 3."},
          whole=True, blocks={"oak_log": TREE}, carried={"oak_log": 3}),
    *(Scene(f"a category in every spelling: {text}", f"!skill {text}",
            {"success": True, "gathered": 2},
            blocks={"oak_log": TREE[:1], "birch_log": TREE[1:2]},
            carried={"oak_log": 1, "birch_log": 1})
      for text in ("gather log 2", "gatherWood log 2", "gatherWood 2", 'gatherWood {"count": 2}',
                   "gather wood 2", "gather Logs 2", 'gather {"itemName": "log", "count": 2}',
                   'gather {"item": "log", "count": 2}')),
    Scene("the long name", '!skill gather {"item_name": "minecraft:oak log", "count": 2}',
          {"success": True, "gathered": 2}, blocks={"oak_log": TREE}, carried={"oak_log": 2}),
    Scene("what would help is told where no tool fits", "!skill gather iron_ore",
          {"success": False, "reason": "no_tool",
           "needed": ["stone_pickaxe", "iron_pickaxe", "diamond_pickaxe"]},
          given={"wooden_pickaxe": 1}, blocks={"iron_ore": [(30, GROUND, 8)]},
          says="stone_pickaxe", stays=True),
    *(Scene(f"{reason}: {item}", f"!skill gather {item}", {"success": False, "reason": reason},
            says=named)
      for item, reason, named in (("oak_lgo", "unknown_item", "oak_log"),
                                  ("bread", "not_gatherable", "bread"),
                                  ("bedrock", "unbreakable", "bedrock"))),
    Scene("what is held already does not count", "!skill gather oak_log 2",
          {"before": 5, "gathered": 2, "have": 7}, given={"oak_log": 5}, blocks={"oak_log": TREE}),
    Scene("stone is met by the cobblestone it drops", "!skill gather stone 2", {"gathered": 2},
          given={"stone_pickaxe": 1}, blocks={"stone": [AT, NEXT]},
          carried={"stone_pickaxe": 1, "cobblestone": 2}),
    Scene("an item is sought in the blocks that drop it", "!skill gather coal", {"success": True},
          given={"wooden_pickaxe": 1}, blocks={"coal_ore": [AT]},
          carried={"wooden_pickaxe": 1, "coal": 1}),
    Scene("too few is a failure that tells how many there are",
          '!skill gather {"itemName": "oak_log", "count": 5}',
          {"success": False, "reason": "not_found", "gathered": 2, "have": 2, "count": 5},
          blocks={"oak_log": TREE[:2]}, says="Got 2 of 5 oak_log"),
    Scene("a block without a way is left for the next one", "!skill gather oak_log",
          {"success": True, "avoided": 1}, blocks={"oak_log": [HIGH, (28, GROUND, 8)]},
          standing={"oak_log": [HIGH]}),
    Scene("blocks out of reach alone are no path", "!skill gather oak_log",
          {"success": False, "reason": "no_path", "avoided": 1, "gathered": 0},
          blocks={"oak_log": [HIGH]}),
    Scene("an inventory full of good things gathers nothing", "!skill gather oak_log",
          {"success": False, "reason": "inventory_full", "dug": 0}, given={"gold_ingot": 36 * 64},
          blocks={"oak_log": TREE}),
    Scene("what falls only to silk touch is tried twice", "!skill gather ice",
          {"success": False, "reason": "gave_up", "dug": 2, "gathered": 0},
          blocks={"ice": [(10 + i, GROUND, 8) for i in range(6)]}),
)  # fmt: skip
async def test_gathering_counts_what_the_bag_gained(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_the_fastest_carried_tool_is_held_for_digging(rig: Rig) -> None:
    give(rig, dirt=1, wooden_pickaxe=1, iron_pickaxe=1, stone_axe=1)
    put(rig, "stone", (10, GROUND, 8))
    await carry_out(rig, "!skill gather stone")
    assert in_hand(rig) == "iron_pickaxe"


async def test_ore_in_the_ground_is_dug_for_and_the_way_back_is_open(rig: Rig) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    put(rig, "iron_ore", (18, GROUND - 8, 8))
    result = await carry_out(rig, "!skill gather iron_ore")
    assert (result["success"], carried(rig)["iron_ore"]) == (True, 1)
    assert (await carry_out(rig, "!skill moveTo 8 64 8 1"))["success"]


async def test_what_somebody_built_is_not_broken_to_get_through(rig: Rig) -> None:
    cell = [(x, y, z) for x in (7, 8, 9) for y in range(GROUND - 1, GROUND + 3) for z in (7, 8, 9)]
    put(rig, "oak_planks", *cell)
    put(rig, "air", *((8, GROUND + up, 8) for up in range(3)))
    put(rig, "oak_log", (18, GROUND, 8))
    assert (await carry_out(rig, "!skill gather oak_log"))["reason"] == "no_path"
    assert rig.world.block(Position(9, GROUND, 8)) == "oak_planks"


async def test_no_shaft_is_dug_in_a_yard_for_what_lies_beside_it(rig: Rig) -> None:
    house = [(8 + x, GROUND + y, 10 + z) for x in range(3) for y in range(3) for z in range(3)]
    put(rig, "oak_planks", *house)
    put(rig, "iron_ore", (9, GROUND - 5, 9), (24, GROUND - 5, 10))
    rig.world.give("Alice", "diamond_pickaxe", 1)
    yard = [Position(x, GROUND - 1, z) for x in range(2, 17) for z in range(4, 19)]
    before = [rig.world.block(at) for at in yard]
    assert (await carry_out(rig, "!skill gather iron_ore 1"))["success"] is True
    assert [rig.world.block(at) for at in yard] == before
    result = await carry_out(rig, "!skill gather iron_ore 1")
    assert (result["reason"], result["dug"]) == ("built", 0)
    assert "lies below what somebody built" in result["message"]


async def test_what_falls_whole_only_to_shears_is_left_without(rig: Rig) -> None:
    put(rig, "oak_leaves", *((10 + i, GROUND, 8) for i in range(6)))
    result = await carry_out(rig, "!skill gather oak_leaves 2")
    assert (result["reason"], result["dug"]) == ("no_tool", 0)
    rig.world.give("Alice", "shears", 1)
    assert (await carry_out(rig, "!skill gather oak_leaves 2"))["success"] is True
    assert carried(rig)["oak_leaves"] == 2


async def test_whoever_is_let_dig_nothing_says_so(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def break_block(self: Breaking, target: BlockSighting, **_how: bool) -> None:
        raise ActionFailed("blocked", "The server put it back.")

    monkeypatch.setattr(Breaking, "break_block", break_block)
    result = await carry_out(rig, '!skill gather {"itemName": "dirt", "maxAttempts": 3}')
    why = "3 tries in a row brought nothing; at last: The server put it back"
    assert (result["reason"], result["message"]) == ("gave_up", f"Got 0 of 1 dirt: {why}.")


async def test_the_logs_of_a_tree_without_a_way_are_left_at_once_and_others_tried_first(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each log of it took 40 s of searches."""
    tree = [(10, GROUND + 12 + up, 8) for up in range(4)]
    put(rig, "oak_log", *tree, (28, GROUND, 8), (28, GROUND + 1, 8))
    tried = searches(monkeypatch)
    assert (await carry_out(rig, "!skill gather oak_log 2"))["success"]
    assert [(one.y, on_foot) for one, on_foot in tried if one.x == 10] == [(tree[0][1], True)]
    tried.clear()
    assert (await carry_out(rig, "!skill gather oak_log"))["reason"] == "no_path"
    assert [(one.y, on_foot) for one, on_foot in tried] == [
        (tree[0][1], True),
        (tree[0][1], False),
    ]


async def test_lower_logs_are_tried_where_no_way_leads_to_the_crown(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = searches(monkeypatch, barred_above=GROUND + 1)
    put(rig, "oak_log", *TREE, *((x, GROUND + 3, 8) for x in (9, 10, 11)))
    assert (await carry_out(rig, "!skill gather oak_log 2"))["success"]
    assert [one.y - GROUND for one, _on_foot in tried] == [3, 0, 1]


def searches(
    monkeypatch: pytest.MonkeyPatch, barred_above: float = math.inf
) -> list[tuple[Position, bool]]:
    """Each block that is tried, and whether on foot alone; no way leads higher than this."""
    tried: list[tuple[Position, bool]] = []
    really = Breaking.break_block

    async def break_block(self: Breaking, target: BlockSighting, *, on_foot: bool = False) -> None:
        tried.append((target.position, on_foot))
        if target.position.y > barred_above:
            raise ActionFailed("no_path", "No way leads there.")
        await really(self, target, on_foot=on_foot)

    monkeypatch.setattr(Breaking, "break_block", break_block)
    return tried


async def test_the_ground_underfoot_is_dug_last(rig: Rig) -> None:
    await carry_out(rig, "!skill gather dirt 3")
    assert rig.world.body("Alice").position.y >= GROUND - 1
    assert carried(rig) == {"dirt": 3}


async def test_a_stop_ends_it_between_two_blocks(rig: Rig) -> None:
    put(rig, "oak_log", *TREE)
    task = asyncio.create_task(run_json(rig.bots["Alice"], "!skill gather oak_log 3"))
    while not [*rig.trace.recent("job.progressed")]:
        await rig.world.clock.advance(0.5)
    await until(lambda: rig.bridge.running_actions)
    stopped = await run_json(rig.bots["Alice"], "!stop")
    assert stopped["stoppedActions"] == ["!skill gather"]
    result = await task
    assert (result["success"], result["reason"]) == (False, "stopped")
    before = carried(rig)
    await rig.world.clock.advance(60)
    assert (carried(rig), rig.bridge.running_actions) == (before, 0)


async def test_it_tells_how_far_it_is(rig: Rig) -> None:
    put(rig, "oak_log", *TREE)
    await carry_out(rig, "!skill gather oak_log 3")
    told = [trace.as_json() for trace in rig.trace.recent("job.progressed")]
    assert [entry["done"] for entry in told] == [0, 1, 2, 3]
