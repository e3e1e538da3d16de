"""The places that goals name: `near:home`, `near:Steve`, `near:10,64,-5`."""

from __future__ import annotations

from collections.abc import Sequence

from bots.bot.locations import key_of
from bots.errors import CommandError
from bots.goals.goal import Goal, PlacedGoal
from bots.goals.parsing import quoted
from bots.registry.places import SPAWN, spawn_of
from bots.registry.players import player_in_view
from bots.registry.registry import CommandContext
from bots.text import suggest
from bots.text.pronouns import is_asker
from bots.text.spelling import spelt
from bridge.world import Position, WorldSnapshot


def locate(context: CommandContext, world: WorldSnapshot, name: str) -> Position:
    """Where a place that the bot knows is, or a player in view, or a point; `me` is the asker.

    Raises CommandError: unknown_location, other_dimension, entity_not_available."""
    if is_asker(name):
        return _player(context, world, context.speaker)
    known = context.bot.locations.find(name, context.may_know)
    if known is None and key_of(name) == SPAWN:
        known = spawn_of(world)
    if known is None:
        return _point(name) or _player(context, world, name)
    if known.dimension != world.dimension:
        sentence = f"{known.name} is in the {known.dimension}, I am in the {world.dimension}."
        raise CommandError("other_dimension", sentence, dimension=known.dimension)
    return known.position


async def require_known(context: CommandContext, goals: tuple[Goal, ...]) -> None:
    """Refuse a goal for later that names what is neither a place nor a player here. Who is out of
    view may come. Raises CommandError unknown_location."""
    for goal in goals:
        if isinstance(goal, PlacedGoal) and goal.near is not None:
            try:
                locate(context, await context.bot.snapshot(), goal.near)
            except CommandError as error:
                if error.reason == "unknown_location":
                    raise


def _point(name: str) -> Position | None:
    try:
        x, y, z = map(float, name.split(","))
    except ValueError:
        return None
    return Position(x, y, z)


def _player(context: CommandContext, world: WorldSnapshot, name: str) -> Position:
    listed = [player.name for player in world.players]
    if spelt(name, listed) is None:
        raise _nowhere(context, listed, name)
    position = player_in_view(world, name)[0].position
    assert position is not None, "who is in view is somewhere"
    return position


def _nowhere(context: CommandContext, players: Sequence[str], name: str) -> CommandError:
    places = [SPAWN, *(one.name for one in context.bot.locations.all(context.may_know))]
    near = suggest.similar(name, [*places, *players])
    sentence = f"I know no place and no player {quoted(name)}.{suggest.as_sentence(near)}"
    return CommandError("unknown_location", sentence, **suggest.as_fact(near))
