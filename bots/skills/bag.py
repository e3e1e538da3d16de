"""Room in a bag: how much a piece of work needs, and how it is made.

A bag has room in free slots and on stacks that are not full. What the work uses up leaves room too:
a log that is made into planks frees its slot for them. Room is made by putting things into a chest,
into one that is put down or made of spare wood, by leaving rubble behind: thrown where it can be
found again, at nobody's feet, not into lava; and last by going back to a chest far off. What a
person gave the bot today stays in the bag.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from bots.bot.bot import Bot
from bots.bot.chests import CONTAINERS, Chest
from bots.bot.episode import read_episode
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.belongings import KINDS, is_dear, is_wielded_or_worn
from bots.skills.chests import Moved, nearest, note_moved, put_in
from bots.skills.placing import place_near
from bots.skills.reach import SIDES
from bots.skills.tunnelling import dig_into_reach
from bots.skills.walking import walk
from bridge.actions import Craft, FindBlocks, LookAt, LyingItems, Toss, Wait
from bridge.catalogue import Catalogue, CraftingRecipe
from bridge.errors import BotError
from bridge.world import Position, WorldSnapshot

ROOMY_SLOTS = 9
"""How many slots are free after things were put away, if the chest has room."""
STACK = 64  # of what the catalogue does not know
WHAT_HELPS = (
    "take something from me, give me a chest to put down, or let me use one with !chest allow"
)
BAG_FULL = f"the bag is full of things I would not throw away; {WHAT_HELPS}"
_MATERIALS = ("wooden", "golden", "leather", "stone", "chainmail", "iron", "diamond", "netherite")
FLIES = 4
"""How far a thrown item flies at most, in blocks."""
FALLS = 4
"""How far below the feet an item may land, in blocks."""
OUT_OF_REACH = 3
"""How many columns an item must fly so that the bot does not pick it up again at once."""
LANDS_AT = 2.0
AWAY_FROM_PLAYERS = 3.0
"""No player may be within this many blocks of where it lands: they would pick it up."""
AWAY_FROM_IT = 3.0
LANDED_S = 1.0
SETTLING = 0.3
"""How much too low an item that has just landed may appear, in blocks."""
LOOKED_FOR_WITHIN = 6.0
_OPEN = ("air", "grass", "fern", "snow", "dandelion", "poppy", "torch", "rail", "carpet")
_RUINS = ("lava", "fire", "cactus", "magma_block", "campfire", "water", "portal", "hopper")
"""Blocks that burn an item, carry it off or swallow it."""
PUT_WITHIN, GO_BACK_WITHIN = 24.0, 128.0
"""How far the bot walks to put things away, in blocks; and when nothing else makes room."""
BACK_WITHIN = 3.0
TO_PUT_DOWN = ("barrel", "chest", "trapped_chest")
CHEST, TABLE = "chest", "crafting_table"
TABLE_WITHIN = 32  # blocks
PLANKS_OF_CHEST, PLANKS_OF_LOG = 8, 4
_PLANKS = "_planks"
TODAY = timedelta(hours=24)
MOST_GIFTS = 500
SEEN_WITHIN, SEEN_BACK_WITHIN = 24.0, 20.0
"""From how far it checks whether things still lie where it left them, in blocks."""
TOLD = 3
"""How many deposits are listed one by one; what was left behind is listed in full."""


def slots_lacking(
    bag: WorldSnapshot,
    catalogue: Catalogue,
    uses: Mapping[str, int],
    brings: Mapping[str, float],
    *,
    bit_by_bit: bool = False,
) -> int:
    """How many more free slots are needed to use some items up and then get others for them.

    `bit_by_bit` is how things are crafted: in as many equal rounds as the counts allow."""
    wanted = {item: math.ceil(count) for item, count in brings.items()}
    rounds = max(1, math.gcd(*uses.values(), *wanted.values())) if bit_by_bit else 1
    sack, lacking = _Sack.of(bag, catalogue), 0
    for _ in range(rounds):
        for item, count in uses.items():
            sack.take(item, count // rounds)
        for item, count in wanted.items():
            sack.put(item, count // rounds)
        lacking = max(lacking, -sack.free)
    return lacking


@dataclass(slots=True)
class _Sack:
    """An imagined bag, which may hold more than it has slots: then `free` is below zero."""

    stacks: list[tuple[str, int]]
    free: int
    size: Callable[[str], int]

    @classmethod
    def of(cls, bag: WorldSnapshot, catalogue: Catalogue) -> _Sack:
        def size(item: str) -> int:
            facts = catalogue.items.get(item)
            return facts.stack_size if facts else STACK

        return cls([(stack.name, stack.count) for stack in bag.items], bag.free_slots, size)

    def take(self, item: str, count: int) -> None:
        for index, (name, held) in enumerate(self.stacks):
            taken = min(count, held) if name == item else 0
            self.stacks[index] = name, held - taken
            count -= taken
        left = [stack for stack in self.stacks if stack[1]]
        self.free += len(self.stacks) - len(left)
        self.stacks = left

    def put(self, item: str, count: int) -> None:
        for index, (name, held) in enumerate(self.stacks):
            added = min(count, self.size(item) - held) if name == item else 0
            self.stacks[index] = name, held + added
            count -= added
        while count > 0:
            self.stacks.append((item, min(count, self.size(item))))
            self.free -= 1
            count -= self.size(item)


def spare(
    bag: WorldSnapshot, catalogue: Catalogue, keep: Mapping[str, int], slots: int, *, dear: bool
) -> dict[str, int]:
    """What to put into a chest to free this many slots, and more where little is lost by it.

    Food goes when nothing else can, and what is `dear` last, if at all."""
    free, chosen = bag.free_slots, dict[str, int]()
    for worth, item, stacks in sorted(_by_worth(bag, catalogue)):
        most = slots if worth else max(slots, ROOMY_SLOTS)
        count = bag.count(item) - keep.get(item, 0)
        if free < most and count > 0 and (dear or not is_dear(item)):
            chosen[item] = count
            free += stacks if item not in keep else stacks - 1
    return chosen


def _by_worth(bag: WorldSnapshot, catalogue: Catalogue) -> Iterator[tuple[int, str, int]]:
    """How unwillingly each item is put away, with the item and its stacks."""
    for item, stacks in Counter(stack.name for stack in bag.items).items():
        facts = catalogue.items.get(item)
        if item in CONTAINERS:
            continue
        if is_wielded_or_worn(item):
            of = item.partition("_")[0]
            worth = _MATERIALS.index(of) if of in _MATERIALS else len(_MATERIALS)
            yield 3 + worth, item, stacks
        elif is_dear(item):
            yield 2, item, stacks
        else:
            yield int(facts is not None and bool(facts.food)), item, stacks


def rubble(bag: WorldSnapshot, keep: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What may be thrown away with the count of its first stack, the least worth first.

    Of several stacks of an item the first is the one that is thrown."""
    first: dict[str, int] = {}
    for stack in bag.items:
        first.setdefault(stack.name, stack.count)
    worths = {item: worth for item in first if (worth := _worth(item)) is not None}
    for item in sorted(worths, key=lambda item: (worths[item], first[item])):
        if bag.count(item) - first[item] >= keep.get(item, 0):
            yield item, first[item]


