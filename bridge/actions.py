"""The actions a bot can do and the questions it can answer. Primitives run in JavaScript,
one file each (`host/actions/<kind>.cjs`); everything that decides lives in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar

from bridge.world import BlockSighting, Container, Gear, LyingItem, PlayerName, Position, Zone

WearPlace: TypeAlias = Literal["hand", "off-hand", "head", "torso", "legs", "feet"]

Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Walk until within `within` blocks of a point. Fails: no_path, unconfirmed.

    On foot it swims, but enters no water out of which no way leads; climbs ladders; opens doors
    and gates and closes them behind it; and takes a fall that hurts only with health to spare,
    where no other way leads down.

    With `may_dig` natural ground in the way is broken with the best tool carried, in steps one
    can climb back, and a way of three blocks or less leads no farther around than as much
    again; never what somebody built, nor natural stone or earth that stands like a
    wall: no more than two blocks of it between one side and the other, or one between above
    and below."""

    kind: ClassVar = "move_to"
    position: Position
    within: float = 1.0
    may_dig: bool = False
    spared: tuple[Zone, ...] = ()
    """Where it breaks nothing; the first zone that has a block decides."""


@dataclass(frozen=True, slots=True)
class Pillar:
    """Put a carried block under the feet, jumping, until they are `height` blocks higher.

    Fails: missing_item, blocked (no room overhead, or the server lets nothing be placed),
    unconfirmed."""

    kind: ClassVar = "pillar"
    item: str
    height: int


@dataclass(frozen=True, slots=True)
class Approach:
    """Walk until within `within` blocks (2 or more) of a player, wherever they go meanwhile.

    Result: `distance`. Fails: unseen_player (not in view, or out of it for 10 s), no_path,
    unconfirmed."""

    kind: ClassVar = "approach"
    player: PlayerName
    within: float = 2.5


@dataclass(frozen=True, slots=True)
class Follow:
    """Keep within `within` blocks (2 or more) of a player until cancelled; where no way leads,
    wait for them to move on. Fails: unseen_player (not in view, or out of it for 10 s)."""

    kind: ClassVar = "follow"
    player: PlayerName
    within: float = 3.0


@dataclass(frozen=True, slots=True)
class LookAt:
    """Turn the head to a point."""

    kind: ClassVar = "look_at"
    position: Position


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for a while; it can be cancelled like any other action."""

    kind: ClassVar = "wait"
    seconds: float


@dataclass(frozen=True, slots=True)
class Jump:
    """Jump on the spot so many times. Fails: blocked (no room overhead)."""

    kind: ClassVar = "jump"
    times: int = 1


@dataclass(frozen=True, slots=True)
class Sleep:
    """Lie down in a bed in reach, and sleep until woken; whoever is cancelled gets up.

    Result: `bed` name. Fails: too_far, wrong_block (no bed), blocked (result `why`: day, monsters,
    occupied, obstructed, too_far, or '' where the server gives no reason we know)."""

    kind: ClassVar = "sleep"
    position: Position


@dataclass(frozen=True, slots=True)
class Dig:
    """Break one block in reach with what is held and pick up what drops at the feet; without
    `pick_up` nothing is waited for that lies there. With `in_vain` it is broken even where it
    drops nothing.

    Result: `block` name. Fails: not_found (air), too_far, no_tool (it would drop
    nothing), blocked (unbreakable, or the server put it back), unconfirmed."""

    kind: ClassVar = "dig"
    position: Position
    pick_up: bool = True
    in_vain: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Put a held item down as a block at `position`. Fails: missing_item, too_far,
    blocked (occupied, nothing to place against, or it would not stay there: the rules are in
    vanilla/standing.json)."""

    kind: ClassVar = "place"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class CollectDrops:
    """Walk over dropped items nearby, all or those of one name and those that cannot be
    recognised. Result: `collected` {item: count}, of all that was picked up. Fails: not_found
    (nothing lies there), not_recognised (something does, and none came), inventory_full."""

    kind: ClassVar = "collect_drops"
    radius: float = 8.0
    item: str | None = None
    spared: tuple[Zone, ...] = ()
    """Where it lets things lie."""


