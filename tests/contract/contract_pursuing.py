"""Walking after a player who moves, and what is known of places to stand, of what lies around
and of the open container."""

from itertools import product

import pytest
from contract.arena import CENTRE, GROUND_Y, Arena, ArenaPerson, cell

from bridge.actions import (
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
    async def test_a_bot_comes_near_a_player_and_looks_at_them(self, arena: Arena) -> None:
        bot, person = await meet(arena)
        finished = await arena.perform(bot, Approach(person.name, within=2.5))
        assert finished.outcome == "done"
        assert finished.result["distance"] <= 2.5
        near = await arena.bridge.snapshot(bot)
        assert distance_to(near, person) <= 2.5
        beside = Position(near.position.x, GROUND_Y, near.position.z + 2)
        await arena.teleport(person.name, beside)
        await arena.sees_at(bot, person.name, beside)
        assert await arena.ends(bot, Approach(person.name)) == "done"
        seen = await arena.bridge.snapshot(bot)
        assert seen.yaw % 360 == pytest.approx(180, abs=3)
        assert seen.position.distance_to(near.position) < 0.5

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

    async def test_nobody_and_oneself_cannot_be_reached(self, arena: Arena) -> None:
        bot = await arena.bot()
        for action in (Approach(NOBODY), Follow(NOBODY), Follow(PlayerName(bot))):
            assert await arena.ends(bot, action) == "unseen_player"

    async def test_no_way_leads_to_a_player_behind_walls(self, arena: Arena) -> None:
        square = product(range(-2, 3), repeat=2)
        walls = [(dx, dz) for dx, dz in square if max(abs(dx), abs(dz)) == 2]
        await arena.build("stone", *(cell(dx, dy, dz) for dx, dz in walls for dy in (0, 1, 2)))
        bot, person = await arena.bot(at=CENTRE), await arena.person(at=OTHER_CORNER)
        await arena.sees(bot, lambda seen: distance_to(seen, person) < 20)
        assert await arena.ends(bot, Approach(person.name)) == "no_path"


class PlacesContract:
    async def test_the_places_to_stand_in_a_column_are_told_from_below(self, arena: Arena) -> None:
        await arena.set_block(cell(2, 5, 0), "stone")
        no_room_below = cell(3, 1, 0)
        await arena.set_block(no_room_below, "stone")
        bot = await arena.bot()

        async def places_in(x: int) -> tuple[Position, ...]:
            return await arena.bridge.query(bot, Footholds(x, 8)) or ()

        here, places, beside = [await places_in(x) for x in (8, 10, 11)]
        assert here[-1] == Position(8, GROUND_Y, 8)
        assert places[-2:] == (cell(2, 0, 0), cell(2, 6, 0))
        assert [place.y for place in places] == sorted(place.y for place in places)
        assert beside[-1] == cell(3, 2, 0)
        assert cell(3, 0, 0) not in beside
        assert await arena.bridge.query(bot, Footholds(90_000, 90_000)) is None


class LyingContract:
    async def test_what_lies_around_is_told(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5)
        await arena.perform(bot, Toss("apple", 3))
        await arena.perform(bot, LYING_STILL)
        (lying,) = await arena.bridge.query(bot, LyingItems(8))
        assert (lying.name, lying.count) == ("apple", 3)
        assert lying.position.distance_to(CENTRE) < 8
        assert await arena.bridge.query(bot, LyingItems(0.5)) == ()

    async def test_only_what_is_asked_for_is_gathered(self, arena: Arena) -> None:
        thrower, gatherer = await arena.bot(apple=1, stick=1), await arena.bot("Bob", CORNER)
        await arena.perform(thrower, Toss("apple"))
        await arena.perform(gatherer, LYING_STILL)
        assert await arena.ends(gatherer, CollectDrops(16, "stick")) == "not_found"
        found = await arena.perform(gatherer, CollectDrops(16, "apple"))
        assert (found.outcome, found.result["collected"]) == ("done", {"apple": 1})


class OpenedContract:
    async def test_what_is_in_the_open_container_is_told(self, arena: Arena) -> None:
        bot = await arena.bot(apple=5)
        await arena.set_block(STATION, "chest")
        assert await arena.bridge.query(bot, OpenedContainer()) is None
        await arena.perform(bot, OpenContainer(STATION))
        assert await arena.bridge.query(bot, OpenedContainer()) == Container(STATION, (), 27)
        await arena.perform(bot, Deposit("apple", 3))
        kept = Container(STATION, (ItemStack("apple", 3),), 27)
        assert await arena.bridge.query(bot, OpenedContainer()) == kept
        await arena.perform(bot, CloseContainer())
        assert await arena.bridge.query(bot, OpenedContainer()) is None
