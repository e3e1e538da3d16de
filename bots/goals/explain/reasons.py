"""Explains a plan's steps in sentences for people (`townsfolk plan --explain`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bots.goals.activity import STATIONS, Domain
from bots.goals.plan import Plan, Step


def reasons(plan: Plan, domain: Domain) -> Iterator[str]:
    """What each tool and station is for, what is left over, and whether the plan is optimal."""
    for tool in dict.fromkeys(step.tool for step in plan.steps if step.tool):
        yield _of_tool(tool, [step for step in plan.steps if step.tool == tool], domain)
    for station in STATIONS:
        made = [step.target for step in plan.steps if step.station == station]
        if made:
            yield f"{station}: for {', '.join(dict.fromkeys(made))}"
    left = _left_over(plan)
    if left:
        yield f"left over: {', '.join(f'{count} {item}' for item, count in left.items())}"
    if plan.steps:
        yield _of_cost(plan)


def _of_tool(tool: str, steps: list[Step], domain: Domain) -> str:
    fished = dict.fromkeys(step.thing for step in steps if step.action == "fish")
    if fished:
        return f"{tool}: {', '.join(fished)} takes a rod"
    blocks = dict.fromkeys(step.target for step in steps)
    needed = [b for b in blocks if all(way.tool for way in domain.digging.get(b, ()))]
    if needed:
        return f"{tool}: {', '.join(needed)} would give nothing to the hand"
    return f"{tool}: {', '.join(blocks)} takes longer by hand"


def _left_over(plan: Plan) -> dict[str, int]:
    """What the steps make more of than they use, the final products left out."""
    balance: Counter[str] = Counter()
    for step in plan.steps:
        balance.update(step.produces)
        balance.subtract(step.consumes)
    used = {item for step in plan.steps for item in (*step.consumes, step.tool)}
    return {item: count for item, count in balance.items() if count > 0 and item in used}


def _of_cost(plan: Plan) -> str:
    if plan.optimal:
        return "nothing cheaper exists by the cost model: proven"
    return "something cheaper may exist: the proof was not finished"
