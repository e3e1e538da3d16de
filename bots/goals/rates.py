"""How much longer or shorter work takes than the cost model says, learnt from steps that were done.

A rate belongs to a piece of work: what is done, to which kind of thing, with which tool. Little is
known of most pieces, so each rate leans on the one of all similar work: birch logs with a stone axe
on logs with any tool, those on all that is dug, that on the model.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from bots.goals.plan import FORAGING

KEPT = 20
"""The newest times of one piece of work that count; older ones are forgotten."""
LEANING_S = 20.0
"""So many seconds of work weigh as much as what similar work says."""
MOST = 4.0
"""No rate is higher, and none lower than its inverse."""
MOST_OF_ONE = 8.0
"""What took longer than so many times its estimate counts as so many times."""

Key: TypeAlias = tuple[str, ...]
"""From the general to the special: `("gather", "ore", "iron_ore", "stone_pickaxe")`."""

_WOODY = re.compile(r"(stripped_)?\w+_(log|stem|wood|hyphae)")
_LEAVES = re.compile(r"\w+_leaves")
_ORE = re.compile(r"(deepslate_)?(\w+_ore)|ancient_debris")


class Work(NamedTuple):
    """What was done: `gather`, `iron_ore`, `stone_pickaxe`."""

    action: str
    target: str
    tool: str = ""

    def levels(self) -> Iterator[Key]:
        """Its rate and those that it leans on, the most general first."""
        yield (self.action,)
        if self.action in FORAGING:
            yield (self.action, self.target)
        if self.action == "gather":
            # All woods are one kind, and so is an ore in any stone.
            group, kind = "surface", self.target
            if ore := _ORE.fullmatch(self.target):
                group, kind = "ore", ore[2] or self.target
            elif _WOODY.fullmatch(self.target):
                kind = "log"
            elif _LEAVES.fullmatch(self.target):
                kind = "leaves"
            yield from ((self.action, group), (self.action, group, kind))
            yield (self.action, group, kind, self.tool)


CLIMB = Work("climb", "home")
"""Coming up again from below ground."""


@dataclass(frozen=True, slots=True)
class Took:
    """One step: what the model alone said, and what it took, in seconds."""

    work: Work
    model_s: float
    took_s: float


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates at one moment."""

    known: Mapping[Key, float] = field(default_factory=dict)

    def of(self, work: Work) -> float:
        rate = 1.0
        for key in work.levels():
            rate = self.known.get(key, rate)
        return rate


BY_THE_MODEL = Rates()


class Experience:
    """The newest times of every piece of work."""

    def __init__(self, times: Iterable[Took] = ()) -> None:
        self._times: dict[Work, deque[Took]] = {}
        self._rates: Rates | None = None
        for took in times:
            self.add(took)

    def add(self, took: Took) -> None:
        """Learn from a step; what the model gives no time says nothing."""
        if took.model_s > 0:
            self._times.setdefault(took.work, deque(maxlen=KEPT)).append(took)
            self._rates = None

    @property
    def rates(self) -> Rates:
        if self._rates is None:
            sums: dict[Key, tuple[float, float]] = {}
            for work, times in self._times.items():
                model_s = sum(one.model_s for one in times)
                took_s = sum(min(one.took_s, MOST_OF_ONE * one.model_s) for one in times)
                for key in work.levels():
                    before = sums.get(key, (0.0, 0.0))
                    sums[key] = (before[0] + model_s, before[1] + took_s)
            rates: dict[Key, float] = {}
            for key in sorted(sums, key=len):
                model_s, took_s = sums[key]
                similar = rates.get(key[:-1], 1.0)
                if sums.get(key[:-1]) == sums[key]:  # nothing else is known: it counts once
                    rates[key] = similar
                    continue
                rate = (took_s + LEANING_S * similar) / (model_s + LEANING_S)
                rates[key] = min(MOST, max(1 / MOST, rate))
            self._rates = Rates(rates)
        return self._rates
