"""A plan, or the reasons why there is none, with the JSON that `townsfolk plan` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

StepKind = Literal["gather", "craft", "smelt", "place", "equip", "move"]
StepStation = Literal["hand", "crafting_table", "furnace"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do; `consumes` and `produces` are totals of the step, fuel included."""

    action: StepKind
    target: str
    """Block (gather, place), item (craft, smelt, equip) or `x,y,z` (move)."""
    count: int
    """Blocks dug or placed, items made; 1 for equip and move."""
    station: StepStation | None = None
    tool: str | None = None
    """What must be in the hand."""
    consumes: Mapping[str, int] = field(default_factory=dict)
    produces: Mapping[str, int] = field(default_factory=dict)
    cost_s: float = 0.0
    """What it takes by the cost model, seconds."""

    def as_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "target": self.target,
            "count": self.count,
            "station": self.station,
            "tool": self.tool,
            "consumes": dict(self.consumes),
            "produces": dict(self.produces),
        }


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that stands in the way of a goal."""

    item: str
    need: int
    have: int
    """Held, or surely to be had; always less than `need`."""
    why: str

    def as_json(self) -> dict[str, Any]:
        return {"item": self.item, "need": self.need, "have": self.have, "why": self.why}


@dataclass(frozen=True, slots=True)
class Plan:
    """What planning came to. With `found` false, `missing` and `message` say why."""

    goal: str
    """As it was asked."""
    found: bool
    steps: tuple[Step, ...] = ()
    cost_s: float = 0.0
    """Estimate by the cost model, seconds."""
    optimal: bool = False
    """Whether nothing cheaper exists, proven."""
    missing: tuple[Missing, ...] = ()
    message: str = ""
    """A sentence for people: the plan in short, or what is missing and what is possible."""
    nearest: str | None = None
    """The nearest goal that is possible, when this one is not."""
    elapsed_ms: float = 0.0
    expanded: int = 0
    """Nodes of branch and bound plus schedules tried."""

    def as_json(self) -> dict[str, Any]:
        return {
            "found": self.found,
            "goal": self.goal,
            "cost": round(self.cost_s, 2),
            "optimal": self.optimal,
            "steps": [step.as_json() for step in self.steps],
            "missing": [missing.as_json() for missing in self.missing],
            "nearest": self.nearest,
            "message": self.message,
            "elapsed_ms": round(self.elapsed_ms, 3),
            "expanded": self.expanded,
        }
