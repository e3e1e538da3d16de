"""Room in the bag: rubble that no step and no goal needs is thrown away when it gets full."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from bots.goals.goal import Goal, ItemGoal, PlacedGoal
from bots.goals.plan import Step
from bridge.world import WorldSnapshot

_RUBBLE = re.compile(
    r"dirt|coarse_dirt|rooted_dirt|cobblestone|cobbled_deepslate|stone|deepslate|granite|diorite"
    r"|andesite|tuff|calcite|gravel|sand|red_sand|netherrack|basalt|blackstone|soul_soil"
    r"|end_stone|rotten_flesh|poisonous_potato|wheat_seeds|\w+_sapling|\w+_leaves|dandelion|poppy"
)
"""What tunnels and meadows leave in a bag, to be had again wherever one stands."""


def needed(steps: Iterable[Step], goals: Iterable[Goal]) -> Counter[str]:
    """What must stay: at most this much of each thing will be used."""
    counts: Counter[str] = Counter()
    for step in steps:
        counts.update(step.consumes)
    for goal in goals:
        match goal:
            case ItemGoal():
                counts[goal.item] += goal.count
            case PlacedGoal():
                counts[goal.block] += goal.count
    return counts


def rubble(snapshot: WorldSnapshot, keep: Counter[str]) -> Counter[str]:
    """What can go, the most first."""
    held: Counter[str] = Counter()
    for stack in snapshot.items:
        if _RUBBLE.fullmatch(stack.name):
            held[stack.name] += stack.count
    return +(held - keep)
