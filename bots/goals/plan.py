"""A plan, or the reasons why there is none, with the JSON that `townsfolk plan` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from bridge.world import Position

ForagingKind = Literal[
    "search", "hunt", "shear", "milk", "fill", "grow", "fish", "await", "pick_up"
]
ActivityKind = Literal[ForagingKind, "gather", "craft", "smelt", "place", "take", "approach"]
StepKind = Literal[ActivityKind, "equip", "take_off", "move"]
FORAGING: frozenset[str] = frozenset(get_args(ForagingKind))
"""Kinds of work on what is near, other than digging for what surely drops."""
SPARING: frozenset[str] = frozenset({"milk", "fish", "await"})
"""Those of them that leave it as it was."""
_NAMED_BY_PRODUCT: frozenset[str] = frozenset({"fish", "await", "pick_up"})
"""What people hear of these is what they give."""
StepStation = Literal["hand", "crafting_table", "furnace"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan; `consumes` and `produces` are its totals, fuel included."""

    action: StepKind
    target: str
    """Block (gather, search, fill, grow, place, approach), item (craft, smelt, equip, take_off),
    animal (hunt, shear, milk) or `x,y,z` (move)."""
    count: int
    """Blocks dug or placed, items made, animals hunted, buckets filled; 1 for approach, equip,
    take_off and move."""
    station: StepStation | None = None
    tool: str | None = None
    """The tool to hold."""
    consumes: Mapping[str, int] = field(default_factory=dict)
    produces: Mapping[str, int] = field(default_factory=dict)
    cost_s: float = 0.0
    """Estimate, seconds: what the work should take, and the way back up."""
    model_s: float = 0.0
    """What the cost model alone gives for the work, before anything was learnt."""
    about: bool = False
    """Whether chance decides: `count` and `produces` are means."""
    at: Position | None = None
    """Where a block is to stand; None: …"""
    near: str | None = None
    """… around the place or player of this name; None: around the bot."""

    @property
    def thing(self) -> str:
        """What people hear of: what is fished or waited for, or else the target."""
        return next(iter(self.produces)) if self.action in _NAMED_BY_PRODUCT else self.target

    def as_json(self) -> dict[str, Any]:
        at = self.at
        where = self.near if at is None else f"{at.x:g},{at.y:g},{at.z:g}"
        return {
            **({} if where is None else {"where": where}),
            "action": self.action,
            "target": self.target,
            "count": self.count,
            "station": self.station,
            "tool": self.tool,
            "consumes": dict(self.consumes),
            "produces": dict(self.produces),
            "about": self.about,
        }


@dataclass(frozen=True, slots=True)
class Missing:
    """An item of which there is too little for a goal."""

    item: str
    need: int
    have: int
    """Held or certain to be obtainable; always less than `need`."""
    why: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """The result of planning. If `found` is false, `missing` and `message` say why."""

    goal: str
    """As the user wrote it."""
    found: bool
    steps: tuple[Step, ...] = ()
    cost_s: float = 0.0
    """Estimate by the cost model, seconds."""
    optimal: bool = False
    """Whether it is proven that nothing cheaper exists."""
    missing: tuple[Missing, ...] = ()
    message: str = ""
    """One sentence for people: a summary, or what is missing and what is possible instead."""
    nearest: str | None = None
    """The nearest possible goal, if this one is not."""
    elapsed_ms: float = 0.0
    expanded: int = 0
    """Branch-and-bound nodes plus schedules tried."""

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
