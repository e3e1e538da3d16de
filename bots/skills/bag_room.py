"""Making room in a full bag, for a job: into a chest, into one that is put down, then by leaving
rubble behind. What a person gave the bot today stays in the bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from bots.bot.bot import Bot
from bots.bot.chests import Chest
from bots.bot.episode import read_episode
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.bag_space import BAG_FULL, rubble, slots_of_rubble, spare
from bots.skills.chests import Moved, put_in
from bots.skills.leaving import Left, by_place, leave, still_lies, way_to_throw, where_it_lies
from bots.skills.placing import place_near
from bridge.actions import LyingItems
from bridge.catalogue import Catalogue
from bridge.errors import BotError
from bridge.world import Position, WorldSnapshot

PUT_WITHIN = 24.0
"""So far it walks to put things away."""
TO_PUT_DOWN = ("barrel", "chest", "trapped_chest")
TODAY = timedelta(hours=24)
MOST_GIFTS = 500
SEEN_WITHIN, SEEN_BACK_WITHIN = 24.0, 20.0
"""So far off it looks whether things still lie where it left them."""
TOLD = 3
"""So many puttings are told one by one; what was left behind is told in full."""


@dataclass(slots=True)
class BagRoom:
    """Makes room in the bag of one job, and tells what it did for that."""

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
        """Free so many more slots for something. Raises CommandError inventory_full."""
        slots = lacking + (await self.job.snapshot()).free_slots
        if lacking and not await self.make(slots, keep, heading):
            raise bag_full(slots - (await self.job.snapshot()).free_slots, what)

    async def make(
        self, slots: int, keep: Mapping[str, int], heading: Position | None = None
    ) -> bool:
        """Free so many slots in all without what is in `keep`; whether they are free.

        `heading`: where the bot goes next."""
        self._heading = heading
        kept = Counter(keep) + await gifts_of_today(self.bot)
        measures: tuple[Callable[[int, Mapping[str, int]], Awaitable[None]], ...] = (
            self._into_chests,
            self._into_one_put_down,
            self._leave_behind,
        )
        for measure in measures:
            if await self._is_free(slots):
                return True
            with suppress(ActionFailed):
                await measure(slots, kept)
        return await self._is_free(slots)

    async def tell(self) -> str:
        """What was put away and left, in sentences with a space before each."""
        with suppress(BotError):  # out of the world, say: then it is told as it was
            await self._forget_what_is_gone()
        more = f" I filled {len(self.put) - TOLD} more." if len(self.put) > TOLD else ""
        lefts = "".join(f" {one}" for one in by_place(self.left))
        return "".join(f" {one}" for one in self.put[:TOLD]) + more + lefts

    async def _forget_what_is_gone(self) -> None:
        """Whoever walks over what it threw has it in the bag again."""
        if not self.left:
            return
        here = (await self.job.snapshot()).position
        lying = await self.bot.query(LyingItems(SEEN_WITHIN))
        far = [one for one in self.left if one.position.distance_to(here) > SEEN_BACK_WITHIN]
        self.left = [one for one in self.left if one in far or still_lies(one, lying)]

    async def _is_free(self, slots: int) -> bool:
        return (await self.job.snapshot()).free_slots >= slots

    # --- into chests ------------------------------------------------------------------------

    async def _into_chests(self, slots: int, keep: Mapping[str, int]) -> None:
        for chest in self._usable(await self.job.snapshot()):
            if not await self._is_free(slots):
                await self._into(chest, slots, keep)

    async def _into_one_put_down(self, slots: int, keep: Mapping[str, int]) -> None:
        """Put down what it carries to keep things in, and use that."""
        while not await self._is_free(slots):
            bag = await self.job.snapshot()
            carried = (one for one in TO_PUT_DOWN if bag.count(one) > keep.get(one, 0))
            item = next(carried, None)
            if item is None:
                return
            where = await place_near(self.job, self.bot, item)
            if not await self._is_free(slots):
                await self._into(self.bot.chests.at(bag.dimension, where), slots, keep)

    async def _into(self, chest: Chest, slots: int, keep: Mapping[str, int]) -> None:
        bag = await self.job.snapshot()
        items = spare(bag, self.catalogue, keep, slots, dear=chest.own)
        moved = await put_in(self.bot, self.job, chest, items) if items else None
        if moved is None:
            self._shut.add(chest.position)
            return
        at = moved.position
        place = [at.x, at.y, at.z]
        self.job.note("goal.chest_used", what=moved.what, items=dict(moved.items), at=place)
        self.put.append(moved)

    def _usable(self, here: WorldSnapshot) -> list[Chest]:
        """Those near that may be used and are not known to be full, the nearest first."""
        far = {
            chest: chest.position.distance_to(here.position)
            for chest in self.bot.chests.usable(here.dimension)
            if chest.position not in self._shut and (chest.free_slots or not chest.slots)
        }
        return sorted((chest for chest in far if far[chest] <= PUT_WITHIN), key=far.__getitem__)

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
            await leave(self.job, *useless, at)
            thrown[useless[0]] += useless[1]
        if thrown:
            self.left.append(Left(thrown, await where_it_lies(self.job, thrown, at)))


async def gifts_of_today(bot: Bot) -> Counter[str]:
    """What persons gave the bot within a day."""
    since = bot.times.clock() - TODAY
    given = Counter[str]()
    for noted in await bot.recall("", MOST_GIFTS, since=since, episodes=True):
        episode = read_episode(noted.episode)
        if episode and episode.what == "received" and episode.person not in bot.known_bots:
            given[episode.thing] += episode.count
    return given


def bag_full(lacking: int, item: str) -> CommandError:
    """The error for a bag that is full of what is kept: it says what would help."""
    slots = "slot" if lacking == 1 else "slots"
    sentence = f"I need {lacking} free {slots} for {item}, and {BAG_FULL}."
    return CommandError("inventory_full", sentence, lacking=lacking)
