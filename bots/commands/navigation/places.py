"""`!navigation register | list | remove`: named places, which outlast a restart."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import AfterValidator, Field

from bots.access.origin import Level
from bots.access.sources import among_commanders
from bots.bot.locations import Location, key_of
from bots.bot.result import Result
from bots.commands.navigation.family import CoordsArgs, ItemName, ToldResult, navigation
from bots.errors import CommandError, InvalidArguments
from bots.registry.args import Args, Coordinates, NoArgs, Point, quoted
from bots.registry.named import SPAWN, Place, Places, place_here, places_known
from bots.registry.registry import CommandContext
from bots.text import suggest
from bridge.actions import FindBlocks
from bridge.world import WorldSnapshot

LONGEST_NAME = 32  # characters
SEARCHED = 100  # blocks around, for the block to register


def _printable(name: str) -> str:
    if not key_of(name) or not name.isprintable():
        raise ValueError("a place needs a name of printable characters")
    return name.strip()


PlaceName: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_printable)
]


class RegisterArgs(CoordsArgs):
    json_only: ClassVar = frozenset({"coords", "block_type"})

    name: PlaceName
    """What to call the place."""
    coords: Coordinates | None = None
    """Where it is; here unless given."""
    block_type: ItemName | None = None
    """The nearest block of this name, when no point is given."""


class NameArgs(Args):
    name: PlaceName
    """The place to forget."""


class RegisterResult(ToldResult):
    name: str
    location: Point
    dimension: str
    replaced: bool
    """Whether a place of this name was known before."""


class RemoveResult(ToldResult):
    name: str
    location: Point


class ListResult(Result):
    locations: tuple[Place, ...]
    count: int

    def lines(self) -> list[str]:
        return [f"I know {self.count}: {', '.join(map(str, self.locations))}."]


@navigation("register", RegisterArgs, level=Level.TRUSTED, example='{"name": "home"}')
async def register(context: CommandContext, args: RegisterArgs) -> RegisterResult:
    """Remember a place by name: a point, the nearest block of a kind, or here."""
    if key_of(args.name) == SPAWN:
        raise InvalidArguments("invalid_format", f"{SPAWN} is the world's own; take another name.")
    world = await context.bot.snapshot()
    place = args.coords or world.position
    if args.coords is None and args.block_type is not None:
        found = await context.bot.query(FindBlocks((args.block_type,), radius=SEARCHED, limit=1))
        if not found:
            sentence = f"I find no {quoted(args.block_type)} within {SEARCHED} blocks."
            raise CommandError("not_found", sentence)
        place = found[0].position
    location = Location(
        args.name,
        place.block,
        world.dimension,
        among_commanders(context.sources),
        context.bot.times.clock(),
    )
    former = await context.bot.locations.put(location)
    point = Point.of(location.position)
    return RegisterResult(
        message=f"{args.name} is at {point} from now on.",
        name=args.name,
        location=point,
        dimension=location.dimension,
        replaced=former is not None,
    )


@navigation("list", NoArgs, allow_bots=True, tells=places_known, example="")
async def list_(context: CommandContext, _args: NoArgs) -> ListResult:
    """List the places I know by name."""
    known = context.bot.locations.all(context.may_know)
    places = Places.of(await context.bot.snapshot(), known)
    return ListResult(locations=places.locations, count=places.count)


@navigation("remove", NameArgs, level=Level.TRUSTED, tells=places_known, example='{"name": "home"}')
async def remove(context: CommandContext, args: NameArgs) -> RemoveResult:
    """Forget a place."""
    known = context.bot.locations.find(args.name, context.may_know)
    former = await context.bot.locations.remove(args.name) if known else None
    if former is None:
        raise unknown_place(context, args.name)
    return RemoveResult(
        message=f"I have forgotten {former.name}.",
        name=former.name,
        location=Point.of(former.position),
    )


def place_called(context: CommandContext, world: WorldSnapshot, name: str) -> Location:
    """A place to walk to. Raises CommandError: unknown_location, other_dimension."""
    location = place_here(context, world, name)
    if location is None:
        raise unknown_place(context, name)
    return location


def unknown_place(context: CommandContext, name: str) -> CommandError:
    known = [location.name for location in context.bot.locations.all(context.may_know)]
    near = suggest.similar(name, known)
    listed = f" I know {', '.join(known[:8])}." if known else " I know none yet."
    sentence = f"I know no place {quoted(name)}.{suggest.as_sentence(near) or listed}"
    facts: dict[str, Any] = {"registeredLocations": known, **suggest.as_fact(near)}
    return CommandError("unknown_location", sentence, **facts)
