"""The progress of a long job: the step of its plan, and the time left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from bots.bot.result import Facts, Number
from bots.text.numbers import duration
from bots.text.plurals import counted

_DOING = {
    "gather": "gathering",
    "craft": "crafting",
    "smelt": "smelting",
    "place": "placing",
    "take": "fetching",
    "approach": "walking to",
    "equip": "taking",
    "take_off": "taking off",
    "move": "walking to",
    "hunt": "hunting",
    "shear": "shearing",
    "milk": "milking",
    "fill": "fetching",
    "grow": "growing crops on",
    "fish": "fishing",
    "await": "waiting for",
    "pick_up": "picking up",
    "search": "searching",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """The part of a long job that is under way: a step of a plan."""

    number: int
    of: int
    whole: str
    """What it is a step towards: `iron pickaxe`."""
    action: str
    target: str
    count: int
    began_s: float
    """By the job's own stopwatch, which stands while reflexes have the body."""
    estimate_s: float
    """What this step should take; so much is left for those after it: …"""
    then_s: float
    outdoors_s: float = 0.0
    """What of all this is work in the open."""
    is_outdoors: bool = False

    def left_s(self, now_s: float) -> float:
        """About so many seconds until the whole is done."""
        return max(0.0, self.estimate_s - (now_s - self.began_s)) + self.then_s

    def __str__(self) -> str:
        return f"step {self.number} of {self.of}"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step as observers see it."""

    action: str
    thing: str
    count: int
    tool: str | None
    station: str | None
    consumes: Mapping[str, int]
    produces: Mapping[str, int]
    estimate_s: float


@dataclass(slots=True)
class Course:
    """The plan that a job follows, and how far it is."""

    goal: str
    steps: tuple[PlannedStep, ...]
    took_s: list[float] = field(default_factory=list)
    """Of the steps that are done, in order."""


class StageInfo(Facts):
    """A stage as results tell it."""

    step: int
    of: int
    goal: str
    action: str
    target: str
    count: int
    left_s: Number
    """Estimated seconds until the whole is done."""
    waits_for_day: bool = False
    """Whether nothing of it is done before, as the bot is dug in or in bed."""

    @classmethod
    def of_stage(cls, stage: Stage, now_s: float, *, waits_for_day: bool = False) -> StageInfo:
        return cls(
            step=stage.number,
            of=stage.of,
            goal=stage.whole,
            action=stage.action,
            target=stage.target,
            count=stage.count,
            left_s=round(stage.left_s(now_s)),
            waits_for_day=waits_for_day,
        )

    def __str__(self) -> str:
        target = self.target.replace(",", " ").replace("_", " ")  # commas are those of a walk
        what = counted(self.count, target) if self.count > 1 else target
        doing = f"{_DOING.get(self.action, self.action)} {what}"
        left = f"about {duration(self.left_s)} more" if self.left_s else "nearly done"
        left = "which waits for day" if self.waits_for_day else left
        return f"step {self.step} of {self.of} of {self.goal}: {doing}, {left}"


@runtime_checkable
class TellsStage(Protocol):
    """A result that tells which step of its goal the bot is at, like that of `!status`."""

    @property
    def stage(self) -> StageInfo | None: ...
