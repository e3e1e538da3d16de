"""Walking, looking, wearing, eating."""

import pytest
from contract.arena import CENTRE, Arena, cell

from bridge.actions import Eat, Equip, LookAt, MoveTo, TakeOff
from bridge.world import ItemStack, Position


class LavaContract:
    """Of worlds that put every block back."""

    async def test_a_bot_comes_out_of_lava(self, arena: Arena) -> None:
        bot = await arena.bot(at=Position(14.5, 64, 8.5))
        for dx in (-1, 0, 1):
            for dz in (-1, 0, 1):
                await arena.set_block(cell(dx, -1, dz), "lava")
        await arena.teleport(bot, CENTRE)
        out = Position(8.5, 64, 5.5)
        finished = await arena.perform(bot, MoveTo(out))
        assert (finished.outcome, finished.message) == ("done", "")
        await arena.sees(bot, lambda seen: seen.position.distance_to(out) <= 1)


class MovingContract:
    async def test_a_bot_walks_to_where_it_is_sent(self, arena: Arena) -> None:
        bot = await arena.bot(at=Position(2.5, 64, 2.5))
        goal = Position(12.5, 64, 9.5)
        assert (await arena.perform(bot, MoveTo(goal, within=1))).outcome == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(goal) <= 1

    async def test_a_bot_near_enough_stays_where_it_is(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert (await arena.perform(bot, MoveTo(Position(10.5, 64, 8.5), 4))).outcome == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(CENTRE) < 0.5

    async def test_a_bot_walks_around_a_wall(self, arena: Arena) -> None:
        for dz in range(-3, 4):
            for dy in (0, 1):
                await arena.set_block(cell(2, dy, dz), "stone")
        bot, goal = await arena.bot(), Position(12.5, 64, 8.5)
        assert (await arena.perform(bot, MoveTo(goal, within=1))).outcome == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(goal) <= 1

    @pytest.mark.parametrize(("dx", "dz"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
    async def test_a_bot_goes_up_steps_around_an_overhanging_corner(
        self, arena: Arena, dx: int, dz: int
    ) -> None:
        overhang = (dx, 1, 0)
        for one in ((0, 0, dz), (dx, 0, dz), overhang):
            await arena.set_block(cell(*one), "stone")
        bot, step = await arena.bot(), Position(8.5 + dx, 65, 8.5 + dz)
        assert (await arena.perform(bot, MoveTo(step, within=0.5))).outcome == "done"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(step) <= 0.5

    async def test_no_way_leads_through_walls(self, arena: Arena) -> None:
        for dx, dz in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
            for dy in (0, 1, 2):
                await arena.set_block(cell(dx, dy, dz), "stone")
        bot = await arena.bot()
        finished = await arena.perform(bot, MoveTo(Position(14.5, 64, 8.5)))
        assert (finished.outcome, finished.reason) == ("failed", "no_path")

    async def test_a_bot_turns_its_head(self, arena: Arena) -> None:
        bot = await arena.bot()
        eyes = 64 + 1.62
        assert (await arena.perform(bot, LookAt(Position(0.5, eyes, 8.5)))).outcome == "done"
        seen = await arena.bridge.snapshot(bot)
        assert seen.yaw % 360 == pytest.approx(90, abs=2)
        assert seen.pitch == pytest.approx(0, abs=2)

    async def test_looking_up_is_a_positive_pitch(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.perform(bot, LookAt(Position(8.5, 64 + 1.62 + 8, 0.5)))
        seen = await arena.bridge.snapshot(bot)
        assert seen.pitch == pytest.approx(45, abs=2)
        assert (seen.yaw + 180) % 360 == pytest.approx(180, abs=2)

    async def test_who_is_put_elsewhere_looks_on_as_before(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.perform(bot, LookAt(Position(0.5, 64, 8.5)))
        before = await arena.bridge.snapshot(bot)
        await arena.teleport(bot, Position(10.5, 64, 10.5))
        after = await arena.bridge.snapshot(bot)
        assert (after.yaw, after.pitch) == pytest.approx((before.yaw, before.pitch), abs=1e-3)
        assert before.yaw == pytest.approx(90, abs=2)

    async def test_an_item_is_taken_in_hand(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "dirt", 3)
        await arena.give(bot, "stone_axe")
        assert (await arena.perform(bot, Equip("stone_axe"))).result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held == ItemStack("stone_axe", 1))
        assert seen.count("dirt") == 3

    async def test_armour_is_worn_and_carried_no_more(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "iron_helmet")
        assert (await arena.perform(bot, Equip("iron_helmet"))).result == {"place": "head"}
        await arena.sees(bot, lambda s: s.count("iron_helmet") == 0 and "iron_helmet" in s.worn)

    async def test_a_hand_that_is_named_takes_what_else_would_be_worn(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "dirt", 3)
        await arena.give(bot, "iron_helmet")
        finished = await arena.perform(bot, Equip("iron_helmet", "hand"))
        assert finished.result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held == ItemStack("iron_helmet", 1))
        assert seen.worn == ()

    async def test_the_off_hand_takes_a_stack_and_gives_back_its_own(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple", 5)
        await arena.give(bot, "bread", 2)
        assert (await arena.perform(bot, Equip("apple", "off-hand"))).outcome == "done"
        seen = await arena.sees(bot, lambda s: s.count("apple") == 0)
        assert seen.worn == ("apple",)
        assert (await arena.perform(bot, Equip("bread", "off-hand"))).outcome == "done"
        seen = await arena.sees(bot, lambda s: s.count("apple") == 5)
        assert (seen.worn, seen.count("bread")) == (("bread",), 0)

    async def test_what_is_worn_is_taken_off_and_carried_again(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "iron_helmet")
        await arena.perform(bot, Equip("iron_helmet"))
        await arena.sees(bot, lambda s: s.worn == ("iron_helmet",))
        assert (await arena.perform(bot, TakeOff("iron_helmet"))).result == {"place": "head"}
        seen = await arena.sees(bot, lambda s: s.count("iron_helmet") == 1)
        assert seen.worn == ()

    async def test_what_is_in_hand_is_put_away(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "stone_axe")
        await arena.perform(bot, Equip("stone_axe"))
        assert (await arena.perform(bot, TakeOff("stone_axe"))).result == {"place": "hand"}
        seen = await arena.sees(bot, lambda s: s.held is None)
        assert seen.count("stone_axe") == 1

    async def test_what_is_not_worn_cannot_be_taken_off(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "iron_helmet")
        await arena.give(bot, "stone_axe")
        await arena.perform(bot, Equip("stone_axe"))
        finished = await arena.perform(bot, TakeOff("iron_helmet"))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")

    async def test_nothing_is_worn_where_it_does_not_belong(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "iron_helmet")
        finished = await arena.perform(bot, Equip("iron_helmet", "feet"))
        assert (finished.outcome, finished.reason) == ("failed", "wrong_slot")
        assert (await arena.bridge.snapshot(bot)).count("iron_helmet") == 1

    async def test_what_is_not_carried_cannot_be_equipped(self, arena: Arena) -> None:
        finished = await arena.perform(await arena.bot(), Equip("stone_axe"))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")

    async def test_a_hungry_bot_eats(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 20, 10)
        await arena.give(bot, "bread", 2)
        assert (await arena.perform(bot, Eat("bread"))).outcome == "done"
        seen = await arena.sees(bot, lambda s: s.food > 10)
        assert (seen.food, seen.count("bread")) == (15, 1)

    @pytest.mark.parametrize(
        ("given", "item", "food", "reason"),
        [
            (None, "bread", 10, "missing_item"),
            ("stick", "stick", 10, "not_edible"),
            ("bread", "bread", 20, "not_hungry"),
        ],
    )
    async def test_a_meal_fails_with_its_reason(
        self, arena: Arena, given: str | None, item: str, food: float, reason: str
    ) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 20, food)
        if given is not None:
            await arena.give(bot, given)
        finished = await arena.perform(bot, Eat(item))
        assert (finished.outcome, finished.reason) == ("failed", reason)
        assert (await arena.bridge.snapshot(bot)).count(item) == (0 if given is None else 1)
