"""Without a model, on the real server: people ask in their own words and get it."""

import asyncio

import pytest
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import Player

pytestmark = pytest.mark.real

GATHERED_WITHIN_S = 150
QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}


daemon = daemon_with("--bots", "Alice,Bob", **QUIET)


async def carried(daemon: DaemonProcess, item: str, by: str = "Alice") -> int:
    status = await daemon.command(by, "!status")
    return int(status["world"]["materials"].get(item, 0))


async def test_logs_are_got_and_told_of(daemon: DaemonProcess, steve: Player) -> None:
    before = await carried(daemon, "oak_log")
    assert "3 oak logs" in await steve.asks("Alice", "get 3 oak logs")
    assert await steve.hears("Alice", GATHERED_WITHIN_S) == "I have got 3 oak logs."
    assert await carried(daemon, "oak_log") == before + 3


async def test_what_is_brought_is_handed_over_whoever_stands_beside(
    daemon: DaemonProcess, steve: Player
) -> None:
    assert (await daemon.command("Bob", f"!go {steve.name}"))["success"]
    await steve.whispers("Alice", "Alice, bring me 2 oak planks please")
    last = await steve.hears("Alice", GATHERED_WITHIN_S, containing="Here:")
    assert "2 oak planks for you" in last
    async with asyncio.timeout(10):
        while (await steve.sees()).count("oak_planks") < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    assert await carried(daemon, "oak_planks", by="Bob") == 0


async def test_logs_of_any_kind_are_brought_too(daemon: DaemonProcess, steve: Player) -> None:
    before = await logs_of(steve)
    assert "2 logs" in await steve.asks("Alice", "bring me 2 logs")
    assert "for you" in await steve.hears("Alice", GATHERED_WITHIN_S, containing="Here:")
    async with asyncio.timeout(10):
        while await logs_of(steve) < before + 2:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def logs_of(player: Player) -> int:
    return sum(stack.count for stack in (await player.sees()).items if stack.name.endswith("_log"))


async def test_questions_and_lessons_are_answered(daemon: DaemonProcess, steve: Player) -> None:
    told = await steve.asks("Alice", "how do i craft a pistn?")
    assert told.startswith("1 piston takes 3 planks, 4 cobblestone")
    assert "クリーパー" in await steve.asks("Alice", "火薬は何が落とす？")
    assert await steve.asks("Alice", "remember that the gold is in the well") == (
        "I will remember that."
    )
    assert "in the well”" in await steve.asks("Alice", "where is the gold?")
    assert "in the well”" in await steve.asks("Alice", "!knowledge gold")
    assert "I have forgotten" in await steve.asks("Alice", "!forget gold")
    assert "I know nothing" in await steve.asks("Alice", "!knowledge gold")
    await steve.tells_server(f"/give {steve.name} iron_pickaxe 1")
    async with asyncio.timeout(10):
        while (await steve.sees()).held is None:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    assert "at mining" in await steve.asks("Alice", "!info intent")
