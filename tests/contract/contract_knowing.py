"""What bots may know of the version they play, and what rests on it."""

from __future__ import annotations

from contract.arena import CENTRE, Arena, cell

from bridge.actions import Craft, MoveTo
from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.world import Position

RING = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1) if (dx, dz) != (0, 0)]


class KnowingContract:
    async def test_blocks_tell_what_breaks_them_and_what_they_drop(self, arena: Arena) -> None:
        blocks = (await _read(arena)).blocks
        assert blocks["oak_log"].needs is None
        assert blocks["oak_log"].speeds["stone_axe"] > blocks["oak_log"].speeds["wooden_axe"] > 1
        iron = blocks["iron_ore"]
        assert iron.needs is not None
        assert "stone_pickaxe" in iron.needs
        assert iron.needs.isdisjoint({"wooden_pickaxe", "stone_axe"})
        assert blocks["bedrock"].hardness is None
        assert blocks["water"].hardness is None
        assert blocks["dirt"].hardness == 0.5
        drops = {name: blocks[name].drops[:1] for name in ("stone", "coal_ore", "grass_block")}
        assert drops == {
            "stone": ("cobblestone",),
            "coal_ore": ("coal",),
            "grass_block": ("dirt",),
        }

    async def test_items_tell_what_they_are_good_for(self, arena: Arena) -> None:
        items = (await _read(arena)).items
        assert (items["apple"].food, items["bread"].food, items["stick"].food) == (4, 5, 0)
        assert (items["coal"].fuel, items["oak_planks"].fuel, items["apple"].fuel) == (8, 1.5, 0)
        assert (items["iron_ore"].cooks_to, items["sand"].cooks_to) == ("iron_ingot", "glass")
        assert items["apple"].cooks_to is None
        assert (items["iron_pickaxe"].stack_size, items["dirt"].stack_size) == (1, 64)

    async def test_blocks_are_listed_for_what_they_drop(self, arena: Arena) -> None:
        known = await _read(arena)
        assert known.dropping("diamond") == ("diamond_ore",)
        assert set(known.dropping("cobblestone")) == {"cobblestone", "stone"}

    async def test_what_is_known_already_is_not_told_again(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.bridge.query(bot, ReadCatalogue(known="1.16.5")) is None

    async def test_a_craft_that_wants_a_table_says_so(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_planks", 3)
        await arena.give(bot, "stick", 2)
        finished = await arena.perform(bot, Craft("wooden_pickaxe"))
        assert (finished.reason, finished.result) == ("no_recipe", {"needs_table": True})

    async def test_a_craft_names_what_lacks_before_any_table(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_planks", 1)
        finished = await arena.perform(bot, Craft("wooden_pickaxe"))
        assert finished.reason == "missing_item"
        assert finished.result == {"made": 0, "missing": {"oak_planks": 2, "stick": 2}}

    async def test_a_bot_digs_its_way_through_natural_ground(self, arena: Arena) -> None:
        for dx, dz in RING:
            for dy in (0, 1, 2):
                await arena.set_block(cell(dx, dy, dz), "stone")
        bot, goal = await arena.bot(at=CENTRE), Position(13.5, 64, 8.5)
        await arena.give(bot, "stone_pickaxe")
        finished = await arena.perform(bot, MoveTo(goal, within=1, may_dig=True))
        assert (finished.outcome, finished.message) == ("done", "")
        assert (await arena.bridge.snapshot(bot)).position.distance_to(goal) <= 1


async def _read(arena: Arena) -> Catalogue:
    known = await arena.bridge.query(await arena.bot(), ReadCatalogue())
    assert known is not None
    return known
