"""A plan as one line, so that plans can stand in tables."""

from collections.abc import Mapping

from bots.goals.plan import Plan, Step


def told(plan: Plan) -> str:
    """Its steps, `craft 4 stick of 2 oak_planks -> 4 stick; …`, or what lacks, `0 of 3 coal: …`."""
    if plan.found:
        return "; ".join(map(_step, plan.steps)) or "nothing to do"
    lacks = [f"{one.have} of {one.need} {one.item}: {one.why}" for one in plan.missing]
    return "; ".join(lacks) or "impossible"


def _step(step: Step) -> str:
    about = "about " if step.about else ""
    tool = f" with {step.tool}" if step.tool else ""
    uses = f" of {_counts(step.consumes)}" if step.consumes else ""
    gives = f" -> {_counts(step.produces)}" if step.produces else ""
    return f"{step.action} {about}{step.count} {step.target}{tool}{uses}{gives}"


def _counts(items: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {item}" for item, count in items.items())
