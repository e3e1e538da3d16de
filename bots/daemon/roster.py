"""The sessions of all bots, and the pump that hands each event to its session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bots.bot.bot import Bot
from bots.daemon.session import BotSession
from bots.daemon.shared import SharedServices
from bots.observability.trace import TraceLog
from bridge.events import BridgeEvent, BridgeLost, BridgeRestored
from bridge.port import Bridge
from bridge.world import BotName


class BotRoster:
    """The sessions by name."""

    def __init__(self, shared: SharedServices) -> None:
        self._shared = shared
        self._sessions: dict[str, BotSession] = {}
        self._lost: dict[int, tuple[BotName, ...]] = {}
        """The bots of each Node that is away, by its number."""
        self._all_lost_s: float | None = None

    @property
    def sessions(self) -> tuple[BotSession, ...]:
        return tuple(self._sessions.values())

    @property
    def bots_online(self) -> list[Bot]:
        return [session.bot for session in self.sessions if session.online]

    @property
    def node_down_s(self) -> float | None:
        """For how long no Node has carried bots; None while one does."""
        lost_s = self._all_lost_s
        return None if lost_s is None else self._shared.times.stopwatch() - lost_s

    def find(self, name: str) -> BotSession:
        """The session of this bot. Raises KeyError."""
        return self._sessions[name]

    def add(self, name: BotName, create: Callable[[BotName], BotSession]) -> BotSession:
        """Create a bot's session. Raises ValueError when there is a bot of this name."""
        if name.casefold() in map(str.casefold, self._sessions):
            raise ValueError(f"a bot called {name} lives here already")
        session = self._sessions[name] = create(name)
        self._shared.fellows.add(name)
        return session

    def retry_now(self) -> None:
        """Reconnect now: what all bots waited for is back."""
        for session in self.sessions:
            session.connection.retry_now()

    async def end_jobs(self) -> None:
        """End what all bots are at, as the daemon ends."""
        await asyncio.gather(*(session.end_jobs() for session in self.sessions))

    async def pump(self) -> None:
        """Hand out the bridge's events until it closes; never waits for a bot."""
        async for event in self._bridge.events():
            self._route(event)

    @property
    def _bridge(self) -> Bridge:
        return self._shared.bridge

    @property
    def _trace(self) -> TraceLog:
        return self._shared.trace

    def _route(self, event: BridgeEvent) -> None:
        if isinstance(event, BridgeLost):
            self._lost[event.host] = event.bots
            if len(self._lost) == event.hosts:
                self._all_lost_s = self._shared.times.stopwatch()
            self._trace.note(
                "bridge.lost", why=event.why, bots=event.bots, host=event.host, hosts=event.hosts
            )
        elif isinstance(event, BridgeRestored):
            self._restore_host(event)
        elif event.bot in self._sessions:
            self._sessions[event.bot].take(event)

    def _restore_host(self, back: BridgeRestored) -> None:
        theirs = self._lost.pop(back.host, ())
        self._all_lost_s = None
        self._trace.note("bridge.restored", after_s=back.after_s, host=back.host, hosts=back.hosts)
        for session in self.sessions:
            if session.name in theirs or not session.online:
                session.connection.retry_now()
