"""Snapshots, questions and changes of health."""

from itertools import pairwise

import pytest
from contract.arena import CENTRE, Arena, cell, eventually

from bridge.actions import BlockAt, FindBlocks, PlayerGear
from bridge.causes import Cause
from bridge.events import BotDied, BotEndangered, BotHurt, Harm, HealthChanged
from bridge.looking import AskWhereabouts, Seen
from bridge.world import BlockSighting, Gear, ItemStack, PlayerName, Position

FAR_AWAY = Position(2000.5, 120, 2000.5)


class SensingContract:
    async def test_a_newcomer_is_healthy_and_carries_what_it_is_given(self, arena: Arena) -> None:
        bot, log = await arena.bot(), "oak_log"
        seen = await arena.bridge.snapshot(bot)
        assert (seen.bot, seen.version, seen.dimension) == (bot, arena.version, "overworld")
        assert (seen.health, seen.food, seen.game_mode) == (20, 20, "survival")
        assert (seen.held, seen.items, seen.free_slots) == (None, (), 36)
        assert 0 <= seen.time_of_day < 24_000
        assert seen.weather == "clear"
        assert seen.spawn_point.distance_to(CENTRE) < 2
        await arena.give(bot, log, 70)
        seen = await arena.bridge.snapshot(bot)
        assert seen.count(log) == 70
        assert sorted(stack.count for stack in seen.items) == [6, 64]
        assert seen.held == ItemStack(log, 64)
        assert seen.free_slots == 34

    async def test_a_player_is_seen_in_view_listed_out_of_view_and_gone_when_gone(
        self, arena: Arena
    ) -> None:
        bot, person = await arena.bot(stick=3), await arena.person()
        there = Position(11.5, 64, 12.5)
        await arena.teleport(person.name, there)
        seen = await arena.sees_at(bot, person.name, there)
        sighting = seen.player(person.name)
        assert sighting is not None
        assert seen.distance_to(sighting) == 5
        assert seen.player(PlayerName(bot)) is seen.player(PlayerName("Nobody")) is None
        told = await arena.bridge.query(bot, AskWhereabouts())
        assert (told.position, told.yaw, told.dimension) == (
            *(seen.position, seen.yaw, seen.dimension),
        )
        assert (told.health, told.food, told.held) == (20, 20, "stick")
        assert told.players == (Seen(person.name, there),)
        assert (await arena.bridge.query(bot, AskWhereabouts((person.name,)))).players == ()
        await arena.teleport(person.name, FAR_AWAY)
        listed = (await arena.sees_at(bot, person.name, None)).players
        assert [player.health for player in listed if player.name == person.name] == [None]
        await person.leave()
        await arena.sees(bot, lambda s: s.player(person.name) is None)

    async def test_blocks_around_are_counted_only_when_asked_for(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.build("gold_block", *(cell(dx, 0, 3) for dx in (1, 2, 3, 5)))
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
        assert await arena.bridge.query(bot, BlockAt(FAR_AWAY)) == ()

    async def test_what_another_player_holds_is_seen(self, arena: Arena) -> None:
        log = "oak_log"
        bot, other = await arena.bot(), await arena.bot("Bob", oak_log=1)

        async def held() -> Gear | None:
            gear = await arena.bridge.query(bot, PlayerGear(PlayerName(other)))
            return gear if gear is not None and gear.held == log else None

        assert (await eventually(held)).worn == ()
        assert await arena.bridge.query(bot, PlayerGear(PlayerName("Nobody"))) is None

    async def test_the_nearest_blocks_are_found_as_many_as_asked_for(self, arena: Arena) -> None:
        bot, gold = await arena.bot(), ("gold_block",)
        far = FindBlocks(gold, radius=3)
        assert await arena.bridge.query(bot, FindBlocks(("no_such_block",), radius=8)) == ()
        await arena.build("gold_block", *(cell(dx, 0, 0) for dx in (5, 4)))
        assert await arena.bridge.query(bot, far) == ()
        await arena.set_block(cell(2, 0, 0), "gold_block")
        found = await arena.bridge.query(bot, FindBlocks(gold, radius=8, limit=2))
        assert [one.position for one in found] == [cell(2, 0, 0), cell(4, 0, 0)]
        assert {one.name for one in found} == {"gold_block"}

    async def test_a_cube_reaches_into_its_corners_and_no_farther(self, arena: Arena) -> None:
        bot, gold = await arena.bot(), ("gold_block",)
        corner, inside, outside = cell(3, 3, 3), cell(0, 3, 0), cell(4, 0, 0)
        await arena.build("gold_block", outside, corner, inside)
        cube = FindBlocks(gold, radius=3, in_cube=True)
        wider = FindBlocks(gold, 4, 2, in_cube=True)
        for query, places in (
            (FindBlocks(gold, radius=3), [inside]),
            (cube, [inside, corner]),
            (wider, [inside, outside]),
        ):
            found = await arena.bridge.query(bot, query)
            assert [one.position for one in found] == places

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

    async def test_a_kill_is_told_as_a_command_with_place_and_bag(self, arena: Arena) -> None:
        bot = await arena.bot(bread=3)
        before = await arena.bridge.snapshot(bot)
        await arena.kill(bot)
        died = await arena.log.first(BotDied, bot=bot)
        assert died.cause == Cause("thing", "command", "told")
        assert (died.carried, died.dimension) == ((ItemStack("bread", 3),), "overworld")
        assert died.death.position.distance_to(before.position) < 1
        await arena.log.first(HealthChanged, bot=bot, health=0)
        seen = await arena.sees(bot, lambda seen: seen.health == 20)
        assert seen.died == died.death
        assert seen.position.distance_to(seen.spawn_point) < 2
        assert [hurt.cause for hurt in arena.log.all(BotHurt, bot=bot)] == [died.cause]

    @pytest.mark.parametrize(("block", "up", "harm"), [("fire", 0, "fire"), ("stone", 1, "buried")])
    async def test_what_harms_a_bot_where_it_is_is_told_as_it_begins_and_ends(
        self, arena: Arena, block: str, up: int, harm: Harm
    ) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(0, up, 0), block)
        begun = await arena.log.first(BotEndangered, bot=bot)
        assert harm in begun.by
        await arena.set_block(cell(0, up, 0), "air")
        await arena.log.first(BotEndangered, bot=bot, by=frozenset())
