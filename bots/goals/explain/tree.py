"""Tells a plan to people: as a tree, the goal at the root, or as reasons for its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bots.goals.activity import STATIONS, Domain
from bots.goals.plan import Plan, Step

MINUTE_S = 60
_VERBS = {
    "gather": "dig",
    "search": "dig",
    "approach": "walk to",
    "equip": "put on",
    "take_off": "take off",
    "move": "walk to",
}
_PHRASES = {
    "fill": "fill {step.count} bucket with {step.target}",
    "milk": "fill {step.count} bucket with milk of a {step.target}",
    "fish": "fish about {gives} with a {step.tool}",
    "await": "wait beside a {step.target} for about {gives}",
    "pick_up": "pick up {gives}",
    "grow": "grow {gives} from {of} with a {step.tool}",
}


def tree(plan: Plan, *, costs: bool = False) -> Iterator[str]:
    """Lines of the tree; steps are numbered in the order of execution. `costs` adds durations."""
    yield f"{plan.goal}: {_verdict(plan)}"
    # Each step below the first later one that uses its result; None is the goal itself.
    steps_below: dict[int | None, list[int]] = {}
    for index, step in enumerate(plan.steps):
        gives = {*step.produces, *([step.target] if step.action == "place" else ())}
        later = range(index + 1, len(plan.steps))
        user = next((after for after in later if gives & _used_by(plan.steps[after])), None)
        steps_below.setdefault(user, []).append(index)
    yield from _below(None, "", steps_below, plan.steps, costs)
    for missing in plan.missing:
        yield f"  {missing.item}: need {missing.need}, have {missing.have}: {missing.why}"
    if plan.nearest:
        yield f"  possible: {plan.nearest}"


def duration(seconds: float) -> str:
    """`45 s`, `3 min 20 s`."""
    minutes, rest = divmod(round(seconds), MINUTE_S)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def sentence(step: Step) -> str:
    """`craft 4 stick from 2 oak_planks`."""
    if (phrase := _PHRASES.get(step.action)) is not None:
        return phrase.format(step=step, gives=_listed(step.produces), of=_listed(step.consumes))
    amount = f"{'about ' if step.about else ''}{step.count} {step.target}"
    if step.action in ("approach", "equip", "take_off", "move"):
        amount = step.target
    what = f"{_VERBS.get(step.action, step.action)} {amount}"
    tool = f" with a {step.tool}" if step.tool else ""
    place = f" at a {step.station}" if step.station in ("crafting_table", "furnace") else ""
    taken = f" from {_listed(step.consumes)}" if step.consumes and step.action != "place" else ""
    where = f" near {step.near}" if step.near else ""
    if step.action == "take":
        where = " out of a chest"
    elif step.at is not None:
        where = f" at {step.at.x:g} {step.at.y:g} {step.at.z:g}"
    return f"{what}{tool}{place}{taken}{where}"


def _verdict(plan: Plan) -> str:
    if not plan.found:
        return "not possible here" if plan.missing else plan.message
    if not plan.steps:
        return plan.message or "already so"
    proven = "least cost, proven" if plan.optimal else "least cost not proven"
    count = len(plan.steps)
    steps = f"{count} step{'s' if count > 1 else ''}"
    return f"{steps}, about {duration(plan.cost_s)} ({proven})"


def _listed(counts: Mapping[str, int]) -> str:
    return " + ".join(f"{count} {item}" for item, count in counts.items())


def _used_by(step: Step) -> set[str]:
    worn = [step.target] if step.action == "equip" else []
    return {*step.consumes, *worn, *(one for one in (step.tool, step.station) if one)}


def _below(
    user: int | None,
    indent: str,
    below: Mapping[int | None, list[int]],
    steps: Sequence[Step],
    costs: bool,
) -> Iterator[str]:
    own = below.get(user, [])[::-1]
    for index in own:
        last = index == own[-1]
        spent = f"  [{duration(steps[index].cost_s)}]" if costs else ""
        yield f"{indent}{'└─' if last else '├─'} {index + 1}. {sentence(steps[index])}{spent}"
        yield from _below(index, indent + ("   " if last else "│  "), below, steps, costs)


def reasons(plan: Plan, domain: Domain) -> Iterator[str]:
    """What each tool and station is for, what is left over, and whether the plan is optimal."""
    for tool in dict.fromkeys(step.tool for step in plan.steps if step.tool):
        yield _of_tool(tool, [step for step in plan.steps if step.tool == tool], domain)
    for station in STATIONS:
        made = [step.target for step in plan.steps if step.station == station]
        if made:
            yield f"{station}: for {', '.join(dict.fromkeys(made))}"
    # What the steps make more of than they use, the final products left out.
    balance: Counter[str] = Counter()
    for step in plan.steps:
        balance.update(step.produces)
        balance.subtract(step.consumes)
    used = {item for step in plan.steps for item in (*step.consumes, step.tool)}
    left = {item: count for item, count in balance.items() if count > 0 and item in used}
    if left:
        yield f"left over: {', '.join(f'{count} {item}' for item, count in left.items())}"
    if plan.steps and plan.optimal:
        yield "nothing cheaper exists by the cost model: proven"
    elif plan.steps:
        yield "something cheaper may exist: the proof was not finished"


def _of_tool(tool: str, steps: list[Step], domain: Domain) -> str:
    fished = dict.fromkeys(step.thing for step in steps if step.action == "fish")
    if fished:
        return f"{tool}: {', '.join(fished)} takes a rod"
    blocks = dict.fromkeys(step.target for step in steps)
    needed = [b for b in blocks if all(way.tool for way in domain.digging.get(b, ()))]
    if needed:
        return f"{tool}: {', '.join(needed)} would give nothing to the hand"
    return f"{tool}: {', '.join(blocks)} takes longer by hand"
