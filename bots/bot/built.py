"""Grown or built: the one judge that every hand and every way asks before it takes a block.

Worked things tell of people: planks, bricks, glass, doors, beds, fields. Such a thing is never raw
material, nor is what stands close to it. Logs are a tree where their wood leads up into leaves.
What bots placed tells of nobody, and it is free for them. What they saw people place is theirs,
be it dirt or sand, with the ground close to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, TypeAlias

from bridge.world import BlockSighting, Position, Zone

Cell: TypeAlias = tuple[int, int, int]

FARMLAND = "farmland"
CLOSE = 2  # blocks: a tree with something worked so close is part of it
YARD = 6  # blocks around a worked thing within which ground may be wall, floor, path or garden
VILLAGE = 16  # blocks around a worked thing, at least, where soil is left while there is other
LEAFY = 0.6  # of what stands on the ground: so much leads up into leaves; of a wall less does
THICKEST = 4  # logs on the ground, of one trunk; more are trunks that touch, or a wall
DENSE = 9  # leaves for each log on the ground, of trunks that touch; walls among trees have fewer
UNDER = 3  # blocks down, from which on a way is a shaft: none is sunk through a yard
SWAY = 4  # blocks: so far from straight down stairs lead
DEEP = 16  # blocks below the feet: worked things there are of an old mine, or far from the way
FEW = 8  # bare logs that may be what is left of a tree; more are a pile, a bridge or a wall
LARGEST = 600  # logs that are followed; no tree has more
GRAIN = 4  # blocks: what is worked so near to each other lies in one box

_WORKED = re.compile(
    r"\w*(planks|bricks|brick_block|_stairs|_slab|_wall|door|fence|fence_gate|glass|glass_pane"
    r"|_bed|wool|carpet|concrete|torch|lantern|candle|_sign|banner|chest|shulker_box|_button"
    r"|pressure_plate|rail|_block_of_\w+|glazed_terracotta|cobblestone|cobbled_deepslate)"
    r"|(stripped|polished|chiseled|cut|smooth|mossy|waxed|carved|potted|attached)_\w+"
    r"|ladder|bookshelf|crafting_table|furnace|blast_furnace|smoker|barrel|hopper"
    r"|campfire|composter|bell|loom|lectern|cauldron|anvil|grindstone|stonecutter|beehive"
    r"|scaffolding|hay_block|farmland|dirt_path|grass_path|flower_pot|cake|jukebox"
    r"|note_block|jack_o_lantern|end_rod|sea_lantern|redstone_lamp|iron_bars|chain"
    r"|tnt|quartz_block|quartz_pillar|(iron|gold|diamond|emerald|lapis|coal|copper|netherite)_block"
    r"|wheat|carrots|potatoes|beetroots|(pumpkin|melon)_stem|enchanting_table|brewing_stand"
    r"|cartography_table|fletching_table|smithing_table|dispenser|dropper|observer|piston|lever"
    r"|repeater|comparator|redstone_wire|armor_stand|bamboo_block|bamboo_mosaic|decorated_pot"
)
_MASONRY = re.compile(
    r"\w*(planks|bricks|_stairs|_slab|_wall|glass|glass_pane|wool|cobblestone|cobbled_deepslate)"
    r"|stripped_\w+|bookshelf|hay_block"
)
_LOG = re.compile(r"(?!stripped)(\w+_)?(log|wood|stem|hyphae)|mangrove_roots")
_NO_LOG = ("pumpkin_stem", "melon_stem", "mushroom_stem")
_LEAVES = re.compile(r"(\w+_)?(leaves|wart_block)")
_ORE = re.compile(r"\w*_ore|ancient_debris")
_SOIL = re.compile(
    r"((coarse_|rooted_)?dirt|grass_block|podzol|mycelium|(red_)?sand|gravel|clay|mud)"
)
_GROWS_ON = re.compile(
    _SOIL.pattern + r"|rooted_dirt|muddy_mangrove_roots|(pale_)?moss_block|\w+_nylium|netherrack"
    r"|soul_(sand|soil)|snow_block"
)
_HANGS = re.compile(r"(cave_|void_)?air|(flowing_)?water|(\w+_)?(leaves2?|wart_block)|\w*vines?\w*")
"""What carries no wood; over it, a tree without its foot may hang."""
_KINDS = {
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


def is_soil(name: str) -> bool:
    """Whether it is what covers the ground."""
    return _SOIL.fullmatch(name) is not None


def grows_on(name: str) -> bool:
    """Whether trees grow on it."""
    return _GROWS_ON.fullmatch(name) is not None


def tells(name: str) -> bool:
    """Whether a block of this name says something of those around it."""
    return is_worked(name) or is_log(name) or _LEAVES.fullmatch(name) is not None


Wood: TypeAlias = Literal["tree", "bare", "built"]
"""What logs are part of; bare: they may be what is left of a tree."""


@dataclass(slots=True)
class Judge:
    """Judges blocks by what was seen around them."""

    seen: Mapping[Cell, str]
    """The telling blocks around."""
    free: frozenset[Cell] = frozenset()
    """What bots placed, and what somebody who may pointed at."""
    placed: Mapping[Cell, str] = field(default_factory=dict)
    """What bots saw people place."""
    floors: dict[Cell, str | None] = field(default_factory=dict)
    """What lies below the feet of woods, as far as it was looked at; None where nobody can see."""
    _worked: frozenset[Cell] = field(init=False)
    _yards: set[Cell] = field(init=False)
    _villages: set[Cell] = field(init=False)
    """Level with each other: soil below a village is the village's, too."""
    _columns: dict[tuple[int, int], list[int]] = field(init=False, default_factory=dict)
    """The heights of what people put, by x and z."""
    _woods: dict[Cell, Wood] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._worked = frozenset(
            at for at, name in self.seen.items() if at not in self.free and is_worked(name)
        )
        told = (*self._worked, *self.placed)
        for x, y, z in told:
            self._columns.setdefault((x, z), []).append(y)
        self._yards = {_coarse(at, YARD) for at in told}
        self._villages = {_coarse((x, 0, z), VILLAGE) for x, _, z in told}

    def is_built(self, block: BlockSighting) -> bool:
        """Whether it is, or may be, of somebody's making."""
        at = cell_of(block.position)
        if at in self.free:
            return False
        if is_worked(block.name) or self.placed.get(at) == block.name:
            return True
        if is_log(block.name):
            return self._wood(at) == "built"
        return self._is_close(at, 1 if _ORE.fullmatch(block.name) else YARD)

    def is_shaft_in_yard(self, at: Cell, feet: Cell) -> bool:
        """Whether the way down from the feet to there begins at somebody's place."""
        return at[1] + UNDER <= feet[1] and self._is_close(feet, YARD)

    def is_under(self, at: Cell, from_y: float) -> bool:
        """Whether, from this height, only a shaft through somebody's place leads there."""
        if at in self.free or at[1] + UNDER > from_y:
            return False
        far = YARD + SWAY
        heights = (
            y
            for x in range(at[0] - far, at[0] + far + 1)
            for z in range(at[2] - far, at[2] + far + 1)
            for y in self._columns.get((x, z), ())
        )
        lowest = max(at[1] + UNDER, from_y - DEEP)
        return any(lowest <= y <= from_y + UNDER for y in heights)

    def is_doubtful(self, block: BlockSighting) -> bool:
        """Whether it is better left while there is other: logs without leaves, and the soil of a
        village, unless built."""
        at = cell_of(block.position)
        if at in self.free:
            return False
        if is_log(block.name):
            return self._wood(at) == "bare"
        if not is_soil(block.name):
            return False
        return not self._villages.isdisjoint(_coarse_around((at[0], 0, at[2]), VILLAGE))

    def floors_of(self, block: BlockSighting) -> tuple[Cell, ...]:
        """The cells to look at before a log is judged, the lowest first; none once it is."""
        at = cell_of(block.position)
        if not is_log(block.name) or at in self._woods or at in self.free:
            return ()
        logs = self._joined(at)
        below = ((x, y - 1, z) for x, y, z in _feet(logs))
        return tuple(sorted(below, key=lambda cell: (cell[1], cell)))

    def boxes(self) -> Iterator[Zone]:
        """All that is somebody's: worked things with their yards, and what people placed with the
        ground close to it."""
        for cells, far in ((self._worked, YARD), (self.placed.keys(), CLOSE)):
            near: dict[Cell, list[Cell]] = {}
            for at in cells:
                near.setdefault(_coarse(at, GRAIN), []).append(at)
            yield from (_box(some, far) for some in near.values())

    def _is_close(self, at: Cell, far: int) -> bool:
        """Whether something worked is so near along each axis."""
        if self._yards.isdisjoint(_coarse_around(at, YARD)):
            return False
        return any(cell in self._worked for cell in around(at, far)) or (
            far > CLOSE and any(cell in self.placed for cell in around(at, CLOSE))
        )

    def _wood(self, at: Cell) -> Wood:
        """What the log there is part of."""
        if at not in self._woods:
            logs = self._joined(at)
            self._woods |= dict.fromkeys(logs, self._wood_of(logs))
        return self._woods[at]

    def _joined(self, start: Cell) -> set[Cell]:
        """The logs that hang together with one, over corners too."""
        logs, edge = {start}, [start]
        while edge and len(logs) < LARGEST:
            for cell in around(edge.pop(), 1):
                if cell not in logs and is_log(self.seen.get(cell, "")) and cell not in self.free:
                    logs.add(cell)
                    edge.append(cell)
        return logs

    def _wood_of(self, logs: set[Cell]) -> Wood:
        if any(
            self._is_close(log, CLOSE)
            or (log in self.placed and self.placed[log] == self.seen.get(log))
            for log in logs
        ):
            return "built"
        # The logs from which the wood leads up into leaves of its kind.
        # The leaves of their kind that touch logs, over edges too.
        kinds = {kind for log in logs for kind in leaves_of(self.seen.get(log, ""))}
        near = {cell for log in logs for cell in around(log, 1)}
        leaves = {cell for cell in near if self.seen.get(cell) in kinds}
        leafy: set[Cell] = set()
        for log in sorted(logs, key=lambda log: -log[1]):
            above = set(_layer(log, 1))
            if not (above.isdisjoint(leafy) and leaves.isdisjoint({*above, *_layer(log, 0)})):
                leafy.add(log)
        feet = _feet(logs)
        if not leafy and len(logs) <= FEW:
            return "bare"
        if (carried := self._carried(feet)) is not None:
            return carried
        is_wide = len(feet) > THICKEST and len(leaves) < DENSE * len(feet)
        return "built" if is_wide or len(feet & leafy) < LEAFY * len(feet) else "tree"

    def _carried(self, feet: set[Cell]) -> Wood | None:
        """What wood is, by what it stands on; None where that is natural ground or unknown."""
        below = {self.floors[at] for x, y, z in feet if (at := (x, y - 1, z)) in self.floors}
        if not below or any(name is None or grows_on(name) for name in below):
            return None
        return "bare" if all(_HANGS.fullmatch(name or "") for name in below) else "built"


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


def _feet(logs: set[Cell]) -> set[Cell]:
    """The logs that stand on no other."""
    return {log for log in logs if logs.isdisjoint(_layer(log, -1))}


def _box(cells: Iterable[Cell], far: int) -> Zone:
    """The box around some cells, and so far around it."""
    axes = tuple(zip(*cells, strict=True))
    low, high = ([end(axis) for axis in axes] for end in (min, max))
    return Zone(Position(*(at - far for at in low)), Position(*(at + far for at in high)))


def _layer(at: Cell, up: int) -> Iterator[Cell]:
    """The nine cells at and around one, so much higher."""
    x, y, z = at
    return ((x + dx, y + up, z + dz) for dx, dz in product((-1, 0, 1), repeat=2))


def _coarse(at: Cell, size: int) -> Cell:
    """The cube of such a size that a cell lies in."""
    x, y, z = at
    return x // size, y // size, z // size


def _coarse_around(at: Cell, size: int) -> Iterator[Cell]:
    return around(_coarse(at, size), 1)
