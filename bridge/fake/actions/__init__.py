"""The actions of `bridge.actions` in the simulated world; each says in its docstring how it
fails. Times are virtual seconds and follow the game where the game has a rule. `RunningActions`
holds the action that each bot is doing: at most one, with one end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bridge.actions import Action
from bridge.events import (
    ActionFinished,
    ActionId,
    ActionProgress,
    BridgeEvent,
    FailureReason,
    Outcome,
)
from bridge.fake.actions.animals import attack, fish, hunt, shoot, use_on
from bridge.fake.actions.blocks import collect_drops, dig, pillar, place, toss
from bridge.fake.actions.items import (
    close_container,
    craft,
    deposit,
    eat,
    equip,
    fill,
    open_container,
    pour,
    smelt,
    take_off,
    till,
    withdraw,
)
from bridge.fake.actions.moving import approach, follow, jump, look_at, move_to, sleep, wait
from bridge.fake.actions.scene import ActionFailed, Done, Scene
from bridge.fake.body import Body
from bridge.fake.world import FakeWorld
from bridge.world import BotName, Position

__all__ = ["ACTIONS", "ActionFailed", "Scene", "perform"]

ACTIONS: Mapping[str, Callable[[Scene, Any], Awaitable[Done]]] = {
    "move_to": move_to,
    "approach": approach,
    "follow": follow,
    "look_at": look_at,
    "wait": wait,
    "jump": jump,
    "sleep": sleep,
    "dig": dig,
    "place": place,
    "collect_drops": collect_drops,
    "craft": craft,
    "smelt": smelt,
    "open_container": open_container,
    "deposit": deposit,
    "withdraw": withdraw,
    "close_container": close_container,
    "equip": equip,
    "take_off": take_off,
    "eat": eat,
    "toss": toss,
    "pillar": pillar,
    "hunt": hunt,
    "attack": attack,
    "shoot": shoot,
    "use_on": use_on,
    "fill": fill,
    "pour": pour,
    "till": till,
    "fish": fish,
}


BESIDE_A_CONTAINER = frozenset({"deposit", "withdraw", "close_container", "look_at", "wait"})


async def perform(scene: Scene, action: Action) -> Done:
    """Do it, in virtual time. Raises ActionFailed.

    An action that needs both hands puts an open container away first."""
    if action.kind not in BESIDE_A_CONTAINER:
        scene.body.window = None
    return await ACTIONS[action.kind](scene, action)


@dataclass(frozen=True, slots=True)
class _Running:
    bot: BotName
    action_id: ActionId
    task: asyncio.Task[Mapping[str, Any]]
    deadline: asyncio.Future[None]


class RunningActions:
    """Starts actions as tasks it owns and tells their ends to `emit`."""

    def __init__(self, world: FakeWorld, emit: Callable[[BridgeEvent], None]) -> None:
        self._world, self._emit = world, emit
        self._running: dict[BotName, _Running] = {}
        self._tasks: set[asyncio.Task[Mapping[str, Any]]] = set()

    @property
    def count(self) -> int:
        """How many actions are under way, over all bots."""
        return len(self._tasks)

    def current(self, bot: BotName) -> ActionId | None:
        """The action that this bot is doing; None when it does nothing."""
        running = self._running.get(bot)
        return None if running is None else running.action_id

    def begin(
        self,
        body: Body,
        action_id: ActionId,
        action: Action,
        deadline_s: float,
        shunned: tuple[Position, ...],
    ) -> None:
        """Start an action; one under way ends first, as `replaced`."""
        bot = BotName(body.name)
        self.end(bot, "replaced")

        def progress(done: int, total: int) -> None:
            now = self._world.clock.now()
            self._emit(ActionProgress(BotName(body.name), action_id, done, total, now))

        scene = Scene(self._world, body, progress, shunned)
        task = asyncio.create_task(perform(scene, action), name=action_id)
        deadline = self._world.clock.timer(deadline_s)
        running = _Running(bot, action_id, task, deadline)
        self._running[bot] = running
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._returned(running))
        deadline.add_done_callback(lambda _: self._overran(running))

    def end(
        self,
        bot: BotName,
        outcome: Outcome,
        message: str = "",
        reason: FailureReason | None = None,
        result: Mapping[str, Any] | None = None,
    ) -> ActionId | None:
        """Stop a bot's action at once; its id, or None when there was none."""
        running = self._running.pop(bot, None)
        if running is None:
            return None
        running.task.cancel()
        running.deadline.cancel()
        self._finish(running, outcome, reason, message or outcome, result)
        return running.action_id

    async def aclose(self) -> None:
        """Stop all and wait until nothing runs."""
        for bot in tuple(self._running):
            self.end(bot, "disconnected")
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _overran(self, running: _Running) -> None:
        if self._running.get(running.bot) is running and not running.deadline.cancelled():
            self.end(running.bot, "deadline")

    def _returned(self, running: _Running) -> None:
        self._tasks.discard(running.task)
        error = None if running.task.cancelled() else running.task.exception()
        if self._running.get(running.bot) is not running:
            return
        del self._running[running.bot]
        running.deadline.cancel()
        if running.task.cancelled():
            self._finish(running, "cancelled", None, "cancelled")
        elif error is None:
            self._finish(running, "done", None, "", running.task.result())
        else:
            failed = (
                error if isinstance(error, ActionFailed) else ActionFailed("internal", str(error))
            )
            self._finish(running, "failed", failed.reason, str(failed), failed.result)

    def _finish(
        self,
        running: _Running,
        outcome: Outcome,
        reason: FailureReason | None,
        message: str,
        result: Mapping[str, Any] | None = None,
    ) -> None:
        at = self._world.clock.now()
        self._emit(
            ActionFinished(
                running.bot, running.action_id, outcome, reason, message, result or {}, at=at
            )
        )
