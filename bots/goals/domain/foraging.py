"""What can be had of what is near, other than by digging: animals hunted and shorn.

Chance decides what they give. An activity gives the mean, rounded down; what falls less often than
once takes several animals for one. Young animals give nothing, so nobody counts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bots.goals.activity import Activity, ActivityKind
from bots.goals.domain import costs
from bots.skills.animals import SHORN_SHEEP, sheep_of

COLOURS = (
    *("white", "light_gray", "gray", "black", "brown", "red", "orange", "yellow"),
    *("lime", "green", "cyan", "light_blue", "blue", "purple", "magenta", "pink"),
)

_LEFT: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "cow": (1, {"beef": 2, "leather": 1}),
    "mooshroom": (1, {"beef": 2, "leather": 1}),
    "pig": (1, {"porkchop": 2}),
    "chicken": (1, {"chicken": 1, "feather": 1}),
    "rabbit": (2, {"rabbit": 1, "rabbit_hide": 1}),
    SHORN_SHEEP: (1, {"mutton": 1}),
}
"""What so many of a kind leave when killed. Source: minecraft.wiki, page of each animal."""
_SPOILS: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "zombie": (1, {"rotten_flesh": 1}),
    "skeleton": (1, {"bone": 1, "arrow": 1}),
    "spider": (1, {"string": 1}),
    "creeper": (1, {"gunpowder": 1}),
}
"""The same for monsters, which a bot meets with a sword."""
_SWORDS = ("stone_sword", "iron_sword", "diamond_sword", "netherite_sword")
_SHORN = 2
"""Wool that shears get of one sheep, as a mean of one to three."""


def foraging(items: frozenset[str]) -> dict[str, tuple[Activity, ...]]:
    """For each kind of animal the ways to get something of it that the version has."""
    found: dict[str, list[Activity]] = {}
    for activity in (*_hunts(), *_shearing(), *_fights()):
        named = {*activity.produces, *({activity.tool} - {None})}
        if named <= items:
            found.setdefault(activity.target, []).append(activity)
    return {kind: tuple(ways) for kind, ways in found.items()}


def _hunts() -> Iterator[Activity]:
    for kind, (uses, left) in _LEFT.items():
        yield _work("hunt", kind, left, costs.HUNT_S, uses=uses)
    for colour in COLOURS:
        left = {"mutton": 1, f"{colour}_wool": 1}
        yield _work("hunt", sheep_of(colour), left, costs.HUNT_S)


def _shearing() -> Iterator[Activity]:
    for colour in COLOURS:
        wool = {f"{colour}_wool": _SHORN}
        yield _work("shear", sheep_of(colour), wool, costs.SHEAR_S, tool="shears")


def _fights() -> Iterator[Activity]:
    for kind, (uses, left) in _SPOILS.items():
        for sword in _SWORDS:
            yield _work("hunt", kind, left, costs.FIGHT_S, uses=uses, tool=sword)


def _work(
    kind: ActivityKind,
    target: str,
    gives: Mapping[str, int],
    each_s: float,
    *,
    uses: int = 1,
    tool: str | None = None,
) -> Activity:
    return Activity(
        kind,
        target,
        gives,
        tool=tool,
        fixed_ticks=costs.ticks(costs.WALK_S),
        unit_ticks=uses * costs.ticks(each_s),
        uses=uses,
        is_mean=True,
    )
