"""`!goal then | list | status | pause | resume`: what comes after the goal under way, and how it
fares."""

from __future__ import annotations

from bots.access.origin import Level, speaker_of
from bots.bot.agenda import KeptGoal
from bots.bot.result import Facts, Result
from bots.bot.stage import StageInfo
from bots.commands.goal import GoalArgs, kept_goal_of
from bots.commands.goal_places import require_known
from bots.errors import CommandError
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.registry.args import NoArgs
from bots.registry.registry import CommandContext, commands

SHOWN = 5  # goals in a whisper


class GoalInfo(Facts):
    goal: str
    state: str
    """`under_way`, `waiting` or `paused`."""
    given_by: str | None
    """Who gave it; null for those who may not know."""

    def __str__(self) -> str:
        return self.goal if self.state == "waiting" else f"{self.goal} ({_SAID[self.state]})"


_SAID = {"under_way": "under way", "paused": "paused"}


class AgendaResult(Result):
    goals: tuple[GoalInfo, ...]
    message: str

    def lines(self) -> list[str]:
        return [self.message]


class GoalStatusResult(AgendaResult):
    stage: StageInfo | None
    """Where the goal under way is; null while it is planned."""


@commands.command(
    "goal then", GoalArgs, level=Level.TRUSTED, example="!goal then inventory.torch:8"
)
async def then(context: CommandContext, args: GoalArgs) -> AgendaResult:
    """Reach a goal after all that were given before it."""
    bot = context.bot
    goals = parse_goals(args.goal, (await planner_for(bot)).domain)
    await require_known(context, goals)
    kept = kept_goal_of(context, args, goals)
    before = bot.agenda.goals
    await bot.agenda.queue(kept)
    if not before:
        return _told(context, f"{kept.title} comes next.")
    return _told(context, f"{kept.title} comes after {before[-1].title}.")


@commands.command("goal status", NoArgs, example="!goal status", allow_bots=True)
async def status(context: CommandContext, _args: NoArgs) -> GoalStatusResult:
    """Tell what goal is under way, which step of it, and how long the rest takes."""
    bot = context.bot
    goals, stage = _infos(context), bot.stage
    return GoalStatusResult(goals=goals, message=_status(goals, stage), stage=stage)


@commands.command("goal list", NoArgs, level=Level.TRUSTED, example="!goal list")
async def list_(context: CommandContext, _args: NoArgs) -> AgendaResult:
    """List the goal under way and those that wait."""
    goals = _infos(context)
    if not goals:
        return _told(context, "I have no goal.")
    shown = ", then ".join(map(str, goals[:SHOWN]))
    more = f", and {len(goals) - SHOWN} more" if len(goals) > SHOWN else ""
    return _told(context, f"{shown}{more}.")


@commands.command("goal pause", NoArgs, level=Level.TRUSTED, example="!goal pause")
async def pause(context: CommandContext, _args: NoArgs) -> AgendaResult:
    """Leave the goal under way until !goal resume; what waits behind it waits on."""
    kept = await context.bot.agenda.pause()
    if kept is None:
        raise CommandError("no_goal", "I have no goal to pause.")
    return _told(context, f"I leave {kept.title} for now. Say !goal resume, and I go on.")


@commands.command("goal resume", NoArgs, level=Level.TRUSTED, example="!goal resume")
async def resume(context: CommandContext, _args: NoArgs) -> AgendaResult:
    """Go on with the goal that was paused."""
    kept = await context.bot.agenda.resume()
    if kept is None:
        raise CommandError("no_goal", "No goal is paused.")
    return _told(context, f"I go on with {kept.title}.")


def _status(goals: tuple[GoalInfo, ...], stage: StageInfo | None) -> str:
    if not goals:
        return "I have no goal."
    first, waiting = goals[0], len(goals) - 1
    behind = f" {waiting} {'goal waits' if waiting == 1 else 'goals wait'} behind it."
    if first.state == "under_way" and stage is not None:
        said = f"I am at {stage}."
    elif first.state == "under_way":
        said = f"I am planning {first.goal}."
    else:
        said = f"{first.goal} is {first.state}."
    return said + behind * bool(waiting)


def _told(context: CommandContext, message: str) -> AgendaResult:
    return AgendaResult(goals=_infos(context), message=message)


def _infos(context: CommandContext) -> tuple[GoalInfo, ...]:
    return tuple(_info(context, kept) for kept in context.bot.agenda.goals)


def _info(context: CommandContext, kept: KeptGoal) -> GoalInfo:
    is_under_way = kept is context.bot.agenda.under_way
    waits = "waiting" if kept.state == "begun" else kept.state
    may_know = context.level >= Level.TRUSTED or kept.given_by == context.origin
    return GoalInfo(
        goal=kept.title,
        state="under_way" if is_under_way else waits,
        given_by=speaker_of(kept.given_by) if may_know else None,
    )
