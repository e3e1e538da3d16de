"""What an action gets to work with, and how it says that it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bridge.events import FailureReason
from bridge.fake.body import Body
from bridge.fake.dangers import TIRES, tire
from bridge.fake.rules import Rules
from bridge.fake.terrain import Steps, Terrain, find_path, walking
from bridge.fake.world import FakeWorld
from bridge.world import Position

REACH = 4.5  # blocks from the eyes to a block, in survival; source: minecraft.wiki/w/Reach

Done: TypeAlias = Mapping[str, Any]
"""The `result` of an action that is done."""


class ActionFailed(Exception):
    """An action ends with this reason; the text says what was in the way, `result` what was
    done before."""

    def __init__(self, reason: FailureReason, message: str, result: Done | None = None) -> None:
        super().__init__(message)
        self.reason: FailureReason = reason
        self.result = result or {}


@dataclass(frozen=True, slots=True)
class Scene:
    """One body in the world, about to do something."""

    world: FakeWorld
    body: Body
    progress: Callable[[int, int], None]
    """Tells (done, total)."""
    shunned: tuple[Position, ...] = ()
    """Where it rather does not walk."""

    @property
    def terrain(self) -> Terrain:
        return self.world.terrain(self.body.dimension)

    @property
    def rules(self) -> Rules:
        return self.world.rules

    def path(
        self, goal: Position, within: float, step: Steps = walking
    ) -> tuple[Position, ...] | None:
        """As `find_path` from where the body is."""
        return find_path(self.terrain, self.body.position, goal, within, step, self.shunned)

    async def sleep(self, seconds: float) -> None:
        await self.world.clock.sleep(seconds)

    def tire(self, by: str, times: float = 1.0) -> None:
        """Count what the body did towards its hunger."""
        tire(self.world, self.body, TIRES[by] * times)

    def require_reach(self, position: Position) -> None:
        eyes, block = self.body.eyes, position.block
        nearest = Position(
            min(max(eyes.x, block.x), block.x + 1),
            min(max(eyes.y, block.y), block.y + 1),
            min(max(eyes.z, block.z), block.z + 1),
        )
        distance = eyes.distance_to(nearest)
        if distance > REACH:
            raise ActionFailed("too_far", f"{distance:.1f} blocks away, {REACH:g} are in reach")

    def require_block(self, position: Position, names: tuple[str, ...]) -> None:
        """Require a block of one of these names in reach."""
        self.require_reach(position)
        found = self.terrain.block(position)
        if found not in names:
            raise ActionFailed("wrong_block", f"there is {found}, not {names[0]}")

    def require_item(self, item: str, count: int = 1) -> None:
        held = self.body.inventory.count(item)
        if held < count:
            raise ActionFailed("missing_item", f"needs {count} {item}, has {held}")


def amount(wanted: int, available: int, item: str) -> int:
    """How many to move; -1 stands for all there are. Fails: missing_item."""
    if wanted != -1 and wanted < 1:
        raise ActionFailed("internal", f"a count is 1 or more, or -1 for all, not {wanted}")
    if available < max(1, wanted):
        raise ActionFailed("missing_item", f"{available} {item} there, {max(1, wanted)} needed")
    return available if wanted == -1 else wanted


def middle(position: Position) -> Position:
    """The middle of the block at a position."""
    block = position.block
    return Position(block.x + 0.5, block.y + 0.5, block.z + 0.5)
