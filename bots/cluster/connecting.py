"""Connects to the broker that the settings name, and says what is wrong with it, by cause.

The client is an extra and loaded only here. A broker without room is asked less and less often.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import structlog

from bots.clock import Stopwatch
from bots.cluster.bus import Bus, BusCause, BusUnavailable
from bots.errors import SettingsError
from bots.settings.secrets import SecretUrl

log = structlog.get_logger()
FULL = frozenset({10002, 10023, 10028, 10047, 10077})
"""Codes of JetStream: no resources, storage, memory or bytes of a stream are left."""
NO_MAJORITY = 10008  # too few servers of a NATS cluster are there to agree
LEAST_WAIT_S = 0.5
MOST_WAIT_S = 30.0
WORDS: Mapping[BusCause, str] = {
    "silent": "the broker does not answer",
    "refused": "the broker refuses the name and password, or the token, of its address",
    "full": "the broker has no room left",
    "no_majority": "too few servers of the broker are there to agree",
}
ADVICE: Mapping[BusCause, str] = {
    "silent": "start it with `nats-server -js -sd FOLDER`, or correct its address",
    "refused": "correct cluster.bus or llm.budget_bus",
    "full": "give its JetStream more (max_file_store), or its disk",
    "no_majority": "start more of its servers",
}
CLUSTER = "townsfolk"  # names what we make in the broker
LEASE_S = 6.0
INSTALL = '.venv/bin/pip install -q -c constraints.txt -e ".[cluster]"'


def cause_of(code: int | None) -> BusCause:
    """Of an error of JetStream by its number."""
    if code in FULL:
        return "full"
    return "no_majority" if code == NO_MAJORITY else "other"


def named(cause: BusCause, otherwise: str = "") -> BusUnavailable:
    return BusUnavailable(WORDS.get(cause, otherwise), cause)


class Storing:
    """Whether the broker stores what it is given, by what came of it last."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._wait_s = self._next_s = 0.0
        self.trouble: BusUnavailable | None = None

    def check(self) -> None:
        """Raises BusUnavailable while a broker without room is not to be asked again."""
        if self.trouble is not None and self._stopwatch() < self._next_s:
            raise BusUnavailable(str(self.trouble), self.trouble.cause)

    def failed(self, fault: BusUnavailable) -> None:
        if fault.cause == "silent":
            return  # whoever holds the connection tells of it
        if self.trouble is None or self.trouble.cause != fault.cause:
            self._wait_s = 0.0
            log.warning("bus.refuses", why=str(fault), advice=ADVICE.get(fault.cause, ""))
        self.trouble = fault
        if fault.cause == "full":
            self._wait_s = min(max(LEAST_WAIT_S, 2 * self._wait_s), MOST_WAIT_S)
            self._next_s = self._stopwatch() + self._wait_s

    def done(self) -> None:
        if self.trouble is not None:
            log.info("bus.stores_again")
        self.trouble, self._wait_s, self._next_s = None, 0.0, 0.0


@asynccontextmanager
async def connected_bus(
    addresses: Sequence[SecretUrl], replicas: int | None = None
) -> AsyncIterator[Bus]:
    """The bus over a NATS broker while the block lasts; so many of its servers hold each thing,
    or as many as do now.

    Raises BusUnavailable; SettingsError when the broker is no use, or the extra is missing."""
    try:
        from bots.cluster.nats_bus import NatsBus
    except ImportError as error:
        raise SettingsError(
            f"a NATS broker needs a package that is not installed ({error}); install it with: "
            f"{INSTALL}"
        ) from None
    urls = [one.get_secret_value() for one in addresses]
    bus = await NatsBus.connect(urls, CLUSTER, LEASE_S, replicas)
    try:
        yield bus
    finally:
        await bus.aclose()
