"""Which of the things a smelting step uses up are cooked, and which burn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bots.goals.plan import Step
from bridge.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Fire:
    raws: Mapping[str, int]
    pieces: tuple[str, ...]
    """Of fuel, in the order in which they burn."""


def fire_of(step: Step, catalogue: Catalogue) -> Fire:
    """Logs may be both: of them, as many are cooked as make the product."""
    left, raws = Counter(step.consumes), Counter[str]()
    cooked = [name for name in left if _cooks_to(catalogue, name) == step.target]
    for name in sorted(cooked, key=lambda name: (-left[name], name)):
        count = min(left[name], step.count - raws.total())
        raws[name] += count
        left[name] -= count
    burning = sorted((+left).elements(), key=lambda name: (-catalogue.items[name].fuel, name))
    return Fire(+raws, tuple(burning))


def shares(fire: Fire, catalogue: Catalogue) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Each raw thing with its count and the pieces that burn for it."""
    left, heat = list(fire.pieces), 0.0
    for raw, count in fire.raws.items():
        pieces: list[str] = []
        while left and (heat < count or not pieces):
            pieces.append(left.pop(0))
            heat += catalogue.items[pieces[-1]].fuel
        heat -= count
        yield raw, count, tuple(pieces)


def _cooks_to(catalogue: Catalogue, name: str) -> str | None:
    facts = catalogue.items.get(name)
    return facts.cooks_to if facts else None
