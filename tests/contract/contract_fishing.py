"""What bites when a rod is cast."""

import itertools

from contract.arena import Arena, cell

from bridge.actions import Fish

POOL = Fish("fishing_rod", cell(3, -1, 0))


class FishingContract:
    async def test_what_bites_is_reeled_in_and_so_is_a_line_that_is_stopped(
        self, arena: Arena
    ) -> None:
        bot, sides = await arena.bot(), itertools.product((2, 3, 4), (-1, 0, 1))
        await arena.build("water", *(cell(dx, -1, dz) for dx, dz in sides))
        assert await arena.ends(bot, POOL) == "missing_item"
        await arena.give(bot, "fishing_rod")
        assert await arena.ends(bot, Fish("fishing_rod", cell(0, -1, 2))) == "wrong_block"
        action_id = await arena.begin(bot, POOL)
        await arena.sees(bot, lambda seen: seen.held is not None)
        assert await arena.bridge.cancel(bot) == action_id
        assert (await arena.finished(action_id)).outcome == "cancelled"
        assert await arena.ends(bot, POOL) == "done"
        await arena.sees(bot, lambda seen: len(seen.items) > 1 or seen.count("fishing_rod") > 1)
