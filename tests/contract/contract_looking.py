"""Searching the blocks around, what lies before the eyes, turning the head, recipes."""

import math
from dataclasses import replace
from itertools import product

import pytest
from contract.arena import Arena, cell

from bridge.actions import AtPlayer, AtPoint, Equip, FindBlocks, Towards, Wait
from bridge.catalogue import ReadRecipes
from bridge.events import ActionFinished
from bridge.looking import Behold, BlockKind, ReadRegion, Region, ScanBlocks
from bridge.port import WIDE_VIEW_CHUNKS
from bridge.world import BlockCount, BlockSighting, ItemStack, PlayerName, Position

EYES_Y = 64 + 1.62
NORTH, SOUTH = 0.0, 180.0
FAR = 64  # blocks
WALL = tuple(cell(dx, dy, -2) for dx in (-1, 0, 1) for dy in (0, 1, 2))


class ScanningContract:
    async def test_a_scan_lists_what_it_finds_from_near_to_far(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.build("gold_block", *(cell(dx, 0, dz) for dx, dz in ((-5, 0), (2, 0), (0, 4))))
        await arena.set_block(cell(0, 0, -3), "iron_block")
        both = ScanBlocks(("gold_block", "iron_block"), radius=6)
        scan = await arena.bridge.query(bot, both)
        assert scan.centre == cell(0, 0, 0)
        assert 0 <= scan.yaw < 360
        nearest = (
            BlockSighting("gold_block", cell(2, 0, 0)),
            BlockSighting("iron_block", cell(0, 0, -3)),
        )
        assert scan.blocks == (
            *nearest,
            BlockSighting("gold_block", cell(0, 0, 4)),
            BlockSighting("gold_block", cell(-5, 0, 0)),
        )
        counts = (BlockCount("gold_block", 3), BlockCount("iron_block", 1))
        nearest_of_each = await arena.bridge.query(bot, replace(both, each=1))
        assert scan.counts == nearest_of_each.counts == counts
        assert nearest_of_each.blocks == nearest

    async def test_a_scan_keeps_to_its_ball_its_heights_and_its_cone(self, arena: Arena) -> None:
        bot = await arena.bot()
        places = cell(4, 0, 3), cell(0, 3, 0), cell(0, 0, 3), cell(0, 0, -3)
        await arena.build("gold_block", *places)
        gold = ("gold_block",)
        whole = await arena.bridge.query(bot, ScanBlocks(gold, radius=4))
        low = await arena.bridge.query(bot, ScanBlocks(gold, radius=4, highest=2))
        ahead = await arena.bridge.query(bot, ScanBlocks(gold, 5, highest=2, yaw=NORTH, cone=90))
        assert {b.position for b in whole.blocks} == {
            cell(0, 3, 0), cell(0, 0, 3), cell(0, 0, -3)
        }  # fmt: skip
        assert {b.position for b in low.blocks} == {cell(0, 0, 3), cell(0, 0, -3)}
        assert [b.position for b in ahead.blocks] == [cell(0, 0, -3)]

    async def test_a_scan_reads_the_sections_that_hold_what_is_wanted(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(2, 0, 0), "gold_block")
        scan = await arena.bridge.query(bot, ScanBlocks(("gold_block",), radius=8))
        steps = range(-8, 9)
        ball = [at for at in product(steps, repeat=3) if math.hypot(*at) <= 8]
        assert scan.positions == scan.visited == len(ball) == 2_109
        assert scan.sections_read == 1 < scan.sections
        assert 0 < scan.checks < scan.visited
        assert (scan.is_cut, scan.reached) == (False, 8)
        nowhere = await arena.bridge.query(bot, ScanBlocks(("sponge",), radius=8))
        assert (nowhere.blocks, nowhere.checks, nowhere.sections_read) == ((), 0, 0)

    async def test_a_scan_that_may_read_little_has_read_what_is_nearest(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.build("gold_block", cell(1, 0, 0), cell(6, 0, 0))
        query = ScanBlocks(("gold_block",), radius=7, max_checks=100)
        scan = await arena.bridge.query(bot, query)
        assert [b.position for b in scan.blocks] == [cell(1, 0, 0)]
        assert (scan.checks, scan.is_cut) == (100, True)
        assert 1 <= scan.reached < 6

    async def test_a_scan_without_names_tells_every_block_but_air(self, arena: Arena) -> None:
        bot = await arena.bot()
        scan = await arena.bridge.query(bot, ScanBlocks(radius=2))
        with_air = await arena.bridge.query(bot, ScanBlocks(radius=2, include_air=True))
        names = {count.name: count.count for count in scan.counts}
        assert names["grass_block"] == 9
        assert "air" not in names
        assert with_air.visited == sum(count.count for count in with_air.counts) == 33
        grass = await arena.bridge.query(bot, ScanBlocks(("grass_block",), radius=4, limit=3))
        assert (len(grass.blocks), grass.counts) == (3, (BlockCount("grass_block", 45),))

    async def test_a_scan_of_few_blocks_tells_which_are_under_water(self, arena: Arena) -> None:
        """And where to stand on dry ground to dig them, if that is near enough."""
        bot = await arena.bot()
        await arena.build("gold_block", cell(2, 0, 0), cell(-2, 7, 0), cell(2, 7, 0))
        await arena.build("water", cell(2, 1, 0), cell(-2, 8, 0))
        scan = await arena.bridge.query(bot, ScanBlocks(("gold_block",), radius=9, each=5))
        assert len(scan.blocks) == 3
        assert scan.under_water == {cell(2, 0, 0), cell(-2, 7, 0)}
        assert scan.shores == {cell(2, 0, 0): cell(0, 0, 0)}
        plain = await arena.bridge.query(bot, ScanBlocks(("gold_block",), radius=9))
        assert plain.under_water == frozenset()


class BeholdingContract:
    async def test_a_bot_sees_what_stands_before_it_and_not_behind(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(0, 1, -4), "gold_block")
        await arena.set_block(cell(0, 1, 4), "iron_block")
        view = await arena.bridge.query(bot, Behold(yaw=NORTH, pitch=0))
        (gold,) = (block for block in view.blocks if block.name == "gold_block")
        assert gold.nearest == cell(0, 1, -4)
        assert gold.distance == pytest.approx(3.5, abs=0.1)
        assert 0.005 < gold.share < 0.1
        assert "iron_block" not in {block.name for block in view.blocks}
        assert (view.yaw, view.pitch, view.rays) == (NORTH, 0, 48 * 27)
        assert await arena.bridge.glance(bot, Towards(SOUTH, 0)) == "turned"
        behind = await arena.bridge.query(bot, Behold())
        assert behind.yaw == pytest.approx(SOUTH, abs=1)
        assert "iron_block" in {block.name for block in behind.blocks}

    async def test_a_wall_hides_blocks_and_players_and_glass_does_not(self, arena: Arena) -> None:
        bot, there = await arena.bot(), Position(8.5, 64, 3.5)
        person = await arena.person(at=there)
        await arena.set_block(cell(0, 1, -6), "gold_block")
        await arena.set_block(cell(0, 1, -2), "glass")
        await arena.sees_at(bot, person.name, there)
        ahead = await arena.bridge.query(bot, Behold(NORTH, 0))
        assert {"glass", "gold_block"} <= {block.name for block in ahead.blocks}
        assert [player.name for player in ahead.players] == [person.name]
        assert (await arena.bridge.query(bot, Behold(SOUTH, 0))).players == ()
        await arena.build("stone", *WALL)
        hidden = await arena.bridge.query(bot, Behold(NORTH, 0))
        assert "gold_block" not in {block.name for block in hidden.blocks}
        assert hidden.players == ()

    async def test_looking_up_there_is_only_sky(self, arena: Arena) -> None:
        bot = await arena.bot()
        view = await arena.bridge.query(bot, Behold(yaw=0, pitch=90, field_down=20))
        assert (view.sky, view.blocks) == (1, ())

    async def test_an_animal_is_in_view_unless_hidden(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.animal("pig", Position(8.5, 64, 3.5))
        await arena.sees(bot, lambda s: any(mob.name == "pig" for mob in s.mobs))
        ahead = await arena.bridge.query(bot, Behold(NORTH, 0))
        await arena.build("stone", *WALL)
        hidden = await arena.bridge.query(bot, Behold(NORTH, 0, field_across=20))
        assert "pig" in [mob.name for mob in ahead.mobs]
        assert "pig" not in [mob.name for mob in hidden.mobs]


class RegionContract:
    async def test_a_region_holds_every_block_at_its_place(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(2, 0, -3), "gold_block")
        await arena.set_block(cell(-1, 1, 1), "glass")
        region = await arena.bridge.query(bot, ReadRegion(reach=6, up=4, down=3))
        assert region.size == (13, 8, 13)
        assert region.corner == (2, 61, 2)
        for at, name in ((cell(2, 0, -3), "gold_block"), (cell(-1, 1, 1), "glass")):
            kind = block_in(region, at)
            assert (kind.name, kind.boxes) == (name, ((0, 0, 0, 1, 1, 1),))
        assert block_in(region, cell(0, -1, 0)).name == "grass_block"
        assert block_in(region, cell(0, 1, 0)).name == "air"
        assert (region.version, region.dimension) == (arena.version, "overworld")

    async def test_a_region_has_those_who_are_near_and_what_is_in_hand(self, arena: Arena) -> None:
        bot, person = await arena.bot(stick=1), await arena.person(at=Position(10.5, 64, 8.5))
        await arena.animal("pig", Position(6.5, 64, 8.5))
        await arena.begin(bot, Equip("stick"))
        await arena.sees(bot, lambda s: s.held is not None and any(m.name == "pig" for m in s.mobs))
        region = await arena.bridge.query(bot, ReadRegion(reach=8, up=4, down=4))
        found = {(being.kind, being.name) for being in region.beings}
        assert {("player", person.name), ("mob", "pig")} <= found
        assert bot not in {being.name for being in region.beings}
        assert region.held == "stick"
        assert region.eyes.y == pytest.approx(EYES_Y, abs=0.01)

    async def test_a_roof_above_a_region_is_told(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(1, 9, 0), "stone")
        region = await arena.bridge.query(bot, ReadRegion(reach=2, up=2, down=2))
        covered = [region.covered[x * 5 + z] for x in range(5) for z in range(5)]
        assert [number for number, is_covered in enumerate(covered) if is_covered] == [3 * 5 + 2]


class GlancingContract:
    async def test_a_glance_turns_the_head_to_a_direction_or_a_point(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.bridge.glance(bot, Towards(yaw=90, pitch=20)) == "turned"
        seen = await arena.bridge.snapshot(bot)
        assert (seen.yaw, seen.pitch) == pytest.approx((90, 20), abs=1)
        assert await arena.bridge.glance(bot, AtPoint(Position(8.5, EYES_Y, 12.5))) == "turned"
        assert (await arena.bridge.snapshot(bot)).yaw == pytest.approx(180, abs=1)

    async def test_a_glance_finds_the_face_of_a_player_in_view(self, arena: Arena) -> None:
        bot, there = await arena.bot(), Position(8.5, 64, 13.5)
        person = await arena.person(at=there)
        await arena.sees_at(bot, person.name, there)
        assert await arena.bridge.glance(bot, AtPlayer(person.name)) == "turned"
        seen = await arena.bridge.snapshot(bot)
        assert (seen.yaw, seen.pitch) == pytest.approx((180, 0), abs=1)
        for name in ("Nobody", "toString"):
            assert await arena.bridge.glance(bot, AtPlayer(PlayerName(name))) == "unseen"

    async def test_an_action_under_way_keeps_the_head_and_goes_on(self, arena: Arena) -> None:
        bot = await arena.bot()
        before = (await arena.bridge.snapshot(bot)).yaw
        action_id = await arena.begin(bot, Wait(3600), 7200)
        assert await arena.bridge.glance(bot, Towards(before + 90, 0)) == "busy"
        assert (await arena.bridge.snapshot(bot)).yaw == before
        assert not arena.log.all(ActionFinished, action_id=action_id)
        assert await arena.bridge.cancel(bot) == action_id
        assert await arena.bridge.glance(bot, Towards(before + 90, 0)) == "turned"


class ViewContract:
    async def test_a_bot_that_saw_less_far_finds_all_it_found_before(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(6, 0, 0), "gold_block")
        gold = FindBlocks(("gold_block",), FAR, 1)
        found = (BlockSighting("gold_block", cell(6, 0, 0)),)
        for chunks in (3, 3, WIDE_VIEW_CHUNKS, 2):
            await arena.bridge.see(bot, chunks)
            assert await arena.bridge.query(bot, gold) == found


class RecipesContract:
    async def test_recipes_tell_every_variant_and_where_it_is_made(self, arena: Arena) -> None:
        bot = await arena.bot()
        book = await arena.bridge.query(bot, ReadRecipes())
        assert book is not None
        assert book.version == arena.version
        assert await arena.bridge.query(bot, ReadRecipes(known=book.version)) is None
        chests = book.making("chest")
        assert {recipe.ingredients for recipe in chests} >= {
            frozenset({"oak_planks"}), frozenset({"birch_planks"})
        }  # fmt: skip
        assert all(recipe.at_table for recipe in chests)
        assert {recipe.inputs[0].count for recipe in chests} == {8}
        planks, log = "oak_planks", "oak_log"
        sawn = [r for r in book.making(planks) if r.ingredients == {log}]
        assert {(r.makes, r.at_table) for r in sawn} == {(ItemStack(planks, 4), False)}


class LookingContract(
    ScanningContract,
    BeholdingContract,
    RegionContract,
    GlancingContract,
    ViewContract,
    RecipesContract,
):
    """All of these."""


def block_in(region: Region, at: Position) -> BlockKind:
    """The block at a place."""
    x, y, z = (int(a - least) for a, least in zip((at.x, at.y, at.z), region.corner, strict=True))
    place = 2 * ((x * region.size[2] + z) * region.size[1] + y)
    return region.kinds[int.from_bytes(region.cells[place : place + 2], "little")]
