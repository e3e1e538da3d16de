"""What animals give: hunting and shearing one after the other, gathering the eggs that they lay.

Chance decides what an animal gives, so what counts is what is carried. Eggs that lie about are
picked up; for more, the bot waits beside hens. An animal in a pen is somebody's: the bot leaves it
alone, and its eggs too. So is one with a name, on a lead, or tamed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.built import Cell, cell_of, is_log, is_worked
from bots.bot.hands import FORBIDDEN
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.breaking import has_all, pick_up
from bots.skills.reach import unless
from bots.skills.reckoning import best_weapon
from bots.skills.tools import SHEARS
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import CollectDrops, Equip, FindBlocks, Hunt, LyingItems, UseOn, Wait
from bridge.world import MobSighting, Position, WorldSnapshot, Zone

SHEEP, SHORN_SHEEP = "sheep", "shorn_sheep"
WIDEST = 12  # blocks from an animal to where its pen must end
MOST_SEEN = 10_000  # blocks of fences, walls and houses


def kind_of(mob: MobSighting) -> str:
    return sheep_of(mob.coat) if mob.name == SHEEP else mob.name


def sheep_of(colour: str | None) -> str:
    """The kind of a sheep of this colour; None: without wool."""
    if colour is None:
        return SHORN_SHEEP
    return SHEEP if colour == "white" else f"{colour}_{SHEEP}"


async def walls_around(bot: Bot, job: Job, known: Iterable[str], radius: float) -> frozenset[Cell]:
    """Blocks that may be part of a pen: worked ones, logs, and whatever people placed."""
    names = tuple(name for name in known if is_worked(name) or is_log(name))
    found = await job.query(FindBlocks(names, int(radius) + WIDEST, MOST_SEEN))
    placed = bot.placements.peoples((await job.snapshot()).dimension)
    return frozenset(map(cell_of, (*(one.position for one in found), *placed)))


def is_penned(animal: Position, walls: Collection[Cell]) -> bool:
    """Whether walls at the height of an animal leave it no way out."""
    start = cell_of(animal)
    reached, edge = {start}, [start]
    while edge:
        x, y, z = edge.pop()
        if max(abs(x - start[0]), abs(z - start[2])) >= WIDEST:
            return False
        beside = {(x + 1, y, z), (x - 1, y, z), (x, y, z + 1), (x, y, z - 1)} - reached
        on = [at for at in beside if at not in walls and (at[0], y + 1, at[2]) not in walls]
        reached.update(on)
        edge += on
    return True


CHASE_S = 60.0  # for one animal
FALLING_S = 0.7  # until what was left can be picked up
SWEEP = 6.0  # blocks
COLLECT_S = 20.0
MOST_FAILED = 8
"""The hunt ends after this many animals that could not be reached or got away."""
EGG, HEN = "egg", "chicken"
LYING_EGG = f"lying_{EGG}"
"""The name of an egg on the ground in a plan."""
BESIDE = 6.0  # blocks from a hen
REACHED = 2.0
EGG_SWEEP = 8.0
LOOK_EVERY_S = 5.0
LAID_WITHIN_S = 700.0  # hens lay at least every 600 s


async def take_weapon(job: Job, world: WorldSnapshot, *, spares_tools: bool = False) -> None:
    """Hold what deals most of what is carried, if anything deals more than the bare hand."""
    weapon = best_weapon((stack.name for stack in world.items), spares_tools=spares_tools)
    if weapon and (world.held is None or world.held.name != weapon):
        await job.act(Equip(weapon))


@dataclass(slots=True)
class Hunting:
    """Gets things of one kind of animal, for one job."""

    bot: Bot
    job: Job
    known: Iterable[str]
    """The names of all blocks."""
    kind: str
    wanted: Mapping[str, int]
    """What to carry at the end."""
    radius: float
    shears: bool = False
    """Whether the animals are shorn, and live."""
    failed: set[int] = field(default_factory=set)
    """Animals that are left alone."""
    spared: dict[int, str] = field(default_factory=dict)
    """Animals left alone because they are where nothing may be touched, and why."""
    _penned: list[MobSighting] = field(default_factory=list)
    """Animals in pens, at the latest look."""

    async def run(self) -> None:
        """Hunt until all is carried.

        Raises CommandError not_found, no_path, built, inventory_full; ActionFailed."""
        walls = await walls_around(self.bot, self.job, self.known, self.radius)
        while not has_all(world := await self.job.snapshot(), self.wanted):
            prey = self._nearest(world, walls)
            if prey is None:
                raise self._none_left()
            if not self.shears:
                await take_weapon(self.job, world, spares_tools=True)
            if await self._catch(prey):
                await self.job.act(Wait(FALLING_S))
                await pick_up(self.bot, self.job, self.wanted, SWEEP, COLLECT_S)

    def _nearest(self, world: WorldSnapshot, walls: Collection[Cell]) -> MobSighting | None:
        if len(self.failed - self.spared.keys()) >= MOST_FAILED:
            return None
        here = world.position
        near = (mob for mob in world.mobs if here.distance_to(mob.position) <= self.radius)
        fit = [
            mob for mob in near if kind_of(mob) == self.kind and not (mob.young or mob.is_somebodys)
        ]
        self._penned = [mob for mob in fit if is_penned(mob.position, walls)]
        free = (mob for mob in fit if mob not in self._penned)
        return next((mob for mob in free if mob.id not in self.failed), None)

    async def _catch(self, prey: MobSighting) -> bool:
        """Strike or shear an animal; False if it got away: from then on it is left alone."""
        action = UseOn(prey.id, SHEARS) if self.shears else Hunt(prey.id)
        try:
            await self.job.act(action, deadline_s=CHASE_S)
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item"):
                raise
            self.failed.add(prey.id)
            if failed.reason == FORBIDDEN:
                self.spared[prey.id] = failed.message
            return False
        return True

    def _none_left(self) -> CommandError:
        where = f"within {in_blocks(self.radius)}"
        if self.failed and self.failed == self.spared.keys():
            sentence = f"There is no more {self.kind} {where} but where I leave it alone."
            why = next(iter(self.spared.values()))
            return CommandError(FORBIDDEN, f"{sentence} {why}", kind=self.kind)
        if self.failed:
            sentence = f"I could not catch the {len(self.failed)} {self.kind} tried {where}."
            return CommandError("no_path", sentence, kind=self.kind)
        if self._penned:
            at = self._penned[0].position.block
            pen = f"somebody's pen at {at.x:g} {at.y:g} {at.z:g}"
            sentence = f"There is no more {self.kind} {where} but in {pen}; I leave it alone."
            return CommandError("built", sentence, kind=self.kind)
        return CommandError("not_found", f"There is no more {self.kind} {where}.", kind=self.kind)


@dataclass(slots=True)
class EggGathering:
    """Gets eggs, for one job."""

    bot: Bot
    job: Job
    known: Iterable[str]
    """The names of all blocks."""
    wanted: int
    """What to carry at the end."""
    radius: int
    may_wait: bool
    left: set[Position] = field(default_factory=set)
    """Where eggs lie that could not be picked up."""
    _walls: Collection[Cell] = ()
    """Of pens, whose eggs are somebody's."""

    async def run(self) -> None:
        """Pick eggs up and wait for more until all are carried.

        Raises CommandError not_found (no egg or no hen), gave_up (none is laid); ActionFailed."""
        waited_s = 0.0
        self._walls = await walls_around(self.bot, self.job, self.known, self.radius)
        while (world := await self.job.snapshot()).count(EGG) < self.wanted:
            self.job.progress(world.count(EGG), self.wanted, EGG)
            if await self._pick_up():
                waited_s = 0.0
                continue
            if waited_s >= LAID_WITHIN_S:
                raise CommandError("gave_up", f"No {EGG} was laid within {LAID_WITHIN_S:g} s.")
            hen = self._nearest_hen(world).position
            if (await self.job.snapshot()).position.distance_to(hen) > BESIDE:
                await walk(self.bot, self.job, hen, BESIDE / 2, may_dig=False)
            await self.job.act(Wait(LOOK_EVERY_S))
            waited_s += LOOK_EVERY_S

    async def _pick_up(self) -> bool:
        """Go to the nearest egg, or item that may be one, and pick it up; whether there was one."""
        lying = await self.job.query(LyingItems(self.radius))
        may_be = (one.position for one in lying if one.name in (EGG, None))
        eggs = [at for at in may_be if at not in self.left and not is_penned(at, self._walls)]
        if not eggs:
            return False
        before = (await self.job.snapshot()).count(EGG)
        with unless("died", "inventory_full"):
            if (await self.job.snapshot()).position.distance_to(eggs[0]) > EGG_SWEEP / 2:
                await walk(self.bot, self.job, eggs[0], REACHED, may_dig=False)
            lying = await self.job.query(LyingItems(EGG_SWEEP))
            penned = (one.position.block for one in lying if is_penned(one.position, self._walls))
            theirs = tuple(Zone(at, at) for at in penned)
            await self.job.act(CollectDrops(EGG_SWEEP, EGG, theirs), deadline_s=COLLECT_S)
        if (await self.job.snapshot()).count(EGG) == before:
            self.left.update(eggs)
        return True

    def _nearest_hen(self, world: WorldSnapshot) -> MobSighting:
        """Raises CommandError not_found; also where it may not wait."""
        where = f"within {in_blocks(self.radius)}"
        if not self.may_wait:
            raise CommandError("not_found", f"There is no {EGG} that I can pick up {where}.")
        hens = (mob for mob in world.mobs if mob.name == HEN and not mob.young)
        near = (hen for hen in hens if world.position.distance_to(hen.position) <= self.radius)
        hen = next(near, None)
        if hen is None:
            raise CommandError("not_found", f"There is no more {HEN} {where}.", kind=HEN)
        return hen
