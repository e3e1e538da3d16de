"""One page, command line and HTTP interface for the bots of all daemons, over the bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Protocol

from starlette.types import ASGIApp

from bots.cluster.bus import Bus
from bots.cluster.shared_traces import SharedTraces
from bots.http.app import Cluster
from bots.http.carrier import Carrier, MemberDoor
from bots.http.port import Json
from bots.http.shapes import Positions
from bots.observability.trace import TraceLog
from bots.owned_tasks import OnEnd, not_told

DOOR = "http"  # a daemon is asked as `http.NAME`


class MembersPort(Protocol):
    """The daemons of the cluster, as they are heard of now."""

    @property
    def name(self) -> str:
        """Of this daemon."""

    def others(self) -> tuple[str, ...]:
        """The names of the others."""

    def bots(self) -> list[Json]:
        """Their bots, as `OperatorPort.bots` gives them there, each with its `daemon`."""

    def daemon_of(self, bot: str) -> str | None:
        """Where this bot lives; None where it is none of theirs."""


class BusElsewhere:
    """The other daemons, asked over the bus (bots/http/carrier.py: ElsewherePort)."""

    def __init__(self, bus: Bus, members: MembersPort) -> None:
        self._bus, self._members = bus, members
        self.name = members.name
        self.others, self.bots, self.daemon_of = members.others, members.bots, members.daemon_of

    async def ask(self, daemon: str, request: bytes, within_s: float) -> bytes:
        """Raises NobodyAnswers."""
        return await self._bus.request(f"{DOOR}.{daemon}", request, within_s)


@asynccontextmanager
async def shared_web(
    bus: Bus,
    members: MembersPort,
    own: TraceLog,
    moving: Callable[[], AsyncGenerator[Positions]],
    secrets: Iterable[str],
    on_end: OnEnd = not_told,
) -> AsyncIterator[Cluster]:
    """What `create_app` needs to show the bots of all daemons; our traces go to the others while
    somebody watches there. `on_end` hears of each part that fails. Raises BusUnavailable."""
    carrier = Carrier(BusElsewhere(bus, members))
    sharing = SharedTraces.open(bus, members.name, own, moving, members.others, secrets, on_end)
    async with sharing as traces:
        try:
            yield Cluster(carrier, traces)
        finally:
            await carrier.aclose()


@asynccontextmanager
async def open_door(
    bus: Bus, name: str, app: ASGIApp, closing: asyncio.Event
) -> AsyncIterator[None]:
    """Answer the other daemons with `app`, of `create_member_app`, which has the same `closing`.

    Raises BusUnavailable."""
    door = MemberDoor(app, closing)
    async with bus.answering(f"{DOOR}.{name}", door.answer):
        try:
            yield
        finally:
            await door.aclose()