def slots_of_rubble(bag: WorldSnapshot, keep: Mapping[str, int]) -> int:
    """How many slots are free once all of that is thrown away."""
    freed, left = 0, bag.counts()
    for stack in bag.items:
        is_rubble, rest = _worth(stack.name) is not None, left[stack.name] - stack.count
        if is_rubble and rest >= keep.get(stack.name, 0):
            left[stack.name] -= stack.count
            freed += 1
    return freed


def _worth(item: str) -> int | None:
    return next((n for n, names in enumerate(KINDS["rubble"]) if re.fullmatch(names, item)), None)


@dataclass(frozen=True, slots=True)
class _Wood:
    """Wood for a chest: planks, some of them still to be sawn from logs."""

    planks: tuple[str, ...]
    log: str = ""
    logs: int = 0

    def lacking(self, bag: WorldSnapshot, catalogue: Catalogue) -> int:
        """How many more free slots that takes."""
        sack = self.sawn(bag, catalogue)
        sawn = sack.free
        left = PLANKS_OF_CHEST
        for one in self.planks:
            held = sum(count for name, count in sack.stacks if name == one)
            sack.take(one, min(left, held))
            left -= min(left, held)
        sack.put(CHEST, 1)
        return max(0, -sawn, -sack.free)

    def sawn(self, bag: WorldSnapshot, catalogue: Catalogue) -> _Sack:
        """The bag once the logs are planks."""
        sack = _Sack.of(bag, catalogue)
        if self.logs:
            sack.take(self.log, self.logs)
            sack.put(self.planks[0], self.logs * PLANKS_OF_LOG)
        return sack


