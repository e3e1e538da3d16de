"""How hard a decision is: a table of weighted signals (seed 003, §3.5.2).

score = 3·special powers + 1.5·effects + 2·goal running + 1·pending + 1·threats; a yes counts 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

Signal: TypeAlias = Literal["special", "effects", "goal", "pending", "threats"]

WEIGHTS: Mapping[Signal, float] = MappingProxyType(
    {
        "special": 3.0,  # something near that does more than hit (003: effects beyond entry)
        "effects": 1.5,  # each effect at work (003: each delta)
        "goal": 2.0,  # a goal is being carried out (003: the trigger zone is set)
        "pending": 1.0,  # each message that waits (003: each intercept in hand)
        "threats": 1.0,  # each hostile in reach (003: the opponent's threats)
    }
)


def complexity(signals: Mapping[Signal, float], weights: Mapping[Signal, float] = WEIGHTS) -> float:
    """The score; a missing signal counts 0."""
    return sum(weights[name] * float(value) for name, value in signals.items())
