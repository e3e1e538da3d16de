"""Runs commands of bots in the simulated world while virtual time passes.

A `Scene` is one command and what must come of it; a table of them is one test:

    @scenes(Scene("the name is a sentence", "!skill gather oak_log", {"gathered": 1}, blocks=…))
    async def test_…(rig: Rig, scene: Scene) -> None:
        await play(rig, scene)
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.rig import Rig, run_json

from bots.access.origin import Origin
from bridge.actions import Action
from bridge.events import ActionId
from bridge.world import BotName, MobSighting, Position

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
    food: float | None = None
    """What its hunger leaves of 20."""
    stored: Mapping[Cell, Mapping[str, int]] = field(default_factory=dict)
    """What the chests hold that stand there."""
    people: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    mobs: Sequence[MobSighting] = ()
    drops: Mapping[str, tuple[int, tuple[float, float, float]]] = field(default_factory=dict)
    """What lies about: how many, and where."""
    before: Sequence[str] = ()
    """Commands that have been carried out before."""
    whole: bool = False
    """Whether it holds nothing else."""
    says: str = ""
    """A part of the result's message."""
    carried: Mapping[str, int] | None = None
    """All that is in the bag in the end."""
    lying: Mapping[str, int] | None = None
    """All that lies about in the end."""
    standing: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    """Blocks that are there in the end."""
    alive: Sequence[MobSighting] | None = None
    """The mobs that are left."""
    stays: bool = False
    """Whether the bot is still where it was."""
    near: tuple[float, float, float] | None = None
    """Where the bot comes to, within as many blocks."""
    within: float = 3


def scenes(*rows: Scene) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("scene", rows, ids=[row.name for row in rows])


async def play(rig: Rig, scene: Scene) -> None:
    for item, count in scene.given.items():
        rig.world.give("Alice", item, count)
    for name, cells in scene.blocks.items():
        put(rig, name, *cells)
    if scene.food is not None:
        rig.world.set_health("Alice", 20, scene.food)
    for cell, items in scene.stored.items():
        fill(rig, cell, items)
    for person, at in scene.people.items():
        rig.world.person(person, Position(*at))
    for item, (count, spot) in scene.drops.items():
        rig.world.terrain().drop(item, count, Position(*spot))
    rig.world.mobs += scene.mobs
    for text in scene.before:
        assert (await carry_out(rig, text))["success"], text
    here = rig.world.body("Alice").position
    result = await carry_out(rig, scene.text)
    told = result if scene.whole else {key: result.get(key) for key in scene.shown}
    assert told == scene.shown, result
    assert scene.says in result.get("message", "")
    if scene.carried is not None:
        assert carried(rig) == scene.carried
    assert scene.lying is None or lying(rig) == scene.lying
    for name, cells in scene.standing.items():
        assert {rig.world.block(Position(*cell)) for cell in cells} == {name}
    assert scene.alive is None or rig.world.mobs == [*scene.alive]
    there = rig.world.body("Alice").position
    assert not scene.stays or there == here
    assert scene.near is None or there.distance_to(Position(*scene.near)) <= scene.within


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


@asynccontextmanager
async def under_way(
    rig: Rig, text: str, *, bot: str = "Alice", origin: Origin | None = None
) -> AsyncIterator[None]:
    """While a bot carries out a command that has no end of its own; then it is told to stop."""
    task = asyncio.create_task(run_json(rig.bots[bot], text, origin))
    yield
    assert not task.done(), task.result()
    await run_json(rig.bots[bot], "!stop")
    assert (await task)["reason"] == "stopped"


async def seconds_pass(rig: Rig, seconds: float) -> None:
    for _ in range(int(seconds / STEP_S)):
        await rig.pass_time(STEP_S)


async def comes_to(rig: Rig, met: Callable[[], object], within_s: float = 300.0) -> None:
    """Let time pass until a condition holds; `within_s` are virtual seconds."""
    for _ in range(int(within_s / STEP_S)):
        if met():
            return
        await rig.pass_time(STEP_S)
    raise AssertionError("it did not happen")


def carried(rig: Rig, bot: str = "Alice") -> dict[str, int]:
    return rig.world.body(bot).inventory.counts()


def give(rig: Rig, bot: str = "Alice", **items: int) -> None:
    for item, count in items.items():
        rig.world.give(bot, item, count)


def lying(rig: Rig) -> dict[str, int]:
    return {drop.item: drop.count for drop in rig.world.terrain().drops}


def fill(rig: Rig, cell: Cell, items: Mapping[str, int]) -> None:
    """Put things into the chest that stands there."""
    put(rig, "chest", cell)
    for item, count in items.items():
        rig.world.terrain().chest(Position(*cell)).add(item, count)


def in_hand(rig: Rig, bot: str = "Alice") -> str | None:
    held = rig.world.body(bot).held
    return None if held is None else held.name


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
