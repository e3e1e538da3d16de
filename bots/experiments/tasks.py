"""`[[tasks]]`: what bots of a live run are given to do, and what came of it.

Judged by what the server shows of a bot and of the blocks around it, never by what the bot says:
whoever helped, a task is done at the first moment at which its goal holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bots.access.origin import OPERATOR_NAME, Operator
from bots.app import Daemon
from bots.bot.bot import Bot
from bots.bot.result import message_of
from bots.commands.catalogue import handle_chat_command
from bots.daemon.server import EmbeddedServerHost
from bots.errors import ActionFailed, CommandError
from bots.experiments.metrics import TaskOutcome
from bots.experiments.scenario import ExperimentFailed, Scenario, Task
from bots.goals.goal import Goal, ItemGoal, PlacedAtGoal, PlacedGoal
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.goals.runner.sight import carried, meets
from bridge.actions import BlockAt
from bridge.errors import BridgeError, ServerFailed
from bridge.world import WorldSnapshot

LOOK_EVERY_S = 0.5
ARRIVES_WITHIN_S = 5.0  # what was given into a bag


async def hand_out(scenario: Scenario, daemon: Daemon) -> None:
    """Give the bots what they carry on the embedded server; see that they have it on another.

    Raises ExperimentFailed."""
    host = daemon.server_host
    for member in scenario.cast:
        for item, count in member.carries.items():
            if isinstance(host, EmbeddedServerHost):
                try:
                    await host.server.admin("give", player=member.name, item=item, count=count)
                except ServerFailed as failure:
                    where = f"cast.{member.name}.carries.{item}"
                    raise ExperimentFailed(f"{where}: {failure}") from failure
    for member in scenario.cast:
        bot = daemon.bot(member.name)
        with suppress(TimeoutError):
            async with asyncio.timeout(ARRIVES_WITHIN_S):
                while _missing(member.carries, await bot.snapshot()):
                    await daemon.times.sleep(LOOK_EVERY_S)
        if lacks := _missing(member.carries, await bot.snapshot()):
            raise ExperimentFailed(f"{member.name} has not got {lacks}: give it before the run")


def _missing(wanted: Mapping[str, int], world: WorldSnapshot) -> str:
    lacks = {item: count - world.count(item) for item, count in wanted.items()}
    return ", ".join(f"{count} {item}" for item, count in lacks.items() if count > 0)


async def goals_of(scenario: Scenario, daemon: Daemon) -> list[tuple[Goal, ...]]:
    """The goals of each task. Raises ExperimentFailed for what cannot be asked, or not be seen."""
    found: list[tuple[Goal, ...]] = []
    for number, task in enumerate(scenario.tasks, 1):
        planner = await planner_for(daemon.bot(task.who))
        try:
            goals = parse_goals(task.goal, planner.domain)
        except CommandError as refused:
            raise ExperimentFailed(f"tasks.{number}.goal: {refused}") from refused
        if any(isinstance(goal, PlacedGoal) for goal in goals):
            raise ExperimentFailed(
                f"tasks.{number}.goal: write placed.BLOCK@x,y,z: others cannot be seen from outside"
            )
        found.append(goals)
    return found


@dataclass(slots=True)
class TaskRun:
    """One task under way."""

    number: int
    task: Task
    goals: tuple[Goal, ...]
    daemon: Daemon

    async def carry_out(self, given_ms: int) -> TaskOutcome:
        """Give it, and wait until it is done or out of time; then the bot stops."""
        bot, times = self.daemon.bot(self.task.who), self.daemon.times
        start = await bot.snapshot()
        goals = tuple(_total(goal, start) for goal in self.goals)
        deaths, began_s = _deaths(start), times.stopwatch()
        saying, took_s = asyncio.create_task(self._tell(bot)), None
        try:
            while (spent_s := times.stopwatch() - began_s) < self.task.within_s:
                if await self._holds(goals, bot):
                    took_s = round(spent_s, 1)
                    break
                await times.sleep(LOOK_EVERY_S)
            if took_s is None:
                await handle_chat_command(bot, "scenario", "!stop", Operator("python"))
            said = saying.result() if saying.done() else ""
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)
        died = _deaths(await bot.snapshot()) - deaths
        return TaskOutcome(
            self.number, self.task.who, self.task.goal, self.task.ask, given_ms, took_s, died, said
        )

    async def _tell(self, bot: Bot) -> str:
        """What the bot says came of it."""
        if self.task.ask:
            dispatcher = self.daemon.roster.find(bot.name).dispatcher
            await dispatcher.message_from_operator(self.task.ask, OPERATOR_NAME)
            return ""
        command = f"!goal {self.task.goal}"
        return message_of(await handle_chat_command(bot, "scenario", command, Operator("python")))

    async def _holds(self, goals: Sequence[Goal], bot: Bot) -> bool:
        try:
            world = await bot.snapshot()
            stands = dict.fromkeys(goals, 0)
            for goal in goals:
                if isinstance(goal, PlacedAtGoal):
                    there = await bot.query(BlockAt(goal.at))
                    stands[goal] = sum(block.name == goal.block for block in there)
        except (BridgeError, ActionFailed):  # it is away, and comes back
            return False
        return all(meets(goal, world, stands) for goal in goals)


def _total(goal: Goal, world: WorldSnapshot) -> Goal:
    if isinstance(goal, ItemGoal) and goal.more:
        return replace(goal, count=goal.count + carried(world).get(goal.item, 0), more=False)
    return goal


def _deaths(world: WorldSnapshot) -> int:
    return world.died.number if world.died else 0
