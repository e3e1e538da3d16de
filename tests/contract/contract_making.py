"""Crafting, smelting and containers."""

import pytest
from contract.arena import Arena, cell

from bridge.actions import Action, CloseContainer, Craft, Deposit, OpenContainer, Smelt, Withdraw
from bridge.events import ActionProgress
from bridge.world import BotName, Position

STATION = cell(2, 0, 0)
FAR_STATION = cell(7, 0, 0)
BESIDE = Position(8.5, 64, 10.5)
ORE_AND_COAL = {"iron_ore": 1, "coal": 1}
FULL_OF_DIRT = 36 * 64
CHEST_OF_DIRT = 27 * 64


async def _give_all(arena: Arena, bot: BotName, items: dict[str, int]) -> None:
    for item, count in items.items():
        await arena.give(bot, item, count)


class MakingContract:
    async def test_planks_are_crafted_by_hand(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_log", 3)
        finished = await arena.perform(bot, Craft("oak_planks", 8))
        assert (finished.outcome, finished.result["made"]) == ("done", 8)
        await arena.sees(bot, lambda s: s.count("oak_planks") == 8 and s.count("oak_log") == 1)

    async def test_at_least_as_many_are_made_as_asked_for(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_log", 2)
        finished = await arena.perform(bot, Craft("oak_planks", 5))
        assert finished.result["made"] == 8

    async def test_crafting_tells_how_many_are_made(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_log", 3)
        finished = await arena.perform(bot, Craft("oak_planks", 12))
        told = arena.log.all(ActionProgress, action_id=finished.action_id)
        assert (told[-1].done, told[-1].total) == (12, 12)

    async def test_what_the_hand_can_make_needs_no_table_in_reach(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "oak_log", 1)
        finished = await arena.perform(bot, Craft("oak_planks", 4, FAR_STATION))
        assert (finished.outcome, finished.result["made"]) == ("done", 4)

    async def test_a_pickaxe_is_crafted_at_a_table(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"oak_planks": 3, "stick": 2})
        await arena.set_block(STATION, "crafting_table")
        finished = await arena.perform(bot, Craft("wooden_pickaxe", table=STATION))
        assert (finished.outcome, finished.result["made"]) == ("done", 1)
        seen = await arena.sees(bot, lambda s: s.count("wooden_pickaxe") == 1)
        assert (seen.count("oak_planks"), seen.count("stick")) == (0, 0)

    async def test_only_the_items_named_are_used_for_a_craft(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"oak_planks": 4, "birch_planks": 4})
        finished = await arena.perform(bot, Craft("stick", 8, of=("birch_planks",)))
        assert finished.outcome == "done"
        await arena.sees(bot, lambda s: s.count("stick") == 8)
        seen = await arena.bridge.snapshot(bot)
        assert (seen.count("oak_planks"), seen.count("birch_planks")) == (4, 0)
        finished = await arena.perform(bot, Craft("stick", 4, of=("birch_planks",)))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")

    async def test_a_fire_burns_the_pieces_named_and_no_more(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"iron_ore": 2, "oak_planks": 4, "stick": 4})
        await arena.set_block(STATION, "furnace")
        pieces = ("oak_planks", "stick")  # 1.5 and 0.5 items
        finished = await arena.perform(bot, Smelt("iron_ore", pieces[0], STATION, 2, pieces))
        assert (finished.outcome, finished.result["made"]) == ("done", 2)
        await arena.sees(bot, lambda s: s.count("iron_ingot") == 2)
        seen = await arena.bridge.snapshot(bot)
        assert (seen.count("oak_planks"), seen.count("stick")) == (3, 3)

    async def test_a_fire_goes_out_when_the_pieces_named_are_burnt(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"iron_ore": 2, "oak_planks": 4})
        await arena.set_block(STATION, "furnace")
        order = Smelt("iron_ore", "oak_planks", STATION, 2, ("oak_planks",))
        finished = await arena.perform(bot, order)
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")
        await arena.sees(bot, lambda s: s.count("oak_planks") == 3)

    @pytest.mark.parametrize(
        ("given", "station", "craft", "reason"),
        [
            ({"oak_log": 1}, None, Craft("moon_cheese"), "unknown_item"),
            ({"oak_planks": 3, "stick": 2}, None, Craft("wooden_pickaxe"), "no_recipe"),
            ({}, None, Craft("oak_log"), "no_recipe"),
            ({}, None, Craft("oak_planks", 4), "missing_item"),
            ({"oak_log": 1}, None, Craft("oak_planks", 8), "missing_item"),
            (
                {"oak_planks": 3, "stick": 2},
                "crafting_table",
                Craft("wooden_pickaxe", table=FAR_STATION),
                "too_far",
            ),
            (
                {"oak_planks": 3, "stick": 2},
                "stone",
                Craft("wooden_pickaxe", table=STATION),
                "wrong_block",
            ),
        ],
        ids=[
            *("unknown", "no table", "uncraftable", "nothing", "too little", "far"),
            "no table there",
        ],
    )
    async def test_crafting_fails_with_its_reason(
        self, arena: Arena, given: dict[str, int], station: str | None, craft: Craft, reason: str
    ) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, given)
        if station is not None and craft.table is not None:
            await arena.set_block(craft.table, station)
        finished = await arena.perform(bot, craft)
        assert (finished.outcome, finished.reason) == ("failed", reason)
        seen = await arena.bridge.snapshot(bot)
        assert {item: seen.count(item) for item in given} == given

    async def test_iron_is_smelted(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"iron_ore": 3, "coal": 1})
        await arena.set_block(STATION, "furnace")
        finished = await arena.perform(bot, Smelt("iron_ore", "coal", STATION, 2))
        assert finished.outcome == "done"
        assert finished.result == {"product": "iron_ingot", "made": 2}
        seen = await arena.sees(bot, lambda s: s.count("iron_ingot") == 2)
        assert (seen.count("iron_ore"), seen.count("coal")) == (1, 0)

    async def test_a_fire_that_goes_out_leaves_what_was_made(self, arena: Arena) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, {"iron_ore": 3, "oak_planks": 1})
        await arena.set_block(STATION, "furnace")
        finished = await arena.perform(bot, Smelt("iron_ore", "oak_planks", STATION, 3))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")
        assert finished.result == {"product": "iron_ingot", "made": 1}
        seen = await arena.sees(bot, lambda s: s.count("iron_ingot") == 1)
        assert (seen.count("iron_ore"), seen.count("oak_planks")) == (2, 0)

    @pytest.mark.parametrize(
        ("given", "block", "smelt", "reason"),
        [
            ({"coal": 1}, "furnace", Smelt("iron_ore", "coal", STATION), "missing_item"),
            ({"iron_ore": 1}, "furnace", Smelt("iron_ore", "coal", STATION), "missing_item"),
            (
                {"iron_ore": 1, "coal": 1},
                "stone",
                Smelt("iron_ore", "coal", STATION),
                "wrong_block",
            ),
            (
                {"iron_ore": 1, "coal": 1},
                "furnace",
                Smelt("iron_ore", "coal", FAR_STATION),
                "too_far",
            ),
            ({"apple": 1, "coal": 1}, "furnace", Smelt("apple", "coal", STATION), "no_recipe"),
        ],
        ids=["nothing to smelt", "no fuel", "no furnace", "far", "no such product"],
    )
    async def test_smelting_fails_with_its_reason(
        self, arena: Arena, given: dict[str, int], block: str, smelt: Smelt, reason: str
    ) -> None:
        bot = await arena.bot()
        await _give_all(arena, bot, given)
        await arena.set_block(smelt.furnace, block)
        finished = await arena.perform(bot, smelt)
        assert (finished.outcome, finished.reason) == ("failed", reason)
        seen = await arena.bridge.snapshot(bot)
        assert {item: seen.count(item) for item in given} == given


