"""Breaking and placing blocks, throwing and gathering items."""

from contract.arena import CENTRE, Arena, cell, eventually

from bridge.actions import (
    CollectDrops,
    Deposit,
    Dig,
    LookAt,
    LyingItems,
    MoveTo,
    OpenContainer,
    Pillar,
    Place,
    Toss,
    Wait,
)
from bridge.events import BlockPlaced, HandOverSeen, ItemGiven, PlayerDied
from bridge.world import Position

NEAR = cell(1, 0, 0)
CORNER = Position(1.5, 64, 1.5)
CATCHER, AIM = Position(10.9, 64, 8.5), Position(10.9, 64.9, 8.5)
LYING_STILL = Wait(1)  # what was thrown lands meanwhile
FULL_OF_DIRT = 36 * 64
ON_IT = cell(1, 1, 0)
STANDING = {
    ("torch", "stone", "air"): "torch",
    ("torch", "stone", "water"): "blocked",
    ("rail", "stone", "air"): "rail",
    ("rail", "chest", "air"): "blocked",
    ("poppy", "dirt", "air"): "poppy",
    ("poppy", "stone", "air"): "blocked",
    ("white_carpet", "stone", "air"): "white_carpet",
    ("sugar_cane", "sand", "air"): "blocked",
    ("cactus", "sand", "air"): "cactus",
    ("cactus", "dirt", "air"): "blocked",
    ("stone_button", "stone", "air"): "stone_button",
    ("stone_button", "oak_leaves", "air"): "blocked",
}
"""What becomes of (an item, on a block, in what is there): the block, or why not."""


