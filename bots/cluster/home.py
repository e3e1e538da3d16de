"""A home is the bots of one data folder, with all they remember. It is at one daemon at a time.

Whoever holds its lease may have its bots in the world. The lease runs out unless it is renewed;
who could not renew it counts it as lost a little before the broker does.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from secrets import token_hex

import structlog

from bots.clock import Sleep, Stopwatch
from bots.cluster.bus import Bus, BusUnavailable, Lease, LeaseLost
from bots.private_files import for_owner_alone

log = structlog.get_logger()

MARGIN_S = 0.75
"""So long before the broker we count a lease as run out."""
AGAIN_S = 0.1  # after a try that failed at once
FILE_NAME = "home"  # in the data folder; its id
FOLDER = "homes"  # in the data folder; copies of others


class Home:
    """The right to live with the bots of one home, until it is lost or given back."""

    def __init__(self, bus: Bus, lease: Lease, stopwatch: Stopwatch, taken_at_s: float) -> None:
        self.id = lease.name.removeprefix("home.")
        self.lost = asyncio.Event()
        self._bus, self._lease, self._stopwatch = bus, lease, stopwatch
        self._ends_s = taken_at_s + bus.lease_s - MARGIN_S

    @classmethod
    async def take(cls, bus: Bus, home: str, daemon: str, stopwatch: Stopwatch) -> Home | None:
        """Take a home that nobody has; None while somebody has it. Raises BusUnavailable."""
        began_s = stopwatch()
        lease = await bus.take(f"home.{home}", daemon)
        return None if lease is None else cls(bus, lease, stopwatch, began_s)

    @property
    def token(self) -> int:
        """Greater than that of everybody who had the home before."""
        return self._lease.token

    @property
    def is_held(self) -> bool:
        """Whether we may still act for its bots."""
        return not self.lost.is_set() and self._stopwatch() < self._ends_s

    async def keep(self, sleep: Sleep) -> None:
        """Renew the lease until it is lost."""
        while self.is_held:
            await sleep(self._bus.lease_s / 3)
            while self.is_held and not await self._renewed():
                await sleep(AGAIN_S)
        self.lose()

    async def give_back(self) -> None:
        """Let others take the home at once."""
        self.lost.set()
        try:
            await self._bus.give_back(self._lease)
        except BusUnavailable:
            log.info("home.runs_out", home=self.id, within_s=self._bus.lease_s)

    async def _renewed(self) -> bool:
        began_s = self._stopwatch()
        try:
            async with asyncio.timeout(max(0.0, self._ends_s - began_s)):
                self._lease = await self._bus.renew(self._lease)
        except LeaseLost:
            self.lose()
            return False
        except (BusUnavailable, TimeoutError):
            return False
        self._ends_s = began_s + self._bus.lease_s - MARGIN_S
        return True

    def lose(self) -> None:
        """Do nothing more for its bots: another daemon may have them."""
        if not self.lost.is_set():
            log.warning("home.lost", home=self.id)
        self.lost.set()


def home_of(data_dir: Path) -> str:
    """The id of the home in a data folder; made when there is none. Raises OSError."""
    file = data_dir / FILE_NAME
    try:
        return file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        home = token_hex(4)
    with open(file, "x", encoding="ascii", opener=for_owner_alone) as out:
        out.write(f"{home}\n")
    return home
