"""Players that a command names."""

from __future__ import annotations

from bots.access.origin import called, is_operator
from bots.errors import CommandError
from bots.registry.parse import quoted
from bots.text import suggest
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
    found = spelt(name, [player.name for player in world.players])
    player = None if found is None else world.player(found)
    if player is None:
        raise _nobody(world, name)
    return player


def unseen(name: str) -> CommandError:
    """The refusal when a player is on the server but out of view."""
    return CommandError(
        "entity_not_available", f"I do not see {as_told(name)} from here.", username=name
    )


def _nobody(world: WorldSnapshot, name: str) -> CommandError:
    if name.lower() == world.bot.lower():
        return CommandError("player_not_found", "That is me.", username=world.bot)
    if is_operator(name):
        sentence = f"{called(name)} is not in this world: name a player or a place."
        return CommandError("player_not_found", sentence, username=quoted(name))
    near = suggest.similar(name, [player.name for player in world.players])
    sentence = f"Nobody called {quoted(name)} is on this server.{suggest.as_sentence(near)}"
    facts = suggest.as_fact(near)
    return CommandError("player_not_found", sentence, username=quoted(name), **facts)
