"""`!navigation goto | gotoCoords | moveInDirection`: walk to a place, a point, or that way."""

from __future__ import annotations

import math
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from bots.bot.episode import Episode
from bots.commands.navigation.family import CoordsArgs, ToldResult, navigation
from bots.commands.navigation.places import PlaceName, place_called
from bots.errors import ActionFailed, CommandError
from bots.registry.args import LenientArgs
from bots.registry.places import places_known
from bots.registry.points import Coordinates, Point
from bots.registry.registry import CommandContext
from bots.skills.walking import walk
from bridge.actions import Footholds
from bridge.world import Position, WorldSnapshot

THERE = 0.5  # blocks; in the very block
NEAR = 3.0  # blocks; how close `goto` goes unless told otherwise
FARTHEST_STEP = 1_000.0  # blocks in one direction
LEVELS = 50  # blocks up and down within which it looks for a place to stand
SIGHTS = (128.0, 64.0, 32.0, 16.0)  # blocks; land is loaded from one of these distances on

VerticalMode: TypeAlias = Literal["nearest", "above", "below", "surface"]


class GotoArgs(LenientArgs):
    json_only: ClassVar = frozenset({"range"})

    name: PlaceName
    """A place that was registered, or spawn."""
    range: float = Field(NEAR, ge=0, le=64, allow_inf_nan=False)
    """Blocks from it that are near enough."""


class GotoCoordsArgs(CoordsArgs):
    json_only: ClassVar = frozenset({"range"})

    coords: Coordinates
    """Where to go: [x, y, z]."""
    range: float = Field(1.0, ge=0, le=64, allow_inf_nan=False)
    """Blocks from it that are near enough."""


class MoveInDirectionArgs(LenientArgs):
    distance: float = Field(gt=0, le=FARTHEST_STEP, allow_inf_nan=False)
    """Blocks, level."""
    yaw: float | None = Field(None, ge=-360, le=360, allow_inf_nan=False)
    """Degrees, 0 = north, counter-clockwise; where the bot looks unless given."""
    vertical_mode: VerticalMode = "nearest"
    """The level to stand on there: nearest, above, below, or surface."""


class ArrivedResult(ToldResult):
    location: Point
    """Where it was told to go."""
    position: Point
    """Where it is."""
    place: str = Field("", exclude=True)
    """What it was told to go to, by name."""

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("went", self.place, at=self.location.position),)


class MovedResult(ToldResult):
    target_position: Point
    actual_position: Point

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("went", at=self.target_position.position),)


@navigation("goto", GotoArgs, world=True, tells=places_known, example='{"name": "home"}')
async def goto(context: CommandContext, args: GotoArgs) -> ArrivedResult:
    """Walk to a place I know by name."""
    place = place_called(context, await context.bot.snapshot(), args.name)
    here = await walk(
        context.bot, context.job, standing(place.position), args.range, may_pillar=True
    )
    return _arrived(f"I am at {place.name}.", place.position, here, place.name)


@navigation("gotoCoords", GotoCoordsArgs, world=True, example='{"coords": [10, 64, -5]}')
async def goto_coords(context: CommandContext, args: GotoCoordsArgs) -> ArrivedResult:
    """Walk to a point."""
    here = await walk(context.bot, context.job, standing(args.coords), args.range, may_pillar=True)
    return _arrived(f"I am at {Point.of(here)}.", args.coords, here)


@navigation("moveInDirection", MoveInDirectionArgs, world=True, example='{"distance": 10}')
async def move_in_direction(context: CommandContext, args: MoveInDirectionArgs) -> MovedResult:
    """Walk some blocks in a direction, to where one can stand there."""
    start = await context.bot.snapshot()
    column = _ahead(start, args.distance, start.yaw if args.yaw is None else args.yaw)
    places = await _footholds(context, column)
    target = standing(_chosen(places, start.position.block.y, args.vertical_mode))
    try:
        here = await walk(context.bot, context.job, target, THERE, may_pillar=True)
    except ActionFailed as failure:
        wanted = Point.of(target).as_json()
        raise CommandError(failure.reason, failure.message, targetPosition=wanted) from failure
    return MovedResult(
        message=f"I am at {Point.of(here)}.",
        target_position=Point.of(target),
        actual_position=Point.of(here),
    )


def standing(place: Position) -> Position:
    """Where feet are in a block: its middle, when the block's corner is given."""
    if place != place.block:
        return place
    return Position(place.x + 0.5, place.y, place.z + 0.5)


def _arrived(message: str, target: Position, here: Position, place: str = "") -> ArrivedResult:
    return ArrivedResult(
        message=message, location=Point.of(target), position=Point.of(here), place=place
    )


def _ahead(start: WorldSnapshot, distance: float, yaw: float) -> Position:
    angle, here = math.radians(yaw), start.position
    x, z = here.x - math.sin(angle) * distance, here.z - math.cos(angle) * distance
    return Position(x, here.y, z).block


async def _footholds(context: CommandContext, column: Position) -> tuple[Position, ...]:
    """Places to stand in a column; walks towards it until it is loaded."""
    query = Footholds(int(column.x), int(column.z))
    for sight in SIGHTS:
        places = await context.bot.query(query)
        if places is not None:
            return places
        await walk(context.bot, context.job, column, sight)
    return await context.bot.query(query) or ()


def _chosen(places: tuple[Position, ...], level: float, mode: VerticalMode) -> Position:
    """The place that a mode means, seen from a level. Raises CommandError not_found."""
    if mode == "surface":
        fitting = places[-1:]
    else:
        fitting = tuple(place for place in places if _fits(place.y - level, mode))
    if not fitting:
        reach = "" if mode == "surface" else f" within {LEVELS} blocks up and down"
        raise CommandError("not_found", f"There is nowhere to stand ({mode}){reach}.", mode=mode)
    return min(fitting, key=lambda place: abs(place.y - level))


def _fits(climb: float, mode: VerticalMode) -> bool:
    match mode:
        case "above":
            return 0 < climb <= LEVELS
        case "below":
            return -LEVELS <= climb < 0
        case _:
            return abs(climb) <= LEVELS
