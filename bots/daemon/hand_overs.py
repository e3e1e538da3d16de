"""Manners where others hand something over, whoever they are: a bot steps back, and hands on what
it got by mistake to whom it was for, or else back to who threw it."""

from __future__ import annotations

import asyncio

from bots.access.origin import Operator
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished
from bots.bot.jobs import Job
from bots.bot.looking import in_time
from bots.bot.result import Failure
from bots.observability.trace import TraceLog
from bots.owned_tasks import until_first
from bots.registry.registry import CommandContext, CommandRegistry
from bots.skills.handing import step_back_from
from bridge.events import HandOverSeen, ItemGiven

LOOKED_WITHIN_S = 1.0
FREE_WITHIN_S = 600.0
"""After this time a bot that is still busy keeps what it got."""
GIVES = "navigation dropItem"


async def make_room(bot: Bot, seen: HandOverSeen) -> None:
    """Step back, unless the bot is at work."""
    world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
    if world is not None and bot.jobs.is_free:
        await step_back_from(bot, world, seen.taker)


async def hand_on(bot: Bot, commands: CommandRegistry, trace: TraceLog, gift: ItemGiven) -> None:
    """Give away what was for somebody else, once the bot is free. It stays where it was told to
    stay, but for this."""
    context = CommandContext(bot, Operator("python"), bot.name, commands)
    takers = [name for name in (gift.meant_for, gift.player) if name is not None]
    while takers:
        await until_first(_free(bot), bot.times.sleep(FREE_WITHIN_S))
        if not bot.jobs.is_free:
            trace.note("item.handed_on", bot.name, to=takers[0], item=gift.item, reason="busy")
            return
        stays = bot.leisure.stays
        fields = {"itemName": gift.item, "count": gift.count, "targetPlayer": takers[0]}
        begun = await commands.call(context, commands.find(GIVES), fields)
        result = await begun.end() if isinstance(begun, Job) else begun
        reason = result.reason if isinstance(result, Failure) else None
        facts = {"to": takers[0], "item": gift.item, "count": gift.count, "reason": reason}
        trace.note("item.handed_on", bot.name, **facts)
        if reason == "replaced":
            continue  # somebody wanted something else first
        bot.leisure.stays = stays
        if reason in (None, "stopped"):
            break
        takers.pop(0)


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
