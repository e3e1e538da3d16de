"""Bots as shipped, without a key: they are company, and know what was said by whom to whom."""

import asyncio

import pytest
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import Player

from bridge.world import Position

pytestmark = pytest.mark.real

AS_SHIPPED = {
    "TOWNSFOLK_LLM__BRIEFING": "true",
    "TOWNSFOLK_TALK__SMALL_TALK": "true",
    "TOWNSFOLK_IDLE__ENABLED": "true",
}
WATCHED_WITHIN_S = 40.0
WALKED_WITHIN_S = 2 * (10.0 + 1.5 * 20.0) + 10.0
"""What `idle.after_s` and `idle.every_s` allow for two doings, of which one may be to look."""
MOVED, STOOD = 1.5, 0.5  # blocks


daemon = daemon_with("--bots", "Alice,Bob,Dan", **AS_SHIPPED)


async def seen(steve: Player, bot: str) -> Position:
    """Where a person sees a bot."""
    player = (await steve.sees()).player(bot)
    assert player is not None
    assert player.position is not None
    return player.position


async def first_to_walk(steve: Player, *bots: str) -> str:
    """Watch bots until one has walked. Raises TimeoutError."""
    before = {bot: await seen(steve, bot) for bot in bots}
    async with asyncio.timeout(WALKED_WITHIN_S):
        while True:
            for bot in bots:  # every look is a request of its own
                if before[bot].distance_to(await seen(steve, bot)) >= MOVED:
                    return bot


async def greeted(watch: Watch, steve: Player) -> Json:
    """The small talk in which a bot names this person. Raises TimeoutError."""
    async with asyncio.timeout(WATCHED_WITHIN_S):
        while True:
            said = await watch.next("smalltalk.said", within_s=WATCHED_WITHIN_S)
            if steve.name in said["text"]:
                return said


async def test_who_comes_is_greeted_and_sees_bots_live_and_one_told_to_stay_stays(
    daemon: DaemonProcess, steve: Player
) -> None:
    async with daemon.watching() as watch:
        greeting = await greeted(watch, steve)
        await steve.hears(greeting["bot"], containing=greeting["text"])
        await steve.whispers("Alice", "stay here")
        await steve.hears("Alice", containing="I wait here.")
        walker = await first_to_walk(steve, "Bob", "Dan")
        stays_at = await seen(steve, "Alice")  # her last step has come to him by now
        await steve.whispers(walker, "what are you doing?")
        answer = (await watch.next("reply.sent", bot=walker))["text"]
        assert await steve.hears(walker, containing=answer)
    async with daemon.watching(last=0) as watch:
        while (await watch.next("job.started", bot=walker))["command"] not in answer:
            pass
        assert stays_at.distance_to(await seen(steve, "Alice")) < STOOD
        assert (await daemon.bots())["Alice"]["doing"] == []


async def test_what_was_said_is_known_when_asked(daemon: DaemonProcess, steve: Player) -> None:
    await steve.asks("Dan", "Where is the diamond chest?")
    told = await daemon.site.townsfolk("say", "Dan", f"What did {steve.name} ask you?")
    assert told.code == 0
    assert "diamond chest" in told.out
    async with daemon.watching() as watch:
        await steve.whispers("Alice", "hey Alice, Bob, what shall we build at the lake?")
        await watch.next("talk.said", bot="Alice", within_s=20)
        await steve.whispers("Alice", "!talk end")
        await watch.next("talk.ended", within_s=20)
    await steve.whispers("Bob", "What did Alice say?")
    quoted = await steve.hears("Bob", containing="Alice said:")
    async with daemon.watching(last=0) as watch:
        while (await watch.next("talk.said", bot="Alice"))["text"][:40] not in quoted:
            pass
