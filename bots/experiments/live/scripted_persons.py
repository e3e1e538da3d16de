"""The scripted persons of a scenario in a real world: clients that walk and speak on request."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from bots.talks.machine.addressing import addressed
from bots.talks.machine.events import Participant
from bridge.actions import MoveTo
from bridge.events import ActionId
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

WALK_WITHIN_S = 60.0


class ScriptedPerson:
    """A player that everybody else takes for a person."""

    def __init__(self, name: str, bridge: Bridge) -> None:
        self.name = name
        self._bot, self._bridge = BotName(name), bridge
        self._walks = itertools.count(1)

    async def join(self, address: ServerAddress) -> None:
        """Raises SpawnFailed."""
        await self._bridge.spawn(self._bot, address)

    async def leave(self) -> None:
        await self._bridge.despawn(self._bot)

    async def look(self) -> WorldSnapshot:
        return await self._bridge.snapshot(self._bot)

    async def walk(self, to: Position) -> None:
        """Start walking; does not wait for the arrival."""
        action = ActionId(f"{self.name}-walk-{next(self._walks)}")
        await self._bridge.begin(self._bot, action, MoveTo(to), deadline_s=WALK_WITHIN_S)

    async def say(self, text: str, bots: Sequence[Participant]) -> None:
        """Whisper to the bot that the text names, else to the nearest one; the talk spreads it."""
        world = await self.look()
        names = [bot.name for bot in bots]
        away = {p.name: world.distance_to(p) for p in world.players if p.name in names}
        seen = {name: blocks for name, blocks in away.items() if blocks is not None}
        called = [name for name in addressed(text, bots) if name in seen]
        nearest = min(seen, key=seen.__getitem__, default=None)
        to = next(iter(called), nearest)
        if to is not None:
            await self._bridge.whisper(self._bot, PlayerName(to), text)
