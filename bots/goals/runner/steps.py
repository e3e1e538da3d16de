"""Carries out the steps of a plan with the skills, and checks what each one gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import CommandError, JobEnded
from bots.goals.plan import FORAGING, Step
from bots.goals.runner.recovery import StepFailed
from bots.goals.runner.sight import Sight, carried
from bots.goals.runner.supplies import NearChests
from bots.skills.foraging import Farming, Fishing, fill, milk
from bots.skills.gathering import Gathering, GatherLimits, GatherTarget
from bots.skills.hunting import EGG, LYING_EGG, EggGathering, Hunting
from bots.skills.making import FURNACE, TABLE, come_to_station, craft, smelt_where_free
from bots.skills.placing import place_at, place_near
from bots.skills.reach import standing
from bots.skills.walking import walk
from bridge.actions import Equip, FindBlocks, TakeOff
from bridge.catalogue import Catalogue
from bridge.world import Position

THERE = 0.5
"""A `move` ends within this many blocks of its position."""
BESIDE = 3.0
"""How near the bot comes to a place or a player to put something down there, in blocks."""
MAX_ATTEMPTS = 5
REACH_FACTOR, MAX_REACH = 2, 128
"""What was seen at the start may be farther away by now: look within twice the sight radius, at
most 128 blocks."""
NO_FAULT_OF_THE_BLOCK = frozenset({"died", "inventory_full", "no_tool"})
STATION_OF = {"craft": TABLE, "smelt": FURNACE}
MAX_UNREACHABLE = 16
"""Unreachable blocks of one kind after which a step stops trying that kind."""


@dataclass(slots=True)
class StepRunner:
    """Carries out the steps of one run."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    sight: Sight
    chests: NearChests
    may_pillar: bool
    """Whether earth may be left behind to get out of a hole: no goal asks for any."""

    async def do(self, step: Step, due: Mapping[str, int]) -> None:
        """Do one step and check the inventory after it. Raises StepFailed, JobEnded.

        Where chance decides, `due` is what of its products is needed, and enough."""
        before = carried(await self.job.snapshot())
        needs = {**step.consumes, **({step.tool: 1} if step.tool else {})}
        lacks = {item: n - before.get(item, 0) for item, n in needs.items()}
        named = ", ".join(f"{count} {item}" for item, count in lacks.items() if count > 0)
        if named:
            raise StepFailed("missing_item", f"I lack {named} to {step.action} {step.target}.")
        due = due if step.about else step.produces
        try:
            await self._carry_out(step, Counter(before) + Counter(due))
        except JobEnded:
            raise
        except CommandError as error:
            is_sought = step.action == "gather" or step.action in FORAGING
            if is_sought and error.reason not in NO_FAULT_OF_THE_BLOCK:
                self.sight.failures[step.target] += 1
            raise StepFailed.of(error) from error
        after = carried(await self.job.snapshot())
        gained = {item: after.get(item, 0) - before.get(item, 0) for item in due}
        short = {item: n - gained[item] for item, n in due.items() if gained[item] < n}
        if short:
            lacking = ", ".join(f"{count} {item}" for item, count in short.items())
            raise StepFailed("shortfall", f"{lacking} missing after {step.action} {step.target}.")

    async def _carry_out(self, step: Step, enough: Mapping[str, int]) -> None:
        """Carry out the step; where chance decides, until `enough` is carried."""
        if step.action in FORAGING:
            await self._forage(step, enough)
            return
        match step.action:
            case "gather":
                (item, count), *_ = step.produces.items()
                await self._gather(step, item, count)
            case "approach" | "craft" | "smelt":
                await self._at_station(step)
            case "place":
                await self._place(step)
            case "take":
                await self.chests.take(step.target, step.count)
            case "equip":
                await self.job.act(Equip(step.target))
            case "take_off":
                await self.job.act(TakeOff(step.target))
            case "move":
                x, y, z = map(float, step.target.split(","))
                await self._walk(standing(Position(x, y, z)), THERE)

    async def _forage(self, step: Step, enough: Mapping[str, int]) -> None:
        """Do what neither surely drops nor is made."""
        wanted = {item: enough[item] for item in step.produces if item in enough}
        match step.action:
            case "search":
                world = await self.job.snapshot()
                for item in step.produces:
                    await self._gather(step, item, enough[item] - world.count(item))
            case "grow":
                (seeds,) = step.consumes
                await Farming(self.bot, self.job, seeds, step.tool or "", step.count).run()
            case "await" | "pick_up":
                count = enough[EGG]
                may_wait = step.action == "await"
                work = EggGathering(
                    self.bot, self.job, self.catalogue.blocks, count, self._far, may_wait
                )
                try:
                    await work.run()
                finally:
                    self.sight.out_of_reach |= dict.fromkeys(work.left, LYING_EGG)
            case "fish":
                await Fishing(self.bot, self.job, wanted, self._far).run()
            case "milk":
                await milk(self.job, step.target, step.count, self._far)
            case "fill":
                await fill(self.bot, self.job, step.target, step.count, self._far)
            case "hunt" | "shear":
                shears = step.action == "shear"
                known = self.catalogue.blocks
                await Hunting(
                    self.bot, self.job, known, step.target, wanted, self._far, shears=shears
                ).run()

    async def _place(self, step: Step) -> None:
        if step.at is not None:
            await place_at(self.job, self.bot, step.target, step.at)
            return
        if step.near is not None:
            spot = standing(await self.sight.placed.latest_spot(step.near))
            await self._walk(spot, BESIDE)
        for _ in range(step.count):
            await place_near(self.job, self.bot, step.target)

    async def _walk(self, spot: Position, within: float) -> None:
        await walk(self.bot, self.job, spot, within, may_pillar=self.may_pillar)

    async def _gather(self, step: Step, item: str, count: int) -> None:
        uses = step.count // step.produces[item] if step.about else 1
        each = 1 if step.about else max(1, step.produces[item] // step.count)
        work = Gathering(
            self.bot,
            self.job,
            self.catalogue,
            GatherTarget(step.target, (step.target,), frozenset({item})),
            count,
            self._limits(uses),
            avoided={at for at, name in self.sight.out_of_reach.items() if name == step.target},
            climbs_out=False,
            tool=step.tool,
            uses=uses,
            each=each,
        )
        try:
            await work.run()
        finally:
            self.sight.out_of_reach |= dict.fromkeys(work.avoided, step.target)

    @property
    def _far(self) -> int:
        """Radius to look for what was seen earlier, blocks."""
        return min(MAX_REACH, REACH_FACTOR * self.sight.radius)

    def _limits(self, uses: int) -> GatherLimits:
        """Limits of gathering: more attempts where one item takes several blocks."""
        known = len(self.sight.out_of_reach)
        return GatherLimits(
            max_distance=self._far,
            approach_range=2.0,
            collect_radius=8.0,
            collect_delay_s=0.2,
            max_attempts=MAX_ATTEMPTS * uses,
            max_avoided=known + MAX_UNREACHABLE * uses,
            sample_size=1,
        )

    async def _at_station(self, step: Step) -> None:
        """Walk to a station, craft or smelt at one.

        After no_station, leave the stations around out of later plans."""
        try:
            match step.action:
                case "approach":
                    where = (self.job, self.bot, (step.target,))
                    await come_to_station(*where, radius=self._far, may_place=False)
                case "craft":
                    what = (self.job, self.bot, step.target, step.count)
                    of = tuple(step.consumes)
                    await craft(*what, of=of, radius=self._far, may_place=False)
                case _:
                    for raw, count, pieces in cooked_over(step, self.catalogue):
                        if not pieces:
                            raise StepFailed("missing_fuel", f"There is no fuel left for {raw}.")
                        cooked = (self.job, self.bot, raw, pieces[0], count, pieces)
                        await smelt_where_free(*cooked, radius=self._far, may_place=False)
        except CommandError as error:
            if error.reason == "no_station":
                kind = STATION_OF.get(step.action, step.target)
                found = await self.job.query(FindBlocks((kind,), self._far, MAX_UNREACHABLE))
                self.sight.out_of_reach |= {sighting.position: kind for sighting in found}
            raise


def cooked_over(step: Step, catalogue: Catalogue) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Each raw item of a smelt step with its count and its pieces of fuel, in the order of burning.

    What a step consumes is either; logs can be both."""
    left, raws = Counter(step.consumes), Counter[str]()
    known = {name: catalogue.items[name] for name in left if name in catalogue.items}
    cooked = [name for name, facts in known.items() if facts.cooks_to == step.target]
    for name in sorted(cooked, key=lambda name: (-left[name], name)):
        raws[name] = min(left[name], step.count - raws.total())
        left[name] -= raws[name]
    burning = sorted((+left).elements(), key=lambda name: (-known[name].fuel, name))
    heat = 0.0
    for raw, count in (+raws).items():
        pieces: list[str] = []
        while burning and (heat < count or not pieces):
            pieces.append(burning.pop(0))
            heat += known[pieces[-1]].fuel
        heat -= count
        yield raw, count, tuple(pieces)
