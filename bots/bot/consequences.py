"""May the bot break this block, and what happens then?

The surrounding blocks, which a job has already seen, tell what flows in, what falls in and where
the drop lands. No job breaks a block if that would do harm; see `Job.act`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

from bridge.world import Position

HARMLESS_FALL = 3  # blocks
PICKED_UP = 1  # blocks above the feet from which a drop is surely picked up
WASHED = 4.0  # blocks that water may carry somebody
LONGEST_FALL = 24  # blocks followed

_SIDES = ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
_FED_FROM = ((0, 1, 0), *_SIDES)
_TOUCHING = (*_FED_FROM, (0, -1, 0))
LAVA = ("lava", "flowing_lava")
_LAVA = re.compile("|".join(LAVA))
_WATER = re.compile(r"(flowing_)?water|bubble_column|kelp(_plant)?|(tall_)?seagrass")
_FALLS = re.compile(
    r"(suspicious_|red_)?sand|(suspicious_)?gravel|(\w+_)?concrete_powder"
    r"|(chipped_|damaged_)?anvil|dragon_egg|pointed_dripstone"
)
_BURNS = re.compile(r"(flowing_)?lava|(soul_)?fire|cactus")
"""What destroys items that fall into it."""
_OPEN = re.compile(
    r"(cave_|void_)?air|(flowing_)?(water|lava)|bubble_column|kelp(_plant)?|(tall_)?seagrass"
    r"|(soul_)?fire|(short_|tall_)?(dry_)?grass|tallgrass|(large_)?fern|double_plant|dead_?bush|vine"
    r"|glow_lichen|(\w+_)?torch|redstone_wire|(\w+_)?rail|sugar_cane|(\w+_)?(sapling|tulip|roots)"
    r"|poppy|dandelion|cornflower|azure_bluet|oxeye_daisy|(\w+_)?mushroom|(\w+_)?sprouts|snow_layer"
)
"""What items fall through."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What happens to the bot and to the drop after it breaks a block."""

    harm: str = ""
    """Why it must not be broken."""
    lands: Position | None = None
    """Where the drop lands; None if it is lost."""

    @property
    def is_good(self) -> bool:
        """Whether the bot may break the block."""
        return not self.harm and self.lands is not None

    def comes_to(self, feet: Position) -> bool:
        """Whether the bot picks up the drop from where it stands."""
        return self.lands is not None and self.lands.y <= feet.y + PICKED_UP


def foresee(block: Position, feet: Position, around: Mapping[Position, str]) -> Consequence:
    """What breaking a block brings on a bot that stands there; `around` are the blocks seen, and
    nothing is feared of those that are not."""
    sight = _Sight(around)
    return Consequence(sight.harm(block, feet.block), sight.landing(block, feet.block))


def falls(name: str) -> bool:
    """Whether a block falls when nothing is below it."""
    return _FALLS.fullmatch(name) is not None


def touching(cell: Position) -> Iterator[Position]:
    """The six cells beside one."""
    return (_moved(cell, step) for step in _TOUCHING)


@dataclass(frozen=True, slots=True)
class _Sight:
    around: Mapping[Position, str]

    def harm(self, block: Position, feet: Position) -> str:
        rising = (_moved(block, (0, up, 0)) for up in range(1, LONGEST_FALL))
        falling = [*takewhile(lambda cell: self._is(cell, _FALLS), rising)]
        opened = [block, *falling]
        if self._any_fed(opened, _LAVA) or self._is(_moved(block, (0, -1, 0)), _LAVA):
            return "there is lava beside it"
        is_wet = any(self._is(_moved(feet, (0, up, 0)), _WATER) for up in (0, 1))
        is_low = block.y < feet.y and not falling
        may_flow = is_wet or is_low or self._is_quenched(block, feet)
        if not may_flow and self._any_fed(opened, _WATER):
            return "the water beside it would flow over me"
        is_in_my_column = (block.x, block.z) == (feet.x, feet.z)
        if is_in_my_column and falling and block.y > feet.y:
            return f"the {self.around[falling[0]]} above would fall on me"
        if is_in_my_column and block.y == feet.y - 1:
            floor = self._floor(block)
            if self._is(floor, _BURNS) or self._is(_moved(floor, (0, -1, 0)), _BURNS):
                return "I would fall into what burns"
            return "I would fall" if block.y - floor.y >= HARMLESS_FALL else ""
        return ""

    def _is_quenched(self, block: Position, feet: Position) -> bool:
        """Whether it is what water makes of lava, and no lava is left that one is washed into."""
        if self.around.get(block) != "obsidian":
            return False
        lava = (at for at, name in self.around.items() if _LAVA.fullmatch(name))
        return all(at.distance_to(feet) > WASHED for at in lava)

    def landing(self, block: Position, feet: Position) -> Position | None:
        floor = self._floor(block)
        if self._is(_moved(floor, (0, -1, 0)), _BURNS) or self._is(floor, _BURNS):
            return None
        fall = min(feet.y, block.y) - floor.y
        return floor if fall <= HARMLESS_FALL else None

    def _floor(self, block: Position) -> Position:
        """The lowest open cell of the column below, or the first that burns; what is not seen ends
        it."""
        cell = block
        for _ in range(LONGEST_FALL):
            below = _moved(cell, (0, -1, 0))
            if not self._is(below, _OPEN) or (self._is(cell, _BURNS) and cell != block):
                break
            cell = below
        return cell

    def _any_fed(self, cells: list[Position], fluid: re.Pattern[str]) -> bool:
        return any(self._is(_moved(cell, step), fluid) for cell in cells for step in _FED_FROM)

    def _is(self, cell: Position, kind: re.Pattern[str]) -> bool:
        return kind.fullmatch(self.around.get(cell, "")) is not None


def _moved(cell: Position, step: tuple[int, int, int]) -> Position:
    return Position(cell.x + step[0], cell.y + step[1], cell.z + step[2])