def _sawing(book: Iterable[CraftingRecipe]) -> Iterator[tuple[str, str]]:
    """Each log with the planks that are made of it."""
    for one in book:
        if one.makes.name.endswith(_PLANKS) and len(one.inputs) == 1:
            yield one.inputs[0].name, one.makes.name


def _woods(
    book: Iterable[CraftingRecipe], bag: WorldSnapshot, keep: Mapping[str, int]
) -> Iterator[_Wood]:
    """Wood for a chest, leaving what is in `keep`."""
    spare = bag.counts()
    spare.subtract(keep)
    planks = [name for name in spare if name.endswith(_PLANKS)]
    yield from (_Wood((name,)) for name in planks if spare[name] >= PLANKS_OF_CHEST)
    for log, name in _sawing(book):
        logs = math.ceil((PLANKS_OF_CHEST - spare[name]) / PLANKS_OF_LOG)
        if 0 < logs <= spare[log]:
            yield _Wood((name,), log, logs)
    mixed = tuple(name for name in planks if not keep.get(name))
    if sum(spare[name] for name in mixed) >= PLANKS_OF_CHEST:
        yield _Wood(mixed)


@dataclass(frozen=True, slots=True)
class Left:
    """Items that the bot left lying at a place."""

    items: Mapping[str, int]
    position: Position

    def __str__(self) -> str:
        listed = " and ".join(f"{count} {item}" for item, count in self.items.items())
        at = self.position
        return f"I left {listed} at {at.x:g} {at.y:g} {at.z:g}."


async def way_to_throw(job: Job, heading: Position | None = None) -> Position | None:
    """A point to throw at, with ground below that ruins nothing and no player near.

    It is not where the bot goes next, to `heading`: it would pick up what lies on its way."""
    world = await job.snapshot()
    around = await job.blocks_around()
    best: tuple[int, float] = (0, 0.0)
    chosen: Position | None = None
    for dx, dz in SIDES:
        here = world.position
        at = Position(here.x + dx * LANDS_AT, here.y, here.z + dz * LANDS_AT)
        players = (player.position for player in world.players if player.position)
        is_near_one = any(one.distance_to(at) < AWAY_FROM_PLAYERS for one in players)
        free = 0 if is_near_one else _room(here.block, dx, dz, around)
        worth = min(free, OUT_OF_REACH), at.distance_to(heading) if heading else 0.0
        if free and worth > best:
            best, chosen = worth, at
    return chosen


async def where_it_lies(job: Job, items: Iterable[str], at: Position) -> Position:
    """The block where what was thrown came to lie, or `at` where nobody can tell."""
    thrown = frozenset(items)
    with suppress(ActionFailed):
        await job.act(Wait(LANDED_S))
    lying = await job.query(LyingItems(LOOKED_FOR_WITHIN))
    found = [one.position for one in lying if one.name in thrown]
    lies = min(found, key=at.distance_to, default=at)
    return Position(lies.x, lies.y + SETTLING, lies.z).block


def _room(feet: Position, dx: int, dz: int, around: Mapping[Position, str]) -> int:
    """How many columns an item can fly over until it hits something; 0 where one would ruin it."""
    for step in range(FLIES + 1):
        eyes = Position(feet.x + dx * step, feet.y + 1, feet.z + dz * step)
        if not around.get(eyes, "").endswith(_OPEN):
            return max(0, step - 1)
        if step and not _ends_well(eyes, around):
            return 0
    return FLIES


def _ends_well(eyes: Position, around: Mapping[Position, str]) -> bool:
    for depth in range(1, FALLS + 2):
        block = around.get(Position(eyes.x, eyes.y - depth, eyes.z), "")
        if not block.endswith(_OPEN):
            return bool(block) and not block.endswith(_RUINS)
    return False


