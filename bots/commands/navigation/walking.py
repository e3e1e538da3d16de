"""`!go`, `!navigation goto | gotoCoords | moveInDirection | follow | stopFollow`: go somewhere."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from bots.access.origin import Level, Person
from bots.bot.episode import Episode
from bots.catalogue.names import block_names
from bots.commands.goal import locate
from bots.commands.navigation.family import CoordsArgs, ToldResult, navigation
from bots.commands.navigation.places import PlaceName, place_called
from bots.errors import ActionFailed, CommandError, InvalidArguments, JobEnded
from bots.registry.args import (
    NAMES_PLAYER,
    Args,
    Coordinates,
    LenientArgs,
    NoArgs,
    PlayerWord,
    Point,
    inside_world,
)
from bots.registry.named import places_known, player_in_view
from bots.registry.registry import CommandContext, commands
from bots.skills.reach import finds_way, standing
from bots.skills.tunnelling import is_below_ground
from bots.skills.walking import walk, walk_to_kind
from bots.text.pronouns import as_told, is_asker
from bots.text.spelling import plain
from bridge.actions import Follow, Footholds
from bridge.world import PlayerSighting, Position, WorldSnapshot

THERE = 0.5  # blocks; in the very block
NEAR = 3.0  # blocks; how close `goto` goes unless told otherwise
FARTHEST_STEP = 1_000.0  # blocks in one direction
LEVELS = 50  # blocks up and down within which it looks for a place to stand
SIGHTS = (128.0, 64.0, 32.0, 16.0)  # blocks; land is loaded from one of these distances on
VerticalMode: TypeAlias = Literal["nearest", "above", "below", "surface"]
KEPT = 3.0  # blocks
FOLLOWING_S = 3_600.0  # whoever wants more asks again


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
    # The place that a mode means, seen from a level.
    mode = args.vertical_mode
    if mode == "surface":
        fitting = places[-1:]
    else:
        fitting = tuple(place for place in places if _fits(place.y - start.position.block.y, mode))
    if not fitting:
        reach = "" if mode == "surface" else f" within {LEVELS} blocks up and down"
        raise CommandError("not_found", f"There is nowhere to stand ({mode}){reach}.", mode=mode)
    chosen = min(fitting, key=lambda place: abs(place.y - start.position.block.y))
    target = standing(chosen)
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


def _fits(climb: float, mode: VerticalMode) -> bool:
    match mode:
        case "above":
            return 0 < climb <= LEVELS
        case "below":
            return -LEVELS <= climb < 0
        case _:
            return abs(climb) <= LEVELS


class FollowArgs(LenientArgs):
    also: ClassVar = {"targetPlayer": "username", "player": "username"}
    json_only: ClassVar = frozenset({"distance"})

    username: PlayerWord | None = Field(None, min_length=1)
    """Unless given, whoever asks."""
    distance: float = Field(KEPT, ge=2, le=16, allow_inf_nan=False)
    """Blocks to keep from them."""


class FollowResult(ToldResult):
    target: str

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("followed", person=self.target),)


class StopFollowResult(ToldResult):
    previous_target: str


@navigation(
    "follow",
    FollowArgs,
    world=True,
    deadline_s=FOLLOWING_S + 10,
    ended_by="!stop or !navigation stopFollow",
    example='{"username": "Steve"}',
)
async def follow(context: CommandContext, args: FollowArgs) -> FollowResult:
    """Follow a player until told to stop, for an hour at most."""
    wanted = args.username
    if wanted is None:
        if not isinstance(context.origin, Person):
            raise InvalidArguments("invalid_format", "username is missing.")
        wanted = context.origin.name
    player, _ = player_in_view(await context.bot.snapshot(), wanted)
    context.job.intent = f"I follow {as_told(player.name)} until you say !stop"
    await _leave_hole(context, player, args.distance)
    try:
        await context.job.act(Follow(player.name, args.distance), deadline_s=FOLLOWING_S)
    except ActionFailed as failure:
        whom = as_told(player.name)
        sentences = {
            "unseen_player": f"I lost sight of {whom}.",
            "deadline": f"I have followed {whom} for an hour; ask again for more.",
        }
        sentence = sentences.get(failure.reason, failure.message)
        raise CommandError(
            failure.reason, sentence, target=player.name, **failure.data
        ) from failure
    except JobEnded as ended:
        # `stopFollow` ends the action; whoever stops the job tells the job to end.
        if ended.reason != "stopped" or context.job.early is not None:
            raise
    return FollowResult(message=f"I follow {as_told(player.name)} no more.", target=player.name)


@navigation("stopFollow", NoArgs, level=Level.TRUSTED, example="")
async def stop_follow(context: CommandContext, _args: NoArgs) -> StopFollowResult:
    """Follow nobody any more, go on with everything else, and then stay."""
    running = context.bot.actions.current
    context.bot.leisure.told_to_stay()
    if running is None or not isinstance(running.action, Follow):
        raise CommandError("not_following", "I am following nobody.")
    target = running.action.player
    await running.stop()
    return StopFollowResult(message=f"I follow {as_told(target)} no more.", previous_target=target)


async def _leave_hole(context: CommandContext, player: PlayerSighting, near: float) -> None:
    """Come out of a pit or a tunnel first: following digs no way."""
    if player.position is None or not await is_below_ground(context.job):
        return
    # Where no way leads, the player may move on to where one does.
    await finds_way(walk(context.bot, context.job, player.position, near, may_pillar=True))


BESIDE = 2.0  # blocks; nobody can stand inside a block
LOOKED_FOR = 64  # blocks around


class GoArgs(Args):
    where: Annotated[str, NAMES_PLAYER] = Field(min_length=1, max_length=64)
    """A place by name, a player in view, a kind of block, or x y z; `me` is whoever asks."""


class WentResult(ToldResult):
    where: str
    """What it went to: as it was asked for, or the kind of block."""
    location: Point
    """Where that is."""
    position: Point
    """Where the bot stands now."""

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("went", self.where, at=self.location.position),)


@commands.command("go", GoArgs, world=True, tells=places_known, example="!go Steve")
async def go(context: CommandContext, args: GoArgs) -> WentResult:
    """Walk to a place, a player, the nearest block of a kind, or a point."""
    world = await context.bot.snapshot()
    try:
        goal = _point(args.where) or locate(context, world, args.where)
    except CommandError as unknown:
        if unknown.reason != "unknown_location":
            raise
        try:
            names = block_names(await context.bot.catalogue(), args.where)
        except CommandError:
            raise unknown from None
        sighting, here = await walk_to_kind(
            context.bot, context.job, names, plain(args.where), LOOKED_FOR, BESIDE
        )
        return _went(sighting.name, sighting.position, here)
    here = await walk(context.bot, context.job, standing(goal), NEAR, may_pillar=True)
    where = context.speaker if is_asker(args.where) else args.where
    return _went(where, goal, here)


def _point(where: str) -> Position | None:
    """`10 64 -5` as a point; None when these are not three numbers. Raises InvalidArguments."""
    try:
        x, y, z = map(float, where.replace(",", " ").split())
    except ValueError:
        return None
    try:
        return inside_world(Position(x, y, z))
    except ValueError as error:
        raise InvalidArguments("invalid_format", f"{error}.") from error


def _went(where: str, goal: Position, here: Position) -> WentResult:
    return WentResult(
        message=f"I am at {as_told(where)}.",
        where=where,
        location=Point.of(goal),
        position=Point.of(here),
    )
