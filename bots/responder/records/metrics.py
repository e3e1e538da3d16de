"""How well the bots decide: metrics with their targets.

Computed from records: traces with the `run` of the daemon that wrote them. `RECORDED` names the
traces that count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal, TypeAlias

Record: TypeAlias = Mapping[str, Any]
"""A whole one, as it is in the file."""

RECORDED = frozenset(
    {
        *("decision.made", "decision.dropped", "decision.approved", "decision.reanalysed"),
        *("reply.sent", "talk.begun", "talk.resumed", "talk.ended"),
        *("job.started", "job.finished"),
    }
)
GOAL = "!goal"
IMPROPER = frozenset({"internal", "deadline"})
"""Reasons why a goal ended that neither the world nor a user caused."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The part of a record that metrics need: thousands are held."""

    name: str
    run: str | None
    work: str | None
    source: str | None
    why: str | None
    tier: str | None
    seconds: float | None
    cost_usd: float | None
    success: bool | None
    after_s: float | None
    action_id: str | None
    talk: int | None
    reason: str | None
    """Why a goal ended."""
    legal: tuple[bool, ...]
    """Of each action."""


_AS_RECORDED = (
    *("name", "run", "work", "source", "why", "tier", "seconds", "cost_usd", "success", "after_s"),
    "talk",
)
Side: TypeAlias = Literal["below", "above", "at_most"]
Unit: TypeAlias = Literal["share", "s", "usd"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured value and its target."""

    value: float | None
    """None = nothing to measure."""
    of: int
    """The sample size."""
    side: Side
    target: float | None
    unit: Unit

    @property
    def met(self) -> bool | None:
        if self.value is None or self.target is None:
            return None
        if self.side == "at_most":
            return self.value <= self.target
        return self.value < self.target if self.side == "below" else self.value > self.target

    def as_json(self) -> dict[str, Any]:
        value = None if self.value is None else round(self.value, 6)
        head = {"value": value, "side": self.side, "target": self.target, "unit": self.unit}
        return {**head, "met": self.met, "of": self.of}


@dataclass(frozen=True, slots=True)
class Spent:
    """What the models cost in the period."""

    usd: float
    cap_usd: float | None
    """None when no daemon runs."""


def concise(record: Record) -> Brief | None:
    """The part of a record that metrics need; None when they need none of it."""
    name = record["name"]
    if name not in RECORDED or (name.startswith("job.") and record.get("command") != GOAL):
        return None
    same: dict[str, Any] = {key: record.get(key) for key in _AS_RECORDED}
    return Brief(
        **same,
        action_id=record.get("actionId"),
        reason=record.get("result", {}).get("reason"),
        legal=tuple(not used["illegal"] for used in record.get("used", ())),
    )


def metrics(records: Sequence[Brief], spent: Spent, run: str | None = None) -> dict[str, Metric]:
    """All metrics of records, given oldest first; `run` is that of the running daemon."""
    named: dict[str, list[Brief]] = {name: [] for name in RECORDED}
    for record in records:
        named[record.name].append(record)
    made = named["decision.made"]
    answers = [one.after_s for one in named["reply.sent"] if one.success and one.work == "person"]
    opus = [one.seconds for one in made if one.tier == "opus"]
    late = [one.why == "deadline" for one in made]
    legal = [legal for one in made for legal in one.legal]
    asked_again = [False] * len(named["decision.reanalysed"])
    return {
        "timeout_rate": _mean(late, "below", 0.01),
        "answer_mean_s": _mean(answers, "below", 3.0, "s"),
        "opus_mean_s": _mean(opus, "below", 10.0, "s"),
        "cost_usd": Metric(spent.usd, len(made), "at_most", spent.cap_usd, "usd"),
        "valid_actions": _mean(legal, "above", 0.9),
        "ended_properly": _mean(_endings(records, run), "above", 0.99),
        "approval": _mean([True] * len(named["decision.approved"]) + asked_again, "above", 0.8),
    }


def counts(records: Sequence[Brief]) -> dict[str, Any]:
    """How many decisions were made, by source, tier and work."""
    made = [record for record in records if record.name == "decision.made"]
    dropped = sum(record.name == "decision.dropped" for record in records)
    return {
        "made": len(made),
        "dropped": dropped,
        "by_source": _counted(one.source for one in made),
        "by_tier": _counted(one.tier for one in made),
        "by_work": _counted(one.work for one in made),
        "fallbacks": _counted(one.why for one in made),
    }


def _counted(values: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(value for value in values if value is not None).most_common())


def _mean(given: Iterable[float | None], side: Side, target: float, unit: Unit = "share") -> Metric:
    values = [value for value in given if value is not None]
    return Metric(fmean(values) if values else None, len(values), side, target, unit)


def _endings(records: Iterable[Brief], run: str | None) -> list[bool]:
    """For each goal and talk that is over: whether it ended properly.

    One that an earlier daemon left unended, and no daemon resumed, did not."""
    open_in: dict[tuple[str | None, str | int | None], str | None] = {}
    ended: list[bool] = []
    for record in records:
        match record.name:
            case "job.started":
                open_in[record.run, record.action_id] = record.run
            case "talk.begun" | "talk.resumed":
                open_in["talk", record.talk] = record.run
            case "job.finished":
                open_in.pop((record.run, record.action_id), None)
                ended.append(record.reason not in IMPROPER)
            case "talk.ended":
                open_in.pop(("talk", record.talk), None)
                ended.append(True)
    return ended + [False for began_in in open_in.values() if began_in != run]
