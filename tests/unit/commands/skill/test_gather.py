"""`!skill gather`: nearest blocks, the right tool, counts from the inventory."""

import asyncio
import math

import pytest
from support.acting import GROUND, Scene, carried, carry_out, play, put, scenes
from support.rig import Rig, run_json, until

from bots.errors import ActionFailed
from bots.skills.breaking import Breaking
from bridge.actions import MoveTo
from bridge.world import BlockSighting, Position

HERE = Position(8.5, GROUND, 8.5)
TREE = ((12, GROUND, 8), (12, GROUND + 1, 8), (12, GROUND + 2, 8))


async def test_three_logs_are_in_the_inventory_afterwards(rig: Rig) -> None:
    put(rig, "oak_log", *TREE)
    result = await carry_out(rig, '!skill gather {"itemName": "oak_log", "count": 3}')
    assert result == {
        "success": True,
        "itemName": "oak_log",
        "count": 3,
        "gathered": 3,
        "before": 0,
        "have": 3,
        "dug": 3,
        "avoided": 0,
        "message": "Gathered 3 oak_log, now 3.",
    }
    assert carried(rig) == {"oak_log": 3}


@pytest.mark.parametrize(
    "text",
    [
        *("!skill gather log 2", "!skill gatherWood log 2", "!skill gatherWood 2"),
        *('!skill gatherWood {"count": 2}', "!skill gather wood 2", "!skill gather Logs 2"),
        '!skill gather {"itemName": "log", "count": 2}',
        '!skill gather {"item": "log", "count": 2}',
        '!skill gather {"item_name": "minecraft:oak log", "count": 2}',
    ],
)
async def test_a_category_and_every_spelling_mean_the_same(rig: Rig, text: str) -> None:
    put(rig, "oak_log", TREE[0])
    put(rig, "oak_log" if "oak" in text else "birch_log", TREE[1])
    result = await carry_out(rig, text)
    assert (result["success"], result["gathered"]) == (True, 2)
    assert sum(carried(rig).values()) == 2


AT, NEXT, HIGH = (12, GROUND, 8), (13, GROUND, 8), (10, GROUND + 12, 8)


@scenes(
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


async def test_without_a_fit_tool_it_is_refused_at_once_with_what_would_help(rig: Rig) -> None:
    put(rig, "iron_ore", (30, GROUND, 8))
    rig.world.give("Alice", "wooden_pickaxe")
    result = await run_json(rig.bots["Alice"], "!skill gather iron_ore")
    assert (result["success"], result["reason"]) == (False, "no_tool")
    assert "stone_pickaxe" in result["message"]
    assert result["needed"][0] == "stone_pickaxe"
    assert rig.world.body("Alice").position == HERE


async def test_the_fastest_carried_tool_is_held_for_digging(rig: Rig) -> None:
    for item in ("dirt", "wooden_pickaxe", "iron_pickaxe", "stone_axe"):
        rig.world.give("Alice", item)
    put(rig, "stone", (10, GROUND, 8))
    await carry_out(rig, "!skill gather stone")
    held = rig.world.body("Alice").held
    assert held is not None
    assert held.name == "iron_pickaxe"


async def test_ore_in_the_ground_is_dug_for_and_the_way_back_is_open(rig: Rig) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    put(rig, "iron_ore", (18, GROUND - 8, 8))
    result = await carry_out(rig, "!skill gather iron_ore")
    assert (result["success"], carried(rig)["iron_ore"]) == (True, 1)
    assert (await carry_out(rig, "!skill moveTo 8 64 8 1"))["success"]


@pytest.mark.slow
@pytest.mark.parametrize("ore", [(8, 25, 8), (13, 30, 8), (40, 40, 20)])
async def test_a_deep_mine_is_left_on_foot(rig: Rig, ore: tuple[int, int, int]) -> None:
    rig.world.give("Alice", "iron_pickaxe")
    put(rig, "diamond_ore", ore)
    result = await carry_out(rig, "!skill gather diamond_ore")
    assert (result["success"], carried(rig)["diamond"]) == (True, 1)
    rig.world.teleport("Alice", Position(ore[0] + 0.5, ore[1], ore[2] + 0.5))
    up = asyncio.create_task(rig.bots["Alice"].act(MoveTo(HERE, 1.5)))
    while not up.done():
        await rig.world.clock.advance(0.5)
    assert (await up).outcome == "done"


async def test_what_somebody_built_is_not_broken_to_get_through(rig: Rig) -> None:
    for dx in (-1, 0, 1):
        for dz in (-1, 0, 1):
            around = [] if dx == dz == 0 else [GROUND, GROUND + 1, GROUND + 2]
            put(rig, "oak_planks", *((8 + dx, y, 8 + dz) for y in (GROUND - 1, *around)))
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


@pytest.mark.parametrize(
    ("text", "reason", "named"),
    [
        ("!skill gather oak_lgo", "unknown_item", "oak_log"),
        ("!skill gather bread", "not_gatherable", "bread"),
        ("!skill gather bedrock", "unbreakable", "bedrock"),
    ],
)
async def test_what_cannot_be_gathered_is_refused(
    rig: Rig, text: str, reason: str, named: str
) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["reason"]) == (False, reason)
    assert named in result["message"]


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
