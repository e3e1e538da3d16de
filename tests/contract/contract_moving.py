"""Walking, looking, wearing, eating."""

from dataclasses import replace
from itertools import product

import pytest
from contract.arena import CENTRE, Arena, cell

from bridge.actions import (
    Action,
    Approach,
    CollectDrops,
    Eat,
    Equip,
    Hunt,
    LookAt,
    MoveTo,
    TakeOff,
)
from bridge.world import BotName, ItemStack, Position

AROUND = tuple(product((-1, 0, 1), repeat=2))


class LavaContract:
    """Of worlds that put every block back."""

    async def test_a_bot_comes_out_of_lava(self, arena: Arena) -> None:
        bot = await arena.bot(at=Position(14.5, 64, 8.5))
        await arena.build("lava", *(cell(dx, -1, dz) for dx, dz in AROUND))
        await arena.teleport(bot, CENTRE)
        out = Position(8.5, 64, 5.5)
        finished = await arena.perform(bot, MoveTo(out))
        assert (finished.outcome, finished.message) == ("done", "")
        await arena.sees(bot, lambda seen: seen.position.distance_to(out) <= 1)


class MovingContract:
    async def test_a_bot_walks_around_a_wall_and_stays_where_it_is_near(self, arena: Arena) -> None:
        bot, goal = await arena.bot(at=Position(2.5, 64, 2.5)), Position(12.5, 64, 9.5)
        await arena.build("stone", *(cell(2, dy, dz) for dz in range(-3, 4) for dy in (0, 1)))
        assert await arena.ends(bot, MoveTo(goal, within=1)) == "done"
        there = (await arena.bridge.snapshot(bot)).position
        assert there.distance_to(goal) <= 1
        assert await arena.ends(bot, MoveTo(Position(10.5, 64, 9.5), 4)) == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(there) < 0.5

    async def test_to_a_place_or_a_person_a_bot_rather_walks_around_places_to_shun(
        self, arena: Arena
    ) -> None:
        bot = await _behind_a_wall(arena)
        person = await arena.person(at=FAR)
        await arena.sees_at(bot, person.name, FAR)
        walk = MoveTo(FAR, within=1)
        assert (await _ends_at(arena, bot, walk)).z < FAR.z, "the shorter way"
        arena.shunned = (Position(9.5, 64, 0.5),)
        for way in (walk, Approach(person.name, within=2.5)):
            assert (await _ends_at(arena, bot, way)).z > FAR.z, way

    async def test_to_its_prey_and_its_drops_a_bot_rather_walks_around_places_to_shun(
        self, arena: Arena
    ) -> None:
        bot = await _behind_a_wall(arena)
        arena.shunned = (Position(9.5, 64, 0.5),)
        await arena.animal("chicken", FAR)
        seen = await arena.sees(bot, lambda seen: bool(seen.mobs))
        for way in (Hunt(seen.mobs[0].id), CollectDrops(radius=16)):
            assert (await _ends_at(arena, bot, way)).z > FAR.z, way

    async def test_a_place_to_shun_is_walked_past_where_the_way_begins_or_ends_or_no_other_leads(
        self, arena: Arena
    ) -> None:
        start, goal = Position(2.5, 64, 2.5), Position(14.5, 64, 2.5)
        bot = await arena.bot(at=start)
        arena.shunned = (replace(start, x=8.5),)
        assert await arena.ends(bot, MoveTo(goal, within=5)) == "done"
        assert abs((await arena.bridge.snapshot(bot)).position.z - 2.5) < 1
        arena.shunned = tuple(Position(8.5, 64, 8.0 * n) for n in range(-8, 9))
        await arena.teleport(bot, replace(start, x=0.4))
        assert await arena.ends(bot, MoveTo(replace(goal, x=16.6), within=1)) == "done"

    @pytest.mark.parametrize(("dx", "dz"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
    async def test_a_bot_goes_up_steps_around_an_overhanging_corner(
        self, arena: Arena, dx: int, dz: int
    ) -> None:
        overhang = (dx, 1, 0)
        await arena.build("stone", cell(0, 0, dz), cell(dx, 0, dz), cell(*overhang))
        bot, step = await arena.bot(), Position(8.5 + dx, 65, 8.5 + dz)
        assert await arena.ends(bot, MoveTo(step, within=0.5)) == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(step) <= 0.5

    async def test_no_way_leads_through_walls(self, arena: Arena) -> None:
        walls = [cell(dx, dy, dz) for dx, dz in AROUND if (dx, dz) != (0, 0) for dy in (0, 1, 2)]
        await arena.build("stone", *walls)
        assert await arena.ends(await arena.bot(), MoveTo(Position(14.5, 64, 8.5))) == "no_path"

    async def test_a_bot_turns_its_head_and_keeps_it_so_where_it_is_put(self, arena: Arena) -> None:
        bot, eyes = await arena.bot(), 64 + 1.62
        await arena.perform(bot, LookAt(Position(8.5, eyes + 8, 0.5)))
        seen = await arena.bridge.snapshot(bot)
        assert ((seen.yaw + 180) % 360, seen.pitch) == pytest.approx((180, 45), abs=2)
        assert await arena.ends(bot, LookAt(Position(0.5, eyes, 8.5))) == "done"
        before = await arena.bridge.snapshot(bot)
        assert (before.yaw % 360, before.pitch) == pytest.approx((90, 0), abs=2)
        await arena.teleport(bot, Position(10.5, 64, 10.5))
        after = await arena.bridge.snapshot(bot)
        assert (after.yaw, after.pitch) == pytest.approx((before.yaw, before.pitch), abs=1e-3)

    async def test_an_item_is_taken_in_hand_and_put_away(self, arena: Arena) -> None:
        bot = await arena.bot(dirt=3, stone_axe=1)
        assert (await arena.perform(bot, Equip("stone_axe"))).result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held == ItemStack("stone_axe", 1))
        assert seen.count("dirt") == 3
        assert (await arena.perform(bot, TakeOff("stone_axe"))).result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held is None)
        assert seen.count("stone_axe") == 1

    async def test_armour_is_worn_and_taken_off_and_held_in_a_hand_that_is_named(
        self, arena: Arena
    ) -> None:
        bot, helmet = await arena.bot(dirt=3, iron_helmet=1), "iron_helmet"
        assert (await arena.perform(bot, Equip(helmet))).result == {"place": "head"}
        await arena.sees(bot, lambda s: s.count(helmet) == 0 and s.worn == (helmet,))
        assert (await arena.perform(bot, TakeOff(helmet))).result == {"place": "head"}
        await arena.sees(bot, lambda s: s.count(helmet) == 1 and s.worn == ())
        assert (await arena.perform(bot, Equip(helmet, "hand"))).result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held == ItemStack(helmet, 1))
        assert seen.worn == ()

    async def test_the_off_hand_takes_a_stack_and_gives_back_its_own(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5, bread=2)
        assert await arena.ends(bot, Equip("apple", "off-hand")) == "done"
        seen = await arena.sees(bot, lambda s: s.count("apple") == 0)
        assert seen.worn == ("apple",)
        assert await arena.ends(bot, Equip("bread", "off-hand")) == "done"
        seen = await arena.sees(bot, lambda s: s.count("apple") == 5)
        assert (seen.worn, seen.count("bread")) == (("bread",), 0)

    async def test_nothing_is_worn_or_taken_off_where_it_is_not(self, arena: Arena) -> None:
        bot = await arena.bot(iron_helmet=1)
        assert await arena.ends(bot, Equip("stone_axe")) == "missing_item"
        assert await arena.ends(bot, Equip("iron_helmet", "feet")) == "wrong_slot"
        await arena.give(bot, "stone_axe")
        await arena.perform(bot, Equip("stone_axe"))
        assert await arena.ends(bot, TakeOff("iron_helmet")) == "missing_item"
        assert (await arena.bridge.snapshot(bot)).count("iron_helmet") == 1

    async def test_a_hungry_bot_eats_what_it_has_of_food(self, arena: Arena) -> None:
        bot = await arena.bot(bread=2)
        assert await arena.ends(bot, Eat("bread")) == "not_hungry"
        await arena.set_health(bot, 20, 10)
        assert await arena.ends(bot, Eat("apple")) == "missing_item"
        await arena.give(bot, "stick")
        assert await arena.ends(bot, Eat("stick")) == "not_edible"
        assert await arena.ends(bot, Eat("bread")) == "done"
        seen = await arena.sees(bot, lambda s: s.food > 10)
        assert (seen.food, seen.count("bread"), seen.count("stick")) == (15, 1, 1)


NEAR, FAR = Position(4.5, 64, 8.5), Position(12.5, 64, 8.5)
"""On both sides of the wall of `_behind_a_wall`, which is shorter to walk around by the north."""


async def _behind_a_wall(arena: Arena) -> BotName:
    walls = product((9, 11), (64, 65), range(5, 15))
    await arena.build("stone", *(Position(*at) for at in walls))
    bot = await arena.bot(at=NEAR, iron_sword=1)
    await arena.perform(bot, Equip("iron_sword"))
    return bot


async def _ends_at(arena: Arena, bot: BotName, action: Action) -> Position:
    await arena.teleport(bot, NEAR)
    assert await arena.ends(bot, action) == "done", action
    return (await arena.bridge.snapshot(bot)).position