@dataclass(frozen=True, slots=True)
class Craft:
    """Make at least `count` of an item, at `table` when the recipe needs one, of anything
    carried or of the items named in `of` alone.

    Result: `made`. Fails: unknown_item, no_recipe (needs a table), missing_item,
    inventory_full, too_far, wrong_block (no table there), blocked (it does not open),
    window_closed (the table is broken)."""

    kind: ClassVar = "craft"
    item: str
    count: int = 1
    table: Position | None = None
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Smelt:
    """Cook `count` of an item in the furnace at a position and take the product. It burns as
    much of the `fuel` as it takes, or the `pieces` named, one after the other, and no more.

    Result: `product`, `made`. Fails: missing_item, too_far, wrong_block, no_recipe,
    blocked (someone's items are in it), window_closed (the furnace is broken)."""

    kind: ClassVar = "smelt"
    item: str
    fuel: str
    furnace: Position
    count: int = 1
    pieces: tuple[str, ...] = ()
    resumes: bool = False
    """Whether what the furnace holds of the item was left there by the bot, as it died: that is
    cooked, if there is any."""


@dataclass(frozen=True, slots=True)
class OpenContainer:
    """Open a chest. Result: `items` {item: count}, `free_slots`. Fails: too_far, wrong_block,
    blocked (something lies on its lid)."""

    kind: ClassVar = "open_container"
    position: Position


@dataclass(frozen=True, slots=True)
class Deposit:
    """Put items into the open container; `count` -1 = all. Fails: window_closed,
    missing_item, inventory_full (the container is), unconfirmed."""

    kind: ClassVar = "deposit"
    item: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take items out of the open container; `count` -1 = all. Fails: window_closed,
    missing_item, inventory_full, unconfirmed."""

    kind: ClassVar = "withdraw"
    item: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class CloseContainer:
    """Close the open container. Fails: window_closed."""

    kind: ClassVar = "close_container"


@dataclass(frozen=True, slots=True)
class Equip:
    """Take an item in hand, or wear it where it belongs, unless a place is named: either hand
    takes anything. Result: `place`. Fails: missing_item, wrong_slot (it is not worn there)."""

    kind: ClassVar = "equip"
    item: str
    place: WearPlace | None = None


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Take off what is worn, in the off hand too, or put away what is in hand; it is carried then.

    Result: `place`. Fails: missing_item (neither worn nor in hand), inventory_full."""

    kind: ClassVar = "take_off"
    item: str


@dataclass(frozen=True, slots=True)
class Eat:
    """Eat one of an item. Fails: missing_item, not_edible, not_hungry."""

    kind: ClassVar = "eat"
    item: str


@dataclass(frozen=True, slots=True)
class Hunt:
    """Walk to an animal or a monster in view and strike it with what is held until it is dead.

    Result: `mob` name, `strokes`. Fails: not_found (not in view, gone before, or gone
    without having died), no_path, blocked (it takes no harm)."""

    kind: ClassVar = "hunt"
    mob: int
    """Its `MobSighting.id`."""
    spared: tuple[Zone, ...] = ()
    """Where it is not struck: it got away then."""
    keeps_off: bool = False
    """Whether it is struck at arm's length and backed out from between blows, before it goes off;
    blocked where there is no ground to step back to."""


@dataclass(frozen=True, slots=True)
class Shoot:
    """Shoot arrows at a creature in view until it is dead or no farther than `nearest` blocks.

    Result: `mob` name, `shots`, `dead`. Fails: missing_item (no bow, no arrow), not_found (not in
    view, or gone without having died), blocked (a block, a player or an animal is in the way)."""

    kind: ClassVar = "shoot"
    mob: int
    """Its `MobSighting.id`."""
    nearest: float = 4.0


@dataclass(frozen=True, slots=True)
class Attack:
    """Walk to a player in view and strike them with what is held until they are dead. Whoever asks
    for it sees to it that this is allowed.

    Result: `strokes`. Fails: unseen_player, not_found (they got away), no_path, blocked (they
    take no harm)."""

    kind: ClassVar = "attack"
    player: PlayerName


