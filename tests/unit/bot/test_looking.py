"""Looks at the world have a deadline for callers that can do without."""

import asyncio

import pytest

from bots.bot.looking import in_time
from bridge.errors import BridgeError


async def test_an_answer_in_time_is_given() -> None:
    async def answer() -> str:
        return "grass"

    assert await in_time(answer(), 5) == "grass"


async def test_a_late_answer_is_none_and_no_longer_waited_for() -> None:
    ended = asyncio.Event()

    async def answer() -> str:
        try:
            return await asyncio.Future[str]()
        finally:
            ended.set()

    assert await in_time(answer(), 0.001) is None
    assert ended.is_set()


async def test_what_the_bridge_cannot_answer_is_none() -> None:
    async def answer() -> str:
        raise BridgeError("the bot is in no world")

    assert await in_time(answer(), 5) is None


async def test_a_bug_is_not_hidden() -> None:
    async def answer() -> str:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        await in_time(answer(), 5)
