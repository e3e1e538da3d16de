"""What of the products of a step is needed: by the steps after it, and at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from bots.goals.goal import EquipmentGoal, Goal, ItemGoal
from bots.goals.plan import Step


def due_of(
    step: Step, later: Iterable[Step], goals: Iterable[Goal], carried: Mapping[str, int]
) -> dict[str, int]:
    """How many more than are carried it has to give, of each thing; never more than planned."""
    needs = _at_the_end(goals)
    for one in later:
        needs.update(one.consumes)
        needs.subtract(one.produces)
    lacking = {item: needs[item] - carried.get(item, 0) for item in step.produces}
    return {item: min(n, step.produces[item]) for item, n in lacking.items() if n > 0}


def _at_the_end(goals: Iterable[Goal]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for goal in goals:
        match goal:
            case ItemGoal():
                counts[goal.item] += goal.count
            case EquipmentGoal(on=True):
                counts[goal.item] += 1
            case _:
                pass
    return counts
