"""Areas: parts of the world that people told the bots to leave alone, or allowed them to change.

Where several cover a place, the word of the higher level counts, and of equal ones the newest. All
bots of a daemon share them; they are stored in SQLite. Where a server protects land, as plugins for
claims do, its refusal makes a small area of its own, which lapses."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import isfinite
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable

from bots.access.origin import Level
from bots.bot.locations import key_of
from bots.clock import Clock, microseconds, microseconds_or_none, moment, moment_or_none
from bots.errors import CommandError, StoreError
from bots.store.database import Store
from bots.store.table import Row, Table
from bots.text.printable import excerpt
from bridge.world import Position, Zone

Rule: TypeAlias = Literal["allow", "ask", "forbid"]
RULES: tuple[Rule, ...] = get_args(Rule)

HERE = frozenset(
    {
        *("here", "this", "this place", "this area", "this spot"),
        *("ここ", "この場所", "この辺", "この辺り", "このへん", "このあたり", "このエリア"),
    }
)
"""Names for where whoever asks stands."""

BOTTOM, TOP = -4096, 4096
"""Heights between which all worlds lie."""
MOST = 100  # areas that people named
MOST_CLAIMS = 64  # areas that a server's refusals made; the oldest are forgotten
CLAIM_WITHIN = 4.0  # blocks around a refused one
CLAIM_LASTS = timedelta(hours=1)
_MOMENT = timedelta(microseconds=1)
LONGEST_REFUSAL = 120  # characters
BESIDE = 16.0  # blocks from an area within which models are told of it
_RULED = {"forbid": "touch nothing", "ask": "ask before touching"}


@dataclass(frozen=True, slots=True)
class Area:
    """A box, or what is level with it and near: a circle is a box of one column."""

    name: str
    rule: Rule
    dimension: str
    low: Position
    high: Position
    within: float
    """Blocks around the box that belong to it."""
    level: Level
    """Of whoever said so, when they did."""
    by: str
    """Their name; '' for the server itself."""
    at: datetime
    until: datetime | None = None
    """When it lapses."""
    refusal: str = ""
    """What the server said when it made the area."""

    @classmethod
    def box(cls, one: Position, other: Position) -> tuple[Position, Position]:
        """The lower and the upper corner of two blocks that are opposite corners."""
        a, b = one.block, other.block
        low = Position(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z))
        return low, Position(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))

    @classmethod
    def column(cls, one: Position, other: Position) -> tuple[Position, Position]:
        """The same at any height."""
        low, high = cls.box(one, other)
        return replace(low, y=BOTTOM), replace(high, y=TOP)

    @property
    def zone(self) -> Zone:
        return Zone(self.low, self.high, self.within, self.rule == "allow")

    @property
    def weight(self) -> tuple[int, datetime]:
        """The heavier counts."""
        return int(self.level), self.at

    @property
    def why(self) -> str:
        """Why a bot touches nothing in it, as a sentence."""
        if self.refusal:
            return f"The server protects the land of {self.name}: “{self.refusal}”."
        if self.rule == "ask":
            return (
                f"I ask before I touch anything in {self.name}; may I? Say !area allow {self.name}."
            )
        return f"I leave {self.name} alone, as {self.by} told me to."

    def __str__(self) -> str:
        if self.low.x == self.high.x and self.low.z == self.high.z and self.within:
            shape = f"{self.within:g} blocks round {_level(self.low)}"
        elif self.low.y == BOTTOM:
            shape = f"{_level(self.low)} to {_level(self.high)}"
        else:
            shape = f"{_point(self.low)} to {_point(self.high)}"
        return f"{self.name} ({self.rule}): {shape}"


class Named(Protocol):
    """An area as those who may hear of it are told it."""

    @property
    def name(self) -> str: ...
    @property
    def rule(self) -> Rule: ...


@runtime_checkable
class TellsAreas(Protocol):
    """A result with areas, like that of `!area list`."""

    @property
    def areas(self) -> Sequence[Named]: ...


NEAR = 48.0
"""Blocks around a point that are the same place, to one who asks whose it is."""


@dataclass(slots=True)
class AskedPlaces:
    """Places of which the bots of one daemon have asked somebody whose they are: once is enough."""

    store: Store
    _known: set[tuple[str, Position]]

    @classmethod
    async def load(cls, store: Store) -> AskedPlaces:
        known = await store.read(
            lambda connection: _ASKED.read(connection, lambda row: (row[0], Position(*row[1:])))
        )
        return cls(store, set(known))

    def has(self, dimension: str, point: Position) -> bool:
        """Whether this place was asked about."""
        return any(
            where == dimension and at.distance_to(point) <= NEAR for where, at in self._known
        )

    async def add(self, dimension: str, point: Position) -> None:
        """Remember a place; where the disk fails, until the program ends."""
        self._known.add((dimension, point))
        row = dimension, point.x, point.y, point.z
        with suppress(StoreError):  # the store has logged why
            await self.store.write(lambda connection: _ASKED.put(connection, row))


@dataclass(slots=True)
class Areas:
    """The areas that the bots of one daemon know."""

    store: Store
    clock: Clock
    asked: AskedPlaces
    _known: dict[str, Area] = field(default_factory=dict)
    _corners: dict[tuple[str, str], tuple[str, Position]] = field(default_factory=dict)
    """The first of two corners that somebody walks to, with its dimension."""

    @classmethod
    async def load(cls, store: Store, clock: Clock) -> Areas:
        known = await store.read(lambda connection: _TABLE.read(connection, _read_row))
        asked = await AskedPlaces.load(store)
        return cls(store, clock, asked, {key_of(area.name): area for area in known})

    def all(self) -> tuple[Area, ...]:
        """Those that have not lapsed, the heaviest first."""
        now = self.clock()
        lasting = (  # one from after now is of a clock that was set back
            one for one in self._known.values() if one.until is None or one.at <= now < one.until
        )
        return tuple(sorted(lasting, key=lambda one: one.weight, reverse=True))

    def of(self, dimension: str) -> tuple[Area, ...]:
        return tuple(area for area in self.all() if area.dimension == dimension)

    def find(self, name: str) -> Area | None:
        return next((one for one in self.all() if key_of(one.name) == key_of(name)), None)

    def at(self, dimension: str, point: Position) -> Area | None:
        """The area that decides about a place; None: nobody said anything of it."""
        return next((area for area in self.of(dimension) if area.zone.has(point)), None)

    def sparing(self, dimension: str, point: Position) -> Area | None:
        """The area for whose sake a place is left alone."""
        area = self.at(dimension, point)
        return None if area is None or area.rule == "allow" else area

    def told_at(self, dimension: str, point: Position) -> str:
        """What holds at a place, or in the nearest area beside it, in a few words; '' for nothing.

        Without the name, which not everybody may know."""
        here = self.at(dimension, point)
        if here is not None:
            return "" if here.rule == "allow" else _RULED[here.rule]
        near = (
            one
            for one in self.of(dimension)
            if one.rule != "allow" and one.low.y - BESIDE <= point.y <= one.high.y + BESIDE
        )
        nearest = min(near, key=lambda one: one.zone.away(point), default=None)
        if nearest is None or nearest.zone.away(point) > BESIDE:
            return ""
        return f"{_RULED[nearest.rule]} {round(nearest.zone.away(point))} blocks off"

    def zones(self, dimension: str) -> tuple[Zone, ...]:
        """The same as values for the bridge: the first one that has a place decides."""
        return tuple(area.zone for area in self.of(dimension))

    async def put(self, area: Area) -> Area | None:
        """Store an area and return the one of its name that it replaces. Raises CommandError
        not_permitted, too_many."""
        former = self._known.get(key_of(area.name))
        _require_say(former, area.level)
        if not area.refusal:  # its time is after those of others, even if the clock was set back
            told = (one.at for one in self._known.values() if not one.refusal)
            area = replace(area, at=max(area.at, max(told, default=area.at) + _MOMENT))
        if former is None and sum(not one.refusal for one in self.all()) >= MOST:
            raise CommandError("too_many", f"I know {MOST} areas; forget one first.")
        row = _row_of(area)
        await self.store.write_and_show(
            lambda connection: _TABLE.put(connection, row),
            lambda _: self._known.update({key_of(area.name): area}),
        )
        return former

    async def forget(self, area: Area, level: Level) -> None:
        """Raises CommandError not_permitted where somebody of a higher level set it."""
        _require_say(area, level)
        key = key_of(area.name)
        await self.store.write_and_show(
            lambda connection: _TABLE.delete(connection, key),
            lambda _: self._known.pop(key, None),
        )

    async def refused(self, dimension: str, position: Position, said: str) -> None:
        """The server let nobody touch a block, in these words: what is near is left alone."""
        block, now = position.block, self.clock()
        name = f"the claim at {_point(block)}"
        low, high = Area.column(block, block)
        area = Area(name, "forbid", dimension, low, high, CLAIM_WITHIN, Level.OWNER, "", now)
        area = replace(area, until=now + CLAIM_LASTS, refusal=excerpt(said, LONGEST_REFUSAL))
        with suppress(StoreError):  # it is refused again then
            await self.put(area)
            claims = [one for one in self._known.values() if one.refusal]
            claims.sort(key=lambda one: one.at)
            for old in claims[:-MOST_CLAIMS]:
                await self.forget(old, Level.OWNER)

    def corner(self, whose: str, name: str, dimension: str, here: Position) -> Position | None:
        """The other corner that this one marked for an area before; without one, this is it."""
        key = whose, key_of(name)
        marked = self._corners.pop(key, None)
        if marked is not None and marked[0] == dimension:
            return marked[1]
        self._corners[key] = dimension, here
        while len(self._corners) > MOST:
            del self._corners[next(iter(self._corners))]
        return None


def _require_say(former: Area | None, level: Level) -> None:
    if former is not None and not former.refusal and former.level > level:
        sentence = f"{former.by} said what holds in {former.name}, and only an owner changes that."
        raise CommandError("not_permitted", sentence)


def _point(at: Position) -> str:
    return f"{at.x:g} {at.y:g} {at.z:g}"


def _level(at: Position) -> str:
    return f"{at.x:g} {at.z:g}"


_TABLE = Table(
    "areas",
    (
        *("key", "name", "rule", "dimension", "x0", "y0", "z0", "x1", "y1", "z1", "within"),
        *("level", "said_by", "said_at", "until", "refusal"),
    ),
    order="said_at",
)


_ASKED = Table("asked_places", ("dimension", "x", "y", "z"))


def _read_row(row: Row) -> Area:
    _, name, rule, dimension, x0, y0, z0, x1, y1, z1, within, level, by, at, until, refusal = row
    if rule not in RULES or not all(map(isfinite, (x0, y0, z0, x1, y1, z1, within))):
        raise ValueError(f"no area: {row}")
    low, high = Position(x0, y0, z0), Position(x1, y1, z1)
    area = Area(name, rule, dimension, low, high, within, Level(level), by, moment(at))
    return replace(area, until=moment_or_none(until), refusal=refusal)


def _row_of(area: Area) -> Row:
    low, high = area.low, area.high
    return (
        *(key_of(area.name), area.name, area.rule, area.dimension),
        *(low.x, low.y, low.z, high.x, high.y, high.z, area.within),
        *(int(area.level), area.by, microseconds(area.at)),
        *(microseconds_or_none(area.until), area.refusal),
    )
