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

RECORDED = frozenset(
    {
        *("decision.made", "decision.dropped", "decision.approved", "decision.reanalysed"),
        *("reply.sent", "talk.begun", "talk.resumed", "talk.taken_up", "talk.ended"),
        *("job.started", "job.finished"),
    }
)
GOAL = "!goal"
IMPROPER = frozenset({"internal", "deadline"})
"""Reasons why a goal ended that neither the world nor a user caused."""

_METRIC_KEYS = (
    *("name", "run", "work", "source", "why", "tier", "seconds", "cost_usd"),
    *("success", "after_s", "actionId", "talk"),
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


def concise(record: Record) -> Record | None:
    """The part of a record that metrics need; None when they need none of it."""
    name = record["name"]
    if name not in RECORDED or (name.startswith("job.") and record.get("command") != GOAL):
        return None
    short = {key: record[key] for key in _METRIC_KEYS if record.get(key) is not None}
    if "used" in record:
        short["calls"] = [bool(used["illegal"]) for used in record["used"]]
    if "result" in record:
        short["reason"] = record["result"].get("reason")
    return short


def metrics(records: Iterable[Record], spent: Spent, run: str | None = None) -> dict[str, Metric]:
    """All metrics of concise records, given oldest first; `run` is that of the running daemon."""
    named: dict[str, list[Record]] = {name: [] for name in RECORDED}
    records = list(records)
    for record in records:
        named[record["name"]].append(record)
    made = named["decision.made"]
    answers = [r["after_s"] for r in named["reply.sent"] if r["success"] and _of_person(r)]
    opus = [r["seconds"] for r in made if r.get("tier") == "opus"]
    late = [r.get("why") == "deadline" for r in made]
    legal = [not illegal for r in made for illegal in r.get("calls", ())]
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


def counts(records: Sequence[Record]) -> dict[str, Any]:
    """How many decisions were made, by source, tier and work."""
    made = [record for record in records if record["name"] == "decision.made"]
    dropped = sum(record["name"] == "decision.dropped" for record in records)
    return {
        "made": len(made),
        "dropped": dropped,
        "by_source": _counted(made, "source"),
        "by_tier": _counted(made, "tier"),
        "by_work": _counted(made, "work"),
        "fallbacks": _counted(made, "why"),
    }


def _of_person(answer: Record) -> bool:
    return answer.get("work") == "person"


def _counted(made: Iterable[Record], key: str) -> dict[str, int]:
    return dict(Counter(r[key] for r in made if r.get(key) is not None).most_common())


def _mean(values: Sequence[float], side: Side, target: float, unit: Unit = "share") -> Metric:
    return Metric(fmean(values) if values else None, len(values), side, target, unit)


def _endings(records: Iterable[Record], run: str | None) -> list[bool]:
    """For each goal and talk that is over: whether it ended properly.

    One that an earlier daemon left unended, and no daemon resumed, did not."""
    open_in: dict[tuple[Any, ...], Any] = {}
    ended: list[bool] = []
    for record in records:
        match record["name"]:
            case "job.started":
                open_in[record.get("run"), record["actionId"]] = record.get("run")
            case "talk.begun" | "talk.resumed" | "talk.taken_up":  # the last one until 0.1.0
                open_in[("talk", record["talk"])] = record.get("run")
            case "job.finished":
                open_in.pop((record.get("run"), record["actionId"]), None)
                ended.append(record.get("reason") not in IMPROPER)
            case "talk.ended":
                open_in.pop(("talk", record["talk"]), None)
                ended.append(True)
    return ended + [False for began_in in open_in.values() if began_in != run]
