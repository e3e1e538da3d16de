"""Gathering: breaks blocks until enough of what they drop is in the inventory.

find the nearest ─▶ come to it ─▶ break it ─▶ enough broken? ─▶ pick up ─▶ count what is carried
      ▲               no way: put it on the avoid list  │ no                      │ short: again
      └─────────────────────────────────────────────────┴─────────────────────────┘
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.built import is_soil
from bots.bot.consequences import LAVA, foresee, touching
from bots.bot.hands import FORBIDDEN
from bots.bot.jobs import Job
from bots.catalogue.names import block_names, item_name, unknown
from bots.errors import ActionFailed, CommandError, JobEnded
from bots.skills.bag import BAG_FULL, BagRoom, slots_lacking
from bots.skills.breaking import BESIDE, Breaking
from bots.skills.built_sight import BuiltSight, ToldApart
from bots.skills.reach import OPEN_AIR, above, connected, foot, is_in_reach
from bots.skills.tools import SHEARS, best_tool, can_break, is_sheared, sure_drops
from bots.skills.tunnelling import climb, is_below_ground
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bots.text.spelling import plain
from bridge.actions import FindBlocks, Footholds, LyingItems, MoveTo, Place
from bridge.catalogue import Catalogue
from bridge.world import BlockSighting, Position, WorldSnapshot

COVERS = (
    *("cobblestone", "cobbled_deepslate", "dirt", "netherrack", "stone", "deepslate"),
    *("granite", "diorite", "andesite", "tuff", "blackstone"),
)
"""What lava is covered with, the first choice first; it neither burns nor falls."""
MOST = 2  # blocks of lava beside one
NEAR = 2.5  # blocks from the block, from where the lava beside it is in view


async def cover_lava(bot: Bot, job: Job, block: Position) -> bool:
    """Cover the lava that touches a block; whether none touches it any more. If some of it is not
    open from above, all of it is left.

    Raises ActionFailed missing_item where nothing to cover it with is carried, and others."""
    if not is_in_reach(await job.snapshot(), block, NEAR):
        await walk(bot, job, foot(above(block)), NEAR, may_dig=False)
    lava = await _lava_at(job, block)
    if len(lava) > MOST or not all([await job.block(above(at)) in OPEN_AIR for at in lava]):
        return False
    for cell in lava:
        world = await job.snapshot()
        cover = next((item for item in COVERS if world.count(item)), None)
        if cover is None:
            sentence = "I carry nothing to cover the lava beside it with, cobblestone for example."
            raise ActionFailed("missing_item", sentence)
        await job.act(Place(cover, cell))
    return not await _lava_at(job, block)


async def _lava_at(job: Job, block: Position) -> list[Position]:
    return [cell for cell in touching(block) if await job.block(cell) in LAVA]


AROUND = 3.0  # blocks: among those so near, ground that the bot needs comes last
CHOICE = 48  # blocks to choose from, besides the avoided ones
MOST_LOOKED_AT = 25_000  # blocks among which one is sought that nobody made
ON_THE_SPOT = 0.9  # blocks
IN_VAIN = 2  # blocks of one place that brought nothing; then the place is left
PLACE = 4.0  # blocks around one that brought nothing
LOGS = ("_log", "_stem")
TREES_ON_FOOT = 3  # to so many no way leads, then the bot digs its way to the nearest
LAVA_TRIED = 6  # blocks that hold lava back, the nearest first
SWEEP = 6.0  # blocks around within which drops of a block just broken lie


@dataclass(frozen=True, slots=True)
class GatherTarget:
    """Blocks to break for the items that count, under the word that asked for them."""

    word: str
    blocks: tuple[str, ...]
    items: frozenset[str]

    def carried(self, world: WorldSnapshot) -> int:
        """How many of the items are in the inventory."""
        return sum(stack.count for stack in world.items if stack.name in self.items)

    def has_room(self, catalogue: Catalogue, world: WorldSnapshot) -> bool:
        """Whether one more of the items fits."""
        sizes = {name: catalogue.items[name].stack_size for name in self.items & {*catalogue.items}}
        open_stacks = (stack.count < sizes.get(stack.name, 0) for stack in world.items)
        return world.free_slots > 0 or any(open_stacks)


def gather_target(catalogue: Catalogue, word: str) -> GatherTarget:
    """The target that a word names: a block, an item that blocks drop, or a category of blocks.

    What a block always drops counts for it: cobblestone counts as `stone`. Raises CommandError
    unknown_item, not_gatherable."""
    name = plain(word)
    if name in catalogue.items and name not in catalogue.blocks:
        name = item_name(catalogue, name)
        dropping = catalogue.dropping(name)
        if not dropping:
            sentence = f"No block drops {name}; it has to be made or found."
            raise CommandError("not_gatherable", sentence)
        return GatherTarget(name, dropping, frozenset({name}))
    try:
        blocks = block_names(catalogue, word)
    except CommandError:
        raise unknown("item", word, [*catalogue.blocks, *catalogue.items]) from None
    surely = {catalogue.blocks[block].drops[0] for block in blocks if catalogue.blocks[block].drops}
    others = [one for one in catalogue.dropping(name) if catalogue.blocks[one].drops[0] == name]
    every = tuple(dict.fromkeys((*blocks, *others)))
    return GatherTarget(name, every, frozenset({*surely, *blocks}))


@dataclass(frozen=True, slots=True)
class GatherLimits:
    max_distance: int
    approach_range: float
    collect_radius: float
    collect_delay_s: float
    max_attempts: int
    """Failed attempts in a row after which it gives up."""
    max_avoided: int
    sample_size: int


@dataclass(slots=True)
class Gathering:
    """The gathering of one job; `gathered`, `dug` and `avoided` tell how far it came."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    wanted: GatherTarget
    count: int
    limits: GatherLimits
    before: int = 0
    have: int = 0
    dug: int = 0
    avoided: set[Position] = field(default_factory=set)
    climbs_out: bool = True
    """Whether the bot climbs out of its own pit at the end."""
    tool: str | None = None
    """What to dig with instead of the best tool."""
    uses: int = 1
    """How many blocks drop one item that counts, on average; above 1, shears are of no use."""
    each: int = 1
    """Items that count which a block surely drops, where `uses` is 1."""
    room: BagRoom | None = None
    """Makes room in a full bag; None: nothing does."""
    _breaking: Breaking = field(init=False)
    _built: BuiltSight = field(init=False)
    _told: ToldApart = field(default_factory=lambda: ToldApart([], [], [], [], []))
    """Who made the wanted blocks, at the latest look."""
    _vain: list[Position] = field(default_factory=list)
    """Where blocks were broken that brought nothing."""
    _good: list[Position] = field(default_factory=list)
    """Where blocks were broken that brought something."""
    _left: set[Position] = field(default_factory=set)
    """Logs to which no way was found, and those of their trees above them."""
    _trees_left: int = 0
    """How many trees they are of."""
    _logs: set[Position] = field(default_factory=set)
    """The logs found at the latest look."""
    _digs_to_logs: bool = False
    """Whether it digs its way to a log: no other tree can be walked to."""
    _passed_over: bool = False
    """Whether blocks in reach were left because breaking them would do harm or lose the drop."""
    _refused: str = ""
    """Why the last block could not be broken, if there is a reason."""

    def __post_init__(self) -> None:
        sweep = min(SWEEP, self.limits.collect_radius)
        names = self.catalogue.blocks
        if self.tool is None and (
            all(map(is_sheared, self.wanted.blocks))
            and not self.wanted.items.isdisjoint(self.wanted.blocks)
        ):
            self.tool = SHEARS
        reach = self.limits.max_distance
        self._built = BuiltSight(self.bot, self.job, names, self.wanted.blocks, reach)
        self._breaking = Breaking(
            self.bot,
            self.job,
            self.catalogue,
            self.limits.approach_range,
            sweep,
            self._built,
            self.tool,
            shuns_shears=self.uses > 1,
        )

    @property
    def gathered(self) -> int:
        return max(0, self.have - self.before)

    async def run(self) -> None:
        """Gather `count` items.

        Raises CommandError not_found, no_path, no_tool, inventory_full, gave_up."""
        world = await self._look()
        self.before = self.have
        self._require_a_tool(world)
        self.job.progress(0, self.count, self.wanted.word)
        start = world.position
        try:
            await self._gather(world)
        except JobEnded:
            raise
        except CommandError as failed:
            if failed.reason == "died":
                raise  # it came back somewhere else
            await self._climb_out(start)
            await self._look()
            if self.gathered < self.count:
                raise
            return
        await self._climb_out(start)
        await self._look()  # on the way some more may have been picked up

    async def _gather(self, world: WorldSnapshot) -> None:
        # Few blocks are broken in vain before it gives up where only silk touch would help.
        known, wanted, tries, in_vain = self.catalogue.blocks, self.wanted, IN_VAIN, 0
        if any(
            name not in wanted.items or sure_drops(name, known[name].drops, self.tool, wanted.items)
            for name in wanted.blocks
        ):
            tries = self.limits.max_attempts
        while self.gathered < self.count:
            so_far = self.gathered
            await self._break_enough(world)
            world = await self._look()
            in_vain = 0 if self.gathered > so_far else in_vain + 1
            self.job.progress(self.gathered, self.count, self.wanted.word)
            if in_vain >= min(tries, self.limits.max_attempts):
                raise self.short("gave_up", f"{in_vain} tries in a row brought nothing{self._why}")

    @property
    def _why(self) -> str:
        return f"; at last: {self._refused.rstrip('.')}" if self._refused else ""

    def short(self, reason: str, why: str) -> CommandError:
        """The error that also says how many were gathered."""
        sentence = f"Got {self.gathered} of {self.count} {self.wanted.word}: {why}."
        return CommandError(reason, sentence, **self.facts())

    def facts(self) -> dict[str, object]:
        return {
            "itemName": self.wanted.word,
            "count": self.count,
            "gathered": self.gathered,
            "before": self.before,
            "have": self.have,
            "dug": self.dug,
            "avoided": len(self.avoided),
        }

    async def _look(self) -> WorldSnapshot:
        world = await self.job.snapshot()
        have = self.wanted.carried(world)
        lost = max(0, self.have - have)
        self.before -= min(self.before, lost)  # of a death: what it had before is not wanted again
        self.have = have
        return world

    async def _break_enough(self, world: WorldSnapshot) -> None:
        """Break all blocks in reach, or one elsewhere, then pick up what fell."""
        had = self.have
        places: list[Position] = []
        while self.gathered + max(0, had + self._dropped(len(places)) - self.have) < self.count:
            target = await self._nearest(world)
            if target is None and not places:
                raise await self._nothing_left()
            if target is not None:
                await self._require_room(world, target)
            if target is None or (places and not is_in_reach(world, target.position)):
                break
            if not await self._break(target):
                break
            places.append(target.position)
            if self._is_unsure(places, had):
                break
            world = await self._look()
            dropped = had + self._dropped(len(places)) - self.before
            fallen = min(self.count, max(self.gathered, dropped))
            self.job.progress(fallen, self.count, self.wanted.word)
        if self.have < had + self.each * len(places):
            await self._pick_up(had + self._dropped(len(places)))
        if self.have > had:
            self._good += places
        elif self.uses == 1 and not await self._was_taken():
            self._vain += places

    def _is_unsure(self, places: list[Position], had: int) -> bool:
        """Whether it is still unknown if drops from here reach the bag: then the bot picks up
        what fell before it breaks more."""
        if self.uses > 1 or self.have > had or len(places) < IN_VAIN:
            return False
        return all(places[-1].distance_to(good) > PLACE for good in self._good)

    async def _was_taken(self) -> bool:
        """Whether somebody in sight may have taken what fell: nothing of it lies around."""
        if not any(player.position for player in (await self.job.snapshot()).players):
            return False
        lying = await self.job.query(LyingItems(self.limits.max_distance))
        return not any(one.name is None or one.name in self.wanted.items for one in lying)

    async def _require_room(self, world: WorldSnapshot, target: BlockSighting) -> None:
        """Make room for everything still to come, or else for as much as possible."""
        if self.wanted.has_room(self.catalogue, world):
            return
        keep = {item: world.count(item) for item in self.wanted.items}
        left, room = self.count - self.gathered, self.room
        for count in (left, 1):
            slots = min(slots_lacking(world, self.catalogue, {}, {item: count}) for item in keep)
            if room is not None and await room.make(slots, keep, target.position):
                return
        raise self.short("inventory_full", BAG_FULL)

    def _dropped(self, broken: int) -> int:
        """How many items this many blocks should have dropped."""
        return self.each * broken // self.uses

    async def _break(self, target: BlockSighting) -> bool:
        """Break a block; False when that failed, and then it is avoided from now on."""
        try:
            await self._come_and_break(target)
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            if failed.reason == "inventory_full":
                raise self.short("inventory_full", BAG_FULL) from failed
            if failed.reason != "not_found":  # gone: broken on the way there
                self.avoided.add(target.position)
            if failed.reason == "no_path" and target.position in self._logs:
                # Try neither this log nor those of its tree above it, but after all other trees.
                joined = connected(target.position, self._logs_beside)
                self._left |= {one for one in joined if one.y >= target.position.y}
                self._trees_left += 1
                if self._trees_left == TREES_ON_FOOT:
                    self._try_left_trees()
            is_told = failed.reason in ("blocked", "unsafe", "lost", "no_tool")
            self._refused = failed.message if is_told else ""
            return False
        self.dug, self._refused = self.dug + 1, ""
        return True

    async def _come_and_break(self, target: BlockSighting) -> None:
        """Break a block. A log to which only digging leads is left, unless the bot stands in a pit:
        another tree may be nearer than what the searches for a way through the ground take."""
        on_foot = target.name.endswith(LOGS) and not self._digs_to_logs
        try:
            await self._breaking.break_block(target, on_foot=on_foot)
        except ActionFailed as failed:
            if not on_foot or failed.reason != "no_path" or not await is_below_ground(self.job):
                raise
            await self._breaking.break_block(target)

    def _logs_beside(self, log: Position) -> Iterable[Position]:
        steps = itertools.product((-1, 0, 1), repeat=3)
        return self._logs.intersection(
            Position(log.x + dx, log.y + dy, log.z + dz) for dx, dy, dz in steps
        )

    def _try_left_trees(self) -> bool:
        """Try the trees anew that were left, by digging; whether there are any."""
        if self._digs_to_logs or not self._left:
            return False
        self.avoided -= self._left
        self._left.clear()
        self._digs_to_logs = True
        return True

    async def _pick_up(self, expected: int) -> None:
        only = next(iter(self.wanted.items)) if len(self.wanted.items) == 1 else None
        try:
            await self._breaking.pick_up(only, self.limits.collect_delay_s)
        except ActionFailed as failed:
            if failed.reason == "died" or not self.wanted.has_room(
                self.catalogue, await self._look()
            ):
                raise
        await self._look()
        if self.have < expected:
            await self._breaking.search_holes(self.wanted.items)
            await self._look()

    async def _nearest(self, world: WorldSnapshot) -> BlockSighting | None:
        """The nearest block that is not avoided; blocks below the feet come last."""
        names = tuple(name for name in self.wanted.blocks if self._is_breakable(world, name))
        if not names:
            self._require_a_tool(world)
        open_ones = await self._free_to_take(world, names)
        if not open_ones and self._try_left_trees():
            open_ones = await self._free_to_take(world, names)
        if len(self.avoided) >= self.limits.max_avoided:
            return None
        open_ones = await self._worth_breaking(world, open_ones)
        if not open_ones:
            return await self._freed_of_lava()
        feet = world.position.block
        under = (feet.x, feet.z)
        open_ones.sort(
            key=lambda one: (one.position.x, one.position.z) == under and one.position.y < feet.y
        )
        around = [one for one in open_ones if one.position.distance_to(feet) <= AROUND]
        around.sort(key=lambda one: one.position.y < feet.y)  # not the ground of the way back
        return await self._breaking.first_not_needed(around or _uncovered(open_ones)[:1])

    async def _freed_of_lava(self) -> BlockSighting | None:
        """The nearest block that holds lava back and whose lava can be covered."""
        for block in self._told.by_lava[:LAVA_TRIED]:
            try:
                if await cover_lava(self.bot, self.job, block.position):
                    self._built.look_anew()
                    return block
            except ActionFailed as failed:
                if failed.reason == "died":
                    raise
                self._refused = failed.message
                if failed.reason == "missing_item":
                    return None
            self.avoided.add(block.position)
        return None

    async def _worth_breaking(
        self, world: WorldSnapshot, blocks: list[BlockSighting]
    ) -> list[BlockSighting]:
        """These blocks without those in reach that would do harm or bring nothing."""
        around, feet = await self.job.blocks_around(), world.position
        lost = {
            one.position
            for one in blocks
            if is_in_reach(world, one.position) and not foresee(one.position, feet, around).is_good
        }
        self._passed_over = bool(lost)
        return [one for one in blocks if one.position not in lost]

    async def _free_to_take(
        self, world: WorldSnapshot, names: tuple[str, ...]
    ) -> list[BlockSighting]:
        """Blocks that are neither avoided nor built by somebody, the nearest first."""
        limit = len(self.avoided) + self.limits.sample_size + CHOICE
        while True:
            near = FindBlocks(names, self.limits.max_distance, limit, ripe=True)
            found = await self.job.targets(near)
            open_ones = [one for one in found if self._is_open(one.position)]
            self._logs = {one.position for one in found if one.name.endswith(LOGS)}
            self._told = told = await self._built.told_apart(world, open_ones)
            self._breaking.plots = self._built.plots
            if told.grown or len(found) < limit or limit >= MOST_LOOKED_AT:
                return told.free(world.position)
            limit *= 8

    def _is_open(self, block: Position) -> bool:
        """Whether a block is worth a try: not avoided, and not where blocks brought nothing."""
        in_vain = sum(block.distance_to(place) <= PLACE for place in self._vain)
        is_left = block in self.avoided or block in self._left
        return not is_left and in_vain < IN_VAIN

    async def _nothing_left(self) -> CommandError:
        left = FindBlocks(self.wanted.blocks, self.limits.max_distance, 1)
        if not self.avoided and (area := await self.job.sparing(left)):
            return self.short(FORBIDDEN, f"the nearest is in {area.name}. {area.why}".rstrip("."))
        where = f"within {in_blocks(self.limits.max_distance)}"
        if self._told.built:
            at = self._told.built[0].position
            where = f"{at.x:g} {at.y:g} {at.z:g}"
            why = f"the only {self.wanted.word} near is of somebody's making at {where}; I leave it"
            return self.short("built", why)
        if self._told.below:
            why = f"what is left {where} lies below what somebody built; I dig no shaft there"
            return self.short("built", why)
        if self._told.by_lava or self._passed_over:
            why = f"what is left {where} holds something back, or falls where I cannot get it"
            return self.short("unsafe", f"{why}{self._why}")
        if len(self._vain) >= IN_VAIN:
            return self.short("lost", f"what I break {where} does not come to me")
        if self.avoided:
            tried = f"no way leads to the {len(self.avoided)} tried {where}"
            return self.short("no_path", f"{tried}{self._why}")
        return self.short("not_found", f"there is no more {where}")

    async def _climb_out(self, start: Position) -> None:
        """Climb out of the pit that the gathering dug."""
        is_below = (await self.job.snapshot()).position.y <= start.y - 1
        if not (is_below and self.climbs_out):
            return
        with suppress(ActionFailed):
            await climb(self.bot, self.job, MoveTo(start, BESIDE))
            places = await self.job.query(Footholds(int(start.block.x), int(start.block.z)))
            if start.block in (places or ()):  # else the next pit would begin a step further down
                await self.job.act(MoveTo(start, ON_THE_SPOT))

    def _is_breakable(self, world: WorldSnapshot, name: str) -> bool:
        has_tool = self.tool != SHEARS or world.count(SHEARS) > 0
        return has_tool and can_break(world, self.catalogue.blocks[name])

    def _require_a_tool(self, world: WorldSnapshot) -> None:
        """Refuse at once when no carried tool makes any of the blocks drop something."""
        if any(self._is_breakable(world, name) for name in self.wanted.blocks):
            return
        if self.tool == SHEARS:
            raise self.short("no_tool", f"{self.wanted.word} falls whole only to shears")
        try:
            best_tool(world, self.catalogue.blocks[self.wanted.blocks[0]])
        except CommandError as refusal:
            facts = {**self.facts(), **refusal.data}
            raise CommandError(refusal.reason, refusal.message, **facts) from None


def _uncovered(blocks: list[BlockSighting]) -> list[BlockSighting]:
    """These blocks without soil that lies under other soil: reaching it takes digging."""
    cells = {one.position for one in blocks if is_soil(one.name)}
    return [one for one in blocks if above(one.position) not in cells]
