"""What bites when a rod is cast."""

import itertools

from contract.arena import CENTRE, Arena, cell

from bridge.actions import Fish


class FishingContract:
    async def test_what_bites_is_reeled_in(self, arena: Arena) -> None:
        bot, pool = await arena.bot(at=CENTRE), cell(3, -1, 0)
        for dx, dz in itertools.product((2, 3, 4), (-1, 0, 1)):
            await arena.set_block(cell(dx, -1, dz), "water")
        assert (await arena.perform(bot, Fish("fishing_rod", pool))).reason == "missing_item"
        await arena.give(bot, "fishing_rod")
        assert (await arena.perform(bot, Fish("fishing_rod", cell(0, -1, 2)))).reason == (
            "wrong_block"
        )
        assert (await arena.perform(bot, Fish("fishing_rod", pool))).outcome == "done"
        await arena.sees(bot, lambda seen: len(seen.items) > 1 or seen.count("fishing_rod") > 1)

    async def test_a_line_that_is_stopped_is_reeled_in(self, arena: Arena) -> None:
        bot, pool = await arena.bot(at=CENTRE), cell(3, -1, 0)
        for dx, dz in itertools.product((2, 3, 4), (-1, 0, 1)):
            await arena.set_block(cell(dx, -1, dz), "water")
        await arena.give(bot, "fishing_rod")
        action_id = await arena.begin(bot, Fish("fishing_rod", pool))
        await arena.sees(bot, lambda seen: seen.held is not None)
        assert await arena.bridge.cancel(bot) == action_id
        assert (await arena.finished(action_id)).outcome == "cancelled"
        assert (await arena.perform(bot, Fish("fishing_rod", pool))).outcome == "done"
