"""Snapshots, questions and changes of health."""

from itertools import pairwise

from contract.arena import CENTRE, Arena, cell, eventually

from bridge.actions import BlockAt, FindBlocks, PlayerGear
from bridge.causes import Cause
from bridge.events import BotDied, BotEndangered, BotHurt, HealthChanged
from bridge.looking import AskWhereabouts, Seen
from bridge.world import BlockSighting, Gear, ItemStack, PlayerName, Position

FAR_AWAY = Position(2000.5, 120, 2000.5)


class SensingContract:
    async def test_a_newcomer_is_healthy_and_carries_nothing(self, arena: Arena) -> None:
        bot = await arena.bot()
        seen = await arena.bridge.snapshot(bot)
        assert (seen.bot, seen.version, seen.dimension) == (bot, arena.version, "overworld")
        assert (seen.health, seen.food, seen.game_mode) == (20, 20, "survival")
        assert (seen.held, seen.items, seen.free_slots) == (None, (), 36)
        assert 0 <= seen.time_of_day < 24_000
        assert seen.weather == "clear"
        assert seen.spawn_point.distance_to(CENTRE) < 2

    async def test_a_snapshot_counts_what_is_carried_and_held(self, arena: Arena) -> None:
        bot = await arena.bot()
        log = "oak_log"
        await arena.give(bot, log, 70)
        seen = await arena.bridge.snapshot(bot)
        assert seen.count(log) == 70
        assert sorted(stack.count for stack in seen.items) == [6, 64]
        assert seen.held == ItemStack(log, 64)
        assert seen.free_slots == 34

    async def test_a_player_in_view_is_seen_where_they_stand(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        there = Position(11.5, 64, 12.5)
        await arena.teleport(person.name, there)
        seen = await arena.sees(
            bot, lambda s: (p := s.player(person.name)) is not None and p.position == there
        )
        sighting = seen.player(person.name)
        assert sighting is not None
        assert sighting.position == there
        assert seen.distance_to(sighting) == 5

    async def test_whereabouts_tell_what_a_snapshot_does(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.give(bot, "stick", 3)
        there = Position(11.5, 64, 12.5)
        await arena.teleport(person.name, there)
        seen = await arena.sees(
            bot, lambda s: (p := s.player(person.name)) is not None and p.position == there
        )
        told = await arena.bridge.query(bot, AskWhereabouts())
        assert (told.position, told.yaw, told.dimension) == (
            *(seen.position, seen.yaw, seen.dimension),
        )
        assert (told.health, told.food, told.held) == (20, 20, "stick")
        assert told.players == (Seen(person.name, there),)
        assert (await arena.bridge.query(bot, AskWhereabouts((person.name,)))).players == ()

    async def test_a_bot_is_not_among_the_players_it_sees(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        seen = await arena.sees(alice, lambda s: s.player(bob) is not None)
        assert seen.player(alice) is None

    async def test_a_player_out_of_view_is_listed_without_a_position(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.teleport(person.name, FAR_AWAY)
        seen = await arena.sees(
            bot, lambda s: (p := s.player(person.name)) is not None and p.position is None
        )
        assert [p.health for p in seen.players if p.name == person.name] == [None]

    async def test_a_player_who_left_is_listed_no_more(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.sees(bot, lambda s: s.player(person.name) is not None)
        await person.leave()
        await arena.sees(bot, lambda s: s.player(person.name) is None)

    async def test_blocks_around_are_counted_only_when_asked_for(self, arena: Arena) -> None:
        bot = await arena.bot()
        for dx in (1, 2, 3):
            await arena.set_block(cell(dx, 0, 3), "gold_block")
        await arena.set_block(cell(5, 0, 3), "gold_block")
        assert (await arena.bridge.snapshot(bot)).blocks == ()
        counted = (await arena.bridge.snapshot(bot, blocks_within=3)).blocks
        counts = {block.name: block.count for block in counted}
        assert counts["gold_block"] == 3
        assert "air" not in counts
        assert [b.count for b in counted] == sorted((b.count for b in counted), reverse=True)

    async def test_the_block_at_a_position_is_named(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(2, 0, 0), "iron_block")
        answer = await arena.bridge.query(bot, BlockAt(Position(10.7, 64.2, 8.9)))
        assert answer == (BlockSighting("iron_block", cell(2, 0, 0)),)
        assert await arena.block(bot, cell(2, 1, 0)) == "air"

    async def test_what_another_player_holds_is_seen(self, arena: Arena) -> None:
        bot, other = await arena.bot(), await arena.bot("Bob")
        log = "oak_log"
        await arena.give(other, log)

        async def held() -> Gear | None:
            gear = await arena.bridge.query(bot, PlayerGear(PlayerName(other)))
            return gear if gear is not None and gear.held == log else None

        assert (await eventually(held)).worn == ()
        assert await arena.bridge.query(bot, PlayerGear(PlayerName("Nobody"))) is None

    async def test_no_block_is_known_where_the_world_is_not_loaded(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.bridge.query(bot, BlockAt(FAR_AWAY)) == ()

    async def test_the_nearest_blocks_are_found_as_many_as_asked_for(self, arena: Arena) -> None:
        bot = await arena.bot()
        for dx in (5, 2, 4):
            await arena.set_block(cell(dx, 0, 0), "gold_block")
        found = await arena.bridge.query(bot, FindBlocks(("gold_block",), radius=8, limit=2))
        assert found == (
            BlockSighting("gold_block", cell(2, 0, 0)),
            BlockSighting("gold_block", cell(4, 0, 0)),
        )

    async def test_a_block_beyond_the_radius_is_not_found(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(6, 0, 0), "gold_block")
        assert await arena.bridge.query(bot, FindBlocks(("gold_block",), radius=3)) == ()

    async def test_a_cube_reaches_into_its_corners_and_no_farther(self, arena: Arena) -> None:
        bot = await arena.bot()
        corner, inside, outside = cell(3, 3, 3), cell(0, 3, 0), cell(4, 0, 0)
        for position in (outside, corner, inside):
            await arena.set_block(position, "gold_block")
        ball = FindBlocks(("gold_block",), radius=3)
        cube = FindBlocks(("gold_block",), radius=3, in_cube=True)
        assert await arena.bridge.query(bot, ball) == (BlockSighting("gold_block", inside),)
        assert await arena.bridge.query(bot, cube) == (
            BlockSighting("gold_block", inside),
            BlockSighting("gold_block", corner),
        )

    async def test_the_nearest_of_a_cube_come_first(self, arena: Arena) -> None:
        bot = await arena.bot()
        for position in (cell(5, 5, 5), cell(6, 0, 0)):
            await arena.set_block(position, "gold_block")
        found = await arena.bridge.query(bot, FindBlocks(("gold_block",), 6, 1, in_cube=True))
        assert found == (BlockSighting("gold_block", cell(6, 0, 0)),)

    async def test_a_name_no_block_has_is_found_nowhere(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.bridge.query(bot, FindBlocks(("no_such_block",), radius=8)) == ()

    async def test_a_change_of_health_is_told_and_seen(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 13, 15)
        changed = await arena.log.first(HealthChanged, bot=bot, health=13, food=15)
        assert changed.bot == bot
        await arena.log.first(BotHurt, bot=bot, health=13, dimension="overworld")
        seen = await arena.bridge.snapshot(bot)
        assert (seen.health, seen.food) == (13, 15)
        hurts = arena.log.all(BotHurt, bot=bot)
        assert sum(hurt.lost for hurt in hurts) == 7
        healths = [told.health for told in arena.log.all(HealthChanged, bot=bot)]
        falls = [after for before, after in pairwise([20, *healths]) if after < before]
        assert [hurt.health for hurt in hurts] == falls  # one for each blow, the last leaves 13
        assert falls[-1] == 13

    async def test_a_bot_that_dies_is_told_so_and_comes_back_whole(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 0, 20)
        await arena.log.first(HealthChanged, bot=bot, health=0)
        seen = await arena.sees(bot, lambda s: s.health == 20)
        assert seen.position.distance_to(seen.spawn_point) < 2

    async def test_a_kill_is_told_as_a_command_with_place_and_bag(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "bread", 3)
        before = await arena.bridge.snapshot(bot)
        await arena.kill(bot)
        died = await arena.log.first(BotDied, bot=bot)
        assert died.cause == Cause("thing", "command", "told")
        assert (died.carried, died.dimension) == ((ItemStack("bread", 3),), "overworld")
        assert died.death.position.distance_to(before.position) < 1
        assert (await arena.sees(bot, lambda seen: seen.health == 20)).died == died.death
        assert [hurt.cause for hurt in arena.log.all(BotHurt, bot=bot)] == [died.cause]

    async def test_what_harms_a_bot_where_it_is_is_told_as_it_begins_and_ends(
        self, arena: Arena
    ) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(0, 0, 0), "fire")
        begun = await arena.log.first(BotEndangered, bot=bot)
        assert "fire" in begun.by
        await arena.set_block(cell(0, 0, 0), "air")
        await arena.log.first(BotEndangered, bot=bot, by=frozenset())

    async def test_a_stranger_gives_no_sighting(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert (await arena.bridge.snapshot(bot)).player(PlayerName("Nobody")) is None
