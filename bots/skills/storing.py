"""Putting things away by kind: into the chest that holds it, else where its family lies.

what it carries, but what it needs ─▶ allotted to the chests ─▶ into the nearest ─▶ the rest anew
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.chests import CONTAINERS, Chest
from bots.bot.jobs import Job
from bots.catalogue.counted import few, item, told
from bots.errors import ActionFailed, CommandError
from bots.skills.bag import PUT_WITHIN, STACK, TO_PUT_DOWN
from bots.skills.belongings import KINDS, good_foods, is_wielded_or_worn
from bots.skills.chests import Moved, look_into, nearest, note_moved, put_in
from bots.skills.placing import place_near
from bots.skills.tools import finest
from bots.words import Saying, saying
from bridge.actions import CloseContainer, FindBlocks
from bridge.catalogue import Catalogue
from bridge.world import Position, WorldSnapshot

POINTED_WITHIN, TRIED = 32, 4  # blocks to the nearest chest, whosever it is; and such chests
KEPT_FOOD = 16
KEPT: Mapping[str, int] = {"torch": 8, "arrow": 64}
"""What stays in the bag beside food and the best of each tool, and how much of it at most."""
_FAMILIES = {kind: re.compile("|".join(names)) for kind, names in KINDS["families"].items()}


def family_of(name: str, catalogue: Catalogue) -> str:
    """With what an item lies in a tidy chest."""
    facts = catalogue.items.get(name)
    if is_wielded_or_worn(name) or name == "arrow":
        return "tools"
    if facts is not None and facts.food:
        return "food"
    return next((kind for kind, names in _FAMILIES.items() if names.fullmatch(name)), "other")


def needed(bag: WorldSnapshot, catalogue: Catalogue) -> Counter[str]:
    """What a bot keeps with it: the best of each tool and piece of armour, food, some torches."""
    gear: dict[str, list[str]] = {}
    for name in bag.counts():
        if is_wielded_or_worn(name):
            gear.setdefault(name.rpartition("_")[2], []).append(name)
    keep = Counter({finest(names): 1 for names in gear.values()})
    keep.update({name: min(most, bag.count(name)) for name, most in KEPT.items()})
    left = KEPT_FOOD
    for name in reversed(good_foods(catalogue, bag)):
        keep[name] = min(left, bag.count(name))
        left -= keep[name]
    return +keep


@dataclass(slots=True)
class _Shelf:
    """A chest as it will be."""

    chest: Chest
    catalogue: Catalogue
    items: Counter[str]
    free: int

    def fit(self, name: str) -> int:
        """How well an item lies there; 0 is best."""
        kind = family_of(name, self.catalogue)
        if self.items[name]:
            return 0
        if any(family_of(one, self.catalogue) == kind for one in self.items):
            return 1
        return 3 if self.items else 2

    def take(self, name: str, count: int) -> int:
        """How many of them it has room for; they are in it then."""
        facts = self.catalogue.items.get(name)
        size = facts.stack_size if facts else STACK
        begun = -self.items[name] % size
        taken = min(count, begun + self.free * size)
        self.free -= max(0, -(-(taken - begun) // size))
        if taken:
            self.items[name] += taken
        return taken


def allot(
    items: Mapping[str, int], chests: Sequence[Chest], catalogue: Catalogue
) -> Mapping[Chest, Mapping[str, int]]:
    """What of some items goes into which chest, of which the nearest come first: where the item
    lies already, else its family, else into an empty one. What finds no room is left out."""
    shelves = [_Shelf(one, catalogue, +Counter(one.items), one.free_slots) for one in chests]
    shares: dict[Chest, dict[str, int]] = {chest: {} for chest in chests}
    by_kind = sorted(items, key=lambda name: (family_of(name, catalogue), name))
    for name in sorted(by_kind, key=lambda name: min((s.fit(name) for s in shelves), default=0)):
        left = items[name]
        for shelf in sorted(shelves, key=lambda shelf: shelf.fit(name)):
            if left and (taken := shelf.take(name, left)):
                shares[shelf.chest][name] = taken
                left -= taken
    return {chest: share for chest, share in shares.items() if share}


@dataclass(slots=True)
class Storing:
    """Puts things away, for one job."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    named: Collection[str] = ()
    """The items that are meant; all that it does not need unless given."""
    nearest: bool = False
    """Into the nearest chest, whosever it is: somebody pointed at it."""
    keep: Mapping[str, int] = field(default_factory=dict)
    """How much of what is named stays."""
    put: list[Moved] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    _begun: WorldSnapshot = field(init=False)
    _opened: set[Position] = field(default_factory=set)
    _shut: set[Position] = field(default_factory=set)
    """Chests that could not be reached or took nothing."""

    async def run(self) -> None:
        """Raises CommandError missing_item, not_found, inventory_full; ActionFailed."""
        world = self._begun = await self.job.snapshot()
        self.kept = Counter(self.keep) if self.named else needed(world, self.catalogue)
        if not self._left(world):
            kept = f" but what I need: {self._listed(self.kept)}" if self.kept else ""
            raise CommandError("missing_item", f"I carry nothing to put away{kept}.")
        while left := self._left(await self.job.snapshot()):
            if not await self._put_some(left):
                break
        if not self.put:
            sentence = (
                f"I know no chest with room within {PUT_WITHIN:g} blocks that I may use, and carry "
                "none; let me use one with !chest allow."
            )
            if self.nearest:
                where = f"within {POINTED_WITHIN} blocks"
                sentence = f"I find no chest {where} that I can put things into."
            raise CommandError("not_found", sentence)
        if left:
            put = sum((Counter(moved.items) for moved in self.put), Counter[str]())
            sentence = f"There is no room in a chest for {self._listed(left)}."
            told_put = told(self.outcome, "en")
            raise CommandError("inventory_full", f"{told_put} {sentence}", put=dict(put))

    @property
    def outcome(self) -> Saying:
        """What went where, and what is kept."""
        by_place: dict[Position, Counter[str]] = {}
        for one in self.put:
            by_place.setdefault(one.position, Counter()).update(one.items)
        moved = tuple(
            saying("did.moved", items=items, at=f"{at.x:g} {at.y:g} {at.z:g}")
            for at, items in by_place.items()
        )
        if self.kept:
            return saying("did.store_partly", moved=moved, kept=self.kept)
        return saying("did.store", moved=moved)

    def _left(self, world: WorldSnapshot) -> dict[str, int]:
        """What is still to be put away. A shulker box goes into no other."""
        carried = {name: n for name, n in world.counts().items() if "shulker" not in name}
        left = {name: n - self.kept[name] for name, n in carried.items()}
        return {n: c for n, c in left.items() if c > 0 and (not self.named or n in self.named)}

    async def _put_some(self, left: Mapping[str, int]) -> bool:
        """Look into a chest that is new, or fill the nearest that something is allotted to; False
        where none is left."""
        chests = await self._chests()
        shares = allot(left, chests, self.catalogue)
        unseen = (one for one in chests if one.position not in self._opened)
        new = next((one for one in unseen if one.items is None or not shares), None)
        if new is not None:
            self._opened.add(new.position)
            if await look_into(self.bot, self.job, new) is None:
                self._shut.add(new.position)
            else:
                await self.job.act(CloseContainer())
            return True
        if not shares:
            return not self.nearest and await self._is_one_put_down()
        chest, share = next(iter(shares.items()))
        self._opened.add(chest.position)
        moved = await put_in(self.bot, self.job, chest, share)
        if moved is None:
            self._shut.add(chest.position)
        else:
            note_moved(self.job, moved)
            self.put.append(moved)
        return True

    async def _chests(self) -> list[Chest]:
        """Those that may be used, the nearest to where it began first; or the one that is meant."""
        here = self._begun
        usable: Iterable[Chest] = self.bot.chests.usable(here.dimension)
        if self.nearest:
            seen = await self.job.targets(FindBlocks(CONTAINERS, POINTED_WITHIN, TRIED))
            usable = (self.bot.chests.at(here.dimension, one.position) for one in seen)
        open_ones = (chest for chest in usable if chest.position not in self._shut)
        near = nearest(open_ones, here, POINTED_WITHIN if self.nearest else PUT_WITHIN)
        return near[:1] if self.nearest else near

    async def _is_one_put_down(self) -> bool:
        """Put down a carried chest, if there is one."""
        world = await self.job.snapshot()
        item = next((one for one in TO_PUT_DOWN if world.count(one)), None)
        if item is None:
            return False
        with suppress(ActionFailed):
            await place_near(self.job, self.bot, item)
            return True
        return False

    @staticmethod
    def _listed(items: Mapping[str, int]) -> str:
        return few([item(name, count, "en") for name, count in items.items()], "en")
