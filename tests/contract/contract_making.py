"""Crafting, smelting and containers."""

from dataclasses import replace

from contract.arena import Arena, cell

from bridge.actions import CloseContainer, Craft, Deposit, OpenContainer, Smelt, Withdraw
from bridge.events import ActionProgress
from bridge.world import Position

STATION = cell(2, 0, 0)
FAR_STATION = cell(7, 0, 0)
BESIDE = Position(8.5, 64, 10.5)
FULL_OF_DIRT = 36 * 64
CHEST_OF_DIRT = 27 * 64


class MakingContract:
    async def test_planks_are_crafted_by_hand_at_least_as_many_as_asked_for(
        self, arena: Arena
    ) -> None:
        bot = await arena.bot(oak_log=6)
        finished = await arena.perform(bot, Craft("oak_planks", 8))
        assert (finished.outcome, finished.result["made"]) == ("done", 8)
        told = arena.log.all(ActionProgress, action_id=finished.action_id)
        assert (told[-1].done, told[-1].total) == (8, 8)
        await arena.sees(bot, lambda s: s.count("oak_planks") == 8 and s.count("oak_log") == 4)
        assert (await arena.perform(bot, Craft("oak_planks", 5))).result["made"] == 8
        without_a_table_in_reach = Craft("oak_planks", 4, FAR_STATION)
        assert (await arena.perform(bot, without_a_table_in_reach)).result["made"] == 4

    async def test_a_pickaxe_is_crafted_at_a_table(self, arena: Arena) -> None:
        bot = await arena.bot(oak_planks=3, stick=2)
        await arena.set_block(STATION, "crafting_table")
        finished = await arena.perform(bot, Craft("wooden_pickaxe", table=STATION))
        assert (finished.outcome, finished.result["made"]) == ("done", 1)
        seen = await arena.sees(bot, lambda s: s.count("wooden_pickaxe") == 1)
        assert (seen.count("oak_planks"), seen.count("stick")) == (0, 0)

    async def test_only_the_items_named_are_used_for_a_craft(self, arena: Arena) -> None:
        bot = await arena.bot(oak_planks=4, birch_planks=4)
        finished = await arena.perform(bot, Craft("stick", 8, of=("birch_planks",)))
        assert finished.outcome == "done"
        await arena.sees(bot, lambda s: s.count("stick") == 8)
        seen = await arena.bridge.snapshot(bot)
        assert (seen.count("oak_planks"), seen.count("birch_planks")) == (4, 0)
        assert await arena.ends(bot, Craft("stick", 4, of=("birch_planks",))) == "missing_item"

    async def test_a_fire_burns_the_pieces_named_and_no_more(self, arena: Arena) -> None:
        bot = await arena.bot(iron_ore=2, oak_planks=4, stick=4)
        await arena.set_block(STATION, "furnace")
        pieces = ("oak_planks", "stick")  # 1.5 and 0.5 items
        finished = await arena.perform(bot, Smelt("iron_ore", pieces[0], STATION, 2, pieces))
        assert (finished.outcome, finished.result["made"]) == ("done", 2)
        await arena.sees(bot, lambda s: s.count("iron_ingot") == 2)
        seen = await arena.bridge.snapshot(bot)
        assert (seen.count("oak_planks"), seen.count("stick")) == (3, 3)

    async def test_a_fire_goes_out_when_the_pieces_named_are_burnt(self, arena: Arena) -> None:
        bot = await arena.bot(iron_ore=2, oak_planks=4)
        await arena.set_block(STATION, "furnace")
        order = Smelt("iron_ore", "oak_planks", STATION, 2, ("oak_planks",))
        assert await arena.ends(bot, order) == "missing_item"
        await arena.sees(bot, lambda s: s.count("oak_planks") == 3)

    async def test_crafting_fails_with_its_reason(self, arena: Arena) -> None:
        bot, pickaxe = await arena.bot(), Craft("wooden_pickaxe")
        assert await arena.ends(bot, Craft("oak_log")) == "no_recipe"
        assert await arena.ends(bot, Craft("oak_planks", 4)) == "missing_item"
        given = {"oak_log": 1, "oak_planks": 3, "stick": 2}
        for item, count in given.items():
            await arena.give(bot, item, count)
        assert await arena.ends(bot, Craft("moon_cheese")) == "unknown_item"
        assert await arena.ends(bot, Craft("oak_planks", 8)) == "missing_item"
        assert await arena.ends(bot, pickaxe) == "no_recipe"
        await arena.set_block(FAR_STATION, "crafting_table")
        assert await arena.ends(bot, replace(pickaxe, table=FAR_STATION)) == "too_far"
        await arena.set_block(STATION, "stone")
        assert await arena.ends(bot, replace(pickaxe, table=STATION)) == "wrong_block"
        seen = await arena.bridge.snapshot(bot)
        assert {item: seen.count(item) for item in given} == given

    async def test_iron_is_smelted(self, arena: Arena) -> None:
        bot = await arena.bot(iron_ore=3, coal=1)
        await arena.set_block(STATION, "furnace")
        finished = await arena.perform(bot, Smelt("iron_ore", "coal", STATION, 2))
        assert finished.outcome == "done"
        assert finished.result == {"product": "iron_ingot", "made": 2}
        seen = await arena.sees(bot, lambda s: s.count("iron_ingot") == 2)
        assert (seen.count("iron_ore"), seen.count("coal")) == (1, 0)

    async def test_a_fire_that_goes_out_leaves_what_was_made(self, arena: Arena) -> None:
        bot = await arena.bot(iron_ore=3, oak_planks=1)
        await arena.set_block(STATION, "furnace")
        finished = await arena.perform(bot, Smelt("iron_ore", "oak_planks", STATION, 3))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")
        assert finished.result == {"product": "iron_ingot", "made": 1}
        seen = await arena.sees(bot, lambda s: s.count("iron_ingot") == 1)
        assert (seen.count("iron_ore"), seen.count("oak_planks")) == (2, 0)

    async def test_smelting_fails_with_its_reason(self, arena: Arena) -> None:
        bot, iron = await arena.bot(iron_ore=1), Smelt("iron_ore", "coal", STATION)
        await arena.build("furnace", STATION, FAR_STATION)
        assert await arena.ends(bot, iron) == "missing_item"
        await arena.give(bot, "coal")
        await arena.give(bot, "apple")
        assert await arena.ends(bot, replace(iron, item="gold_ore")) == "missing_item"
        assert await arena.ends(bot, replace(iron, item="apple")) == "no_recipe"
        assert await arena.ends(bot, replace(iron, furnace=FAR_STATION)) == "too_far"
        await arena.set_block(STATION, "stone")
        assert await arena.ends(bot, iron) == "wrong_block"
        seen = await arena.bridge.snapshot(bot)
        assert {item: seen.count(item) for item in ("iron_ore", "coal", "apple")} == {
            "iron_ore": 1, "coal": 1, "apple": 1
        }  # fmt: skip


