"""All the bots of one daemon, and the pump that takes each event to its bot."""

from __future__ import annotations

from bots.bot.bot import Bot
from bots.daemon.session import Commons, Resident
from bots.observability.trace import TraceLog
from bridge.events import BridgeEvent, BridgeLost, BridgeRestored
from bridge.port import Bridge
from bridge.world import BotName


class Town:
    """The residents by name."""

    def __init__(self, commons: Commons) -> None:
        self._commons = commons
        self._residents: dict[str, Resident] = {}

    @property
    def residents(self) -> tuple[Resident, ...]:
        return tuple(self._residents.values())

    @property
    def bots_online(self) -> list[Bot]:
        return [resident.bot for resident in self.residents if resident.online]

    def find(self, name: str) -> Resident:
        """The resident of this name. Raises KeyError."""
        return self._residents[name]

    def settle(self, name: BotName) -> Resident:
        """Take in a new bot. Raises ValueError when one of this name lives here."""
        if name.casefold() in map(str.casefold, self._residents):
            raise ValueError(f"a bot called {name} lives here already")
        self._commons.fellows.add(name)
        resident = self._residents[name] = Resident(name, self._commons)
        return resident

    def retry_now(self) -> None:
        """Something all bots waited for is there again."""
        for resident in self.residents:
            resident.connection.retry_now()

    async def pump(self) -> None:
        """Hand out the bridge's events until it closes; never waits for a bot."""
        async for event in self._bridge.events():
            self._route(event)

    @property
    def _bridge(self) -> Bridge:
        return self._commons.bridge

    @property
    def _trace(self) -> TraceLog:
        return self._commons.trace

    def _route(self, event: BridgeEvent) -> None:
        if isinstance(event, BridgeLost):
            self._trace.note("bridge.lost", why=event.why)
        elif isinstance(event, BridgeRestored):
            self._trace.note("bridge.restored", after_s=event.after_s)
            self.retry_now()
        elif event.bot in self._residents:
            self._residents[event.bot].take(event)
