"""The health of our own bots: each feels its own, and most servers do not tell it of others."""

from __future__ import annotations

from dataclasses import replace

from bridge.world import PlayerSighting, WorldSnapshot


class Vitals:
    """What is known of our bots that are in a world."""

    def __init__(self) -> None:
        self._health: dict[str, float] = {}

    def felt(self, bot: str, health: float) -> None:
        """A bot feels how it is, half-hearts."""
        self._health[bot] = health

    def lost(self, bot: str) -> None:
        """A bot is in no world."""
        self._health.pop(bot, None)

    def completed(self, world: WorldSnapshot) -> WorldSnapshot:
        """What a bot senses, with the health of its fellows."""
        return replace(world, players=tuple(map(self._completed, world.players)))

    def _completed(self, player: PlayerSighting) -> PlayerSighting:
        known = self._health.get(player.name)
        return player if known is None else replace(player, health=known)