class KeepingContract:
    async def test_a_chest_keeps_what_is_put_in(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5)
        await arena.set_block(STATION, "chest")
        opened = await arena.perform(bot, OpenContainer(STATION))
        assert (opened.outcome, opened.result) == ("done", {"items": {}, "free_slots": 27})
        assert (await arena.perform(bot, Deposit("apple", 3))).result == {"moved": 3}
        assert await arena.ends(bot, CloseContainer()) == "done"
        reopened = await arena.perform(bot, OpenContainer(STATION))
        assert reopened.result == {"items": {"apple": 3}, "free_slots": 26}
        await arena.sees(bot, lambda s: s.count("apple") == 2)
        all_of_them = -1
        assert await arena.ends(bot, Deposit("apple", all_of_them)) == "done"
        await arena.sees(bot, lambda s: s.count("apple") == 0)
        assert (await arena.perform(bot, Withdraw("apple", all_of_them))).result == {"moved": 5}
        await arena.sees(bot, lambda s: s.count("apple") == 5)

    async def test_one_bot_takes_what_another_put_in(self, arena: Arena) -> None:
        alice, bob = await arena.bot(apple=5), await arena.bot("Bob", BESIDE)
        await arena.set_block(STATION, "chest")
        await arena.perform(alice, OpenContainer(STATION))
        await arena.perform(alice, Deposit("apple", 5))
        await arena.perform(alice, CloseContainer())
        assert await arena.ends(bob, OpenContainer(STATION)) == "done"
        assert await arena.ends(bob, Withdraw("apple", 2)) == "done"
        await arena.sees(bob, lambda s: s.count("apple") == 2)

    async def test_nothing_moves_without_a_container_or_what_is_to_be_moved(
        self, arena: Arena
    ) -> None:
        bot = await arena.bot(apple=1)
        await arena.set_block(STATION, "stone")
        assert await arena.ends(bot, OpenContainer(STATION)) == "wrong_block"
        await arena.build("chest", STATION, FAR_STATION)
        assert await arena.ends(bot, OpenContainer(FAR_STATION)) == "too_far"
        for action in (Deposit("apple"), Withdraw("apple"), CloseContainer()):
            assert await arena.ends(bot, action) == "window_closed"
        await arena.perform(bot, OpenContainer(STATION))
        for missing in (Deposit("apple", 2), Withdraw("apple")):
            assert await arena.ends(bot, missing) == "missing_item"

    async def test_a_full_chest_takes_what_finds_room_and_no_more(self, arena: Arena) -> None:
        bot = await arena.bot(dirt=CHEST_OF_DIRT + 10, apple=1)
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        finished = await arena.perform(bot, Deposit("dirt", -1))
        assert (finished.outcome, finished.reason) == ("failed", "inventory_full")
        assert finished.result == {"moved": CHEST_OF_DIRT}
        await arena.sees(bot, lambda s: s.count("dirt") == 10)
        assert await arena.ends(bot, Deposit("apple")) == "inventory_full"

    async def test_a_full_bot_takes_nothing_out(self, arena: Arena) -> None:
        bot = await arena.bot(apple=1)
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        await arena.perform(bot, Deposit("apple"))
        await arena.give(bot, "dirt", FULL_OF_DIRT)
        await arena.perform(bot, OpenContainer(STATION))
        assert await arena.ends(bot, Withdraw("apple")) == "inventory_full"
