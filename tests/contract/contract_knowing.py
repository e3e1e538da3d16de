"""What bots may know of the version they play, and what rests on it."""

import pytest
from contract.arena import Arena, cell

from bridge.actions import Craft, MoveTo
from bridge.catalogue import ReadCatalogue
from bridge.world import Position


class KnowingContract:
    async def test_what_is_known_of_blocks_and_items_is_told_once(self, arena: Arena) -> None:
        bot = await arena.bot()
        known = await arena.bridge.query(bot, ReadCatalogue())
        assert known is not None
        assert await arena.bridge.query(bot, ReadCatalogue(known="1.16.5")) is None
        assert known.dropping("diamond") == ("diamond_ore",)
        assert set(known.dropping("cobblestone")) == {"cobblestone", "stone"}
        blocks, items = known.blocks, known.items
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
        assert (items["apple"].food, items["bread"].food, items["stick"].food) == (4, 5, 0)
        assert (items["coal"].fuel, items["oak_planks"].fuel, items["apple"].fuel) == (8, 1.5, 0)
        assert (items["iron_ore"].cooks_to, items["sand"].cooks_to) == ("iron_ingot", "glass")
        assert items["apple"].cooks_to is None
        assert (items["iron_pickaxe"].stack_size, items["dirt"].stack_size) == (1, 64)

    async def test_a_craft_names_what_lacks_before_it_wants_a_table(self, arena: Arena) -> None:
        bot = await arena.bot(oak_planks=1)
        lacking = await arena.perform(bot, Craft("wooden_pickaxe"))
        missing = {"made": 0, "missing": {"oak_planks": 2, "stick": 2}}
        assert (lacking.reason, lacking.result) == ("missing_item", missing)
        await arena.give(bot, "oak_planks", 2)
        await arena.give(bot, "stick", 2)
        finished = await arena.perform(bot, Craft("wooden_pickaxe"))
        assert (finished.reason, finished.result) == ("no_recipe", {"needs_table": True})

    async def test_a_bot_digs_its_way_through_natural_ground(self, arena: Arena) -> None:
        await _enclose(arena, thick=3)
        bot, goal = await arena.bot(stone_pickaxe=1), Position(15.5, 64, 8.5)
        finished = await arena.perform(bot, MoveTo(goal, within=1, may_dig=True))
        assert (finished.outcome, finished.message) == ("done", "")
        assert (await arena.bridge.snapshot(bot)).position.distance_to(goal) <= 1

    @pytest.mark.parametrize("thick", [1, 2])
    async def test_a_bot_breaks_no_stone_that_stands_like_a_wall(
        self, arena: Arena, thick: int
    ) -> None:
        walls = await _enclose(arena, thick=thick)
        bot = await arena.bot(stone_pickaxe=1)
        out = MoveTo(Position(15.5, 64, 8.5), within=1, may_dig=True)
        assert await arena.ends(bot, out) == "no_path"
        assert {await arena.block(bot, wall) for wall in walls} == {"stone"}

    async def test_a_bot_digs_no_hole_in_a_thin_ceiling(self, arena: Arena) -> None:
        await _enclose(arena, thick=3, walls="cobblestone")
        ceiling = [cell(dx, 2, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
        await arena.build("stone", *ceiling)
        bot = await arena.bot(stone_pickaxe=1)
        up = MoveTo(Position(8.5, 67, 8.5), within=1, may_dig=True)
        assert await arena.ends(bot, up) == "no_path"
        assert {await arena.block(bot, position) for position in ceiling} == {"stone"}

    async def test_a_bot_digs_no_way_to_what_holds_lava_back(self, arena: Arena) -> None:
        mound = [cell(dx, dy, dz) for dx in range(1, 6) for dy in range(3) for dz in range(-2, 3)]
        await arena.build("stone", *mound)
        await arena.set_block(cell(4, 1, 0), "lava")
        bot = await arena.bot(stone_pickaxe=1)
        beside = MoveTo(Position(11.5, 65, 8.5), within=0.5, may_dig=True)
        assert await arena.ends(bot, beside) == "no_path"
        assert await arena.block(bot, cell(3, 1, 0)) == "stone"

    @pytest.mark.parametrize(("dx", "dz"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
    async def test_a_bot_digs_its_way_up_past_a_corner(
        self, arena: Arena, dx: int, dz: int
    ) -> None:
        ceiling, step = [(0, 2, 0), (0, 3, 0)], [(dx, 0, 0), (dx, 0, dz)]
        corner = [(0, dy, dz) for dy in range(4)]
        await arena.build("stone", *(cell(*one) for one in (*ceiling, *step, *corner)))
        bot, goal = await arena.bot(stone_pickaxe=1), Position(8.5 + dx, 65, 8.5 + dz)
        up = MoveTo(goal, within=0.5, may_dig=True)
        ended = await arena.perform(bot, up)
        assert ended.outcome == "done", ended

    async def test_a_short_way_is_not_dug_far_around(self, arena: Arena) -> None:
        barrier = [cell(1, dy, dz) for dy in range(-6, 3) for dz in range(-7, 8)]
        await arena.build("cobblestone", *barrier)
        bot = await arena.bot(stone_pickaxe=1)
        beyond = MoveTo(Position(10.5, 64, 8.5), within=0.9, may_dig=True)
        assert await arena.ends(bot, beyond) == "no_path"


async def _enclose(arena: Arena, *, thick: int, walls: str = "stone") -> list[Position]:
    """A room of one block and walls around it, three blocks high."""
    reach = range(-thick, thick + 1)
    around = [(dx, dz) for dx in reach for dz in reach if (dx, dz) != (0, 0)]
    built = [cell(dx, dy, dz) for dx, dz in around for dy in (0, 1, 2)]
    await arena.build(walls, *built)
    return built
