"""`!skill collectDrops [radius]` and `!primitive collectDrops`: pick up what lies around."""

from __future__ import annotations

from collections import Counter

from pydantic import Field

from bots.bot.bot import Bot
from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.errors import ActionFailed, CommandError
from bots.registry.args import LenientArgs
from bots.registry.registry import CommandContext, commands
from bridge.actions import CollectDrops

RADIUS = 12.0  # blocks
PRIMITIVE_RADIUS = 6.0


class CollectDropsArgs(LenientArgs):
    radius: float = Field(RADIUS, ge=1, le=64, allow_inf_nan=False)
    """Blocks around."""
    max_attempts: int = Field(3, ge=1, le=20)
    """Rounds in which it tries to get what is left."""


class NearDropsArgs(LenientArgs):
    radius: float = Field(PRIMITIVE_RADIUS, ge=1, le=64, allow_inf_nan=False)
    """Blocks around."""


class CollectDropsResult(Result):
    collected: dict[str, int]
    count: int

    def lines(self) -> list[str]:
        named = ", ".join(f"{count} {name}" for name, count in self.collected.items())
        return [f"Picked up {named}."]

    def episodes(self) -> tuple[Episode, ...]:
        return tuple(Episode("got", item, count) for item, count in self.collected.items())


@commands.command(
    "skill collectDrops", CollectDropsArgs, world=True, example='!skill collectDrops {"radius": 12}'
)
async def collect_drops(context: CommandContext, args: CollectDropsArgs) -> CollectDropsResult:
    """Walk over what lies about until nothing more can be had."""
    return await _collect(context, args.radius, args.max_attempts)


@commands.command(
    "primitive collectDrops",
    NearDropsArgs,
    world=True,
    example='!primitive collectDrops {"radius": 6}',
)
async def collect_near(context: CommandContext, args: NearDropsArgs) -> CollectDropsResult:
    """Walk once over what lies near."""
    return await _collect(context, args.radius, 1)


async def _collect(context: CommandContext, radius: float, attempts: int) -> CollectDropsResult:
    before = await _carried(context.bot)
    refusal: ActionFailed | None = None
    for _ in range(attempts):
        try:
            await context.job.act(CollectDrops(radius))
        except ActionFailed as failed:
            refusal = failed
            if failed.reason in ("not_found", "not_recognised", "inventory_full"):
                break
    gained = dict(await _carried(context.bot) - before)
    if refusal is not None and (not gained or refusal.reason == "inventory_full"):
        raise CommandError(refusal.reason, refusal.message, collected=gained)
    return CollectDropsResult(collected=gained, count=sum(gained.values()))


async def _carried(bot: Bot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stack in (await bot.snapshot()).items:
        counts[stack.name] += stack.count
    return counts
