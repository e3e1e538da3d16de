"""Taking what somebody pointed at: blocks of one kind that hang together there, and nothing else.

come near ─▶ see what hangs together ─▶ break those in reach ─▶ pick up ─▶ walk to the next
                                              none is left, or no way leads to any: done
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from bots.access.origin import Level
from bots.bot.areas import Area
from bots.bot.bot import Bot
from bots.bot.consequences import falls
from bots.bot.hands import FORBIDDEN, Pointed
from bots.bot.jobs import Job
from bots.catalogue.names import block_names, unknown
from bots.errors import ActionFailed, CommandError
from bots.skills.bag import BAG_FULL, BagRoom
from bots.skills.breaking import of_others
from bots.skills.gathering import GatherTarget
from bots.skills.reach import beside, connected, foot, is_in_reach, walk_into_reach
from bots.skills.tools import hold_best_tool
from bots.skills.walking import walk
from bots.text.spelling import plain
from bots.words.heard import heard
from bridge.actions import CollectDrops, Dig, FindBlocks
from bridge.catalogue import Catalogue
from bridge.world import BlockSighting, Position

NEAR = 4.0  # blocks from the place: there it looks what hangs together
OFF = 2.0  # blocks from the place: whoever stands before a wall means the wall
ACROSS = 8  # blocks from the place within which what hangs together is followed
MOST = 128  # blocks taken at once without a number
IN_VAIN = 8  # blocks in a row to which no way led, or that did not break
EVERY = 25_000  # blocks, more than there are so near
SWEEP = 6.0  # blocks around within which what fell is picked up
COLLECT_S, DIGGING_S = 30.0, 300.0

_FLUIDS = ("water", "lava", "air")


def means_any(words: str) -> bool:
    return not plain(words) or heard("pointed.any").fullmatch(plain(words)) is not None


def materials(words: str) -> Iterator[str]:
    """The materials that a name may mean: `cobblestone_wall`, then `cobblestone`."""
    name = plain(words)
    bare = heard("pointed.shape").sub("", name)
    return (one for word in (name, bare) if word for one in (word, word.removesuffix("s")))


def blocks_meant(catalogue: Catalogue, words: str) -> tuple[str, ...]:
    """The kinds of blocks meant; empty: whatever stands there. Raises CommandError
    unknown_block."""
    if means_any(words):
        return ()
    found: dict[str, None] = {}
    for name in materials(words):
        with suppress(CommandError):
            found |= dict.fromkeys(block_names(catalogue, name))
    if not found:
        raise unknown("block", words, catalogue.blocks)
    return tuple(found)


@dataclass(slots=True)
class PointedWork:
    """Takes the blocks of one place."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    words: str
    place: Position
    """A block."""
    count: int | None
    """How many blocks; None: all that hang together."""
    level: Level
    """The level of the player who pointed."""
    room: BagRoom
    dug: int = 0
    kind: str = ""
    """What stands there."""
    before: int = 0
    have: int = 0
    _left: set[Position] = field(default_factory=set)
    _avoided: set[Position] = field(default_factory=set)
    _closed: Area | None = None
    """The protected area that some of the blocks lie in."""
    _refusal: ActionFailed | None = None
    """Why the last block could not be broken."""

    @property
    def wanted(self) -> GatherTarget:
        drops = self.catalogue.blocks[self.kind].drops[:1]
        return GatherTarget(self.kind, (self.kind,), frozenset({self.kind, *drops}))

    @property
    def most(self) -> int:
        """How many blocks are to be broken."""
        left = self.dug + len(self._left)
        return left if self.count is None else min(self.count, left)

    async def run(self) -> None:
        """Raises CommandError unknown_block, not_found, too_many, no_tool, no_path, unsafe,
        forbidden_area, inventory_full."""
        names = blocks_meant(self.catalogue, self.words)
        if (await self.job.snapshot()).position.distance_to(self.place) > NEAR + 1:
            await walk(self.bot, self.job, foot(self.place), NEAR, may_dig=False)
        await self._find(names)
        world = await self.job.snapshot()
        # Point at what may be taken; what an area forbids is left.
        pointed = Pointed(frozenset(self._left), self.level)
        for at in pointed.blocks:
            area = self.bot.areas.sparing(world.dimension, at)
            if area is not None and not pointed.opens(area):
                self._closed = area
                self._left.discard(at)
        self.job.pointed = Pointed(frozenset(self._left), self.level)
        self.before = self.wanted.carried(world)
        try:
            while self.dug < self.most and await self._take_some():
                await self._pick_up()
        finally:
            self.have = self.wanted.carried(await self.job.snapshot())
        if self.dug < (self.count or self.most) or self._closed:
            reason, why = self._hindrance()
            sentence = f"I broke {self} only. {why}" if self.dug else why
            raise CommandError(reason, sentence, **self.facts())

    def facts(self) -> dict[str, object]:
        return {
            "itemName": self.kind or self.words,
            "count": self.most if self.count is None else self.count,
            "gathered": max(0, self.have - self.before),
            "before": self.before,
            "have": self.have,
            "dug": self.dug,
            "avoided": len(self._avoided),
        }

    def __str__(self) -> str:
        at = self.place
        return f"{self.dug} {self.kind} at {at.x:g} {at.y:g} {at.z:g}"

    # --- what is meant ----------------------------------------------------------------------

    async def _find(self, names: tuple[str, ...]) -> None:
        """Raises CommandError not_found, too_many."""
        there = await self.job.block(self.place)
        alike = await self._all_of(names or (() if there is None else (there,)))
        start = min(alike, key=self._far, default=None)
        off = OFF if names else 0
        if start is None or self._far(start) > off or start.name.endswith(_FLUIDS):
            raise CommandError("not_found", f"{self._point()} is {there}, no {self.words}.")
        self.kind = start.name
        cells = {one.position for one in alike if one.name == self.kind}
        is_one = heard("pointed.one").fullmatch(plain(self.words)) is not None
        joined = [start.position]
        if not is_one:
            joined = connected(start.position, lambda at: (s for s in beside(at) if s in cells))
        if len(joined) > MOST and self.count is None:
            raise CommandError(
                "too_many",
                f"{self._point()}, more than {MOST} {self.kind} hang together; how many?",
            )
        self._left = set(joined[: max(MOST, self.count or 0)])

    async def _all_of(self, names: tuple[str, ...]) -> list[BlockSighting]:
        """Blocks near enough to the place to be meant, if they may be broken at all."""
        here = (await self.job.snapshot()).position
        radius = int(here.distance_to(self.place)) + ACROSS + 1
        known = tuple(name for name in names if name in self.catalogue.blocks)
        found = await self.job.query(FindBlocks(known, radius, EVERY)) if known else ()
        return [one for one in found if self._far(one) <= ACROSS]

    def _far(self, one: BlockSighting) -> float:
        return one.position.distance_to(self.place)

    def _point(self) -> str:
        at = self.place
        return f"At {at.x:g} {at.y:g} {at.z:g}"

    # --- the work ---------------------------------------------------------------------------

    async def _take_some(self) -> bool:
        """Break what is in reach, or else go to a block and break it; whether any was broken."""
        before = self.dug
        while self.dug < self.most and (target := await self._next()):
            if len(self._avoided) >= IN_VAIN:
                break
            world = await self.job.snapshot()
            if not is_in_reach(world, target) and self.dug > before:
                break
            if self.catalogue.blocks[self.kind].drops:
                keep = {item: world.count(item) for item in self.wanted.items}
                has_room = self.wanted.has_room(self.catalogue, world)
                if not has_room and not await self.room.make(1, keep):
                    sentence = f"I broke {self}, and {BAG_FULL}."
                    raise CommandError("inventory_full", sentence, **self.facts())
            await self._take(target)
        if self.dug > before:
            self._avoided.clear()  # what fell may have been in the way
        return self.dug > before

    async def _next(self) -> Position | None:
        """The block to break next: the lowest in reach, so that drops fall down to the bot; the
        highest of what would come down itself."""
        world = await self.job.snapshot()
        standing = {one.position for one in await self._all_of((self.kind,))}
        self._left &= standing
        feet, down = world.position.block, -1 if falls(self.kind) else 1
        return min(
            self._left - self._avoided,
            key=lambda at: (
                not is_in_reach(world, at),
                (at.x, at.z) == (feet.x, feet.z) and at.y < feet.y,
                down * at.y if is_in_reach(world, at) else 0,
                at.distance_to(feet),
            ),
            default=None,
        )

    async def _take(self, target: Position) -> None:
        """Break a block; one that cannot be broken is avoided. Raises CommandError no_tool,
        ActionFailed died."""
        try:
            await walk_into_reach(self.job, await self.job.snapshot(), target)
            block = self.catalogue.blocks[self.kind]
            await hold_best_tool(self.job, await self.job.snapshot(), block)
            await self.job.act(Dig(target), deadline_s=DIGGING_S)
        except ActionFailed as failed:
            if failed.reason == "died":
                raise
            self._avoided.add(target)
            self._refusal = failed
            return
        world = await self.job.snapshot()
        await self.bot.placements.gone(target, world.dimension)
        self.dug += 1
        self._left.discard(target)
        self.job.progress(self.dug, self.most, self.kind)

    async def _pick_up(self) -> None:
        for item in sorted(self.wanted.items & self.catalogue.items.keys()):
            with suppress(ActionFailed):
                theirs = await of_others(self.bot, self.job, SWEEP, item=item)
                await self.job.act(CollectDrops(SWEEP, item, theirs), deadline_s=COLLECT_S)

    def _hindrance(self) -> tuple[str, str]:
        """The reason why no more was broken, and the sentence."""
        if self._refusal and self._left:
            return self._refusal.reason, self._refusal.message
        if self._closed:
            return FORBIDDEN, self._closed.why
        return "not_found", f"{self._point()} there is no more {self.kind} that hangs together."
