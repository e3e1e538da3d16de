"""The cost model: how long everything takes, in seconds. Here alone it is told and tuned.

A plan costs the sum of its activities, and an activity

- once, if it is done at all: walking to the kind of block it digs (WALK_S), opening the grid
  (CRAFT_OPEN_S), walking to the furnace, loading and emptying it (SMELT_OPEN_S);
- for every repetition: breaking the block as vanilla counts it, by its hardness and the tool, and
  coming to it and taking up what fell (NEXT_BLOCK_S, or NEXT_ORE_S for what lies scattered in
  stone); one craft (CRAFT_S); one item out of the furnace (SMELT_S, 200 ticks); putting one
  station down (PLACE_S).

Less is better. How far each block is nobody has told, so all are TYPICAL_DISTANCE_BLOCKS away.
The figures lean on what bots took in the embedded server's country: half a second beside the
digging of a log, 8 to 25 s for an ore they tunnelled to (others lie open), a tenth for a craft,
which a far server makes longer. Costs are whole ticks of 0.05 s, at least one for each repetition,
so that a planner's "nothing cheaper" is exact and no repetition is free."""

from __future__ import annotations

import math

from bots.goals.activity import TICK_S

WALKING_BLOCKS_PER_S = 4.3
TYPICAL_DISTANCE_BLOCKS = 24.0
"""To the nearest block of a kind that is near, path-finding included."""
WALK_S = TYPICAL_DISTANCE_BLOCKS / WALKING_BLOCKS_PER_S
NEXT_BLOCK_S = 1.0
NEXT_ORE_S = 4.0
CRAFT_OPEN_S = 1.0
CRAFT_S = 0.2
SMELT_OPEN_S = 3.0
SMELT_S = 10.0
PLACE_S = 2.0

_HARVESTING = 30
"""Divides the damage a tick does, with a tool that harvests the block."""


def ticks(seconds: float) -> int:
    return max(1, round(seconds / TICK_S))


def dig_ticks(hardness: float, speed: float) -> int:
    """Ticks that breaking takes with a tool so many times as fast as the hand.

    Source: minecraft.wiki/w/Breaking, without enchantments."""
    if hardness <= 0:
        return 0
    damage = speed / hardness / _HARVESTING
    return 0 if damage > 1 else math.ceil(1 / damage - 1e-9)


def gather_ticks(block: str, hardness: float, speed: float) -> int:
    """One block more of a kind one has walked to, dug with a tool that harvests it."""
    is_ore = block.endswith("_ore") or block == "ancient_debris"
    return ticks(NEXT_ORE_S if is_ore else NEXT_BLOCK_S) + dig_ticks(hardness, speed)
