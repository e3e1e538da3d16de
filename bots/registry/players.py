"""Players that a command names."""

from __future__ import annotations

import difflib

from bots.errors import CommandError
from bots.registry.parse import quoted
from bridge.world import PlayerSighting, WorldSnapshot


def player_in_view(world: WorldSnapshot, name: str) -> tuple[PlayerSighting, float]:
    """A player, whatever the case of the name, and the blocks to them.

    Raises CommandError: player_not_found, entity_not_available (listed but unseen)."""
    player = world.player(name) or _spelt_otherwise(world, name)
    if player is None:
        raise _nobody(world, name)
    distance = world.distance_to(player)
    if distance is None:
        sentence = f"I do not see {player.name} from here."
        raise CommandError("entity_not_available", sentence, username=player.name)
    return player, distance


def _spelt_otherwise(world: WorldSnapshot, name: str) -> PlayerSighting | None:
    """The one player whose name differs only in case."""
    alike = [player for player in world.players if player.name.lower() == name.lower()]
    return alike[0] if len(alike) == 1 else None


def _nobody(world: WorldSnapshot, name: str) -> CommandError:
    if name.lower() == world.bot.lower():
        return CommandError("player_not_found", "That is me.", username=world.bot)
    near = difflib.get_close_matches(name, [player.name for player in world.players], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    sentence = f"Nobody called {quoted(name)} is on this server.{hint}"
    nearest = {"nearest": near[0]} if near else {}
    return CommandError("player_not_found", sentence, username=quoted(name), **nearest)
