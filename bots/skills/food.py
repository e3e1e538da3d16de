"""Choosing what to eat of what is carried."""

from __future__ import annotations

from bots.errors import CommandError
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot

FULL = 20

_HARMFUL = frozenset(
    {"rotten_flesh", "spider_eye", "poisonous_potato", "pufferfish", "chicken", "suspicious_stew"}
)
_PRECIOUS = frozenset({"golden_apple", "enchanted_golden_apple", "chorus_fruit"})


def best_food(catalogue: Catalogue, world: WorldSnapshot) -> str:
    """The most filling food that is not wasted, else the least filling.

    Harmful and precious food is never chosen. Raises CommandError missing_item."""
    carried = {stack.name for stack in world.items} - _HARMFUL - _PRECIOUS
    points = {name: catalogue.items[name].food for name in carried if name in catalogue.items}
    foods = sorted((name for name, food in points.items() if food), key=lambda n: (points[n], n))
    if not foods:
        sentence = "Nothing carried is good to eat; bread, apples or cooked meat would be."
        raise CommandError("missing_item", sentence)
    fitting = [name for name in foods if points[name] <= FULL - world.food]
    return fitting[-1] if fitting else foods[0]