class KeepingContract:
    async def test_a_chest_keeps_what_is_put_in(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple", 5)
        await arena.set_block(STATION, "chest")
        opened = await arena.perform(bot, OpenContainer(STATION))
        assert (opened.outcome, opened.result) == ("done", {"items": {}, "free_slots": 27})
        assert (await arena.perform(bot, Deposit("apple", 3))).result == {"moved": 3}
        assert (await arena.perform(bot, CloseContainer())).outcome == "done"
        reopened = await arena.perform(bot, OpenContainer(STATION))
        assert reopened.result == {"items": {"apple": 3}, "free_slots": 26}
        await arena.sees(bot, lambda s: s.count("apple") == 2)

    async def test_all_is_put_in_and_taken_out_with_minus_one(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple", 5)
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        assert (await arena.perform(bot, Deposit("apple", -1))).outcome == "done"
        await arena.sees(bot, lambda s: s.count("apple") == 0)
        assert (await arena.perform(bot, Withdraw("apple", -1))).result == {"moved": 5}
        await arena.sees(bot, lambda s: s.count("apple") == 5)

    async def test_one_bot_takes_what_another_put_in(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob", BESIDE)
        await arena.give(alice, "apple", 5)
        await arena.set_block(STATION, "chest")
        await arena.perform(alice, OpenContainer(STATION))
        await arena.perform(alice, Deposit("apple", 5))
        await arena.perform(alice, CloseContainer())
        assert (await arena.perform(bob, OpenContainer(STATION))).outcome == "done"
        assert (await arena.perform(bob, Withdraw("apple", 2))).outcome == "done"
        await arena.sees(bob, lambda s: s.count("apple") == 2)

    @pytest.mark.parametrize(
        ("block", "where", "reason"),
        [("stone", STATION, "wrong_block"), ("chest", FAR_STATION, "too_far")],
        ids=["no chest", "far"],
    )
    async def test_opening_fails_with_its_reason(
        self, arena: Arena, block: str, where: Position, reason: str
    ) -> None:
        bot = await arena.bot()
        await arena.set_block(where, block)
        finished = await arena.perform(bot, OpenContainer(where))
        assert (finished.outcome, finished.reason) == ("failed", reason)

    @pytest.mark.parametrize(
        "action", [Deposit("apple"), Withdraw("apple"), CloseContainer()], ids=lambda a: a.kind
    )
    async def test_without_an_open_container_nothing_moves(
        self, arena: Arena, action: Action
    ) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple")
        finished = await arena.perform(bot, action)
        assert (finished.outcome, finished.reason) == ("failed", "window_closed")

    @pytest.mark.parametrize(
        "action", [Deposit("apple", 2), Withdraw("apple")], ids=lambda a: a.kind
    )
    async def test_what_is_not_there_cannot_be_moved(self, arena: Arena, action: Action) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple")
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        finished = await arena.perform(bot, action)
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")

    async def test_a_full_chest_takes_no_more(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "dirt", CHEST_OF_DIRT)
        await arena.give(bot, "apple")
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        await arena.perform(bot, Deposit("dirt", -1))
        finished = await arena.perform(bot, Deposit("apple"))
        assert (finished.outcome, finished.reason) == ("failed", "inventory_full")

    async def test_what_finds_room_is_put_in_before_the_chest_is_full(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "dirt", CHEST_OF_DIRT + 10)
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        finished = await arena.perform(bot, Deposit("dirt", -1))
        assert (finished.outcome, finished.reason) == ("failed", "inventory_full")
        assert finished.result == {"moved": CHEST_OF_DIRT}
        await arena.sees(bot, lambda s: s.count("dirt") == 10)

    async def test_a_full_bot_takes_nothing_out(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple")
        await arena.set_block(STATION, "chest")
        await arena.perform(bot, OpenContainer(STATION))
        await arena.perform(bot, Deposit("apple"))
        await arena.give(bot, "dirt", FULL_OF_DIRT)
        await arena.perform(bot, OpenContainer(STATION))
        finished = await arena.perform(bot, Withdraw("apple"))
        assert (finished.outcome, finished.reason) == ("failed", "inventory_full")