@dataclass(slots=True)
class BagRoom:
    """Makes room in the bag of one job, and reports what it did."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    put: list[Moved] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    _shut: set[Position] = field(default_factory=set)
    """Chests that took nothing."""
    _heading: Position | None = None

    async def require(
        self,
        lacking: int,
        what: str,
        keep: Mapping[str, int],
        heading: Position | None = None,
    ) -> None:
        """Free this many more slots. Raises CommandError inventory_full."""
        slots = lacking + (await self.job.snapshot()).free_slots
        if lacking and not await self.make(slots, keep, heading):
            lacking = slots - (await self.job.snapshot()).free_slots
            free = f"{lacking} free {'slot' if lacking == 1 else 'slots'}"
            sentence = f"I need {free} for {what}, and {BAG_FULL}."
            raise CommandError("inventory_full", sentence, lacking=lacking)

    async def make(
        self, slots: int, keep: Mapping[str, int], heading: Position | None = None
    ) -> bool:
        """Free this many slots in all, without touching `keep`; whether they are free.

        `heading`: where the bot goes next."""
        self._heading = heading
        kept = Counter(keep) + await gifts_of_today(self.bot)
        measures: tuple[Callable[[int, Mapping[str, int]], Awaitable[None]], ...] = (
            self._into_chests,
            self._into_one_put_down,
            self._into_one_made,
            self._leave_behind,
            self._into_chests_far_off,
        )
        for measure in measures:
            if await self._is_free(slots):
                return True
            with suppress(ActionFailed):
                await measure(slots, kept)
        return await self._is_free(slots)

    async def tell(self) -> str:
        """What was put away and left behind: sentences, each with a space before it."""
        with suppress(BotError):  # out of the world, say: then it is told as it was
            await self._forget_what_is_gone()
        more = f" I filled {len(self.put) - TOLD} more." if len(self.put) > TOLD else ""
        by_place: dict[Position, Counter[str]] = {}
        for left in self.left:
            by_place.setdefault(left.position, Counter()).update(left.items)
        lefts = "".join(f" {Left(items, at)}" for at, items in by_place.items())
        return "".join(f" {one}" for one in self.put[:TOLD]) + more + lefts

    async def _forget_what_is_gone(self) -> None:
        """Forget items left lying that are gone: the bot itself may have picked them up again."""
        if not self.left:
            return
        here = (await self.job.snapshot()).position
        lying = await self.bot.query(LyingItems(SEEN_WITHIN))

        def may_lie(left: Left) -> bool:
            near = (one for one in lying if one.position.distance_to(left.position) < AWAY_FROM_IT)
            is_far = left.position.distance_to(here) > SEEN_BACK_WITHIN
            return is_far or any(one.name in (None, *left.items) for one in near)

        self.left = list(filter(may_lie, self.left))

    async def _is_free(self, slots: int) -> bool:
        return (await self.job.snapshot()).free_slots >= slots

    # --- into chests ------------------------------------------------------------------------

    async def _into_chests(
        self, slots: int, keep: Mapping[str, int], within: float = PUT_WITHIN
    ) -> None:
        # Chests nearby that may be used and are not known to be full, the nearest first.
        here = await self.job.snapshot()
        usable = self.bot.chests.usable(here.dimension)
        open_ones = (chest for chest in usable if chest.position not in self._shut)
        free = (chest for chest in open_ones if chest.free_slots or not chest.slots)
        for chest in nearest(free, here, within):
            if not await self._is_free(slots):
                await self._into(chest, slots, keep)

    async def _into_chests_far_off(self, slots: int, keep: Mapping[str, int]) -> None:
        """Go there, and come back to where the work is."""
        here = (await self.job.snapshot()).position
        await self._into_chests(slots, keep, GO_BACK_WITHIN)
        if await self._is_free(slots):
            await walk(self.bot, self.job, here, BACK_WITHIN)

    async def _into_one_put_down(self, slots: int, keep: Mapping[str, int]) -> None:
        """Put down a carried chest or barrel, and use that."""
        while not await self._is_free(slots):
            bag = await self.job.snapshot()
            carried = (one for one in TO_PUT_DOWN if bag.count(one) > keep.get(one, 0))
            item = next(carried, None)
            if item is None:
                return
            where = await place_near(self.job, self.bot, item)
            if not await self._is_free(slots):
                await self._into(self.bot.chests.at(bag.dimension, where), slots, keep)

    async def _into_one_made(self, slots: int, keep: Mapping[str, int]) -> None:
        """Make a chest of carried wood beyond `keep`, and use that."""
        book, bag = (await self.bot.recipes()).recipes, await self.job.snapshot()
        if not any(_woods(book, bag, keep)) or not (table := await self._table(bag, keep)):
            return
        wood, lacking = await self._wood(book, keep)
        if lacking:
            if not await self._is_slot_made(book, lacking, keep):
                return
            wood, _ = await self._wood(book, keep)
        if wood.logs:
            await self.job.act(Craft(wood.planks[0], wood.logs * PLANKS_OF_LOG, of=(wood.log,)))
        await self.job.act(Craft(CHEST, 1, table, wood.planks))
        await self._into_one_put_down(slots, keep)

    async def _wood(
        self, book: Iterable[CraftingRecipe], keep: Mapping[str, int]
    ) -> tuple[_Wood, int]:
        """What to make a chest of, and how many more free slots that takes."""
        bag = await self.job.snapshot()
        lacking = {one: one.lacking(bag, self.catalogue) for one in _woods(book, bag, keep)}
        if not lacking:
            raise ActionFailed("missing_item", "There is no wood left for a chest.")
        return min(lacking.items(), key=lambda one: one[1])

    async def _is_slot_made(
        self, book: Iterable[CraftingRecipe], lacking: int, keep: Mapping[str, int]
    ) -> bool:
        """Make room for a chest by sawing up logs, or else by leaving rubble."""
        bag = await self.job.snapshot()
        # Logs whose slot is free once all of them are planks.
        whole = (
            _Wood((planks,), log, bag.count(log))
            for log, planks in _sawing(book)
            if bag.count(log) and not keep.get(log)
        )
        used_up = (one for one in whole if one.sawn(bag, self.catalogue).free > bag.free_slots)
        if logs := next(used_up, None):
            await self.job.act(Craft(logs.planks[0], logs.logs * PLANKS_OF_LOG, of=(logs.log,)))
        else:
            await self._leave_behind(bag.free_slots + lacking, keep)
        return await self._is_free(bag.free_slots + lacking)

    async def _table(self, bag: WorldSnapshot, keep: Mapping[str, int]) -> Position | None:
        """A crafting table in reach: one nearby, or a carried one put down."""
        for near in await self.job.targets(FindBlocks((TABLE,), TABLE_WITHIN, 1)):
            with suppress(ActionFailed):
                await dig_into_reach(self.bot, self.job, near.position)
                return near.position
        if bag.count(TABLE) <= keep.get(TABLE, 0):
            return None
        return await place_near(self.job, self.bot, TABLE)

    async def _into(self, chest: Chest, slots: int, keep: Mapping[str, int]) -> None:
        bag = await self.job.snapshot()
        items = spare(bag, self.catalogue, keep, slots, dear=chest.own)
        is_far = chest.position.distance_to(bag.position) > PUT_WITHIN
        moved = await put_in(self.bot, self.job, chest, items, may_dig=is_far) if items else None
        if moved is None:
            self._shut.add(chest.position)
            return
        note_moved(self.job, moved)
        self.put.append(moved)

    # --- left behind ------------------------------------------------------------------------

    async def _leave_behind(self, slots: int, keep: Mapping[str, int]) -> None:
        """Throw rubble away, as little of it as makes the room, if that is enough."""
        await self._forget_what_is_gone()
        bag, at = await self.job.snapshot(), await way_to_throw(self.job, self._heading)
        if at is None or bag.free_slots + slots_of_rubble(bag, keep) < slots:
            return
        thrown = Counter[str]()
        while not await self._is_free(slots):
            bag = await self.job.snapshot()
            useless = next(rubble(bag, keep), None)
            if useless is None:
                break
            await self.job.act(LookAt(at))
            await self.job.act(Toss(*useless))
            thrown[useless[0]] += useless[1]
        if thrown:
            self.left.append(Left(thrown, await where_it_lies(self.job, thrown, at)))


async def gifts_of_today(bot: Bot) -> Counter[str]:
    """Items that players gave the bot within the last day."""
    since = bot.times.clock() - TODAY
    given = Counter[str]()
    for noted in await bot.recall("", MOST_GIFTS, since=since, episodes=True):
        episode = read_episode(noted.episode)
        if episode and episode.what == "received" and episode.person not in bot.known_bots:
            given[episode.thing] += episode.count
    return given
