"""What HTTP asks of the other daemons of a cluster; a daemon alone asks nobody."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager
from typing import Protocol

from bots.http.port import Json
from bots.http.shapes import Positions
from bots.observability.trace import TraceLog

AT = "@"
"""Between a number and the daemon that counts it: `17@west`."""


class ElsewherePort(Protocol):
    """The other daemons, as they are heard of now."""

    @property
    def name(self) -> str:
        """Of this daemon in the cluster."""

    def others(self) -> tuple[str, ...]:
        """The names of the daemons that are heard of."""

    def bots(self) -> list[Json]:
        """Their bots, as `OperatorPort.bots` gives them there, each with its `daemon`."""

    def daemon_of(self, bot: str) -> str | None:
        """Where this bot lives; None where it is none of theirs."""

    async def ask(self, daemon: str, request: bytes, within_s: float) -> bytes:
        """What that daemon's `MemberDoor.answer` returns. Raises BotError when nobody answers."""


class SharedTracesPort(Protocol):
    """What happens at all daemons, for the readers of the WebSocket."""

    log: TraceLog
    """Of all of them, in the order in which it came to be known here."""

    async def catch_up(self) -> None:
        """Ask the others for what they keep and was not heard of here, for a second at most."""

    def watching(self, positions: bool) -> AbstractContextManager[None]:
        """While the block lasts somebody reads here; the others send what happens there."""

    def moving(self) -> AsyncGenerator[Positions]:
        """Where everybody is, again and again until it is closed."""


def at_daemon(number: object, daemon: str) -> str:
    """The name of a decision or talk of another daemon, as people type it."""
    return f"{number}{AT}{daemon}"
