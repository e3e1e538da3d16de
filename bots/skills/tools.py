"""Choosing the tool to break a block with, and refusing long ways for which there is none."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib.resources import files

from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.tunnelling import is_below_ground
from bridge.actions import Equip
from bridge.catalogue import BlockFacts, Catalogue
from bridge.world import Position, WorldSnapshot

SHEARS = "shears"

_TABLES = tomllib.loads((files(__package__) / "drops.toml").read_text("utf-8"))
_NO_SURE_DROP = re.compile("|".join(_TABLES["nothing_sure"]))
_SHEARED = re.compile("|".join(_TABLES["sheared"]))
_SURE_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["sure"]
_SHEARED_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["by_shears"]
_PICKAXE_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["by_pickaxe"]


def sure_drops(
    block: str, listed: tuple[str, ...], tool: str | None, items: frozenset[str]
) -> Mapping[str, int]:
    """The least that drops, given what the data lists and the tool held; empty if nothing."""
    if block == "grass" and "dirt" in listed:  # the ground, up to 1.12
        return {"dirt": 1}
    drops = _sheared(block, items) if tool == SHEARS else None
    if drops is None and tool is not None and tool.endswith("_pickaxe"):
        drops = _PICKAXE_DROPS.get(block)
    if drops is None:
        drops = _without_shears(block, listed)
    return {item: count for item, count in drops.items() if item in items}


def is_sheared(block: str) -> bool:
    """Whether shears give something no other tool does."""
    return block == "tall_grass" or block in _SHEARED_DROPS or bool(_SHEARED.fullmatch(block))


def _sheared(block: str, items: frozenset[str]) -> Mapping[str, int] | None:
    if block == "tall_grass":
        return {"grass" if "grass" in items else "short_grass": 2}
    if block in _SHEARED_DROPS:
        return _SHEARED_DROPS[block]
    return {block: 1} if _SHEARED.fullmatch(block) else None


def _without_shears(block: str, listed: tuple[str, ...]) -> Mapping[str, int]:
    if block in _SURE_DROPS:
        return _SURE_DROPS[block]
    if _NO_SURE_DROP.fullmatch(block):
        return {}
    if not listed:  # some versions' data lacks the drops of wall blocks
        return {block.replace("wall_", "", 1): 1} if "wall_" in block else {}
    if block in listed:
        return {block: 1}
    return dict.fromkeys(listed if block.startswith("potted_") else listed[:1], 1)


LONGEST_BY_HAND_S = 90.0
BY_HAND_S = 5.0  # for each point of hardness, where the hand is no tool for it
STEPS_LOOKED = 64  # ahead
DUG_AT_ONCE = 5.0  # blocks: so short a way is not reckoned
_FINENESS = ("wooden", "golden", "stone", "iron", "diamond", "netherite")  # poorest first


async def hold_best_tool(
    job: Job, world: WorldSnapshot, block: BlockFacts, *, shears: bool = True
) -> str | None:
    """Hold the best carried tool; its name, or None when any tool will do. Without `shears`, which
    would cut the block whole, anything else does.

    Raises CommandError no_tool, unbreakable."""
    if shears:
        return await _hold(job, world, best_tool(world, block))
    others = replace(world, items=tuple(one for one in world.items if one.name != SHEARS))
    tool = best_tool(others, block)
    if tool is None and world.held is not None and world.held.name == SHEARS and others.items:
        tool = others.items[0].name
    return await _hold(job, world, tool)


async def hold_fastest_tool(job: Job, world: WorldSnapshot, block: BlockFacts) -> str | None:
    """Hold the tool that breaks a block fastest, whether or not anything drops."""
    carried = {stack.name for stack in world.items}
    helping = [tool for tool in carried if block.speeds.get(tool, 1.0) > 1.0]
    held = world.held.name if world.held else None
    tool = min(helping, key=lambda tool: _rank(block, tool, held), default=None)
    return await _hold(job, world, tool)


async def _hold(job: Job, world: WorldSnapshot, tool: str | None) -> str | None:
    if tool is not None and (world.held is None or world.held.name != tool):
        await job.act(Equip(tool))
    return tool


def best_tool(world: WorldSnapshot, block: BlockFacts) -> str | None:
    """The fastest carried tool that makes the block drop something, the poorest of equals; None
    when no tool helps. Raises CommandError no_tool, unbreakable."""
    if block.hardness is None:
        raise CommandError("unbreakable", f"Nothing breaks {block.name}.")
    held = world.held.name if world.held else None
    carried = {stack.name for stack in world.items}
    fit = [tool for tool in carried if block.needs is None or tool in block.needs]
    if block.needs is not None and not fit:
        needed = sorted(block.needs, key=lambda tool: (_fineness(tool), tool))
        needs = f"{block.name} drops nothing without a {needed[0]} or better, and none is carried."
        raise CommandError("no_tool", needs, block=block.name, needed=needed)
    helping = [tool for tool in fit if block.speeds.get(tool, 1.0) > 1.0]
    best = min(helping or fit, key=lambda tool: _rank(block, tool, held), default=None)
    return best if helping or block.needs is not None else None


def finest(names: Collection[str]) -> str:
    """The piece of the best material among several of the same gear."""
    return max(names, key=lambda name: (_fineness(name) % len(_FINENESS), name))


def can_break(world: WorldSnapshot, block: BlockFacts) -> bool:
    """Whether a carried tool, or the bare hand, makes the block drop something."""
    carried = {stack.name for stack in world.items}
    by_tool = block.needs is None or not carried.isdisjoint(block.needs)
    return block.hardness is not None and by_tool


def _rank(block: BlockFacts, tool: str, held: str | None) -> tuple[float, bool, int, str]:
    return (-block.speeds.get(tool, 1.0), tool != held, _fineness(tool), tool)


def _fineness(tool: str) -> int:
    material = tool.partition("_")[0]
    return _FINENESS.index(material) if material in _FINENESS else len(_FINENESS)


async def require_tool_for_way(job: Job, catalogue: Catalogue, goal: Position) -> None:
    """Raises ActionFailed no_tool where the straight way to a point leads through much rock that
    no carried tool is for. Below ground it digs all the same: it may be the only way out."""
    world = await job.snapshot()
    if world.position.distance_to(goal) <= DUG_AT_ONCE:
        return
    rock: Counter[str] = Counter()
    takes_s = 0.0
    # The cells a body passes through on the straight way, as far as one looks ahead.
    here = world.position.block
    way = (goal.block.x - here.x, goal.block.y - here.y, goal.block.z - here.z)
    steps = math.ceil(max(map(abs, way)))
    cells: dict[Position, None] = {}
    for step in range(1, min(steps, STEPS_LOOKED) + 1):
        dx, dy, dz = (part * step / steps for part in way)
        feet = Position(here.x + dx, here.y + dy, here.z + dz).block
        cells |= dict.fromkeys((feet, Position(feet.x, feet.y + 1, feet.z)))
    for cell in cells:
        facts = catalogue.blocks.get(await job.block(cell) or "")
        if facts is not None and facts.hardness and not can_break(world, facts):
            rock[facts.name] += 1
            takes_s += BY_HAND_S * facts.hardness
    if takes_s <= LONGEST_BY_HAND_S or await is_below_ground(job):
        return
    ((most, _),) = rock.most_common(1)
    raise ActionFailed(
        "no_tool",
        f"The way leads through {rock.total()} blocks of {most} or the like, and by hand that takes"
        f" me {math.ceil(takes_s / 60)} minutes. Give me a tool for it, or let me make one.",
    )
