"""How an action begins and ends, whatever it is."""

from contract.arena import CENTRE, Arena, cell

from bridge.actions import Dig, Equip, MoveTo, OpenContainer, TakeOff, Wait, Withdraw
from bridge.events import ActionFinished, WhisperReceived
from bridge.world import Position

LONG = Wait(3600)
LONG_DEADLINE_S = 7200.0


class ActionsContract:
    async def test_an_action_begins_at_once_and_ends_with_an_event(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, Wait(0.5))
        assert not arena.log.all(ActionFinished, action_id=action_id)
        finished = await arena.finished(action_id)
        assert (finished.bot, finished.outcome, finished.reason) == (bot, "done", None)

    async def test_an_action_ends_exactly_once(self, arena: Arena) -> None:
        bot = await arena.bot()
        first = await arena.perform(bot, Wait(0.05))
        await arena.perform(bot, Wait(0.05))
        await arena.bridge.cancel(bot)
        assert len(arena.log.all(ActionFinished, action_id=first.action_id)) == 1

    async def test_the_world_is_seen_while_an_action_is_under_way(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        for _ in range(20):
            assert (await arena.bridge.snapshot(bot)).bot == bot
        assert not arena.log.all(ActionFinished, action_id=action_id)
        assert await arena.bridge.cancel(bot) == action_id

    async def test_whispers_arrive_while_an_action_is_under_way(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        await person.whisper(bot, "busy?")
        await arena.log.first(WhisperReceived, bot=bot)
        await arena.bridge.whisper(bot, person.name, "yes")
        assert (await person.hears()).text == "yes"
        assert await arena.bridge.cancel(bot) == action_id

    async def test_a_cancelled_action_ends_as_cancelled(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        assert await arena.bridge.cancel(bot) == action_id
        assert (await arena.finished(action_id)).outcome == "cancelled"

    async def test_cancel_without_an_action_answers_none(self, arena: Arena) -> None:
        assert await arena.bridge.cancel(await arena.bot()) is None

    async def test_cancel_after_an_action_has_ended_answers_none(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.perform(bot, Wait(0.05))
        assert await arena.bridge.cancel(bot) is None

    async def test_a_cancelled_dig_leaves_the_block(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(2, 0, 0), "oak_log")
        action_id = await arena.begin(bot, Dig(cell(2, 0, 0)))
        await arena.bridge.cancel(bot)
        assert (await arena.finished(action_id)).outcome == "cancelled"
        await arena.perform(bot, Wait(4))
        assert await arena.block(bot, cell(2, 0, 0)) == "oak_log"

    async def test_a_cancelled_walk_goes_no_further(self, arena: Arena) -> None:
        bot = await arena.bot(at=Position(1.5, 64, 1.5))
        action_id = await arena.begin(bot, MoveTo(Position(14.5, 64, 14.5)))
        await arena.bridge.cancel(bot)
        assert (await arena.finished(action_id)).outcome == "cancelled"
        before = (await arena.bridge.snapshot(bot)).position
        await arena.perform(bot, Wait(1))
        after = (await arena.bridge.snapshot(bot)).position
        assert after.distance_to(before) < 0.5

    async def test_cancel_closes_an_open_container(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.set_block(cell(2, 0, 0), "chest")
        await arena.perform(bot, OpenContainer(cell(2, 0, 0)))
        await arena.bridge.cancel(bot)
        assert (await arena.perform(bot, Withdraw("apple"))).reason == "window_closed"

    async def test_a_new_action_replaces_the_one_under_way(self, arena: Arena) -> None:
        bot = await arena.bot()
        first = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        second = await arena.begin(bot, Wait(0.05))
        ended_first, ended_second = await arena.finished(first), await arena.finished(second)
        assert ended_first.outcome == "replaced"
        assert ended_second.outcome == "done"
        assert arena.log.index(ended_first) < arena.log.index(ended_second)

    async def test_an_action_past_its_deadline_ends_as_such(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, LONG, 0.2)
        assert (await arena.finished(action_id)).outcome == "deadline"
        assert await arena.bridge.cancel(bot) is None

    async def test_a_failed_action_says_why_and_in_which_words(self, arena: Arena) -> None:
        bot = await arena.bot()
        finished = await arena.perform(bot, Equip("apple"))
        assert (finished.outcome, finished.reason) == ("failed", "missing_item")
        assert "apple" in finished.message

    async def test_nothing_is_taken_off_into_a_full_bag(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.give(bot, "iron_helmet")
        await arena.perform(bot, Equip("iron_helmet"))
        await arena.sees(bot, lambda s: s.worn == ("iron_helmet",))
        await arena.give(bot, "dirt", 36 * 64)
        finished = await arena.perform(bot, TakeOff("iron_helmet"))
        assert (finished.outcome, finished.reason) == ("failed", "inventory_full")
        assert (await arena.bridge.snapshot(bot)).worn == ("iron_helmet",)

    async def test_a_slow_action_of_one_bot_does_not_delay_another(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        slow = await arena.begin(alice, LONG, LONG_DEADLINE_S)
        assert (await arena.perform(bob, Wait(0.05))).outcome == "done"
        assert not arena.log.all(ActionFinished, action_id=slow)
        assert await arena.bridge.cancel(alice) == slow

    async def test_death_ends_an_action_as_failed(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        await arena.set_health(bot, 0, 20)
        finished = await arena.finished(action_id)
        assert (finished.outcome, finished.reason) == ("failed", "died")
        x, y, z = finished.result["position"]
        assert Position(x, y, z).distance_to(CENTRE) < 2

    async def test_a_death_is_known_by_its_place_without_an_action(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert (await arena.bridge.snapshot(bot)).died is None
        await arena.set_health(bot, 0, 20)
        seen = await arena.sees(bot, lambda seen: seen.died is not None)
        assert seen.died is not None
        assert seen.died.number == 1
        assert seen.died.position.distance_to(CENTRE) < 2
