"""Players and places that a command names; as results show places, the spawn point comes first."""

from __future__ import annotations

from collections.abc import Iterable

from bots.access.origin import called, is_operator
from bots.access.sources import Sources, joined
from bots.bot.locations import Location, key_of
from bots.bot.result import Facts
from bots.errors import CommandError
from bots.registry.args import Point, quoted
from bots.registry.registry import CommandContext
from bots.text import suggest
from bots.text.numbers import blocks, in_blocks
from bots.text.pronouns import as_told
from bots.text.spelling import spelt
from bridge.world import PlayerSighting, WorldSnapshot


def player_in_view(world: WorldSnapshot, name: str) -> tuple[PlayerSighting, float]:
    """A player in view, whatever the case of the name, and the blocks to them.

    Raises CommandError: player_not_found, entity_not_available (listed but out of view)."""
    player = player_listed(world, name)
    distance = world.distance_to(player)
    if distance is None:
        raise unseen(player.name)
    return player, distance


def player_listed(world: WorldSnapshot, name: str) -> PlayerSighting:
    """A player on the server, whatever the case of the name.

    Raises CommandError player_not_found."""
    found = spelt(name, [*(player.name for player in world.players), world.bot])
    player = None if found is None else world.player(found)
    if player is not None:
        return player
    if name.lower() == world.bot.lower():
        raise CommandError("player_not_found", "That is me.", username=world.bot)
    if is_operator(name):
        sentence = f"{called(name)} is not in this world: name a player or a place."
        raise CommandError("player_not_found", sentence, username=quoted(name))
    near = suggest.similar(name, [player.name for player in world.players])
    sentence = f"Nobody called {quoted(name)} is on this server.{suggest.as_sentence(near)}"
    facts = suggest.as_fact(near)
    raise CommandError("player_not_found", sentence, username=quoted(name), **facts)


def unseen(name: str) -> CommandError:
    """The refusal when a player is on the server but out of view."""
    return CommandError(
        "entity_not_available", f"I do not see {as_told(name)} from here.", username=name
    )


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
        rows = []
        for one in (spawn_of(world), *registered):
            here = one.dimension == world.dimension
            distance = blocks(world.position.distance_to(one.position)) if here else None
            rows.append(Place(name=one.name, position=Point.of(one.position), distance=distance))
        return cls(locations=tuple(rows), count=len(rows))


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
