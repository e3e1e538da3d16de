"""Without a model, on the real server: bots keep a place in order as people ask for it, in English
and in Japanese."""

import asyncio

import pytest
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import Player

from bridge.actions import FindBlocks, Place, Till
from bridge.world import Position

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

DONE_WITHIN_S = 150
LOOK_AGAIN_S = 0.2

daemon = daemon_with("--bots", "Alice,Bob")


async def given(steve: Player, to: str, **items: int) -> None:
    for item, count in items.items():
        await steve.tells_server(f"/give {to} {item} {count}")


async def test_a_place_is_lit(daemon: DaemonProcess, steve: Player) -> None:
    """What ends at once is told by its end alone, so how it begins is not looked at."""
    await given(steve, "Alice", torch=20)
    await steve.whispers("Alice", "light this place up pls")
    told = await steve.hears("Alice", DONE_WITHIN_S, containing="no ground is dark enough")
    assert "torches: within 12 blocks" in told
    await steve.whispers("Alice", "ここを明るくして")
    await steve.hears("Alice", DONE_WITHIN_S, containing="暗い地面はありません。")


async def test_things_are_put_away(daemon: DaemonProcess, steve: Player) -> None:
    await given(steve, "Alice", chest=1, dirt=12)
    await steve.whispers("Alice", "put your things away")
    told = await steve.hears("Alice", DONE_WITHIN_S, containing="into the chest at")
    assert "12 dirt" in told
    await given(steve, "Alice", gravel=7)
    await steve.whispers("Alice", "荷物をしまって")
    told = await steve.hears("Alice", DONE_WITHIN_S, "砂利")
    assert "砂利×7を" in told
    assert "のチェストに入れました" in told


async def sees(steve: Player, name: str, count: int) -> None:
    async with asyncio.timeout(DONE_WITHIN_S):
        while len(await steve._bridge.query(steve.name, FindBlocks((name,), 8))) < count:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_AGAIN_S)


async def test_a_field_is_tended_until_the_stop(daemon: DaemonProcess, steve: Player) -> None:
    """Steve tills two plots and sows one; Alice sows the other, and waits till they are ripe."""
    await given(steve, steve.name, wooden_hoe=1, wheat_seeds=1)
    await given(steve, "Alice", wheat_seeds=5)
    await steve.carries("wheat_seeds", lambda carried: carried == 1)  # given after the hoe
    feet = (await steve.sees()).position.block
    beds = [Position(feet.x + dx, feet.y - 1, feet.z + 1) for dx in (0, 1)]
    for bed in beds:
        await steve.does(Till("wooden_hoe", bed))
    await sees(steve, "farmland", 2)
    await steve.does(Place("wheat_seeds", Position(beds[0].x, feet.y, beds[0].z)))
    await sees(steve, "wheat", 1)
    told = await steve.asks("Alice", "look after the farm")
    assert told == "I look after the field. Say “stop” when it is enough."
    await sees(steve, "wheat", 2)
    assert await steve.asks("Alice", "止まって") == "やめました。"
    assert (
        await steve.asks("Alice", "畑の世話をして") == "畑の世話をします。「止まって」と言うまで。"
    )
    assert await steve.asks("Alice", "stop") == "I have stopped."
