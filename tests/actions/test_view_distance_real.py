"""A bot that is left alone gives land back, and has it again before it looks for anybody."""

from pathlib import Path

import pytest
from actions.crew import Crew, crew
from contract.arena import eventually

from bots.bot.view_distance import ALONE_S
from bots.clock import Times
from bridge.actions import BlockAt
from bridge.fake import VirtualClock
from bridge.world import Position

pytestmark = pytest.mark.real

CHUNK, FARTHEST = 16, 6
WIDE, NARROW = 8 * 8, 6 * 6
"""Columns: the embedded server sends four chunks at most, and to two sides one less."""
GOLD = Position(8, 64, -54)
"""Within the wide view of a bot at the spawn point, and beyond the narrow one."""
SCAN = '!info scanBlocks {"type": "gold_block", "range": 64}'


async def columns(one: Crew) -> int:
    """How many the bot has."""
    here = (await one.session.bot.snapshot()).position.block
    reach = range(-FARTHEST * CHUNK, FARTHEST * CHUNK + 1, CHUNK)
    places = [Position(here.x + x, 64, here.z + z) for x in reach for z in reach]
    return len([at for at in places if await one.bridge.query(one.session.name, BlockAt(at))])


async def has(one: Crew, number: int) -> None:
    """Wait until the bot has so many columns."""

    async def look() -> bool | None:
        return (await columns(one)) == number or None

    await eventually(look)


async def test_a_bot_left_alone_has_fewer_columns_and_sees_as_far_as_before_once_asked(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    clock = VirtualClock(auto=False)
    async with crew(node_binary, node_dir, tmp_path, times=Times.of(clock)) as one:
        await one.set_block(GOLD, "gold_block")
        for _ in range(3):
            await has(one, NARROW)
            (gold,) = (await one.done(SCAN))["data"]["blocks"]
            assert gold["position"] == {"x": 8, "y": 64, "z": -54}
            await has(one, WIDE)
            await clock.advance(ALONE_S)
