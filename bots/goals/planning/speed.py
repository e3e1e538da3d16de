"""Tools that a plan might make only to dig faster.

The saving is reckoned on what a plan digs anyway; against it stands what the tool costs at unit
prices, with what the plan leaves over for nothing. Both are estimates to choose what to try: the
solver decides, and the proof looks at every tool.
"""

from __future__ import annotations

from collections.abc import Mapping

from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Scope
from bots.goals.planning.solving import Answer
from bots.goals.planning.ways import Thing, Way

MARGIN_TICKS = 100
"""What a tool should save at least to be tried, five seconds."""
ROUNDS = 12
"""Rounds of price finding: longer than any chain from a block to a tool."""


def paying_tools(problem: Problem, whole: Scope, plan: Answer) -> list[str]:
    """Tools that may save more than they cost, the most first."""
    firings = plan.firings or ()
    made = {thing for firing in firings for thing in firing.way.gives}
    prices = _prices(problem, whole, plan)
    gains: dict[str, float] = {}
    trips = [w.activity.fixed_ticks for w in whole.ways if w.activity.kind == "gather"]
    # What the tool is made of is mostly dug before it is there: one trip more.
    trip = min(trips, default=0)
    for tool, saving in _savings(whole, plan).items():
        gain = saving - trip - (0 if tool in made else prices.get(tool, float("inf")))
        if gain > MARGIN_TICKS:
            gains[tool] = gain
    return sorted(gains, key=lambda tool: (-gains[tool], tool))


def _savings(whole: Scope, plan: Answer) -> dict[str, int]:
    dug: dict[object, list[tuple[int, int]]] = {}
    for firing in plan.firings or ():
        if firing.way.activity.kind == "gather":
            unit = firing.way.activity.unit_ticks
            dug.setdefault(_digging(firing.way), []).append((unit, firing.count))
    savings: dict[str, int] = {}
    for way in whole.ways:
        tool, unit = way.activity.tool, way.activity.unit_ticks
        if way.activity.kind == "gather" and tool:
            saved = sum(max(0, was - unit) * n for was, n in dug.get(_digging(way), ()))
            savings[tool] = savings.get(tool, 0) + saved
    return {tool: saved for tool, saved in savings.items() if saved}


def _digging(way: Way) -> object:
    return way.activity.target, tuple(sorted(way.activity.produces))


def _prices(problem: Problem, whole: Scope, plan: Answer) -> dict[Thing, float]:
    """Ticks for one more of each thing at unit prices, with the plan's leftovers for nothing."""
    prices: dict[Thing, float] = dict.fromkeys(_left_over(problem, plan), 0.0)
    for _ in range(ROUNDS):
        changed = False
        for way in whole.ways:
            ticks = _unit(way, prices)
            for thing, n in way.gives.items():
                if ticks / n < prices.get(thing, float("inf")) - 1e-9:
                    prices[thing] = ticks / n
                    changed = True
        if not changed:
            break
    return prices


def _unit(way: Way, prices: Mapping[Thing, float]) -> float:
    never = float("inf")
    ticks = float(way.activity.unit_ticks)
    ticks += sum(prices.get(t, never) * n for t, n in way.activity.consumes.items())
    ticks += sum(min(prices.get(i, never) for i in p) * n for p, n in way.pools.items())
    return ticks


def _left_over(problem: Problem, plan: Answer) -> list[Thing]:
    left: dict[Thing, int] = dict(problem.start)
    remainders = problem.catalogue.domain.remainders
    for firing in plan.firings or ():
        for thing, n in firing.gained(remainders).items():
            left[thing] = left.get(thing, 0) + n
        for thing, n in firing.spent().items():
            left[thing] = left.get(thing, 0) - n
    return [t for t, n in left.items() if n > problem.wanted.get(t, 0) and isinstance(t, str)]
