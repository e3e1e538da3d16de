"""Toil: ways through rock that would take very long by hand, and are not begun."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.stairs import is_below_ground
from bots.skills.tools import can_break
from bridge.catalogue import Catalogue
from bridge.world import Position

LONGEST_S = 90.0
BY_HAND_S = 5.0  # for each point of hardness, where the hand is no tool for it
LOOKED = 64  # steps ahead
NEAR = 5.0  # blocks: so short a way is dug at once


async def require_no_toil(job: Job, catalogue: Catalogue, goal: Position) -> None:
    """Raises ActionFailed no_tool where the straight way to a point leads through much rock that
    no carried tool is for. Below ground it digs all the same: it may be the only way out."""
    world = await job.snapshot()
    if world.position.distance_to(goal) <= NEAR:
        return
    rock: Counter[str] = Counter()
    takes_s = 0.0
    for cell in _straight(world.position.block, goal.block):
        facts = catalogue.blocks.get(await job.block(cell) or "")
        if facts is not None and facts.hardness and not can_break(world, facts):
            rock[facts.name] += 1
            takes_s += BY_HAND_S * facts.hardness
    if takes_s <= LONGEST_S or await is_below_ground(job):
        return
    ((most, _),) = rock.most_common(1)
    raise ActionFailed(
        "no_tool",
        f"The way leads through {rock.total()} blocks of {most} or the like, and by hand that takes"
        f" me {math.ceil(takes_s / 60)} minutes. Give me a tool for it, or let me make one.",
    )


def _straight(here: Position, goal: Position) -> Iterator[Position]:
    """The cells a body passes through on the straight way, as far as one looks ahead."""
    way = (goal.x - here.x, goal.y - here.y, goal.z - here.z)
    steps = math.ceil(max(map(abs, way)))
    cells: dict[Position, None] = {}
    for step in range(1, min(steps, LOOKED) + 1):
        dx, dy, dz = (part * step / steps for part in way)
        feet = Position(here.x + dx, here.y + dy, here.z + dz).block
        cells |= dict.fromkeys((feet, Position(feet.x, feet.y + 1, feet.z)))
    return iter(cells)
