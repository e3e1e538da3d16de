"""Walking after a player who moves, and what is known of places to stand, of what lies around
and of the open container."""

import pytest
from contract.arena import CENTRE, GROUND_Y, Arena, ArenaPerson, cell

from bridge.actions import (
    Action,
    Approach,
    CloseContainer,
    CollectDrops,
    Deposit,
    Follow,
    Footholds,
    LyingItems,
    OpenContainer,
    OpenedContainer,
    Toss,
    Wait,
)
from bridge.events import ActionFinished
from bridge.world import BotName, Container, ItemStack, PlayerName, Position, WorldSnapshot

CORNER = Position(2.5, 64, 2.5)
OTHER_CORNER = Position(13.5, 64, 13.5)
NEXT_CORNER = Position(2.5, 64, 13.5)
STATION = cell(2, 0, 0)
LONG_S = 100_000.0  # virtual hours pass while a test looks again
NOBODY = PlayerName("Nobody")
LYING_STILL = Wait(1.5)  # what was thrown can be picked up again after half a second


def distance_to(seen: WorldSnapshot, person: ArenaPerson) -> float:
    """Blocks to a person; infinite while out of view."""
    player = seen.player(person.name)
    far = None if player is None else seen.distance_to(player)
    return float("inf") if far is None else far


async def meet(arena: Arena, at: Position = OTHER_CORNER) -> tuple[BotName, ArenaPerson]:
    """A bot in one corner that sees a person somewhere else."""
    bot, person = await arena.bot(at=CORNER), await arena.person(at=at)
    await arena.sees(bot, lambda seen: distance_to(seen, person) < 20)
    return bot, person


class PursuingContract:
    async def test_a_bot_comes_near_a_player(self, arena: Arena) -> None:
        bot, person = await meet(arena)
        finished = await arena.perform(bot, Approach(person.name, within=2.5))
        assert finished.outcome == "done"
        assert finished.result["distance"] <= 2.5
        assert distance_to(await arena.bridge.snapshot(bot), person) <= 2.5

    async def test_a_bot_near_a_player_looks_at_them(self, arena: Arena) -> None:
        bot, person = await meet(arena, at=Position(2.5, 64, 4.5))
        assert (await arena.perform(bot, Approach(person.name))).outcome == "done"
        seen = await arena.bridge.snapshot(bot)
        assert seen.yaw % 360 == pytest.approx(180, abs=3)
        assert seen.position.distance_to(CORNER) < 0.5

    async def test_a_bot_that_follows_keeps_near_a_player_who_goes_on(self, arena: Arena) -> None:
        bot, person = await meet(arena)
        action_id = await arena.begin(bot, Follow(person.name, within=3), LONG_S)
        await arena.sees(bot, lambda seen: distance_to(seen, person) <= 3)
        for place in (NEXT_CORNER, CENTRE):
            await arena.teleport(person.name, place)
            await arena.sees(bot, lambda seen: seen.player(person.name) is not None)
            await arena.sees(bot, lambda seen: distance_to(seen, person) <= 3)
        assert not arena.log.all(ActionFinished, action_id=action_id)
        assert await arena.bridge.cancel(bot) == action_id
        assert (await arena.finished(action_id)).outcome == "cancelled"

    async def test_a_player_who_leaves_is_followed_no_more(self, arena: Arena) -> None:
        bot, person = await meet(arena, at=CENTRE)
        action_id = await arena.begin(bot, Follow(person.name), LONG_S)
        await arena.sees(bot, lambda seen: distance_to(seen, person) <= 3)
        await person.leave()
        finished = await arena.finished(action_id)
        assert (finished.outcome, finished.reason) == ("failed", "unseen_player")

    @pytest.mark.parametrize("action", [Approach(NOBODY), Follow(NOBODY)], ids=lambda a: a.kind)
    async def test_nobody_can_be_reached(self, arena: Arena, action: Action) -> None:
        finished = await arena.perform(await arena.bot(), action)
        assert (finished.outcome, finished.reason) == ("failed", "unseen_player")

    async def test_a_bot_does_not_follow_itself(self, arena: Arena) -> None:
        bot = await arena.bot()
        finished = await arena.perform(bot, Follow(PlayerName(bot)))
        assert (finished.outcome, finished.reason) == ("failed", "unseen_player")

    async def test_no_way_leads_to_a_player_behind_walls(self, arena: Arena) -> None:
        for dx in range(-2, 3):
            for dz in range(-2, 3):
                if max(abs(dx), abs(dz)) == 2:
                    for dy in (0, 1, 2):
                        await arena.set_block(cell(dx, dy, dz), "stone")
        bot, person = await arena.bot(at=CENTRE), await arena.person(at=OTHER_CORNER)
        await arena.sees(bot, lambda seen: distance_to(seen, person) < 20)
        finished = await arena.perform(bot, Approach(person.name))
        assert (finished.outcome, finished.reason) == ("failed", "no_path")


