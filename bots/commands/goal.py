"""`!goal <goals>`: plan how to reach goals at least cost, and do it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from bots.access.origin import Operator, Origin
from bots.bot.agenda import KeptGoal
from bots.bot.bot import Bot
from bots.bot.episode import Episode, What
from bots.bot.result import Failure, Number, Result
from bots.commands.goal_places import locate
from bots.errors import CommandError, JobEnded
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
)
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.goals.runner.run import OUTLOOKS, GoalRun, Limits, named
from bots.goals.runner.sight import SIGHT_BLOCKS
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands

DEADLINE_S = 7_200.0


class GoalArgs(Args):
    json_only: ClassVar = frozenset({"range", "outlooks"})

    goal: str | list[str] | dict[str, Any] = Field(min_length=1)
    """`inventory.ITEM:n` or `:+n`, `placed.BLOCK:n`, `placed.BLOCK near:PLACE_OR_PLAYER`,
    `placed.BLOCK@x,y,z`, `equipment.ITEM:true` or `:false`, `position:x,y,z`; `any` behind a
    placed one counts blocks whoever placed them; beside them `with:ITEM` for what may be used up
    though it is dear; several with spaces between, or as a list or an object."""
    range: int = Field(SIGHT_BLOCKS, ge=4, le=128)
    """Blocks around the bot that count as near."""
    outlooks: int = Field(OUTLOOKS, ge=0, le=100)
    """How many places it walks to for a look around, at most, when something is not in sight."""


class GoalResult(Result):
    goal: str
    """The goals, with the totals that relative counts meant at the start."""
    have: dict[str, int]
    """How many of each item asked for are carried or worn now."""
    steps: int
    """Steps done."""
    replans: int
    estimate_s: Number
    """Seconds, by the first plan."""
    took_s: Number
    message: str
    done: tuple[Episode, ...] = Field((), exclude=True)

    def lines(self) -> list[str]:
        return [self.message]

    def episodes(self) -> tuple[Episode, ...]:
        return self.done


@commands.command(
    "goal",
    GoalArgs,
    world=True,
    deadline_s=DEADLINE_S,
    example="!goal inventory.iron_pickaxe:1",
)
async def goal(context: CommandContext, args: GoalArgs) -> GoalResult:
    """Plan how to get things, place blocks, wear or go somewhere at least cost, and do it."""
    bot, began = context.bot, context.bot.times.stopwatch()
    context.job.intent = None
    planner = await planner_for(bot)
    goals = parse_goals(args.goal, planner.domain)
    before = context.kept_goal
    has_just_come = before is not None and before.state == "begun"
    limits = Limits(args.range, args.outlooks, before.home if before else None, has_just_come)
    run = GoalRun(bot, context.job, planner, goals, partial(locate, context), limits)
    try:
        if await run.prepare():
            kept = replace(kept_goal_of(context, args, run.goals), home=run.home)
            async with bot.agenda.carrying_out(kept, context.job):
                await run.pursue()
        carried, told = await run.carried(), await run.told()
    except JobEnded:
        raise
    except CommandError as error:
        sentence = error.message + await run.told()
        await bot.add_message(bot.name, sentence, type="system_info")
        raise CommandError(error.reason, sentence, **error.data) from error
    return _result(run, carried, told, bot.times.stopwatch() - began)


async def reach_goal(bot: Bot, *goals: str, origin: Origin | None = None) -> GoalResult | Failure:
    """`!goal` from Python: reach all these goals together. Errors come as a `Failure`."""
    context = CommandContext(bot, origin or Operator("python"), bot.name, commands)
    result = await commands.run(context, f"!goal {json.dumps({'goal': goals})}")
    assert isinstance(result, GoalResult | Failure)
    return result


def kept_goal_of(context: CommandContext, args: GoalArgs, goals: tuple[Goal, ...]) -> KeptGoal:
    """What the agenda keeps of a call, with these goals."""
    fields = {**args.model_dump(by_alias=True), "goal": [str(goal) for goal in goals]}
    if context.kept_goal is not None:
        return replace(context.kept_goal, title=named(goals), fields=fields)
    return context.bot.agenda.new_goal(
        named(goals),
        fields,
        given_by=context.origin,
        level=context.level,
        sources=context.sources,
    )


def _result(run: GoalRun, carried: Mapping[str, int], told: str, took_s: float) -> GoalResult:
    plan, goals = run.first_plan, named(run.goals)
    about = f"in {took_s:.0f} s (estimated {plan.cost_s:.0f} s)" if plan else "nothing to do"
    items = [goal.item for goal in run.goals if isinstance(goal, ItemGoal)]
    return GoalResult(
        goal=goals,
        have={item: carried.get(item, 0) for item in items},
        steps=run.steps_done,
        replans=run.replans,
        estimate_s=round(plan.cost_s, 1) if plan else 0,
        took_s=round(took_s, 1),
        message=f"Done: {goals}, {about}.{told}" if plan else f"Already so: {goals}.",
        done=tuple(_episodes(run)) if plan else (),
    )


def _episodes(run: GoalRun) -> Iterator[Episode]:
    """What was done: of each goal what it was for, and nothing that was made on the way; and what
    was left behind."""
    for left in run.room.left:
        yield from (Episode("dropped", item, n, at=left.position) for item, n in left.items.items())
    for goal in run.goals:
        match goal:
            case ItemGoal(item=item):
                what: What = "made" if item in run.made else "got"
                yield Episode(what, item, run.gained[item] or goal.count)
            case PlacedGoal():
                yield Episode("placed", goal.block, goal.count)
            case PlacedAtGoal():
                yield Episode("placed", goal.block, at=goal.at)
            case EquipmentGoal():
                yield Episode("wore" if goal.on else "took_off", goal.item)
            case PositionGoal():
                yield Episode("went", at=goal.at)
