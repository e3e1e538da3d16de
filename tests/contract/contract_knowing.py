"""What bots may know of the version they play, and what rests on it."""

import pytest
from contract.arena import CENTRE, Arena, cell

from bridge.actions import Craft, MoveTo
from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.world import Position


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
        assert drops == {"stone": ("cobblestone",), "coal_ore": ("coal",), "grass_block": ("dirt",)}

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
        await _enclose(arena, thick=3)
        bot, goal = await arena.bot(at=CENTRE), Position(15.5, 64, 8.5)
        await arena.give(bot, "stone_pickaxe")
        finished = await arena.perform(bot, MoveTo(goal, within=1, may_dig=True))
        assert (finished.outcome, finished.message) == ("done", "")
        assert (await arena.bridge.snapshot(bot)).position.distance_to(goal) <= 1

    @pytest.mark.parametrize("thick", [1, 2])
    async def test_a_bot_breaks_no_stone_that_stands_like_a_wall(
        self, arena: Arena, thick: int
    ) -> None:
        walls = await _enclose(arena, thick=thick)
        bot = await arena.bot(at=CENTRE)
        await arena.give(bot, "stone_pickaxe")
        out = MoveTo(Position(15.5, 64, 8.5), within=1, may_dig=True)
        finished = await arena.perform(bot, out)
        assert (finished.outcome, finished.reason) == ("failed", "no_path")
        assert {await arena.block(bot, wall) for wall in walls} == {"stone"}

    async def test_a_bot_digs_no_hole_in_a_thin_ceiling(self, arena: Arena) -> None:
        await _enclose(arena, thick=3, walls="cobblestone")
        ceiling = [cell(dx, 2, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
        for position in ceiling:
            await arena.set_block(position, "stone")
        bot = await arena.bot(at=CENTRE)
        await arena.give(bot, "stone_pickaxe")
        up = MoveTo(Position(8.5, 67, 8.5), within=1, may_dig=True)
        assert (await arena.perform(bot, up)).reason == "no_path"
        assert {await arena.block(bot, position) for position in ceiling} == {"stone"}

    async def test_a_bot_digs_no_way_to_what_holds_lava_back(self, arena: Arena) -> None:
        mound = [cell(dx, dy, dz) for dx in range(1, 6) for dy in range(3) for dz in range(-2, 3)]
        for position in mound:
            await arena.set_block(position, "stone")
        await arena.set_block(cell(4, 1, 0), "lava")
        bot = await arena.bot(at=CENTRE)
        await arena.give(bot, "stone_pickaxe")
        beside = MoveTo(Position(11.5, 65, 8.5), within=0.5, may_dig=True)
        assert (await arena.perform(bot, beside)).reason == "no_path"
        assert await arena.block(bot, cell(3, 1, 0)) == "stone"

    @pytest.mark.parametrize(("dx", "dz"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
    async def test_a_bot_digs_its_way_up_past_a_corner(
        self, arena: Arena, dx: int, dz: int
    ) -> None:
        ceiling, step = [(0, 2, 0), (0, 3, 0)], [(dx, 0, 0), (dx, 0, dz)]
        corner = [(0, dy, dz) for dy in range(4)]
        for one in (*ceiling, *step, *corner):
            await arena.set_block(cell(*one), "stone")
        bot, goal = await arena.bot(at=CENTRE), Position(8.5 + dx, 65, 8.5 + dz)
        await arena.give(bot, "stone_pickaxe")
        up = MoveTo(goal, within=0.5, may_dig=True)
        ended = await arena.perform(bot, up)
        assert ended.outcome == "done", ended

    async def test_a_short_way_is_not_dug_far_around(self, arena: Arena) -> None:
        barrier = [cell(1, dy, dz) for dy in range(-6, 3) for dz in range(-7, 8)]
        for position in barrier:
            await arena.set_block(position, "cobblestone")
        bot = await arena.bot(at=CENTRE)
        await arena.give(bot, "stone_pickaxe")
        beyond = MoveTo(Position(10.5, 64, 8.5), within=0.9, may_dig=True)
        assert (await arena.perform(bot, beyond)).reason == "no_path"


async def _enclose(arena: Arena, *, thick: int, walls: str = "stone") -> list[Position]:
    """A room of one block and walls around it, three blocks high."""
    reach = range(-thick, thick + 1)
    around = [(dx, dz) for dx in reach for dz in reach if (dx, dz) != (0, 0)]
    built = [cell(dx, dy, dz) for dx, dz in around for dy in (0, 1, 2)]
    for position in built:
        await arena.set_block(position, walls)
    return built


async def _read(arena: Arena) -> Catalogue:
    known = await arena.bridge.query(await arena.bot(), ReadCatalogue())
    assert known is not None
    return known
