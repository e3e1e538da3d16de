"""What HTTP asks of the daemon: plain values in, JSON values out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from bots.access.origin import Origin
from bots.observability.trace import TraceLog

Json: TypeAlias = dict[str, Any]


class OperatorPort(Protocol):
    """The daemon as HTTP sees it. Callers check bot names and message types first."""

    trace: TraceLog

    def bots(self) -> list[Json]:
        """Every bot; each has at least `name`."""

    async def command(self, bot: str, text: str, origin: Origin, wait: bool = True) -> Json:
        """The result of a command that starts with `!`; always has `success`."""

    async def message(self, bot: str, text: str, name: str | None = None) -> Json:
        """Let the bot hear a message of an operator, who may have a name.

        `sequence`, `answer` and `source` tell what it answered."""

    async def prompt(self, bot: str, text: str, name: str | None = None) -> Json:
        """The `request` a model would get if the operator, or a player of this name, said this.

        `tokens` is about how many it takes. The bot hears nothing of it."""

    async def history(
        self,
        bot: str,
        *,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        since: int | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> Json:
        """`{success, latestSequence, history}`; `since` is a sequence: only later messages, of the
        newest. `before` too: only earlier ones, however old."""

    async def recall(
        self,
        bot: str,
        words: str,
        *,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> Json:
        """`{success, count, lines}`, best first."""

    def decisions(self) -> list[Json]:
        """What was decided and why, oldest first."""

    async def approve(self, decision: int) -> Json:
        """Approve a decision; `reason` is `unknown_decision` where there is none."""

    async def reanalyse(self, decision: int) -> Json:
        """Decide anew; `reason` is `unknown_decision` where there is none."""

    def stats(self) -> Json:
        """The metrics of the budget's period that ends now, with their targets."""

    async def stop_all(self) -> Json:
        """`!stop` for every bot."""

    def health(self) -> Json:
        """`ok`, and facts that anyone on this machine may know: no names, no secrets."""
