"""Which host carries which bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from bridge.world import BotName

BACK_SOON_S: Final = 5.0  # a Node that died is back in a second or two, and so are its bots


class Carrier(Protocol):
    """A host, as far as it matters for a place on it."""

    @property
    def load(self) -> int:
        """How many bots it carries."""
        ...

    @property
    def away_s(self) -> float:
        """For how long it has had no Node; 0 while it has one."""
        ...

    def holds(self, bot: BotName) -> bool:
        """Whether the bot is in a world there, or on its way into one."""
        ...


C = TypeVar("C", bound=Carrier)


class Placement(Generic[C]):
    """A bot moves only while it is in no world: so its events come from one host at a time."""

    def __init__(self, hosts: Sequence[C]) -> None:
        self._hosts = hosts
        self._placed: dict[BotName, C] = {}

    def host_of(self, bot: BotName) -> C:
        """Where the bot was placed last; the first host, which does not know it either, for
        one that never was."""
        return self._placed.get(bot, self._hosts[0])

    def place(self, bot: BotName) -> C:
        """Where a bot is to join: on the host with the fewest bots, if alike where it was.

        A host that was lost counts for `BACK_SOON_S`, or its bots would all move to the others
        and leave it empty."""
        last = self.host_of(bot)
        if last.holds(bot):
            return last
        there = [host for host in self._hosts if host.away_s < BACK_SOON_S] or self._hosts
        chosen = min(there, key=lambda host: (host.load, host is not last))
        self._placed[bot] = chosen
        return chosen