@dataclass(frozen=True, slots=True)
class UseOn:
    """Walk to an animal in view and use a carried item on it, as shears on a sheep.

    Result: `mob` name. Fails: missing_item, not_found (not in view, or gone before), no_path,
    blocked (nothing came of it)."""

    kind: ClassVar = "use_on"
    mob: int
    """Its `MobSighting.id`."""
    item: str
    spared: tuple[Zone, ...] = ()
    """Where it is let be: it is gone then."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill an empty bucket with the water or lava at a position in reach and in view.

    Fails: missing_item, too_far, wrong_block (no water or lava, or it flows), blocked (the
    bucket stays empty)."""

    kind: ClassVar = "fill"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class Pour:
    """Empty a bucket of water on the ground at a position in reach and in view.

    Fails: missing_item, too_far, blocked (the bucket stays full)."""

    kind: ClassVar = "pour"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class Till:
    """Make farmland of earth in reach with a carried hoe; there must be air above.

    Fails: missing_item, too_far, wrong_block (no earth), blocked (it stays as it is)."""

    kind: ClassVar = "till"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class Fish:
    """Cast a carried rod at open water in view, at most 8 blocks away, and reel in what bites.

    Result: `caught` {item: count}, empty if it fell elsewhere. Fails: missing_item, too_far,
    wrong_block (no water), blocked (the bobber lies on no water, or nothing bites)."""

    kind: ClassVar = "fish"
    item: str
    position: Position


@dataclass(frozen=True, slots=True)
class Toss:
    """Throw items forward; `count` -1 = all. Fails: missing_item, unconfirmed.

    Result: `tossed`; when watched also `taken` {player: count}, of those who were seen to pick
    them up within `watch_s` seconds, and `unsure`, who picked up what cannot be recognised. It
    ends as soon as all are taken, by `to` if it is for somebody; when somebody else takes it, it
    waits some seconds more, for them to hand it on."""

    kind: ClassVar = "toss"
    item: str
    count: int = 1
    watch_s: float = 0.0
    to: str | None = None


Action: TypeAlias = (
    MoveTo
    | Pillar
    | Approach
    | Follow
    | LookAt
    | Wait
    | Jump
    | Sleep
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
    | TakeOff
    | Eat
    | Hunt
    | Attack
    | Shoot
    | UseOn
    | Fill
    | Pour
    | Till
    | Fish
    | Toss
)


@dataclass(frozen=True, slots=True)
class Query(Generic[Answer_co]):
    """A question about the world, answered at once (`host/queries/<kind>.cjs`); its type
    parameter is what the answer is."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class FindBlocks(Query[tuple[BlockSighting, ...]]):
    """Blocks of these names, nearest first; at most `limit` within `radius` blocks, or in the
    cube that reaches so far along each axis. Of crops only the `ripe`, if told so; in the
    simulated world all are."""

    kind: ClassVar = "find_blocks"
    names: tuple[str, ...]
    radius: int = 32
    limit: int = 16
    in_cube: bool = False
    ripe: bool = False
    spared: tuple[Zone, ...] = ()
    """Where it looks for none."""


@dataclass(frozen=True, slots=True)
class BlockAt(Query[tuple[BlockSighting, ...]]):
    """The block at a position; none where the chunk is not loaded."""

    kind: ClassVar = "block_at"
    position: Position


@dataclass(frozen=True, slots=True)
class Footholds(Query[tuple[Position, ...] | None]):
    """The blocks of a column, bottom first, in which a player can stand with their feet: room
    for two blocks on firm, harmless ground. None where the chunk is not loaded."""

    kind: ClassVar = "footholds"
    x: int
    z: int


@dataclass(frozen=True, slots=True)
class LyingItems(Query[tuple[LyingItem, ...]]):
    """What lies on the ground within `radius` blocks of the feet, nearest first."""

    kind: ClassVar = "lying_items"
    radius: float


@dataclass(frozen=True, slots=True)
class PlayerGear(Query[Gear | None]):
    """What another player holds and wears; None while they are out of sight."""

    kind: ClassVar = "player_gear"
    player: PlayerName


@dataclass(frozen=True, slots=True)
class OpenedContainer(Query[Container | None]):
    """The container that is open, with what is in it; None when none is."""

    kind: ClassVar = "opened_container"


@dataclass(frozen=True, slots=True)
class Towards:
    """A direction: degrees, yaw 0 = north and counter-clockwise, pitch positive = up."""

    kind: ClassVar = "direction"
    yaw: float
    pitch: float


@dataclass(frozen=True, slots=True)
class AtPlayer:
    """The face of a player in view, where it is at that moment."""

    kind: ClassVar = "player"
    player: PlayerName


@dataclass(frozen=True, slots=True)
class AtPoint:
    kind: ClassVar = "point"
    position: Position


Gaze: TypeAlias = Towards | AtPlayer | AtPoint

Glance = Literal["turned", "busy", "unseen", "dead"]
"""What came of it: the head turned; an action is under way and keeps it; that player is not in
view; the bot lies dead."""
