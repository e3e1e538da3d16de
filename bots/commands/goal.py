"""`!goal <goals>`: plan how to reach goals at least cost, and do it; what comes after; how it goes.

Goals may name places: `near:home`, `near:Steve`, `near:10,64,-5`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from bots.access.origin import Level, Operator, Origin, speaker_of
from bots.bot.agenda import KeptGoal
from bots.bot.bot import Bot
from bots.bot.episode import Episode, What
from bots.bot.result import Facts, Failure, Number, Result
from bots.bot.stage import StageInfo
from bots.errors import CommandError, JobEnded
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
)
from bots.goals.parsing import parse_goals, quoted
from bots.goals.runner.goal_planner import planner_for
from bots.goals.runner.run import OUTLOOKS, GoalRun, Limits, named
from bots.goals.runner.sight import SIGHT_BLOCKS
from bots.registry.args import Args, NoArgs
from bots.registry.named import SPAWN, place_here, player_in_view
from bots.registry.registry import CommandContext, commands
from bots.text import suggest
from bots.text.pronouns import is_asker
from bots.text.spelling import spelt
from bridge.world import Position, WorldSnapshot

DEADLINE_S = 7_200.0
SHOWN = 5  # goals in a whisper
USUAL = Limits()


async def reach_first(context: CommandContext, goals: list[str], limits: Limits = USUAL) -> None:
    """Reach goals on the way of another command. Raises what `GoalRun` does."""
    planner = await planner_for(context.bot)
    parsed = parse_goals(goals, planner.domain)
    run = GoalRun(context.bot, context.job, planner, parsed, partial(locate, context), limits)
    if await run.prepare():
        await run.pursue()


def locate(context: CommandContext, world: WorldSnapshot, name: str) -> Position:
    """Where a known place, a player in view or a point is; `me` is the asker.

    Raises CommandError: unknown_location, other_dimension, entity_not_available."""
    if is_asker(name):
        return _player(context, world, context.speaker)
    known = place_here(context, world, name)
    return known.position if known else _point(name) or _player(context, world, name)


def _point(name: str) -> Position | None:
    try:
        x, y, z = map(float, name.split(","))
    except ValueError:
        return None
    return Position(x, y, z)


def _player(context: CommandContext, world: WorldSnapshot, name: str) -> Position:
    listed = [player.name for player in world.players]
    if spelt(name, listed) is None:
        places = [SPAWN, *(one.name for one in context.bot.locations.all(context.may_know))]
        near = suggest.similar(name, [*places, *listed])
        sentence = f"I know no place and no player {quoted(name)}.{suggest.as_sentence(near)}"
        raise CommandError("unknown_location", sentence, **suggest.as_fact(near))
    position = player_in_view(world, name)[0].position
    assert position is not None, "who is in view is somewhere"
    return position


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
    """Seconds, by the first plan, without pauses for its safety."""
    took_s: Number
    message: str
    done: tuple[Episode, ...] = Field((), exclude=True)

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
    took_s = bot.times.stopwatch() - began
    return _result(run, carried, told, took_s, context.job.paused_s)


async def reach_goal(bot: Bot, *goals: str, origin: Origin | None = None) -> GoalResult | Failure:
    """`!goal` from Python: reach all these goals together. Errors come as a `Failure`."""
    context = CommandContext(bot, origin or Operator("python"), bot.name, commands)
    result = await commands.run(context, f"!goal {json.dumps({'goal': goals})}")
    assert isinstance(result, GoalResult | Failure)
    return result


def kept_goal_of(context: CommandContext, args: GoalArgs, goals: tuple[Goal, ...]) -> KeptGoal:
    """What the agenda keeps of a command with these goals."""
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


def _result(
    run: GoalRun, carried: Mapping[str, int], told: str, took_s: float, paused_s: float
) -> GoalResult:
    plan, goals = run.first_plan, named(run.goals)
    about = f"in {took_s:.0f} s (estimated {plan.cost_s:.0f} s)" if plan else "nothing to do"
    if paused_s >= 1:
        about += f", {paused_s:.0f} s of them paused for my safety"
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
    """What was done: the result of each goal without intermediate products, and what was left
    behind."""
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
    # Refuse a later goal that names neither a place nor a player here. A player out of view may
    # come. Raises CommandError unknown_location.
    for goal in goals:
        if isinstance(goal, PlacedGoal) and goal.near is not None:
            try:
                locate(context, await context.bot.snapshot(), goal.near)
            except CommandError as error:
                if error.reason == "unknown_location":
                    raise
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
    infos = []
    for kept in context.bot.agenda.goals:
        is_under_way = kept is context.bot.agenda.under_way
        waits = "waiting" if kept.state == "begun" else kept.state
        may_know = context.level >= Level.TRUSTED or kept.given_by == context.origin
        giver = speaker_of(kept.given_by) if may_know else None
        state = "under_way" if is_under_way else waits
        infos.append(GoalInfo(goal=kept.title, state=state, given_by=giver))
    return tuple(infos)