class DiggingContract:
    async def test_a_dug_block_is_gone_and_what_drops_is_carried(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(NEAR, "oak_log")
        finished = await arena.perform(bot, Dig(NEAR))
        assert (finished.outcome, finished.result["block"]) == ("done", "oak_log")
        assert await arena.block(bot, NEAR) == "air"
        await arena.sees(bot, lambda s: s.count("oak_log") == 1)
        await arena.set_block(NEAR, "oak_log")
        assert await arena.ends(bot, Dig(NEAR, pick_up=False)) == "done"
        assert await arena.block(bot, NEAR) == "air"

    async def test_stone_dug_with_a_pickaxe_in_hand_gives_cobblestone(self, arena: Arena) -> None:
        bot = await arena.bot(wooden_pickaxe=1)
        await arena.set_block(NEAR, "stone")
        assert await arena.ends(bot, Dig(NEAR)) == "done"
        await arena.sees(bot, lambda s: s.count("cobblestone") == 1)

    async def test_digging_fails_with_its_reason(self, arena: Arena) -> None:
        bot = await arena.bot(at=CORNER)
        await arena.set_block(cell(4, 0, 0), "oak_log")
        assert await arena.ends(bot, Dig(cell(4, 0, 0))) == "too_far"
        await arena.teleport(bot, CENTRE)
        assert await arena.ends(bot, Dig(NEAR)) == "not_found"
        for block, reason in (("stone", "no_tool"), ("bedrock", "blocked")):
            await arena.set_block(NEAR, block)
            assert await arena.ends(bot, Dig(NEAR)) == reason
            assert await arena.block(bot, NEAR) == block
        await arena.give(bot, "wooden_pickaxe")
        await arena.set_block(NEAR, "iron_ore")
        assert await arena.ends(bot, Dig(NEAR)) == "no_tool"

    async def test_a_dug_chest_leaves_its_contents(self, arena: Arena) -> None:
        bot = await arena.bot(apple=3)
        await arena.set_block(NEAR, "chest")
        await arena.perform(bot, OpenContainer(NEAR))
        await arena.perform(bot, Deposit("apple", -1))
        assert await arena.ends(bot, Dig(NEAR)) == "done"
        await arena.sees(bot, lambda s: s.count("apple") == 3 and s.count("chest") == 1)

    async def test_a_placed_block_stands_and_is_carried_no_more(self, arena: Arena) -> None:
        bot = await arena.bot(oak_planks=2)
        assert await arena.ends(bot, Place("oak_planks", NEAR)) == "done"
        assert await arena.block(bot, NEAR) == "oak_planks"
        await arena.sees(bot, lambda s: s.count("oak_planks") == 1)

    async def test_placing_fails_with_its_reason(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.ends(bot, Place("dirt", NEAR)) == "missing_item"
        await arena.give(bot, "dirt")
        assert await arena.ends(bot, Place("dirt", cell(7, 0, 0))) == "too_far"
        occupied, in_mid_air, where_it_stands = cell(1, -1, 0), cell(1, 2, 0), cell(0, 0, 0)
        for where in (occupied, in_mid_air, where_it_stands):
            assert await arena.ends(bot, Place("dirt", where)) == "blocked"
        assert (await arena.bridge.snapshot(bot)).count("dirt") == 1

    async def test_another_sees_a_block_put_down_and_taken_away(self, arena: Arena) -> None:
        builder, watcher = await arena.bot(dirt=1), await arena.bot("Bob", CORNER)
        await arena.sees(watcher, lambda s: any(one.position for one in s.players))
        await arena.perform(builder, Place("dirt", NEAR))
        seen = await arena.log.first(BlockPlaced, bot=watcher)
        assert (str(seen.player), seen.block, seen.position) == (builder, "dirt", NEAR)
        assert seen.dimension == "overworld"
        await arena.perform(builder, Dig(NEAR))
        gone = (await arena.log.take(2, BlockPlaced, bot=watcher))[-1]
        assert (gone.block, gone.position) == ("air", NEAR)
        assert not arena.log.all(BlockPlaced, bot=builder)

    async def test_another_sees_who_dies(self, arena: Arena) -> None:
        dying, watcher = await arena.bot(), await arena.bot("Bob", CORNER)
        await arena.sees(watcher, lambda s: any(one.position for one in s.players))
        await arena.kill(dying)
        seen = await arena.log.first(PlayerDied, bot=watcher)
        assert (str(seen.player), seen.dimension) == (dying, "overworld")
        assert seen.position.distance_to(CENTRE) < 1
        assert not arena.log.all(PlayerDied, bot=dying)

    async def test_a_thing_is_placed_only_where_it_stays(self, arena: Arena) -> None:
        bot, stood = await arena.bot(), {}
        for item, below, here in STANDING:
            await arena.give(bot, item)
            await arena.set_block(NEAR, below)
            await arena.set_block(ON_IT, here)
            finished = await arena.perform(bot, Place(item, ON_IT))
            there = await arena.block(bot, ON_IT)
            stood[item, below, here] = (finished.reason or "") if there == here else there
            if (item, below) == ("poppy", "stone"):
                assert finished.message.startswith("poppy needs earth or grass below it")
                assert (await arena.bridge.snapshot(bot)).count("poppy") == 1
        assert stood == STANDING

    async def test_a_pillar_lifts_a_bot(self, arena: Arena) -> None:
        bot = await arena.bot(dirt=3)
        await arena.build("air", cell(0, 0, 0), cell(0, 1, 0))
        assert await arena.ends(bot, Pillar("dirt", 2)) == "done"
        seen = await arena.sees(bot, lambda s: s.count("dirt") == 1)
        assert seen.position.distance_to(Position(8.5, 66, 8.5)) < 0.5
        assert [await arena.block(bot, cell(0, dy, 0)) for dy in (0, 1)] == ["dirt", "dirt"]

    async def test_a_pillar_fails_with_its_reason(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.ends(bot, Pillar("dirt", 1)) == "missing_item"
        await arena.set_block(cell(0, 2, 0), "stone")
        await arena.give(bot, "dirt")
        assert await arena.ends(bot, Pillar("dirt", 1)) == "blocked"
        assert (await arena.bridge.snapshot(bot)).position.distance_to(CENTRE) < 0.5

    async def test_what_was_thrown_is_gathered_again(self, arena: Arena) -> None:
        thrower, gatherer = await arena.bot(apple=5), await arena.bot("Bob", CORNER)
        assert await arena.ends(gatherer, CollectDrops()) == "not_found"
        assert (await arena.perform(thrower, Toss("apple", 3))).result == {"tossed": 3}
        await arena.sees(thrower, lambda s: s.count("apple") == 2)
        await arena.perform(gatherer, LYING_STILL)
        finished = await arena.perform(gatherer, CollectDrops(radius=16))
        assert (finished.outcome, finished.result["collected"]) == ("done", {"apple": 3})
        given = await arena.log.first(ItemGiven, bot=gatherer, player=thrower)
        assert (given.item, given.count) == ("apple", 3)
        assert (await arena.bridge.snapshot(gatherer)).count("apple") == 3

    async def test_what_was_thrown_just_now_is_gathered_once_it_can_be(self, arena: Arena) -> None:
        thrower, gatherer = await arena.bot(apple=3), await arena.bot("Bob", CATCHER)
        await arena.perform(thrower, LookAt(AIM))
        await arena.perform(thrower, Toss("apple", 3))

        async def lying() -> object:
            return await arena.bridge.query(gatherer, LyingItems(16)) or None

        await eventually(lying)
        finished = await arena.perform(gatherer, CollectDrops(radius=16))
        assert (finished.outcome, finished.result) == ("done", {"collected": {"apple": 3}})

    async def test_what_is_thrown_for_somebody_else_is_left_alone_and_seen(
        self, arena: Arena
    ) -> None:
        thrower, beside = await arena.bot(apple=3), await arena.bot("Bob", Position(12.4, 64, 9.5))
        steve = await arena.person("Steve", Position(12.9, 64, 8.5))
        await arena.perform(thrower, LookAt(Position(12.9, 65, 8.5)))
        await arena.perform(thrower, LYING_STILL)
        await arena.perform(thrower, Toss("apple", 3))
        seen = await arena.log.first(HandOverSeen, bot=beside)
        assert (str(seen.giver), seen.taker) == (thrower, steve.name)
        assert await arena.bridge.query(beside, LyingItems(16)) == ()
        assert await arena.ends(beside, CollectDrops(radius=16)) == "not_found"

    async def test_who_picks_up_what_was_for_somebody_else_knows_for_whom(
        self, arena: Arena
    ) -> None:
        thrower, beside = await arena.bot(apple=3), await arena.bot("Bob", CORNER)
        steve = await arena.person("Steve", Position(13.9, 64, 8.5))
        await arena.perform(thrower, LookAt(Position(13.9, 65, 8.5)))
        await arena.perform(thrower, LYING_STILL)
        await arena.perform(thrower, Toss("apple", 3))
        await arena.perform(beside, MoveTo(CATCHER, 0.4))
        given = await arena.log.first(ItemGiven, bot=beside)
        assert (str(given.player), given.meant_for) == (thrower, steve.name)

    async def test_who_picks_up_what_was_thrown_is_seen(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5)
        await arena.person("Steve", CATCHER)
        await arena.perform(bot, LookAt(AIM))
        await arena.perform(bot, LYING_STILL)
        finished = await arena.perform(bot, Toss("apple", 3, watch_s=8))
        assert finished.result["tossed"] == 3
        ((catcher, count),) = finished.result["taken"].items()
        assert (catcher.startswith("Steve"), count) == (True, 3)

    async def test_what_nobody_picks_up_is_seen_too(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5)
        finished = await arena.perform(bot, Toss("apple", watch_s=1))
        assert finished.result == {"tossed": 1, "taken": {}, "unsure": []}
        await arena.sees(bot, lambda s: s.count("apple") == 4)
        assert await arena.ends(bot, Toss("apple", 9)) == "missing_item"
        assert (await arena.bridge.snapshot(bot)).count("apple") == 4
        assert await arena.ends(bot, Toss("apple", -1)) == "done"
        await arena.sees(bot, lambda s: s.count("apple") == 0)

    async def test_a_full_bot_gathers_nothing(self, arena: Arena) -> None:
        thrower = await arena.bot(apple=1)
        gatherer = await arena.bot("Bob", CORNER, dirt=FULL_OF_DIRT)
        await arena.perform(thrower, Toss("apple"))
        await arena.perform(gatherer, LYING_STILL)
        assert await arena.ends(gatherer, CollectDrops(radius=16)) == "inventory_full"
