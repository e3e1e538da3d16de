"""Manners where others hand something over, whoever they are: a bot steps back, and hands on what
it got by mistake to whom it was for, or else back to who threw it."""

from __future__ import annotations

import asyncio
from collections import deque

from bots.access.origin import Operator
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished
from bots.bot.jobs import Job
from bots.bot.looking import in_time
from bots.clock import Stopwatch
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks, until_first
from bots.registry.registry import WORLD_DEADLINE_S, CommandContext, CommandRegistry
from bots.skills.handing import step_back_from
from bridge.events import HandOverSeen, ItemGiven

LOOKED_WITHIN_S = 1.0
MOST_GIFTS = 16  # for others that wait until the bot is free; more it keeps
FREE_WITHIN_S = 600.0
"""After this time a bot that is still busy keeps what it got."""
LIES_S = 60.0
"""For so long we know for whom something was thrown; see bridge/host/gifts.cjs."""
GIVES = "navigation dropItem"


async def make_room(bot: Bot, seen: HandOverSeen) -> None:
    """Step back, unless the bot is at work."""
    world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
    if world is not None and bot.jobs.is_free:
        await step_back_from(bot, world, seen.taker)


class HandedOn:
    """What bots of this daemon hand on. Who catches it keeps it, or it would go round for ever."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._until_s: dict[tuple[str, str, str], float] = {}
        """By who throws it, what, and for whom."""

    def thrown(self, by: str, item: str, to: str, for_s: float) -> None:
        now = self._stopwatch()
        self._until_s = {key: until for key, until in self._until_s.items() if until > now}
        self._until_s[by, item, to] = now + for_s

    def includes(self, gift: ItemGiven) -> bool:
        key = (gift.player, gift.item, gift.meant_for or "")
        return self._until_s.get(key, 0.0) > self._stopwatch()


class Gifts:
    """What one bot got for others. It hands on one after the other as soon as it is free, and none
    after `!stop`."""

    def __init__(
        self, bot: Bot, commands: CommandRegistry, trace: TraceLog, handed_on: HandedOn
    ) -> None:
        self._bot, self._commands, self._trace = bot, commands, trace
        self._handed_on = handed_on
        self._waiting: deque[tuple[ItemGiven, float]] = deque()
        """And until when each may wait; the first is under way."""
        self._stopped = asyncio.Event()
        self._tasks = OwnedTasks()
        self._worker: asyncio.Task[None] | None = None

    def got(self, gift: ItemGiven) -> None:
        if len(self._waiting) >= MOST_GIFTS:
            return
        self._waiting.append((gift, self._bot.times.stopwatch() + FREE_WITHIN_S))
        if self._worker is None or self._worker.done():
            self._worker = self._tasks.start(self._hand_on_all(), "hand on gifts")

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _hand_on_all(self) -> None:
        self._stopped.clear()
        with self._bot.running("handing on gifts", self._stopped.set):
            while self._waiting:
                try:
                    await self._hand_on(*self._waiting[0])
                finally:
                    self._waiting.popleft()

    async def _hand_on(self, gift: ItemGiven, until_s: float) -> None:
        """Give it away. The bot stays where it was told to stay, but for this."""
        for to in filter(None, (gift.meant_for, gift.player)):
            reason, dropped = "replaced", 0
            while reason == "replaced":  # somebody wanted something else first
                left_s = max(0.0, until_s - self._bot.times.stopwatch())
                sleep = self._bot.times.sleep(left_s)
                await until_first(_free(self._bot), self._stopped.wait(), sleep)
                dropped = 0
                if self._stopped.is_set():
                    reason = "stopped"
                elif not self._bot.jobs.is_free:
                    reason = "busy"
                elif self._handed_on.includes(gift):
                    reason = "handed_on_before"
                else:
                    reason, dropped = await self._throw(gift, to)
                facts = {"to": to, "item": gift.item, "count": gift.count, "reason": reason or None}
                self._trace.note("item.handed_on", self._bot.name, **facts)
            if dropped or reason in ("", "stopped", "busy", "handed_on_before"):
                return

    async def _throw(self, gift: ItemGiven, to: str) -> tuple[str, int]:
        """Why it failed, if it did, and how many left the bot's hands."""
        bot, item = self._bot, gift.item
        self._handed_on.thrown(bot.name, item, to, WORLD_DEADLINE_S)
        stays = bot.leisure.stays
        context = CommandContext(bot, Operator("python"), bot.name, self._commands)
        fields = {"itemName": item, "count": gift.count, "targetPlayer": to}
        begun = await self._commands.call(context, self._commands.find(GIVES), fields)
        result = (await begun.end() if isinstance(begun, Job) else begun).as_json()
        for who in {bot.name, *result.get("taken", {})} - {to}:  # others may hand it on in turn
            self._handed_on.thrown(who, item, to, LIES_S)
        reason: str = result.get("reason", "")
        if reason not in ("replaced", "stopped"):
            bot.leisure.stays = stays
        return reason, result.get("droppedCount", 0)


async def _free(bot: Bot) -> None:
    ended = asyncio.Event()

    def take(event: BotEvent) -> None:
        if isinstance(event, JobFinished):
            ended.set()

    unsubscribe = bot.events.subscribe(take)
    try:
        while not bot.jobs.is_free:
            ended.clear()
            await ended.wait()
    finally:
        unsubscribe()
