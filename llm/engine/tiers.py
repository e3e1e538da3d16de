"""The three tiers of models, and which of them decides.

A person's message starts at sonnet, one that asks to think at opus; else the complexity score
chooses. Too little time or money lowers a tier, step by step, down to nothing: then the rules
decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:  # the settings name tiers and need no price list, which is slow to load
    from llm.engine.prices import Price

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
