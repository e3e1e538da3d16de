"""What activities cost in one world: by where things are, what was learnt and what failed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bots.goals.activity import TICK_S, Activity, Away, Cost, PlanningWorld, is_somewhere
from bots.goals.domain import costs
from bots.goals.rates import CLIMB, Work

FAILED_S = 30.0
"""What a kind of block is dearer by after digging it failed; twice that after the next time."""
MOST_FAILURES = 6
TOUCHING = 3.0
"""Blocks no farther apart are dug from one place."""
ORE_BESIDE_S = 1.5
"""Beside the digging, for an ore next to the one before."""
FARTHEST_APART = 32.0
AT_IT = Away(0.0)


@dataclass(frozen=True, slots=True)
class WorldCosts:
    """The costs in a world. One that says nothing of places costs what the domain says."""

    world: PlanningWorld

    def of(self, activity: Activity) -> Cost:
        if activity.kind == "approach":
            return self._approach(activity)
        away = self._away(activity)
        fixed, unit, back_s = activity.fixed_ticks, activity.unit_ticks, 0.0
        stored = self.world.stored.get(activity.target) if activity.kind == "take" else None
        if stored is not None and stored.distance is not None:
            fixed = costs.ticks(costs.CHEST_S + walk_s(stored.distance))
        if away is not None:
            there = _Way.to(activity, away)
            fixed, unit = there.fixed(), there.unit(activity)
            back_s = there.down * costs.CLIMB_S * self.world.rates.of(CLIMB)
        if activity.kind == "await":
            unit = max(1, unit // max(1, self.world.nearby.get(activity.target, 0)))
        fixed += activity.waiting_ticks
        rate = self.world.rates.of(work_of(activity))
        penalty = self._penalty(activity)
        whole = _scaled(fixed, rate) + round(back_s / TICK_S) + penalty
        return Cost(whole, _scaled(unit, rate), fixed, unit, penalty)

    def _approach(self, activity: Activity) -> Cost:
        """The walk to a station, and back to where the other work is."""
        away = self.world.away[activity.target]
        way_s = walk_s(_level(away)) + climb_s(abs(away.height))
        there = costs.ticks(way_s)
        whole = _scaled(there, self.world.rates.of(work_of(activity))) + there
        return Cost(whole, activity.unit_ticks, there, activity.unit_ticks)

    def _away(self, activity: Activity) -> Away | None:
        """Where its target is; a station far off has been walked to by then."""
        if not is_somewhere(activity):
            return None
        return AT_IT if self.world.is_far(activity.target) else self.world.away.get(activity.target)

    def _penalty(self, activity: Activity) -> int:
        if not is_somewhere(activity):
            return 0
        times = min(MOST_FAILURES, self.world.failures.get(activity.target, 0))
        doubled: int = 1 << times
        return round(FAILED_S * (doubled - 1) / TICK_S)


def work_of(activity: Activity) -> Work:
    """Of what is made only the station matters: one craft takes as long as another."""
    if is_somewhere(activity):
        return Work(activity.kind, activity.target, activity.tool or "")
    return Work(activity.kind, activity.station or "")


def climb_s(blocks: float) -> float:
    """Seconds, by the model, for coming up so many blocks."""
    return blocks * costs.CLIMB_S


def walk_s(blocks: float) -> float:
    """Seconds, by the model, for a walk over the ground."""
    return blocks * costs.DETOURS / costs.WALKING_BLOCKS_PER_S


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
        is_ore = costs.is_ore(activity.target)
        down = below if is_ore else max(0.0, below - level)
        over = max(0.0, level - below) if is_ore else level
        apart = min(away.apart, FARTHEST_APART)
        up, stone_s = max(0.0, above - level), costs.stone_s(activity.tool)
        return cls(over, up, down, apart, away.under_water, is_ore, stone_s)

    def fixed(self) -> int:
        stair_s = costs.STAIR_S + costs.STAIR_BLOCKS * self.stone_s
        down_s = costs.DIVE_S if self.under_water else stair_s
        steep_s = self.up * costs.CLIMB_S + self.down * down_s
        return round((costs.BEGIN_S + walk_s(self.level) + steep_s) / TICK_S)

    def unit(self, activity: Activity) -> int:
        beyond = max(0.0, self.apart - TOUCHING)
        if not self.is_ore:
            digs = activity.kind in ("gather", "search") and self.under_water
            wet = self._wet(activity) if digs else 0
            return activity.unit_ticks + wet + round(activity.uses * walk_s(beyond) / TICK_S)
        tunnel_s = costs.TUNNEL_BLOCKS * self.stone_s + 1 / costs.WALKING_BLOCKS_PER_S
        saved_s = costs.NEXT_ORE_S - ORE_BESIDE_S
        return max(1, activity.unit_ticks + round((beyond * tunnel_s - saved_s) / TICK_S))

    def _wet(self, activity: Activity) -> int:
        """What water adds to a unit: slower breaking, and going down for each block."""
        breaking = activity.unit_ticks - activity.uses * costs.ticks(costs.NEXT_BLOCK_S)
        slower = (costs.UNDER_WATER - 1) * max(0, breaking)
        return slower + activity.uses * costs.ticks(costs.SINK_S)


def _scaled(ticks: int, rate: float) -> int:
    return max(1, round(ticks * rate)) if ticks else 0
