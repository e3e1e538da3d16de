"""The reflection of all bots, and what later decisions are told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bots.access.sources import Sources
from bots.access.visibility import Visibility
from bots.bot.bot import Bot
from bots.responder.case.events import Report
from bots.responder.reflection.of_bot import BotReflection
from bots.responder.reflection.reflector import Reflector
from bots.responder.reflection.schedule import Pace
from bots.responder.reflection.storage import ThoughtStorage


class Reflections:
    """Makes the reflection of each bot; also `bots.responder.case.ports.Advice`."""

    def __init__(self, reflector: Reflector, storage: ThoughtStorage, pace: Pace) -> None:
        self._reflector, self._storage, self._pace = reflector, storage, pace
        self._by_bot: dict[str, BotReflection] = {}

    def begin(self, bot: Bot, report: Report) -> BotReflection:
        """Reflect for a bot from now on; `report` tells whoever asks it to."""
        reflection = BotReflection(bot, self._reflector, self._storage, self._pace, report)
        self._by_bot[bot.name] = reflection
        bot.events.subscribe(reflection.take)
        return reflection

    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        reflection = self._by_bot.get(bot)
        return reflection.advice(view) if reflection else ()

    async def aclose(self) -> None:
        """End all thinking."""
        await asyncio.gather(*(reflection.aclose() for reflection in self._by_bot.values()))
