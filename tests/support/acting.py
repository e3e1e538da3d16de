"""Runs commands of bots in the simulated world while virtual time passes.

A `Scene` is one command and what must come of it; a table of them is one test:

    @scenes(Scene("the name is a sentence", "!skill gather oak_log", {"gathered": 1}, blocks=…))
    async def test_…(rig: Rig, scene: Scene) -> None:
        await play(rig, scene)
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.rig import Rig, run_json

from bots.access.origin import Origin
from bridge.actions import Action
from bridge.events import ActionId
from bridge.world import BotName, Position

STEP_S = 0.5
LONGEST_S = 4_000.0  # virtual
GROUND = 64  # the height a body stands at
Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Scene:
    """A command to Alice, what is there before it, and what must be so after it."""

    name: str
    text: str
    shown: Mapping[str, object]
    """What the result holds, among other things."""
    given: Mapping[str, int] = field(default_factory=dict)
    blocks: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    people: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    says: str = ""
    """A part of the result's message."""
    carried: Mapping[str, int] | None = None
    """All that is in the bag in the end."""
    standing: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    """Blocks that are there in the end."""
    stays: bool = False
    """Whether the bot is still where it was."""


def scenes(*rows: Scene) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("scene", rows, ids=[row.name for row in rows])


async def play(rig: Rig, scene: Scene) -> None:
    for item, count in scene.given.items():
        rig.world.give("Alice", item, count)
    for name, cells in scene.blocks.items():
        put(rig, name, *cells)
    for person, at in scene.people.items():
        rig.world.person(person, Position(*at))
    here = rig.world.body("Alice").position
    result = await carry_out(rig, scene.text)
    assert {key: result.get(key) for key in scene.shown} == scene.shown, result
    assert scene.says in result.get("message", "")
    if scene.carried is not None:
        assert carried(rig) == scene.carried
    for name, cells in scene.standing.items():
        assert {rig.world.block(Position(*cell)) for cell in cells} == {name}
    assert not scene.stays or rig.world.body("Alice").position == here


async def carry_out(
    rig: Rig, text: str, *, bot: str = "Alice", origin: Origin | None = None
) -> dict[str, Any]:
    """The result of a command, however much virtual time it takes."""
    task = asyncio.create_task(run_json(rig.bots[bot], text, origin))
    waited_s = 0.0
    while not task.done():
        assert waited_s < LONGEST_S, f"{text} does not end"
        await rig.pass_time(STEP_S)
        waited_s += STEP_S
    return task.result()


def carried(rig: Rig, bot: str = "Alice") -> dict[str, int]:
    return rig.world.body(bot).inventory.counts()


def put(rig: Rig, name: str, *cells: tuple[int, int, int]) -> None:
    for x, y, z in cells:
        rig.world.set_block(Position(x, y, z), name)


def actions_begun(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[Action]:
    """What bots do from here on."""
    begun: list[Action] = []
    begin = rig.bridge.begin

    async def watched(bot: BotName, number: ActionId, action: Action, **rest: Any) -> None:
        begun.append(action)
        await begin(bot, number, action, **rest)

    monkeypatch.setattr(rig.bridge, "begin", watched)
    return begun
