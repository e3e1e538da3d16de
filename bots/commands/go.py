"""`!go <where>`: walk to a place, a player, the nearest block of a kind, or a point."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bots.bot.episode import Episode
from bots.commands.goal import locate
from bots.commands.navigation.family import ToldResult
from bots.commands.navigation.walking import NEAR, standing
from bots.errors import ActionFailed, CommandError, InvalidArguments
from bots.registry.args import Args
from bots.registry.persons import NAMES_PLAYER
from bots.registry.places import places_known
from bots.registry.points import Point, inside_world
from bots.registry.registry import CommandContext, commands
from bots.skills.item_words import block_names
from bots.skills.walking import walk
from bots.text.pronouns import as_told, is_asker
from bots.text.spelling import plain
from bridge.actions import FindBlocks
from bridge.world import BlockSighting, Position

BESIDE = 2.0  # blocks; nobody can stand inside a block
LOOKED_FOR = 64  # blocks around
TRIED = 8  # blocks of a kind, nearest first


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
        return await _to_block(context, args.where, unknown)
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


async def _to_block(context: CommandContext, word: str, unknown: CommandError) -> WentResult:
    """To the nearest block of a kind; whoever named none is told that nothing is called so."""
    found = await _nearest(context, word, unknown)
    for sighting in found:
        try:
            here = await walk(context.bot, context.job, sighting.position, BESIDE, may_pillar=True)
        except ActionFailed as failed:
            if failed.reason in ("died", "unconfirmed"):
                raise
            continue
        return _went(sighting.name, sighting.position, here)
    sentence = f"No way leads to the {len(found)} {plain(word)} nearest."
    raise CommandError("no_path", sentence, found=len(found))


async def _nearest(
    context: CommandContext, word: str, unknown: CommandError
) -> tuple[BlockSighting, ...]:
    try:
        names = block_names(await context.bot.catalogue(), word)
    except CommandError:
        raise unknown from None
    found = await context.bot.query(FindBlocks(names, LOOKED_FOR, TRIED))
    if not found:
        sentence = f"There is no {plain(word)} within {LOOKED_FOR} blocks."
        raise CommandError("not_found", sentence, maxDistance=LOOKED_FOR)
    return found


def _went(where: str, goal: Position, here: Position) -> WentResult:
    return WentResult(
        message=f"I am at {as_told(where)}.",
        where=where,
        location=Point.of(goal),
        position=Point.of(here),
    )
