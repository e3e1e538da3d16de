"""How an action begins and ends, whatever it is."""

from contract.arena import CENTRE, Arena, cell

from bridge.actions import Dig, Equip, MoveTo, OpenContainer, TakeOff, Wait, Withdraw
from bridge.events import ActionFinished, WhisperReceived
from bridge.world import Position

LONG = Wait(3600)
LONG_DEADLINE_S = 7200.0


class ActionsContract:
    async def test_an_action_ends_with_one_event(self, arena: Arena) -> None:
        bot = await arena.bot()
        finished = await arena.perform(bot, Wait(0.05))
        assert (finished.bot, finished.outcome, finished.reason) == (bot, "done", None)
        await arena.perform(bot, Wait(0.05))
        assert await arena.bridge.cancel(bot) is None
        assert len(arena.log.all(ActionFinished, action_id=finished.action_id)) == 1

    async def test_a_bot_sees_and_hears_while_an_action_is_under_way(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        assert await arena.bridge.cancel(bot) is None
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        for _ in range(20):
            assert (await arena.bridge.snapshot(bot)).bot == bot
        await person.whisper(bot, "busy?")
        await arena.log.first(WhisperReceived, bot=bot)
        await arena.bridge.whisper(bot, person.name, "yes")
        assert (await person.hears()).text == "yes"
        assert not arena.log.all(ActionFinished, action_id=action_id)
        assert await arena.bridge.cancel(bot) == action_id
        assert (await arena.finished(action_id)).outcome == "cancelled"

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
        assert await arena.ends(bot, Withdraw("apple")) == "window_closed"

    async def test_a_new_action_replaces_the_one_under_way(self, arena: Arena) -> None:
        bot = await arena.bot()
        first = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        second = await arena.begin(bot, Wait(0.05))
        ended_first, ended_second = await arena.finished(first), await arena.finished(second)
        assert (ended_first.outcome, ended_second.outcome) == ("replaced", "done")
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
        bot = await arena.bot(iron_helmet=1)
        await arena.perform(bot, Equip("iron_helmet"))
        await arena.sees(bot, lambda s: s.worn == ("iron_helmet",))
        await arena.give(bot, "dirt", 36 * 64)
        assert await arena.ends(bot, TakeOff("iron_helmet")) == "inventory_full"
        assert (await arena.bridge.snapshot(bot)).worn == ("iron_helmet",)

    async def test_a_slow_action_of_one_bot_does_not_delay_another(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        slow = await arena.begin(alice, LONG, LONG_DEADLINE_S)
        assert await arena.ends(bob, Wait(0.05)) == "done"
        assert not arena.log.all(ActionFinished, action_id=slow)
        assert await arena.bridge.cancel(alice) == slow

    async def test_death_ends_an_action_and_is_known_by_its_place(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert (await arena.bridge.snapshot(bot)).died is None
        action_id = await arena.begin(bot, LONG, LONG_DEADLINE_S)
        await arena.set_health(bot, 0, 20)
        finished = await arena.finished(action_id)
        assert (finished.outcome, finished.reason) == ("failed", "died")
        seen = await arena.sees(bot, lambda seen: seen.died is not None)
        assert seen.died is not None
        assert seen.died.number == 1
        for place in (seen.died.position, Position(*finished.result["position"])):
            assert place.distance_to(CENTRE) < 2
