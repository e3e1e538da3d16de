"""What planning works with: activities, the world as the bot knows it, the rules of a version.

Costs are whole ticks of 0.05 s, so "nothing is cheaper" can be proven exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from bots.goals.goal import Goal
from bots.goals.plan import FORAGING, ActivityKind
from bots.goals.rates import BY_THE_MODEL, Rates
from bridge.world import Position

TICK_S = 0.05

Pool: TypeAlias = tuple[str, ...]
"""Items that may be mixed freely, such as all planks; sorted."""
Station = Literal["crafting_table", "furnace"]
STATIONS: tuple[Station, ...] = ("crafting_table", "furnace")
AT_HAND = 8.0
"""A station this many blocks away is at hand: plans count no walk."""


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """One way to gather, craft, smelt or place; amounts are per repetition."""

    kind: ActivityKind
    target: str
    """The block dug (gather; search, for what it drops by chance), the item made (craft, smelt),
    the station put down (place) or walked to (approach), the animal (hunt, shear, milk), the
    liquid (fill; fish), the ground that is sown (grow), the item in a chest (take)."""
    produces: Mapping[str, int]
    """The least it gives, including what comes back (buckets); the mean if `is_mean`; nothing
    for `place` and `approach`."""
    consumes: Mapping[str, int] = field(default_factory=dict)
    pools: Mapping[Pool, int] = field(default_factory=dict)
    station: Station | None = None
    tool: str | None = None
    """The tool to hold; wear is not modelled."""
    fixed_ticks: int = 0
    """Cost of starting: walking there, opening a window."""
    unit_ticks: int = 0
    """Cost of each repetition."""
    uses: int = 1
    """How many of the target one repetition uses up, for work on things nearby; 0 for milk and
    fish."""
    waiting_ticks: int = 0
    """Cost of doing it at all, beside `fixed_ticks`: until a crop is ripe."""
    is_mean: bool = False
    """Whether chance decides what it gives."""


def is_somewhere(activity: Activity) -> bool:
    """Whether the bot walks to the target, a thing nearby."""
    return activity.kind == "gather" or activity.kind in FORAGING


class Cost(NamedTuple):
    """What an activity costs in some world, in ticks."""

    fixed: int
    """Cost of starting."""
    unit: int
    """Cost of each repetition."""
    model_fixed: int
    """What of `fixed` the model alone gives for the work itself: nothing learnt, no way back."""
    model_unit: int
    penalty: int = 0
    """The part of `fixed` that is not time but keeps plans away from what failed."""

    def ticks(self, count: int) -> int:
        return self.fixed + self.unit * count


@dataclass(frozen=True, slots=True)
class Away:
    """Where the nearest block of a kind is, as seen from the bot."""

    distance: float
    """In a straight line, blocks."""
    height: float = 0.0
    """Above the bot's feet; negative is below."""
    apart: float = 0.0
    """Distance from one of the nearest such blocks to the next."""
    under_water: bool = False
    """Whether water is on top of it, out of reach from dry ground."""


@dataclass(frozen=True, slots=True)
class Stored:
    """How many of an item are in chests that may be used, and how far the nearest of these is."""

    count: int
    distance: float | None = None
    """In a straight line, blocks; None: a typical distance."""


@dataclass(frozen=True, slots=True)
class PlanningWorld:
    """The world as far as it matters to a plan: what is held, what is nearby, what work takes."""

    inventory: Mapping[str, int]
    nearby: Mapping[str, int]
    """Reachable blocks by name; stations among them count as near."""
    workbench_near: bool = False
    furnace_near: bool = False
    away: Mapping[str, Away] = field(default_factory=dict)
    """Where the nearest block of each kind is; a kind left out is at a typical distance."""
    stored: Mapping[str, Stored] = field(default_factory=dict)
    """What is in chests that may be used."""
    failures: Mapping[str, int] = field(default_factory=dict)
    """How often digging a kind of block has failed: each time makes it dearer."""
    rates: Rates = BY_THE_MODEL
    unburnt: AbstractSet[str] = frozenset()
    """Fuels that may not be burnt."""
    at_the_end: Mapping[str, int] = field(default_factory=dict)
    """What must be held at the end as well, whatever the goals are."""
    here: Position | None = None
    """Where the bot stands; None without a bot."""
    sight: int | None = None
    """How far the bot looked around, in blocks."""
    worn: frozenset[str] = frozenset()
    """What it wears, and what it holds that is not for wearing."""
    counted: Mapping[Goal, int] | None = None
    """How many blocks count for goals of placed blocks, by `PlacedGoal.single` and `PlacedAtGoal`;
    None: nobody knows who placed what, and all that are near count."""
    spots: Mapping[str, Position] = field(default_factory=dict)
    """Where the places that goals name are."""

    def near(self, station: Station) -> bool:
        return self._said_to_be_near(station) or self.nearby.get(station, 0) > 0

    def is_far(self, kind: str) -> bool:
        """Whether reaching this station takes a walk; a new one may be cheaper."""
        away = self.away.get(kind)
        if kind not in STATIONS or away is None or self._said_to_be_near(kind):
            return False
        return away.distance > AT_HAND

    def _said_to_be_near(self, station: str) -> bool:
        return self.workbench_near if station == "crafting_table" else self.furnace_near


@dataclass(frozen=True, slots=True)
class Domain:
    """Everything a bot can do in one version of Minecraft; domain/ builds it."""

    version: str
    items: frozenset[str]
    blocks: frozenset[str]
    making: tuple[Activity, ...]
    """Every craft and smelt activity, in a fixed order."""
    digging: Mapping[str, tuple[Activity, ...]]
    """For each diggable block one gather activity per tool (None: by hand)."""
    placing: Mapping[Station, Activity]
    fuels: Mapping[str, int]
    """Every fuel, with the quarters of an item that one piece smelts: coal is 32."""
    remainders: Mapping[str, str]
    """What remains when an item is used up in a recipe or as fuel: lava_bucket → bucket."""
    tool_order: tuple[str, ...] = ()
    """Tools, worst first."""
    foraging: Mapping[str, tuple[Activity, ...]] = field(default_factory=dict)
    """For each kind of thing near, such as an animal, what can be had of it but by digging."""
    chest_ticks: int = 0
    """Cost of going to a chest and opening it."""

    @property
    def animals(self) -> frozenset[str]:
        """Everything besides blocks that can be near."""
        return frozenset(self.foraging) - self.blocks
