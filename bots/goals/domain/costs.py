"""The cost model: how long everything takes, in seconds. It is tuned here alone.

A plan costs the sum of its activities. An activity costs

- once, if it is done at all: walking to the kind of block it digs (WALK_S), opening the grid
  (CRAFT_OPEN_S), walking to the furnace, loading and emptying it (SMELT_OPEN_S);
- for a crafting table or furnace beyond `AT_HAND` (activity.py): the walk there and back, if it is
  used; a new one costs what it takes to make and place it;
- for what is taken out of chests: the walk to the nearest that holds it, opening it (CHEST_S);
- per repetition: breaking the block by vanilla's rules of hardness and tool, then walking to the
  drop and picking it up (NEXT_BLOCK_S, or NEXT_ORE_S for ores scattered in stone); one craft
  (CRAFT_S); one smelted item (SMELT_S, 200 ticks); placing one station (PLACE_S); one animal
  (HUNT_S, FIGHT_S, SHEAR_S); one bucket (MILK_S, FILL_S, FILL_LAVA_S); one plant (SOW_S, once
  GROWTH_S); one catch (CATCH_S); one
  egg (LAID_S, shared by the hens). What chance decides costs the work for its mean.

Where the nearest block of a kind is known, digging that kind takes a moment to begin (BEGIN_S) and
the walk there, its distance with detours. What lies higher than a slope leads is climbed to. What
lies deeper takes stairs, dug with the tool of the activity, three blocks for each step down, and
climbed again. The next block takes the way to it. What water covers out of reach from the shore is
dived to (DIVE_S, SINK_S) and takes UNDER_WATER times as long to dig. Without such knowledge a block
is TYPICAL_DISTANCE_BLOCKS away, in the open.

`WorldCosts` (world_costs.py) also applies what was learnt, and makes dearer what failed. The
figures are fitted to times measured on the embedded server: 0.5 s beside the digging of a log, 0.1
s for a craft, more on a remote server. Costs are whole ticks of 0.05 s, at least one per
repetition: "nothing cheaper" is exact, no repetition is free."""

from __future__ import annotations

import math

from bots.goals.activity import TICK_S

WALKING_BLOCKS_PER_S = 4.3
TYPICAL_DISTANCE_BLOCKS = 24.0
"""To the nearest block of a kind, detours included."""
WALK_S = TYPICAL_DISTANCE_BLOCKS / WALKING_BLOCKS_PER_S
BEGIN_S = 1.0
"""Beside the walk, for beginning to dig a kind of block: a look, the tool, the first drop."""
DETOURS = 1.3
"""The way over the ground, as a multiple of the straight line."""
STAIR_BLOCKS, TUNNEL_BLOCKS = 3, 2
"""Dug for each block down, and for each block on the level."""
STAIR_S, CLIMB_S = 0.7, 0.6
"""Beside the digging, for each block down; and for each block up again."""
UNDER_WATER = 5
"""So many times as long digging takes on the bottom. Source: minecraft.wiki/w/Breaking."""
DIVE_S = 2.0
"""For each block down through water: a bot sinks half a block a second."""
SINK_S = 2.5
"""For each block dug under water: going down once more."""
NEXT_BLOCK_S = 1.0
NEXT_ORE_S = 4.0
CRAFT_OPEN_S = 1.0
CRAFT_S = 0.2
SMELT_OPEN_S = 3.0
SMELT_S = 10.0
PLACE_S = 2.0
CHEST_S = 2.0
"""For opening chests, beside the walk; each item taken costs a tick."""
HUNT_S = 5.0
"""For one animal: coming to it, strokes half a second apart with the bare hand, what it leaves."""
FIGHT_S = 20.0
"""For one monster, with a sword."""
SHEAR_S = 4.0
MILK_S = 2.0
FILL_S = 3.0
"""For one bucket: coming to where the liquid is in view, which lava takes care."""
FILL_LAVA_S = 8.0
CATCH_S = 22.0
"""For one catch: a bite after 20 s as a mean, casting and reeling in. Source:
minecraft.wiki/w/Fishing."""
LAID_S = 450.0
"""Until one hen lays an egg, as a mean. Source: minecraft.wiki/w/Chicken."""
PICK_UP_S = 1.0
SOW_S = 5.0
"""For one plant: tilling, sowing, reaping."""
GROWTH_S = 2_000.0
"""Until most of what was sown beside water is ripe. Source: minecraft.wiki/w/Wheat_Seeds."""

_HARVESTING, _BARE_HANDED = 30, 100
"""Vanilla's divisor of the damage per tick, for a tool that harvests the block and for none."""
STONE_HARDNESS = 1.5
_PICKAXES = {
    "wooden": 2.0,
    "golden": 12.0,
    "stone": 4.0,
    "copper": 5.0,
    "iron": 6.0,
    "diamond": 8.0,
    "netherite": 9.0,
}
"""How many times as fast as the hand. Source: minecraft.wiki/w/Breaking."""


def ticks(seconds: float) -> int:
    """Whole ticks, at least one."""
    return max(1, round(seconds / TICK_S))


def dig_ticks(hardness: float, speed: float) -> int:
    """Ticks to break a block with a tool `speed` times as fast as the hand.

    Source: minecraft.wiki/w/Breaking, without enchantments."""
    if hardness <= 0:
        return 0
    damage = speed / hardness / _HARVESTING
    return 0 if damage > 1 else math.ceil(1 / damage - 1e-9)


def stone_s(tool: str | None) -> float:
    """Seconds to dig one stone. Whatever is no pickaxe is worth a hand."""
    material, _, kind = (tool or "").rpartition("_")
    if kind != "pickaxe" or material not in _PICKAXES:
        return STONE_HARDNESS * _BARE_HANDED * TICK_S
    return dig_ticks(STONE_HARDNESS, _PICKAXES[material]) * TICK_S


def is_ore(block: str) -> bool:
    return block.endswith("_ore") or block == "ancient_debris"


def gather_ticks(block: str, hardness: float, speed: float) -> int:
    """Ticks for one more block of a kind, dug with a tool that harvests it."""
    return ticks(NEXT_ORE_S if is_ore(block) else NEXT_BLOCK_S) + dig_ticks(hardness, speed)
