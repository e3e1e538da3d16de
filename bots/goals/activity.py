"""What a bot can do towards a goal, how often it is done left open.

Costs are whole ticks of 0.05 s, so that a solver's "nothing cheaper" is a proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TICK_S = 0.05

ActivityKind = Literal["gather", "craft", "smelt", "place"]
Pool: TypeAlias = tuple[str, ...]
"""Items of which any mixture will do, sorted: one tag of vanilla."""
Station = Literal["crafting_table", "furnace"]
STATIONS: tuple[Station, ...] = ("crafting_table", "furnace")


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """One way to gather, craft, smelt or place; amounts are those of one repetition."""

    kind: ActivityKind
    target: str
    """The block dug (gather), the item made (craft, smelt), the station put down (place)."""
    produces: Mapping[str, int]
    """What it surely gives, with what comes back (buckets). Of `place`: nothing."""
    consumes: Mapping[str, int] = field(default_factory=dict)
    pools: Mapping[Pool, int] = field(default_factory=dict)
    station: Station | None = None
    tool: str | None = None
    """What must be in the hand; never used up here."""
    fixed_ticks: int = 0
    """Paid once if it is done at all: walking there, opening a window."""
    unit_ticks: int = 0
    """Paid for every repetition."""


@dataclass(frozen=True, slots=True)
class PlanningWorld:
    """What is held and what is near, as far as it matters to a plan."""

    inventory: Mapping[str, int]
    nearby: Mapping[str, int]
    """Blocks that can be reached, by name; stations among them count as near."""
    workbench_near: bool = False
    furnace_near: bool = False

    def near(self, station: Station) -> bool:
        told = self.workbench_near if station == "crafting_table" else self.furnace_near
        return told or self.nearby.get(station, 0) > 0


@dataclass(frozen=True, slots=True)
class Domain:
    """Everything that can be done in one version of Minecraft; see domain/ for its sources."""

    version: str
    items: frozenset[str]
    blocks: frozenset[str]
    making: tuple[Activity, ...]
    """Every craft and smelt activity, in a fixed order."""
    digging: Mapping[str, tuple[Activity, ...]]
    """For each block that can be dug, one gather activity a tool (None = the hand) and drop."""
    placing: Mapping[Station, Activity]
    fuels: Mapping[str, int]
    """Quarters of an item that one piece smelts: coal is 32. All fuels of the version."""
    remainders: Mapping[str, str]
    """What is left when an item is used up in a grid or as fuel: lava_bucket → bucket."""
    tool_order: tuple[str, ...] = ()
    """Tools from the worst to the best."""
