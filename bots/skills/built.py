"""Grown or built: the one judge that every hand asks before it takes a block.

Worked things tell of people: planks, bricks, glass, doors, beds, fields. Such a thing is never raw
material, nor is what stands close to it. Logs are a tree only by their crown and the ground below.
What bots placed tells of nobody, and it is free for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from bridge.world import BlockSighting, Position

Cell: TypeAlias = tuple[int, int, int]

CLOSE = 2  # blocks: a tree with something worked so close is part of it
YARD = 6  # blocks around a worked thing within which ground may be wall, floor, path or garden
CROWN = 5  # leaves, the fewest of a tree
TRUNK = 2  # blocks: the thickest trunk where it stands
UNDER = 3  # blocks down, from which on a way is a shaft: none is sunk through a yard
FEW = 8  # bare logs that may be what is left of a tree; more are a pile, a bridge or a wall
LARGEST = 600  # logs that are followed; no tree has more

_WORKED = re.compile(
    r"\w*(planks|bricks|brick_block|_stairs|_slab|_wall|door|fence|fence_gate|glass|glass_pane"
    r"|_bed|wool|carpet|concrete|torch|lantern|candle|_sign|banner|chest|shulker_box|_button"
    r"|pressure_plate|rail|_block_of_\w+|glazed_terracotta|cobblestone|cobbled_deepslate)"
    r"|(stripped|polished|chiseled|cut|smooth|mossy|infested|waxed|carved|potted|attached)_\w+"
    r"|(wooden|double|stone|oak|birch|spruce)_(slab|stairs|plank)\w*|stonebrick|stone_slab\d?"
    r"|bed|ladder|bookshelf|crafting_table|furnace|lit_furnace|blast_furnace|smoker|barrel|hopper"
    r"|campfire|composter|bell|loom|lectern|cauldron|anvil|grindstone|stonecutter|beehive"
    r"|scaffolding|hay_block|farmland|dirt_path|grass_path|flower_pot|cake|jukebox|noteblock"
    r"|note_block|lit_pumpkin|jack_o_lantern|end_rod|sea_lantern|redstone_lamp|iron_bars|chain"
    r"|tnt|quartz_block|quartz_pillar|(iron|gold|diamond|emerald|lapis|coal|copper|netherite)_block"
    r"|wheat|carrots|potatoes|beetroots|(pumpkin|melon)_stem|enchanting_table|brewing_stand"
    r"|cartography_table|fletching_table|smithing_table|dispenser|dropper|observer|piston|lever"
    r"|repeater|comparator|redstone_wire|armor_stand|bamboo_block|bamboo_mosaic|decorated_pot"
)
_MASONRY = re.compile(
    r"\w*(planks|bricks|_stairs|_slab|_wall|glass|glass_pane|wool|cobblestone|cobbled_deepslate)"
    r"|stripped_\w+|bookshelf|hay_block"
)
_LOG = re.compile(r"(?!stripped)(\w+_)?(log2?|wood|stem|hyphae)|mangrove_roots")
_NO_LOG = ("pumpkin_stem", "melon_stem", "mushroom_stem")
_LEAVES = re.compile(r"(\w+_)?(leaves2?|wart_block)")
_ORE = re.compile(r"\w*_ore|ancient_debris")
_KINDS = {
    "log": ("leaves",),
    "log2": ("leaves2",),
    "oak": ("oak_leaves", "azalea_leaves", "flowering_azalea_leaves"),
    "crimson": ("nether_wart_block",),
    "warped": ("warped_wart_block",),
}
"""The leaves of a wood, where its name does not tell them."""


def is_worked(name: str) -> bool:
    """Whether somebody must have made or put it, whatever stands around."""
    return _WORKED.fullmatch(name) is not None


def is_masonry(name: str) -> bool:
    """Whether it is material that stands only where somebody built with it."""
    return _MASONRY.fullmatch(name) is not None


def is_log(name: str) -> bool:
    return _LOG.fullmatch(name) is not None and not name.endswith(_NO_LOG)


def tells(name: str) -> bool:
    """Whether a block of this name says something of those around it."""
    return is_worked(name) or is_log(name) or _LEAVES.fullmatch(name) is not None


def names_that_tell(names: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Those of all names to look for, to judge blocks of the wanted names."""
    has_logs = any(is_log(name) for name in wanted)
    return tuple(name for name in names if (tells(name) if has_logs else is_worked(name)))


