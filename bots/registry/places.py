"""Named places as results show them: the spawn point first, then the registered ones."""

from __future__ import annotations

from collections.abc import Iterable

from bots.access.sources import Sources, joined
from bots.bot.locations import Location, key_of
from bots.bot.result import Facts
from bots.errors import CommandError
from bots.registry.points import Point
from bots.registry.registry import CommandContext
from bots.text.numbers import blocks, in_blocks
from bridge.world import WorldSnapshot

SPAWN = "spawn"  # always known, never registered


def places_known(context: CommandContext) -> Sources:
    """Where the names of places come from that a result may list."""
    known = context.bot.locations.all(context.may_know)
    return joined(location.sources for location in known)


class Place(Facts):
    name: str
    position: Point
    distance: int | None
    """Blocks from here; null in another dimension."""

    def __str__(self) -> str:
        far = "in another dimension" if self.distance is None else in_blocks(self.distance)
        return f"{self.name} ({far})"


class Places(Facts):
    locations: tuple[Place, ...]
    count: int

    @classmethod
    def of(cls, world: WorldSnapshot, registered: Iterable[Location]) -> Places:
        rows = tuple(_place(world, location) for location in (spawn_of(world), *registered))
        return cls(locations=rows, count=len(rows))


def spawn_of(world: WorldSnapshot) -> Location:
    """The world's spawn point, which every bot knows."""
    return Location(SPAWN, world.spawn_point, world.dimension)


def place_here(context: CommandContext, world: WorldSnapshot, name: str) -> Location | None:
    """The place of this name, as far as the asker may know it, or spawn.

    Raises CommandError other_dimension."""
    known = context.bot.locations.find(name, context.may_know)
    if known is None and key_of(name) == SPAWN:
        return spawn_of(world)
    if known is not None and known.dimension != world.dimension:
        sentence = f"{known.name} is in the {known.dimension}, I am in the {world.dimension}."
        raise CommandError("other_dimension", sentence, dimension=known.dimension)
    return known


def _place(world: WorldSnapshot, location: Location) -> Place:
    here = location.dimension == world.dimension
    distance = blocks(world.position.distance_to(location.position)) if here else None
    return Place(name=location.name, position=Point.of(location.position), distance=distance)
