"""`!skill jump | sleep | build`: what players do besides work."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.result import Result
from bots.commands.goal import reach_first
from bots.errors import CommandError
from bots.registry.args import Args, NoArgs, Point
from bots.registry.registry import CommandContext, commands
from bots.skills import building
from bots.skills.sleeping import sleep
from bots.text.spelling import plain
from bridge.actions import Jump

MOST_JUMPS = 20
BUILDING_S = 7_200.0
NIGHT_S = 960.0


class JumpArgs(Args):
    is_needed: ClassVar = False

    times: int = Field(1, ge=1, le=MOST_JUMPS)
    """How often."""


class JumpResult(Result):
    times: int


@commands.command("skill jump", JumpArgs, world=True, example="!skill jump 3")
async def jump_(context: CommandContext, args: JumpArgs) -> JumpResult:
    """Jump on the spot."""
    await context.job.act(Jump(args.times))
    return JumpResult(times=args.times)


class SleepResult(Result):
    bed: Point
    message: str


@commands.command(
    "skill sleep",
    NoArgs,
    world=True,
    deadline_s=NIGHT_S,
    ended_by="!stop",
    example="!skill sleep",
)
async def sleep_(context: CommandContext, _args: NoArgs) -> SleepResult:
    """Sleep in a free bed near until it is day."""
    context.job.intent = "I sleep until it is day, or you say !stop"
    bed = await sleep(context.job, context.bot)
    return SleepResult(bed=Point.of(bed.position), message="I have slept.")


class BuildArgs(Args):
    design: str = Field("small_house", max_length=64)
    """What to build: small_house."""


class BuildResult(Result):
    design: str
    at: Point
    """The floor in its middle."""
    blocks: int
    """How many it placed."""
    message: str


@commands.command(
    "skill build", BuildArgs, world=True, deadline_s=BUILDING_S, example="!skill build small_house"
)
async def build_(context: CommandContext, args: BuildArgs) -> BuildResult:
    """Build a small house on level ground near; gets the wood first, goes on with one begun."""
    designs, name = building.designs(), plain(args.design).replace(" ", "_")
    if name not in designs:
        known = ", ".join(designs)
        raise CommandError("unknown_design", f"I can build: {known}.", known=tuple(designs))
    bot, job, design = context.bot, context.job, designs[name]
    site = await building.site_for(job, bot, design)
    needed = design.needs(site.wood, site.lacking)
    if needed:
        await reach_first(context, [f"inventory.{item}:{count}" for item, count in needed.items()])
    await building.build(job, bot, design, site)
    left = await building.lacking(job, design, site.middle, site.wood)
    if left:
        sentence = f"{len(left)} blocks of it do not stand."
        raise CommandError("unconfirmed", sentence, lacking=len(left))
    at = Point.of(site.middle)
    what = name.replace("_", " ")
    message = f"The {what} stands at {at}: I am in it."
    return BuildResult(design=name, at=at, blocks=len(site.lacking), message=message)
