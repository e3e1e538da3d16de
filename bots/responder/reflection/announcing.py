"""Tells a briefing, in one line, to trusted players who are near or come near soon."""

from __future__ import annotations

from contextlib import suppress

from bots.access.origin import Level, Person
from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bots.errors import StoreError
from bots.responder.reflection.thought import Thought
from bots.responder.reflection.wording import announcement_of
from bridge.errors import BridgeError
from bridge.world import PlayerName

LOOK_EVERY_S, LOOKS = 3.0, 200
"""So often, and so many times, it looks whether somebody has come who may be told."""
LOOKED_WITHIN_S = 1.0


async def announce(bot: Bot, thought: Thought) -> None:
    """Tell it once to everybody trusted who is near; wait ten minutes for the first of them."""
    for _ in range(LOOKS):
        if near := await _trusted_near(bot):
            for player in near:
                with suppress(BridgeError, StoreError):
                    await bot.tell(
                        player,
                        announcement_of(thought),
                        bot.hearing_range,
                        sources=thought.sources,
                    )
            return
        await bot.times.sleep(LOOK_EVERY_S)


async def _trusted_near(bot: Bot) -> list[PlayerName]:
    world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
    if world is None:
        return []
    return [
        one.name
        for one in world.players
        if one.name not in bot.known_bots
        and (distance := world.distance_to(one)) is not None
        and distance <= bot.hearing_range
        and bot.permissions.level_of(Person(one.name)) >= Level.TRUSTED
    ]
