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

`WorldCosts` also applies what was learnt, and makes dearer what failed. The
figures are fitted to times measured on the embedded server: 0.5 s beside the digging of a log, 0.1
s for a craft, more on a remote server. Costs are whole ticks of 0.05 s, at least one per
repetition: "nothing cheaper" is exact, no repetition is free."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bots.goals.activity import TICK_S, Activity, Away, Cost, PlanningWorld, is_somewhere
from bots.goals.rates import CLIMB, Work

WALKING_BLOCKS_PER_S = 4.3
TYPICAL_DISTANCE_BLOCKS = 24.0
"""Distance to the nearest block of a kind, detours included, if nothing else is known."""
WALK_S = TYPICAL_DISTANCE_BLOCKS / WALKING_BLOCKS_PER_S
BEGIN_S = 1.0
"""Besides the walk, for starting to dig a kind of block: a look, the tool, the first drop."""
DETOURS = 1.3
"""The way over the ground, as a multiple of the straight line."""
STAIR_BLOCKS, TUNNEL_BLOCKS = 3, 2
"""How many blocks are dug for each block down, and for each block on the level."""
STAIR_S, CLIMB_S = 0.7, 0.6
"""Besides the digging, for each block down; and for each block up again."""
UNDER_WATER = 5
"""How many times longer digging takes under water. Source: minecraft.wiki/w/Breaking."""
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
"""For opening chests, besides the walk; each item taken costs a tick."""
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
FAILED_S = 30.0
"""How much dearer a kind of block is after digging it failed; twice that after the next failure."""
MOST_FAILURES = 6
TOUCHING = 3.0
"""Blocks no farther apart than this are dug from one place."""
ORE_BESIDE_S = 1.5
"""Besides the digging, for an ore next to the one before."""
FARTHEST_APART = 32.0
AT_IT = Away(0.0)


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
    """Seconds to dig one stone. Anything but a pickaxe counts as a hand."""
    material, _, kind = (tool or "").rpartition("_")
    if kind != "pickaxe" or material not in _PICKAXES:
        return STONE_HARDNESS * _BARE_HANDED * TICK_S
    return dig_ticks(STONE_HARDNESS, _PICKAXES[material]) * TICK_S


def is_ore(block: str) -> bool:
    return block.endswith("_ore") or block == "ancient_debris"


def gather_ticks(block: str, hardness: float, speed: float) -> int:
    """Ticks for one more block of a kind, dug with a tool that harvests it."""
    return ticks(NEXT_ORE_S if is_ore(block) else NEXT_BLOCK_S) + dig_ticks(hardness, speed)


@dataclass(frozen=True, slots=True)
class WorldCosts:
    """The costs in a world. One that says nothing of places costs what the domain says."""

    world: PlanningWorld

    def of(self, activity: Activity) -> Cost:
        if activity.kind == "approach":
            return self._approach(activity)
        away, penalty = None, 0
        if is_somewhere(activity):
            # A distant station has been walked to by then.
            is_far = self.world.is_far(activity.target)
            away = AT_IT if is_far else self.world.away.get(activity.target)
            times = min(MOST_FAILURES, self.world.failures.get(activity.target, 0))
            penalty = round(FAILED_S * (2.0**times - 1) / TICK_S)
        fixed, unit, back_s = activity.fixed_ticks, activity.unit_ticks, 0.0
        stored = self.world.stored.get(activity.target) if activity.kind == "take" else None
        if stored is not None and stored.distance is not None:
            fixed = ticks(CHEST_S + walk_s(stored.distance))
        if away is not None:
            there = _Way.to(activity, away)
            fixed, unit = there.fixed(), there.unit(activity)
            back_s = there.down * CLIMB_S * self.world.rates.of(CLIMB)
        if activity.kind == "await":
            unit = max(1, unit // max(1, self.world.nearby.get(activity.target, 0)))
        fixed += activity.waiting_ticks
        rate = self.world.rates.of(work_of(activity))
        whole = _scaled(fixed, rate) + round(back_s / TICK_S) + penalty
        return Cost(whole, _scaled(unit, rate), fixed, unit, penalty)

    def _approach(self, activity: Activity) -> Cost:
        """The walk to a station and back to the other work."""
        away = self.world.away[activity.target]
        way_s = walk_s(_level(away)) + climb_s(abs(away.height))
        there = ticks(way_s)
        whole = _scaled(there, self.world.rates.of(work_of(activity))) + there
        return Cost(whole, activity.unit_ticks, there, activity.unit_ticks)


def work_of(activity: Activity) -> Work:
    """The work of an activity. For crafting only the station matters: one craft takes as long as
    another."""
    if is_somewhere(activity):
        return Work(activity.kind, activity.target, activity.tool or "")
    return Work(activity.kind, activity.station or "")


def climb_s(blocks: float) -> float:
    """Seconds, by the model, for coming up so many blocks."""
    return blocks * CLIMB_S


def walk_s(blocks: float) -> float:
    """Seconds, by the model, for a walk over the ground."""
    return blocks * DETOURS / WALKING_BLOCKS_PER_S


def _level(away: Away) -> float:
    """Blocks over the ground."""
    return math.sqrt(max(0.0, away.distance**2 - away.height**2))


@dataclass(frozen=True, slots=True)
class _Way:
    """The way to the nearest block: over the ground, then up or down."""

    level: float
    up: float
    down: float
    apart: float
    under_water: bool
    is_ore: bool
    stone_s: float

    @classmethod
    def to(cls, activity: Activity, away: Away) -> _Way:
        level = _level(away)
        above, below = max(0.0, away.height), max(0.0, -away.height - 1)
        ore = is_ore(activity.target)
        down = below if ore else max(0.0, below - level)
        over = max(0.0, level - below) if ore else level
        apart = min(away.apart, FARTHEST_APART)
        up = max(0.0, above - level)
        return cls(over, up, down, apart, away.under_water, ore, stone_s(activity.tool))

    def fixed(self) -> int:
        stair_s = STAIR_S + STAIR_BLOCKS * self.stone_s
        down_s = DIVE_S if self.under_water else stair_s
        steep_s = self.up * CLIMB_S + self.down * down_s
        return round((BEGIN_S + walk_s(self.level) + steep_s) / TICK_S)

    def unit(self, activity: Activity) -> int:
        beyond = max(0.0, self.apart - TOUCHING)
        if not self.is_ore:
            digs = activity.kind in ("gather", "search") and self.under_water
            wet = self._wet(activity) if digs else 0
            return activity.unit_ticks + wet + round(activity.uses * walk_s(beyond) / TICK_S)
        tunnel_s = TUNNEL_BLOCKS * self.stone_s + 1 / WALKING_BLOCKS_PER_S
        saved_s = NEXT_ORE_S - ORE_BESIDE_S
        return max(1, activity.unit_ticks + round((beyond * tunnel_s - saved_s) / TICK_S))

    def _wet(self, activity: Activity) -> int:
        """What water adds to a unit: slower breaking, and going down for each block."""
        breaking = activity.unit_ticks - activity.uses * ticks(NEXT_BLOCK_S)
        slower = (UNDER_WATER - 1) * max(0, breaking)
        return slower + activity.uses * ticks(SINK_S)


def _scaled(ticks: int, rate: float) -> int:
    return max(1, round(ticks * rate)) if ticks else 0
