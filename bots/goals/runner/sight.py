"""What a bot carries and what is around it, as planning needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bots.bot.built import Cell, is_masonry, is_worked
from bots.bot.jobs import Job
from bots.goals.activity import Away, PlanningWorld
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.goals.parsing import SAME_PLACE
from bots.goals.plan import Plan
from bots.goals.runner.journeys import StepTimes
from bots.goals.runner.standing import Standing
from bots.skills.belongings import belongs
from bots.skills.foraging import RIPENING
from bots.skills.hunting import EGG, LYING_EGG, is_penned, kind_of, walls_around
from bots.skills.reach import standing
from bridge.actions import FindBlocks, LyingItems
from bridge.looking import Scan, ScanBlocks
from bridge.world import Position, WorldSnapshot

SIGHT_BLOCKS = 64
"""Radius within which blocks count as near: what servers usually send."""
NO_LIMIT = 1_000_000_000
NEAREST = 5
"""How many blocks of each kind are located, to know where the first is and how close the others
are."""
MOST_CROPS = 1_000
"""How many ripe crops are counted, all kinds together."""
MOST_PASSED_OVER = 64
"""How many unreachable blocks may be nearer than the located ones."""
THERE = SAME_PLACE
"""A position counts as reached within this many blocks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One look around."""

    snapshot: WorldSnapshot
    standing: Mapping[str, int]
    """Blocks within sight, by name."""
    counted: Mapping[Goal, int]
    """How many blocks count for each goal of placed blocks."""
    world: PlanningWorld
    """What planning may count on: blocks found to be out of reach are left out."""


@dataclass(slots=True)
class Sight:
    """Looks around for one run, and remembers what failed: blocks out of reach, kinds of blocks."""

    job: Job
    step_times: StepTimes
    placed: Standing
    radius: int = SIGHT_BLOCKS
    out_of_reach: dict[Position, str] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    """How often work on a kind of block or animal failed."""
    near: Mapping[str, int] = field(default_factory=dict)
    """Blocks and animals within sight, by name, at the latest look."""

    async def _walls(self, standing: Iterable[str]) -> Collection[Cell]:
        """Blocks that may be part of a pen; none where nothing is built."""
        bot = self.placed.bot
        if not (any(map(is_worked, standing)) or bot.placements.knows_of_people):
            return ()
        return await walls_around(bot, self.job, standing, self.radius)

    async def look(self, goals: tuple[Goal, ...]) -> Seen:
        """Look around: one snapshot, one block scan.

        Raises CommandError for a place of the goals that nobody knows."""
        snapshot = await self.job.snapshot()
        scan = await self._scan()
        standing = {count.name: count.count for count in scan.counts}
        counted = await self.placed.counted(goals, standing)
        crops = await self._ripe(standing)
        lying = await self._lying_eggs()
        walls = await self._walls(standing) if lying or snapshot.mobs else ()
        animals = animals_in(snapshot, self.radius, walls)
        herds = {kind: len(where) for kind, where in animals.items()}
        eggs = [egg for egg in lying if not is_penned(egg, walls)]
        if eggs:
            animals[LYING_EGG] = eggs
            herds[LYING_EGG] = len(eggs)
        ripe = {name: len(where) for name, where in crops.items()}
        self.near = {**standing, **ripe, **herds}
        reachable = Counter({**standing, **ripe})
        avoided = self.out_of_reach.items()
        here = snapshot.position
        reachable.subtract(name for at, name in avoided if at.distance_to(here) <= self.radius)
        reachable.subtract(self._of_others(standing, snapshot))
        grazing = {
            kind: away(here, where[:NEAREST])
            for kind, where in {**animals, **crops}.items()
            if where
        }
        world = PlanningWorld(
            carried(snapshot),
            {**+reachable, **herds},
            away={**self._away(scan), **grazing},
            failures=dict(self.failures),
            rates=self.step_times.rates,
            here=here,
            sight=self.radius,
            worn=_worn(snapshot),
            counted=counted,
            spots=dict(self.placed.spots),
        )
        return Seen(snapshot, standing, counted, world)

    def circumstances(self, plan: Plan) -> Hashable:
        """What a plan depends on here: its steps, the blocks they use, and what is out of reach."""
        steps = tuple(
            (step.action, step.target, step.count, step.tool, step.at) for step in plan.steps
        )
        stand = tuple(self.near.get(step.target, 0) for step in plan.steps)
        return steps, stand, frozenset(self.out_of_reach)

    async def is_met(self, goals: tuple[Goal, ...]) -> bool:
        """Whether all goals (with totals) are met; scans blocks only where all of a kind count."""
        snapshot = await self.job.snapshot()
        counts_all = any(isinstance(goal, PlacedGoal) and goal.by_anyone for goal in goals)
        counts = (await self._scan()).counts if counts_all else ()
        standing = {count.name: count.count for count in counts}
        counted = await self.placed.counted(goals, standing)
        return all(meets(goal, snapshot, counted) for goal in goals)

    async def _scan(self) -> Scan:
        """All blocks around, counted, and of each kind the nearest few."""
        avoided = Counter(self.out_of_reach.values())
        each = NEAREST + min(MOST_PASSED_OVER, max(avoided.values(), default=0))
        reach = self.radius
        around = ScanBlocks(
            (), reach, -reach, reach, max_checks=NO_LIMIT, limit=NO_LIMIT, each=each
        )
        return await self.job.query(around)

    async def _ripe(self, standing: Mapping[str, int]) -> dict[str, list[Position]]:
        """Where ripe crops are, the nearest first."""
        crops: dict[str, list[Position]] = {name: [] for name in RIPENING if name in standing}
        if crops:
            ripe = FindBlocks(tuple(crops), self.radius, MOST_CROPS, ripe=True)
            for one in await self.job.query(ripe):
                crops[one.name].append(one.position)
        return crops

    async def _lying_eggs(self) -> list[Position]:
        """Where eggs lie, one entry per egg, the nearest first."""
        lying = await self.job.query(LyingItems(self.radius))
        eggs = [one for one in lying if one.name == EGG and one.position not in self.out_of_reach]
        return [one.position for one in eggs for _ in range(one.count)]

    def _away(self, scan: Scan) -> dict[str, Away]:
        """Where the nearest reachable block of each kind is; one under water is dug from the shore
        if that is near enough."""
        open_ones: dict[str, list[Position]] = {}
        for block in scan.blocks:
            if block.position not in self.out_of_reach:
                open_ones.setdefault(block.name, []).append(block.position)
        found: dict[str, Away] = {}
        for name, where in open_ones.items():
            there, shore = away(scan.centre, where[:NEAREST]), scan.shores.get(where[0])
            if shore is None:
                found[name] = replace(there, under_water=where[0] in scan.under_water)
            else:
                distance, height = scan.centre.distance_to(shore), shore.y - scan.centre.y
                found[name] = replace(there, distance=distance, height=height)
        return found

    def _of_others(self, standing: Mapping[str, int], snapshot: WorldSnapshot) -> Mapping[str, int]:
        """How many blocks of worked material stand around that no bot placed: they are
        left alone."""
        masonry = {name: count for name, count in standing.items() if is_masonry(name)}
        ours = self.placed.bot.placements.counted_near(snapshot, self.radius) if masonry else {}
        return {name: max(0, count - ours.get(name, 0)) for name, count in masonry.items()}


def away(here: Position, where: Sequence[Position]) -> Away:
    """Where the first of these blocks is, the nearest, and how far the others are from there."""
    nearest, *others = where
    at, hops = nearest, 0.0
    left = list(others)
    while left:
        following = min(left, key=at.distance_to)
        left.remove(following)
        hops += at.distance_to(following)
        at = following
    apart = hops / len(others) if others else 0.0
    return Away(here.distance_to(nearest), nearest.y - here.y, apart)


def animals_in(
    snapshot: WorldSnapshot, radius: float, walls: Collection[Cell]
) -> dict[str, list[Position]]:
    """Where grown animals and monsters outside pens are, by kind, the nearest first."""
    found: dict[str, list[Position]] = {}
    for mob in snapshot.mobs:
        is_near = snapshot.position.distance_to(mob.position) <= radius
        if is_near and not (mob.young or mob.is_somebodys) and not is_penned(mob.position, walls):
            found.setdefault(kind_of(mob), []).append(mob.position)
    return found


def carried(snapshot: WorldSnapshot) -> dict[str, int]:
    """Counts of what is in the inventory and worn."""
    return dict(Counter(snapshot.worn) + snapshot.counts())


def totals(goals: tuple[Goal, ...], seen: Seen) -> tuple[Goal, ...]:
    """The same goals with each `+n` turned into a total, counted from now."""
    found: list[Goal] = []
    for goal in goals:
        match goal:
            case ItemGoal(item=item, count=count, more=True):
                found.append(ItemGoal(item, seen.world.inventory.get(item, 0) + count))
            case PlacedGoal(count=count, more=True):
                stand = seen.counted.get(goal.single, 0)
                found.append(replace(goal, count=stand + count, more=False))
            case _:
                found.append(goal)
    return tuple(found)


def meets(goal: Goal, snapshot: WorldSnapshot, counted: Mapping[Goal, int]) -> bool:
    """Whether a goal (with its total) holds; `counted` has how many blocks count for each."""
    match goal:
        case ItemGoal():
            return carried(snapshot).get(goal.item, 0) >= goal.count
        case PlacedGoal():
            return counted.get(goal.single, 0) >= goal.count
        case PlacedAtGoal():
            return bool(counted.get(goal))
        case EquipmentGoal():
            return (goal.item in _worn(snapshot)) == goal.on
        case PositionGoal():
            return snapshot.position.distance_to(standing(goal.at)) <= THERE
        case WithItem():
            return True


def _worn(snapshot: WorldSnapshot) -> frozenset[str]:
    """What is worn, and what is in hand if it belongs there."""
    held = snapshot.held
    in_hand = {held.name} if held is not None and belongs(held.name) == "hand" else ()
    return frozenset((*snapshot.worn, *in_hand))
