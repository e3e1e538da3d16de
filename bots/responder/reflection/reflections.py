"""The threads of all bots of a town, and what later decisions are told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bots.access.sources import Sources
from bots.access.visibility import Visibility
from bots.bot.bot import Bot
from bots.observability.trace import TraceLog
from bots.responder.reflection.of_bot import BotReflection
from bots.responder.reflection.schedule import Pace
from bots.responder.reflection.storage import KeptThoughts
from bots.responder.reflection.thinker import Reflector
from bots.responder.tools.toolbox import Happened


class Reflections:
    """`bots.responder.case.ports.Advice` too. `run` is owned by the daemon."""

    def __init__(self, thinker: Reflector, kept: KeptThoughts, pace: Pace, trace: TraceLog) -> None:
        self._thinker, self._kept, self._pace, self._trace = thinker, kept, pace, trace
        self._of: dict[str, BotReflection] = {}

    def attend(self, bot: Bot, happened: Happened) -> None:
        """Think for a bot from now on; `happened` tells whoever asked it to."""
        threads = BotReflection(bot, self._thinker, self._kept, self._pace, self._trace, happened)
        self._of[bot.name] = threads
        bot.services.provide(BotReflection, threads)

    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        threads = self._of.get(bot)
        return threads.advice(view) if threads else ()

    async def run(self) -> None:
        """Read the trace until cancelled."""
        with self._trace.reading() as reader:
            async for trace in reader:
                threads = self._of.get(trace.bot or "")
                if threads is not None:
                    threads.take(trace)

    async def aclose(self) -> None:
        """End what is thought about."""
        await asyncio.gather(*(threads.aclose() for threads in self._of.values()))
