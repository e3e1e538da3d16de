"""The deeds a bot can do and the questions it can answer. Primitives run in JavaScript,
one file each (`host/actions/<kind>.cjs`); everything that decides lives in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from bridge.world import Position


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Walk until within `within` blocks of a point. Fails: no_path."""

    kind: ClassVar = "move_to"
    position: Position
    within: float = 1.0


@dataclass(frozen=True, slots=True)
class LookAt:
    """Turn the head to a point."""

    kind: ClassVar = "look_at"
    position: Position


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for a while; it can be cancelled like any other deed."""

    kind: ClassVar = "wait"
    seconds: float


@dataclass(frozen=True, slots=True)
class Dig:
    """Break one block in reach with what is held and pick up what drops at the feet.

    Result: `block` name. Fails: not_found (air), too_far, no_tool (it would drop
    nothing), blocked (unbreakable)."""

    kind: ClassVar = "dig"
    position: Position


@dataclass(frozen=True, slots=True)
class Place:
    """Put a held item down as a block at `position`. Fails: missing_item, too_far,
    blocked (occupied or nothing to place against)."""

    kind: ClassVar = "place"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class CollectDrops:
    """Walk over dropped items nearby. Result: `collected` {item: count}. Fails:
    not_found (nothing lies there), inventory_full."""

    kind: ClassVar = "collect_drops"
    radius: float = 8.0


@dataclass(frozen=True, slots=True)
class Craft:
    """Make at least `count` of an item, at `table` when the recipe needs one.

    Result: `made`. Fails: unknown_item, no_recipe (needs a table), missing_item,
    inventory_full, too_far, wrong_block (no table there), blocked (it does not open)."""

    kind: ClassVar = "craft"
    item: str
    count: int = 1
    table: Position | None = None


@dataclass(frozen=True, slots=True)
class Smelt:
    """Cook `count` of an item in the furnace at a position and take the product.

    Result: `product`, `made`. Fails: missing_item, too_far, wrong_block, no_recipe,
    blocked (someone's items are in it)."""

    kind: ClassVar = "smelt"
    item: str
    fuel: str
    furnace: Position
    count: int = 1


@dataclass(frozen=True, slots=True)
class OpenContainer:
    """Open a chest. Result: `items` {item: count}, `free_slots`. Fails: too_far, wrong_block,
    blocked (something lies on its lid)."""

    kind: ClassVar = "open_container"
    position: Position


@dataclass(frozen=True, slots=True)
class Deposit:
    """Put items into the open container; `count` -1 = all. Fails: window_closed,
    missing_item, inventory_full (the container is)."""

    kind: ClassVar = "deposit"
    item: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take items out of the open container; `count` -1 = all. Fails: window_closed,
    missing_item, inventory_full."""

    kind: ClassVar = "withdraw"
    item: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class CloseContainer:
    """Close the open container. Fails: window_closed."""

    kind: ClassVar = "close_container"


@dataclass(frozen=True, slots=True)
class Equip:
    """Take an item in hand, or wear it where it belongs. Fails: missing_item."""

    kind: ClassVar = "equip"
    item: str


@dataclass(frozen=True, slots=True)
class Eat:
    """Eat one of an item. Fails: missing_item, not_edible, not_hungry."""

    kind: ClassVar = "eat"
    item: str


@dataclass(frozen=True, slots=True)
class Toss:
    """Throw items forward; `count` -1 = all. Fails: missing_item."""

    kind: ClassVar = "toss"
    item: str
    count: int = 1


Action: TypeAlias = (
    MoveTo
    | LookAt
    | Wait
    | Dig
    | Place
    | CollectDrops
    | Craft
    | Smelt
    | OpenContainer
    | Deposit
    | Withdraw
    | CloseContainer
    | Equip
    | Eat
    | Toss
)


@dataclass(frozen=True, slots=True)
class FindBlocks:
    """Blocks of these names, nearest first; at most `limit` within `radius` blocks."""

    kind: ClassVar = "find_blocks"
    names: tuple[str, ...]
    radius: int = 32
    limit: int = 16


@dataclass(frozen=True, slots=True)
class BlockAt:
    """The block at a position; none where the chunk is not loaded."""

    kind: ClassVar = "block_at"
    position: Position


Query: TypeAlias = FindBlocks | BlockAt
