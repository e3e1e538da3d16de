"""Hand-overs: who stands beside one makes room for it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.errors import ActionFailed
from bridge.actions import MoveTo
from bridge.world import PlayerName, Position, WorldSnapshot

ROOM = 4.0  # blocks around whoever is given something; a thrown item is picked up 1.4 away
STEP_TO = 5.5  # blocks away
STEP_WITHIN_S = 4.0
TURNS = (0, math.pi / 3, -math.pi / 3, 2 * math.pi / 3, -2 * math.pi / 3)
"""The directions tried, from straight away; a wall or a hole may be in the first."""


@dataclass(frozen=True, slots=True)
class Fellows:
    """The bots of this daemon that are in the world."""

    online: Callable[[], Sequence[Bot]]


async def make_room(giver: Bot, world: WorldSnapshot, to: PlayerName) -> None:
    """Have idle fellows step back from a player who is about to be given something. Bots of other
    daemons do so when they see it thrown."""
    fellows, taker = giver.services.get(Fellows), _position(world, to)
    if fellows is None or taker is None:
        return
    standing = [
        (one, at)
        for one in fellows.online()
        if one.name not in (giver.name, to)
        and one.jobs.is_free
        and (at := _position(world, one.name)) is not None
        and at.distance_to(taker) < ROOM
    ]
    await asyncio.gather(*(_step_back(one, at, taker) for one, at in standing))


async def step_back_from(bot: Bot, world: WorldSnapshot, to: PlayerName) -> None:
    """Have a bot step back from a player who is being given something."""
    if (taker := _position(world, to)) is not None and world.position.distance_to(taker) < ROOM:
        await _step_back(bot, world.position, taker)


def _position(world: WorldSnapshot, name: str) -> Position | None:
    player = world.player(name)
    return None if player is None else player.position


async def _step_back(bot: Bot, at: Position, taker: Position) -> None:
    """It stays where it was told to stay, but for these steps."""
    stays = bot.leisure.stays

    async def work(job: Job) -> Result:
        for turn in TURNS:
            with suppress(ActionFailed):
                angle = math.atan2(at.z - taker.z, at.x - taker.x) + turn
                await job.act(
                    MoveTo(
                        Position(
                            taker.x + STEP_TO * math.cos(angle),
                            at.y,
                            taker.z + STEP_TO * math.sin(angle),
                        ),
                        1.0,
                    ),
                    deadline_s=STEP_WITHIN_S,
                )
                break
        return Result()

    spec = JobSpec("stepping back", work, lambda _error: Result(), STEP_WITHIN_S * 2)
    await bot.jobs.begin(spec).wait(STEP_WITHIN_S)
    bot.leisure.stays |= stays  # it may have been told to stay meanwhile
