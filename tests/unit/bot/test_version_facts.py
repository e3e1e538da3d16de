"""Facts of the server's version are read once for all bots, and kept once."""

import asyncio
from dataclasses import dataclass, field

import pytest
from support.rig import Rig

from bots.bot.version_facts import VersionFacts
from bridge.actions import Query
from bridge.catalogue import Catalogue, ReadRecipes, RecipeBook
from bridge.errors import BridgeError


@dataclass
class World:
    """Tells its recipes to whoever does not know them yet, once it is let."""

    version: str = "1.16.5"
    told: list[str] = field(default_factory=list)
    fails: int = 0
    free: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, query: Query[RecipeBook | None]) -> RecipeBook | None:
        assert isinstance(query, ReadRecipes)
        await self.free.wait()
        if self.fails:
            self.fails -= 1
            raise BridgeError("gone")
        if query.known == self.version:
            return None
        self.told.append(self.version)
        return RecipeBook(self.version, ())


async def test_all_bots_have_the_same_facts_and_not_each_its_own(rig: Rig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    assert await alice.catalogue() is await bob.catalogue()
    assert await alice.recipes() is await bob.recipes()


async def test_two_that_ask_at_once_read_once() -> None:
    world, facts = World(), VersionFacts()
    asking = [asyncio.create_task(facts.recipes.read(world.ask)) for _ in range(3)]
    world.free.set()
    books = await asyncio.gather(*asking)
    assert world.told == ["1.16.5"]
    assert all(book is books[0] for book in books)


async def test_of_two_that_meet_another_version_at_once_both_have_the_same_facts() -> None:
    world, facts = World(), VersionFacts()
    world.free.set()
    old = await facts.recipes.read(world.ask)
    world.version = "1.20.1"
    one, other = await asyncio.gather(*(facts.recipes.read(world.ask) for _ in range(2)))
    assert (old.version, one.version) == ("1.16.5", "1.20.1")
    assert one is other


async def test_a_failed_read_is_tried_again_by_whoever_waited() -> None:
    world, facts = World(fails=1), VersionFacts()
    failing = asyncio.create_task(facts.recipes.read(world.ask))
    waiting = asyncio.create_task(facts.recipes.read(world.ask))
    world.free.set()
    with pytest.raises(BridgeError):
        await failing
    assert (await waiting).version == "1.16.5"
    assert world.told == ["1.16.5"]


async def test_once_they_are_known_nobody_waits_for_a_bot_whose_world_is_silent() -> None:
    world, silent, facts = World(), World(), VersionFacts()
    world.free.set()
    known = await facts.recipes.read(world.ask)
    hanging = asyncio.create_task(facts.recipes.read(silent.ask))
    await asyncio.sleep(0)
    assert await facts.recipes.read(world.ask) is known
    assert not hanging.done()
    hanging.cancel()


async def test_the_catalogue_and_the_recipes_are_read_apart(rig: Rig) -> None:
    alice = await rig.bot("Alice")
    catalogue: Catalogue = await alice.catalogue()
    before = rig.bridge.queries
    assert (await alice.recipes()).version == catalogue.version
    assert rig.bridge.queries == before + 1
