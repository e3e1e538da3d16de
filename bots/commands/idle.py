"""`!idle on|off`: look around now and then while there is nothing to do."""

from __future__ import annotations

from pydantic import Field

from bots.access.origin import Level
from bots.bot.result import Result
from bots.errors import InvalidArguments
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.idle import IDLE, Manner, idle

SHORTEST_MS, LONGEST_MS = 500, 3_600_000
_USUAL = Manner()


class IdleArgs(Args):
    interval_ms: int = Field(int(_USUAL.interval_s * 1000), ge=SHORTEST_MS, le=LONGEST_MS)
    """Milliseconds between two looks."""
    player_range: float = Field(_USUAL.player_range, ge=0, le=128, allow_inf_nan=False)
    """Blocks within which players are looked at."""
    yaw_jitter: float = Field(_USUAL.yaw_jitter, ge=0, le=180, allow_inf_nan=False)
    """Degrees it turns at most, to either side."""
    pitch_min: float = Field(_USUAL.pitch_min, ge=-90, le=90, allow_inf_nan=False)
    """Degrees it looks down at most."""
    pitch_max: float = Field(_USUAL.pitch_max, ge=-90, le=90, allow_inf_nan=False)
    """Degrees it looks up at most."""
    player_look_chance: float = Field(_USUAL.player_look_chance, ge=0, le=1, allow_inf_nan=False)
    """How often it looks at a player near, 0 to 1."""

    @property
    def manner(self) -> Manner:
        if self.pitch_max < self.pitch_min:
            sentence = f"pitchMax {self.pitch_max:g} is below pitchMin {self.pitch_min:g}."
            raise InvalidArguments("invalid_format", sentence)
        return Manner(
            interval_s=self.interval_ms / 1000,
            player_range=self.player_range,
            yaw_jitter=self.yaw_jitter,
            pitch_min=self.pitch_min,
            pitch_max=self.pitch_max,
            player_look_chance=self.player_look_chance,
        )


class IdleResult(Result):
    message: str

    def lines(self) -> list[str]:
        return [self.message]


@commands.command(
    "idle on",
    IdleArgs,
    aliases=("idle_on",),
    level=Level.TRUSTED,
    example='!idle on {"intervalMs": 4000}',
)
async def idle_on(context: CommandContext, args: IdleArgs) -> IdleResult:
    """Look about now and then, and to players near, until !idle off or !stop."""
    bot = context.bot
    bot.leisure.let_go()
    bot.pastimes.begin(IDLE, idle(bot, args.manner), started_by=context.origin)
    return IdleResult(message=f"I look about every {args.interval_ms / 1000:g} s until !idle off.")


@commands.command(
    "idle off", NoArgs, aliases=("idle_off",), level=Level.TRUSTED, example="!idle off"
)
async def idle_off(context: CommandContext, _args: NoArgs) -> IdleResult:
    """Stop looking about, and do nothing unasked."""
    was_idle = context.bot.pastimes.end(IDLE)
    context.bot.jobs.end_idle()
    context.bot.leisure.told_to_stay()
    return IdleResult(message="I look about no more." if was_idle else "I was not looking about.")
