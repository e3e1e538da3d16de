"""Which bots there are, and in which home each: a name belongs to one home of the cluster."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType

from bots.cluster.bus import Bus, Entry, StreamMoved
from bots.settings.settings import BotsSettings
from bots.store.rows import readable
from bridge.foreign_json import read_object

STREAM = "homes"
_HOME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Claims:
    """What each home last claimed, as far as it was read."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._read_to = 0
        self._of: dict[str, BotsSettings | None] = {}

    @property
    def homes(self) -> Mapping[str, BotsSettings]:
        """The bots of each home that has any."""
        return MappingProxyType({home: bots for home, bots in self._of.items() if bots})

    def names_elsewhere(self, home: str) -> frozenset[str]:
        """The names of all bots of other homes."""
        others = (bots for other, bots in self.homes.items() if other != home)
        return frozenset(name for bots in others for name in bots.names)

    async def look(self) -> None:
        """Read what is new. Raises BusUnavailable."""
        while page := await self._bus.read(STREAM, self._read_to):
            rows = [(entry.position, entry) for entry in page]
            for home, bots in readable(rows, lambda row: _read(row[1]), STREAM):
                self._of[home] = bots
            self._read_to = page[-1].position

    async def claim(self, home: str, wanted: BotsSettings) -> BotsSettings | None:
        """Claim these bots for a home, without those that live in another one; None when none
        is left. What the home claimed before and does not want now is free for others.

        Raises BusUnavailable."""
        while True:
            await self.look()
            left = _without(wanted, self.names_elsewhere(home))
            if home in self._of and self._of[home] == left:
                return left
            try:
                await self._bus.append(STREAM, _body(home, left), after=self._read_to)
            except StreamMoved:
                continue
            self._of[home] = left


def _without(wanted: BotsSettings, taken: frozenset[str]) -> BotsSettings | None:
    theirs = {name.casefold() for name in taken}
    left = tuple(name for name in wanted.names if name.casefold() not in theirs)
    if not left:
        return None
    return BotsSettings(
        names=left,
        accounts=tuple(name for name in wanted.accounts if name in left),
        nicknames=tuple(one for one in wanted.nicknames if one.name in left),
    )


def _body(home: str, bots: BotsSettings | None) -> bytes:
    plain = None if bots is None else bots.model_dump(mode="json")
    return json.dumps({"home": home, "bots": plain}).encode()


def _read(entry: Entry) -> tuple[str, BotsSettings | None]:
    facts = read_object(entry.body)
    home, bots = str(facts["home"]), facts["bots"]
    if not _HOME.fullmatch(home):  # it becomes the name of a folder
        raise ValueError(f"{home[:80]!r} is no name of a home")
    return home, None if bots is None else BotsSettings.model_validate(bots)
