"""`!go <where>`: walk to a place, a player, the nearest block of a kind, or a point."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bots.bot.episode import Episode
from bots.catalogue.names import block_names
from bots.commands.goal import locate
from bots.commands.navigation.family import ToldResult
from bots.commands.navigation.walking import NEAR, standing
from bots.errors import CommandError, InvalidArguments
from bots.registry.args import Args
from bots.registry.persons import NAMES_PLAYER
from bots.registry.places import places_known
from bots.registry.points import Point, inside_world
from bots.registry.registry import CommandContext, commands
from bots.skills.walking import walk, walk_to_kind
from bots.text.pronouns import as_told, is_asker
from bots.text.spelling import plain
from bridge.world import Position

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