class PlacesContract:
    async def test_the_places_to_stand_in_a_column_are_told_from_below(self, arena: Arena) -> None:
        await arena.set_block(cell(2, 5, 0), "stone")
        places = await arena.bridge.query(await arena.bot(), Footholds(10, 8))
        assert places is not None
        assert places[-2:] == (cell(2, 0, 0), cell(2, 6, 0))
        assert [place.y for place in places] == sorted(place.y for place in places)

    async def test_nobody_stands_where_there_is_room_for_one_block(self, arena: Arena) -> None:
        await arena.set_block(cell(2, 1, 0), "stone")
        places = await arena.bridge.query(await arena.bot(), Footholds(10, 8))
        assert places is not None
        assert places[-1] == cell(2, 2, 0)
        assert cell(2, 0, 0) not in places

    async def test_the_ground_is_where_the_bot_stands(self, arena: Arena) -> None:
        places = await arena.bridge.query(await arena.bot(), Footholds(8, 8))
        assert places is not None
        assert places[-1] == Position(8, GROUND_Y, 8)

    async def test_no_places_are_known_where_the_world_is_not_loaded(self, arena: Arena) -> None:
        assert await arena.bridge.query(await arena.bot(), Footholds(90_000, 90_000)) is None


class LyingContract:
    async def test_what_lies_around_is_told(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple", 5)
        await arena.perform(bot, Toss("apple", 3))
        await arena.perform(bot, LYING_STILL)
        (lying,) = await arena.bridge.query(bot, LyingItems(8))
        assert (lying.name, lying.count) == ("apple", 3)
        assert lying.position.distance_to(CENTRE) < 8
        assert await arena.bridge.query(bot, LyingItems(0.5)) == ()

    async def test_only_what_is_asked_for_is_gathered(self, arena: Arena) -> None:
        thrower, gatherer = await arena.bot(), await arena.bot("Bob", CORNER)
        for item in ("apple", "stick"):
            await arena.give(thrower, item)
        await arena.perform(thrower, Toss("apple"))
        await arena.perform(gatherer, LYING_STILL)
        missing = await arena.perform(gatherer, CollectDrops(16, "stick"))
        assert (missing.outcome, missing.reason) == ("failed", "not_found")
        found = await arena.perform(gatherer, CollectDrops(16, "apple"))
        assert (found.outcome, found.result["collected"]) == ("done", {"apple": 1})


class OpenedContract:
    async def test_what_is_in_the_open_container_is_told(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "apple", 5)
        await arena.set_block(STATION, "chest")
        assert await arena.bridge.query(bot, OpenedContainer()) is None
        await arena.perform(bot, OpenContainer(STATION))
        assert await arena.bridge.query(bot, OpenedContainer()) == Container(STATION, (), 27)
        await arena.perform(bot, Deposit("apple", 3))
        kept = Container(STATION, (ItemStack("apple", 3),), 27)
        assert await arena.bridge.query(bot, OpenedContainer()) == kept
        await arena.perform(bot, CloseContainer())
        assert await arena.bridge.query(bot, OpenedContainer()) is None
