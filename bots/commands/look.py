"""`!look direction|player|watch`: turn the head. While a job runs, the job turns it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.bot import Bot
from bots.bot.result import Number, Result
from bots.errors import CommandError
from bots.registry.args import Args, PlayerWord
from bots.registry.named import player_in_view, player_listed, unseen
from bots.registry.registry import CommandContext, commands
from bots.skills.idle import WATCH, watch
from bots.text.numbers import blocks, in_blocks
from bots.text.pronouns import as_told
from bridge.actions import AtPlayer, Gaze, Towards

WATCH_MS, SHORTEST_WATCH_MS, LONGEST_WATCH_MS = 1_000, 200, 3_600_000


class DirectionArgs(Args):
    yaw: float = Field(ge=-36_000, le=36_000, allow_inf_nan=False)
    """Degrees, 0 = north, counter-clockwise."""
    pitch: float = Field(0, ge=-90, le=90, allow_inf_nan=False)
    """Degrees, positive = up."""


class DirectionResult(Result):
    yaw: Number
    pitch: Number

    def lines(self) -> list[str]:
        return [f"Looking to yaw {self.yaw:g}, pitch {self.pitch:g}."]


class PlayerArgs(Args):
    username: PlayerWord = Field(min_length=1, max_length=100)
    """The player to look at; `me` is whoever asks."""


class PlayerResult(Result):
    target: str
    distance: int

    def lines(self) -> list[str]:
        return [f"Looking at {as_told(self.target)}, {in_blocks(self.distance)} away."]


class WatchArgs(PlayerArgs):
    json_only: ClassVar = frozenset({"interval_ms"})

    interval_ms: int = Field(WATCH_MS, ge=SHORTEST_WATCH_MS, le=LONGEST_WATCH_MS)
    """Milliseconds between two looks."""


class WatchResult(Result):
    target: str
    interval_ms: int

    def lines(self) -> list[str]:
        return [f"Watching {as_told(self.target)} until !stop."]


@commands.command(
    "look direction", DirectionArgs, aliases=("look dir",), example="!look direction 90 0"
)
async def look_direction(context: CommandContext, args: DirectionArgs) -> DirectionResult:
    """Turn the head to a direction: yaw 0 is north, 90 west."""
    yaw = args.yaw % 360
    await _turn(context.bot, Towards(yaw, args.pitch))
    return DirectionResult(yaw=yaw, pitch=args.pitch)


@commands.command("look player", PlayerArgs, aliases=("look at",), example="!look player Steve")
async def look_player(context: CommandContext, args: PlayerArgs) -> PlayerResult:
    """Turn the head to a player in view."""
    world = await context.bot.snapshot()
    player, distance = player_in_view(world, args.username)
    await _turn(context.bot, AtPlayer(player.name))
    return PlayerResult(target=player.name, distance=blocks(distance))


@commands.command(
    "look watch", WatchArgs, example='!look watch {"username": "Steve", "intervalMs": 500}'
)
async def look_watch(context: CommandContext, args: WatchArgs) -> WatchResult:
    """Keep looking at a player until !stop; work comes first."""
    bot = context.bot
    player = player_listed(await bot.snapshot(), args.username)
    work = watch(bot, AtPlayer(player.name), args.interval_ms / 1000)
    bot.pastimes.begin(WATCH, work, shown=f"watch ({player.name})", started_by=context.origin)
    return WatchResult(target=player.name, interval_ms=args.interval_ms)


async def _turn(bot: Bot, gaze: Gaze) -> None:
    match await bot.head.turn(gaze):
        case "busy":
            doing = bot.doing[0] if bot.is_at_work else "something"
            raise CommandError("busy", "I am at work and keep my eyes on it.", doing=doing)
        case "dead":
            raise CommandError("dead", "I am dead just now.")
        case "unseen":
            assert isinstance(gaze, AtPlayer), "only a player can be out of view"
            raise unseen(gaze.player)
