"""Killed beside a furnace that cooks for it, a bot comes back and has all of it in the end."""

from collections import Counter

import anyio
import pytest
from actions.crew import NAME, Crew
from support.rig import run_json

from bots.bot.bot import Bot
from bridge.world import Position

pytestmark = pytest.mark.real

FURNACE = Position(10, 64, 9)
WITHIN_S = 60.0
BEGUN_WITHIN_S = 20.0


async def cooks(bot: Bot) -> None:
    """Wait until the ore is in the furnace and no longer in the bag."""
    with anyio.fail_after(BEGUN_WITHIN_S):
        while (await bot.snapshot()).count("iron_ore") > 2:  # noqa: ASYNC110 - the world tells it
            await anyio.sleep(0.05)


async def test_a_death_beside_the_furnace_costs_nothing(worker: Crew) -> None:
    bot = worker.session.bot
    await worker.set_block(FURNACE, "furnace")
    await worker.give(iron_ore=6, coal=4, diamond=5)
    told: dict[str, object] = {}

    async def smelt() -> None:
        told.update(await run_json(bot, "!skill smelt iron_ore 4"))

    with anyio.fail_after(WITHIN_S):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(smelt)
            await cooks(bot)
            await worker.server.admin("kill", player=NAME)
    assert told["success"] is True, told
    assert told["made"] == 4
    assert "and got my things back." in str(told["message"])
    carried = Counter(await worker.carries())
    assert (carried["iron_ingot"], carried["iron_ore"], carried["diamond"]) == (4, 2, 5)
