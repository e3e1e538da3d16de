"""Says how an item is had of animals, liquids and by chance, and what work it is."""

from __future__ import annotations

from bots.goals.activity import TICK_S, Activity, Domain, PlanningWorld


def foraged(item: str, domain: Domain, world: PlanningWorld) -> str | None:
    """A clause such as `1 per cow, about 5 s; no cow is near`, of the least work for it: with what
    is at hand, else without a tool, where that will do."""
    ways = [way for found in domain.foraging.values() for way in found if _is_told(way, item)]
    if not ways:
        return None
    best = min(ways, key=lambda way: (_is_wanting(way, world), _ticks_for_one(way, item)))
    return f"{_yield_of(best, item)}; {_there(best, world)}"


def _is_told(way: Activity, item: str) -> bool:
    """Whether it gives the item of something that people look for."""
    return item in way.produces and way.kind != "pick_up"


def _is_wanting(way: Activity, world: PlanningWorld) -> bool:
    """Whether its tool is yet to be had."""
    return way.tool is not None and not world.inventory.get(way.tool)


def _ticks_for_one(way: Activity, item: str) -> float:
    return (way.waiting_ticks + way.unit_ticks) / way.produces[item]


def _yield_of(way: Activity, item: str) -> str:
    of = way.target if way.uses <= 1 else f"{way.uses} {way.target}"
    if way.kind == "grow":
        return f"sown with a {way.tool} and reaped after some {_minutes(way.waiting_ticks)} min"
    if way.kind == "fish":
        return f"fished with a {way.tool}, about {round(way.unit_ticks * TICK_S)} s for one"
    if way.kind == "await":
        return f"{way.produces[item]} per {way.target} in some {_minutes(way.unit_ticks)} min"
    held = _held(way)
    tool = f" with {held}" if held else ""
    return f"{way.produces[item]} per {of}{tool}, about {round(way.unit_ticks * TICK_S)} s"


def _minutes(ticks: int) -> int:
    return round(ticks * TICK_S / 60)


def _held(way: Activity) -> str | None:
    """The tool, or the bucket."""
    return way.tool or next(iter(way.consumes), None)


def _there(way: Activity, world: PlanningWorld) -> str:
    near = world.nearby.get(way.target, 0)
    within = "near" if world.sight is None else f"within {world.sight} blocks"
    if near and near >= way.uses:
        return f"no {_held(way)} is at hand"
    verb = "" if world.sight is not None else "is "
    return f"only {near} {within}" if near else f"no {way.target} {verb}{within}"
