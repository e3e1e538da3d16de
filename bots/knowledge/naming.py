"""What words may name: things of the version, people, mobs in view, places of a bot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bots.access.sources import MayKnow
from bots.bot.bot import Bot
from bots.bot.knowing import TagKind
from bots.bot.looking import in_time
from bridge.world import WorldSnapshot

WITHIN_S = 0.5


async def names_around(
    bot: Bot, world: WorldSnapshot | None, persons: Iterable[str], may_know: MayKnow
) -> Mapping[TagKind, Iterable[str]]:
    """By kind; `persons` beside those in the world. Of places those that may be known."""
    catalogue = await in_time(bot.catalogue(), WITHIN_S)
    here = world.players if world else ()
    return {
        "item": catalogue.items if catalogue else (),
        "block": set(catalogue.blocks) - set(catalogue.items) if catalogue else (),
        "mob": {mob.name for mob in world.mobs} if world else (),
        "player": [*persons, *(one.name for one in here)],
        "place": [place.name for place in bot.locations.all(may_know)],
    }
