"""Guests who come, say a few things and leave, and one who calls bots home."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from faults.testbed import TRUSTED, Testbed

GUESTS = 6  # of each door: so few that all are known when the warm-up is over
DOORS, BOTS_OF_A_DOOR = 2, 4
"""So many are there at a time, at most: two, or one for every four bots."""
STAYS_S, STAYS_AWAY_S, BETWEEN_LINES_S = (15.0, 40.0), (3.0, 10.0), (3.0, 8.0)
HOME, CALLED_HOME_EVERY_S = "!navigation gotoCoords 8 64 8", 600.0
"""Orders lead bots away to where trees still stand; the server holds the land that each sees."""
LINES = (
    "Hello!",
    "Where are you?",
    "I like birch more than oak.",
    "Do you remember me?",
    "!status",
    "!info all",
    "!help",
    "!history",
    "What do you carry?",
    "今日は何をしていましたか？",
    "See you tomorrow.",
)


@asynccontextmanager
async def visited(testbed: Testbed, seed: int) -> AsyncIterator[None]:
    """Guests come and go, and bots are called home, for as long as the block lasts."""
    async with asyncio.TaskGroup() as group:
        doors = max(DOORS, len(testbed.bots) // BOTS_OF_A_DOOR)
        tasks = [group.create_task(_visits(testbed, seed + door, door)) for door in range(doors)]
        tasks.append(group.create_task(_calls_home(testbed)))
        yield
        for task in tasks:
            task.cancel()


async def _visits(testbed: Testbed, seed: int, door: int) -> None:
    dice = random.Random(seed)
    names = [f"Guest{door}{number}" for number in range(GUESTS)]
    while True:
        await _visit(testbed, dice.choice(names), dice)
        await asyncio.sleep(dice.uniform(*STAYS_AWAY_S))


async def _calls_home(testbed: Testbed) -> None:
    """One bot after the other."""
    for bot in itertools.cycle(testbed.bots):
        await asyncio.sleep(CALLED_HOME_EVERY_S / len(testbed.bots) / testbed.haste)
        await testbed.crowd[TRUSTED].whispers(bot, HOME)


async def _visit(testbed: Testbed, name: str, dice: random.Random) -> None:
    leaves_s = asyncio.get_running_loop().time() + dice.uniform(*STAYS_S)
    async with testbed.crowd.visited_by(name) as guest:
        while asyncio.get_running_loop().time() < leaves_s:
            await asyncio.sleep(dice.uniform(*BETWEEN_LINES_S) / testbed.haste)
            await guest.whispers(dice.choice(testbed.bots), dice.choice(LINES))


def names_of(count: int, first: Sequence[str]) -> tuple[str, ...]:
    """So many bots; those whom people name come first."""
    more = (f"Bot{number:02}" for number in range(len(first) + 1, count + 1))
    return (*first, *more)[: max(count, len(first))]
