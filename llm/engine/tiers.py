"""The three tiers of models, and which of them decides.

A person's message starts at sonnet, one that asks to think at opus; else the complexity score
chooses. Too little time or money lowers a tier, step by step, down to nothing: then the rules
decide.

    score = 3·special powers + 1.5·effects + 2·goal running + 1·pending + 1·threats
    usual time = mean of the newest answers + how far they mostly are from it

In the score (seed 003, §3.5.2) a yes counts 1. A tier that has become slow is asked less, and so
measured less: what was learnt fades back to what is configured, so that it is tried again."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:  # the settings name tiers and need no price list, which is slow to load
    from llm.engine.prices import Price


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

Tier: TypeAlias = Literal["haiku", "sonnet", "opus"]
TIERS: tuple[Tier, ...] = ("haiku", "sonnet", "opus")
"""From the cheapest to the dearest."""

Work: TypeAlias = Literal["person", "deep", "event", "talk", "summary", "briefing", "periodic"]
"""What a decision is for: a person's message, one that asks to think, an event of the world, a turn
of a talk among bots, shortening what was said, and the analyses of a bot's arrival and of every few
rounds."""
BACKGROUND: frozenset[Work] = frozenset({"summary", "briefing", "periodic"})

Lowered: TypeAlias = Literal["deadline", "budget", "disabled", "fault"]

_FIXED: Mapping[Work, Tier] = {
    "person": "sonnet",
    "deep": "opus",
    "talk": "haiku",
    "summary": "haiku",
    "briefing": "opus",
    "periodic": "opus",
}
SONNET_FROM = 2.0
OPUS_FROM = 5.0

WEIGHT_OF_NEWEST = 0.25
HALF_LIFE_S = 600.0


def complexity(signals: Mapping[Signal, float], weights: Mapping[Signal, float] = WEIGHTS) -> float:
    """The score; a missing signal counts 0."""
    return sum(weights[name] * float(value) for name, value in signals.items())


@dataclass(frozen=True, slots=True)
class TierModel:
    """The model of one tier."""

    model_id: str
    price: Price
    usual_s: float
    """Seconds its answers usually take; with less time left a lower tier is asked."""
    max_tokens: int
    """Ceiling of one answer, thinking included."""
    context: int | None = None
    """Tokens that it reads and writes at most; None: more than we ever ask for."""


@dataclass(frozen=True, slots=True)
class Route:
    """Which tier decides and why; None = the rules."""

    tier: Tier | None
    wanted: Tier
    why: str
    """What chose `wanted`: the work, or the score."""
    lowered_by: tuple[Lowered, ...] = ()
    """Why each tier above the chosen one was passed over, dearest first."""


def wanted_tier(
    work: Work, score: float, *, sonnet_from: float = SONNET_FROM, opus_from: float = OPUS_FROM
) -> tuple[Tier, str]:
    """The tier that this work deserves, and why."""
    if work in _FIXED:
        return _FIXED[work], f"work {work}"
    tier: Tier = "opus" if score >= opus_from else "sonnet" if score >= sonnet_from else "haiku"
    return tier, f"complexity {score:g}"


def route(
    work: Work,
    score: float,
    models: Mapping[Tier, TierModel],
    *,
    left_s: float,
    affords: Callable[[Tier], bool],
    failed: Collection[Tier] = (),
    sonnet_from: float = SONNET_FROM,
    opus_from: float = OPUS_FROM,
) -> Route:
    """The dearest tier, from the wanted one down, that there is time and money for.

    Tiers without a model, and those that have just failed, are passed over."""
    wanted, why = wanted_tier(work, score, sonnet_from=sonnet_from, opus_from=opus_from)
    lowered: list[Lowered] = []
    for tier in reversed(TIERS[: TIERS.index(wanted) + 1]):
        model = models.get(tier)
        if model is None:
            lowered.append("disabled")
        elif tier in failed:
            lowered.append("fault")
        elif model.usual_s > left_s:
            lowered.append("deadline")
        elif not affords(tier):
            lowered.append("budget")
        else:
            return Route(tier, wanted, why, tuple(lowered))
    return Route(None, wanted, why, tuple(lowered))


@dataclass(frozen=True, slots=True)
class _Learnt:
    mean_s: float
    deviation_s: float
    at_s: float
    """Stopwatch time of the newest measurement."""

    @property
    def usual_s(self) -> float:
        return self.mean_s + self.deviation_s


class UsualTimes:
    """What live decisions have taught; answers that nobody waits for are longer, and left out."""

    def __init__(self, stopwatch: Callable[[], float]) -> None:
        self._stopwatch = stopwatch
        self._learnt: dict[Tier, _Learnt] = {}

    def of(self, tier: Tier, configured_s: float) -> float:
        """Seconds that an answer of this tier usually takes."""
        learnt = self._learnt.get(tier)
        if learnt is None:
            return configured_s
        left = math.pow(0.5, (self._stopwatch() - learnt.at_s) / HALF_LIFE_S)
        return configured_s + left * (learnt.usual_s - configured_s)

    def answered(self, tier: Tier, configured_s: float, took_s: float) -> None:
        """Take an answer into account."""
        last = self._learnt.get(tier) or _Learnt(configured_s, 0.0, self._stopwatch())
        off = took_s - last.mean_s
        mean = last.mean_s + WEIGHT_OF_NEWEST * off
        deviation = last.deviation_s + WEIGHT_OF_NEWEST * (abs(off) - last.deviation_s)
        self._learnt[tier] = _Learnt(mean, deviation, self._stopwatch())

    def cut(self, tier: Tier, configured_s: float, after_s: float) -> None:
        """Take an answer into account that was not there after so many seconds.

        After fewer than usual that says nothing."""
        if after_s > self.of(tier, configured_s):
            self.answered(tier, configured_s, after_s)
