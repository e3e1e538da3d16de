"""The cost model: how long everything takes, in seconds. It is tuned here alone.

A plan costs the sum of its activities. An activity costs

- once, if it is done at all: walking to the kind of block it digs (WALK_S), opening the grid
  (CRAFT_OPEN_S), walking to the furnace, loading and emptying it (SMELT_OPEN_S);
- per repetition: breaking the block by vanilla's rules of hardness and tool, then walking to the
  drop and picking it up (NEXT_BLOCK_S, or NEXT_ORE_S for ores scattered in stone); one craft
  (CRAFT_S); one smelted item (SMELT_S, 200 ticks); placing one station (PLACE_S).

The model does not know distances: every block is TYPICAL_DISTANCE_BLOCKS away. The figures are
fitted to times measured on the embedded server: 0.5 s beside the digging of a log, 8 to 25 s for
an ore in a tunnel (less in the open), 0.1 s for a craft, more on a remote server. Costs are whole
ticks of 0.05 s, at least one per repetition: "nothing cheaper" is exact, no repetition is free."""

from __future__ import annotations

import math

from bots.goals.activity import TICK_S

WALKING_BLOCKS_PER_S = 4.3
TYPICAL_DISTANCE_BLOCKS = 24.0
"""To the nearest block of a kind, detours included."""
WALK_S = TYPICAL_DISTANCE_BLOCKS / WALKING_BLOCKS_PER_S
NEXT_BLOCK_S = 1.0
NEXT_ORE_S = 4.0
CRAFT_OPEN_S = 1.0
CRAFT_S = 0.2
SMELT_OPEN_S = 3.0
SMELT_S = 10.0
PLACE_S = 2.0

_HARVESTING = 30
"""Vanilla's divisor of the damage per tick, for a tool that harvests the block."""


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


def gather_ticks(block: str, hardness: float, speed: float) -> int:
    """Ticks for one more block of a kind, dug with a tool that harvests it."""
    is_ore = block.endswith("_ore") or block == "ancient_debris"
    return ticks(NEXT_ORE_S if is_ore else NEXT_BLOCK_S) + dig_ticks(hardness, speed)