@dataclass(slots=True)
class Judge:
    """Judges blocks by what was seen around them."""

    seen: Mapping[Cell, str]
    """The telling blocks around."""
    free: frozenset[Cell] = frozenset()
    """What bots placed, and what somebody who may pointed at."""
    _worked: frozenset[Cell] = field(init=False)
    _yards: set[Cell] = field(init=False, default_factory=set)
    _columns: dict[tuple[int, int], list[int]] = field(init=False, default_factory=dict)
    """The heights of worked things, by x and z."""
    _trees: dict[Cell, bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._worked = frozenset(
            at for at, name in self.seen.items() if at not in self.free and is_worked(name)
        )
        for x, y, z in self._worked:
            self._columns.setdefault((x, z), []).append(y)
        self._yards = {tuple(part // YARD for part in at) for at in self._worked}  # type: ignore[misc]

    def is_built(self, block: BlockSighting) -> bool:
        """Whether it is, or may be, of somebody's making."""
        at = cell_of(block.position)
        if at in self.free:
            return False
        if is_worked(block.name):
            return True
        if is_log(block.name):
            return not self._is_of_a_tree(at)
        return self._is_close(at, 1 if _ORE.fullmatch(block.name) else YARD)

    def is_yard(self, at: Cell) -> bool:
        """Whether somebody's place is so near that its ground is no place for a shaft."""
        return self._is_close(at, YARD)

    def is_under(self, at: Cell, from_y: float) -> bool:
        """Whether, from this height, only a shaft through somebody's place leads there."""
        if at in self.free or at[1] + UNDER > from_y:
            return False
        heights = (
            y
            for x in range(at[0] - YARD, at[0] + YARD + 1)
            for z in range(at[2] - YARD, at[2] + YARD + 1)
            for y in self._columns.get((x, z), ())
        )
        return any(at[1] + UNDER <= y <= from_y + UNDER for y in heights)

    def is_doubtful(self, block: BlockSighting) -> bool:
        """Whether it is better left while there is other: logs without leaves, unless built."""
        at = cell_of(block.position)
        return is_log(block.name) and at not in self.free and not self._has_crown(self._joined(at))

    def _is_close(self, at: Cell, far: int) -> bool:
        """Whether something worked is so near along each axis."""
        if not any(tuple(yard) in self._yards for yard in _yards_around(at)):
            return False
        return any(cell in self._worked for cell in around(at, far))

    def _is_of_a_tree(self, at: Cell) -> bool:
        if at not in self._trees:
            logs = self._joined(at)
            self._trees |= dict.fromkeys(logs, self._is_tree(logs))
        return self._trees[at]

    def _joined(self, start: Cell) -> set[Cell]:
        """The logs that hang together with one, over corners too."""
        logs, edge = {start}, [start]
        while edge and len(logs) < LARGEST:
            for cell in around(edge.pop(), 1):
                if cell not in logs and is_log(self.seen.get(cell, "")) and cell not in self.free:
                    logs.add(cell)
                    edge.append(cell)
        return logs

    def _is_tree(self, logs: set[Cell]) -> bool:
        if any(self._is_close(log, CLOSE) for log in logs):
            return False
        if not self._has_crown(logs):
            return len(logs) <= FEW
        return all(map(_is_trunk, _feet(logs)))

    def _has_crown(self, logs: set[Cell]) -> bool:
        kinds = {kind for log in logs for kind in leaves_of(self.seen.get(log, ""))}
        near = {cell for log in logs for cell in around(log, 2)}
        return sum(self.seen.get(cell) in kinds for cell in near) >= CROWN


def leaves_of(log: str) -> tuple[str, ...]:
    """The leaves that grow on a wood."""
    wood = re.sub(r"_(log|wood|stem|hyphae|roots)$", "", log)
    return _KINDS.get(wood, (f"{wood}_leaves",))


def cell_of(where: Position) -> Cell:
    block = where.block
    return int(block.x), int(block.y), int(block.z)


def around(at: Cell, far: int) -> Iterator[Cell]:
    """The cells so near along each axis, its own included."""
    x, y, z = at
    steps = range(-far, far + 1)
    return ((x + dx, y + dy, z + dz) for dx, dy, dz in product(steps, repeat=3))


def _yards_around(at: Cell) -> Iterator[Cell]:
    x, y, z = (part // YARD for part in at)
    return around((x, y, z), 1)


def _feet(logs: set[Cell]) -> list[set[Cell]]:
    """Logs of the lowest layer, in the groups that touch each other."""
    lowest = min(y for _, y, _ in logs)
    open_ones = {log for log in logs if log[1] == lowest}
    groups = []
    while open_ones:
        group = edge = {open_ones.pop()}
        while edge:
            edge = {near for log in edge for near in around(log, 1)} & open_ones
            open_ones -= edge
            group = group | edge
        groups.append(group)
    return groups


def _is_trunk(foot: set[Cell]) -> bool:
    """Whether so many logs side by side are one trunk, not a wall or a row."""
    return all(
        max(log[axis] for log in foot) - min(log[axis] for log in foot) < TRUNK for axis in (0, 2)
    )
