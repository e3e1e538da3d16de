"""What homes tell of themselves each second, and which bots each home claims: one home per name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

import structlog
from pydantic import AfterValidator, Field, TypeAdapter

from bots.clock import Sleep, Stopwatch
from bots.cluster.bus import LARGEST, Bus, BusUnavailable, Entry, StreamMoved
from bots.observability.redaction import Redactor
from bots.settings.settings import BotsSettings
from bots.store.table import readable
from bridge.foreign_json import read_object

log = structlog.get_logger()
NAME = "homes"  # of the messages
EVERY_S = 1.0
GONE_AFTER_S = 2.5
FORGOTTEN_S = 600.0
SHORT = 64  # characters of what is told of a bot among very many
STREAM = "homes"
_HOME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def _named(bot: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError."""
    if not isinstance(bot.get("name"), str):
        raise ValueError("a bot without a name")
    return bot


Name: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""One word of a name on the bus."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One heartbeat of one home."""

    home: Name
    daemon: Name
    """Where it lives."""
    is_own: bool
    """Whether it lives in the data folder it comes from."""
    bots: tuple[Annotated[dict[str, Any], AfterValidator(_named)], ...]
    """As GET /api/bots gives them there."""
    position: int
    """In its history."""
    is_leaving: bool = False
    """Whether it is about to be given back."""

    @property
    def member(self) -> str:
        """What the home is called where it lives now."""
        return self.daemon if self.is_own else f"{self.daemon}-{self.home[:4]}"


_BEAT = TypeAdapter(Beat)


class Heartbeats:
    """The newest beat of each home, as they are heard."""

    def __init__(self, bus: Bus, stopwatch: Stopwatch, secrets: Iterable[str] = ()) -> None:
        self._bus, self._stopwatch = bus, stopwatch
        self._redactor = Redactor(secrets)
        self._newest: dict[str, tuple[Beat, float]] = {}

    def of(self, home: str) -> Beat | None:
        """The last beat of a home; None when it is silent or leaving."""
        beat, at_s = self._newest.get(home, (None, 0.0))
        is_there = beat is not None and not beat.is_leaving
        return beat if is_there and self._stopwatch() - at_s < GONE_AFTER_S else None

    @property
    def alive(self) -> tuple[Beat, ...]:
        """Of every home that is heard of now."""
        return tuple(beat for home in self._newest if (beat := self.of(home)) is not None)

    async def hear(self, sleep: Sleep) -> None:
        """Hear the others until cancelled."""
        while True:
            with suppress(BusUnavailable):
                async with self._bus.listen(NAME) as bodies:
                    async for body in bodies:
                        self._take(body)
            await sleep(EVERY_S)

    async def send(self, make: Callable[[], Beat], sleep: Sleep) -> None:
        """Beat until cancelled."""
        while True:
            await self.beat(make())
            await sleep(EVERY_S)

    async def beat(self, beat: Beat) -> None:
        """Send one; it may be lost."""
        with suppress(BusUnavailable):
            told = self._redactor.text(_body(beat).decode())
            await self._bus.publish(NAME, told.encode())

    def _take(self, body: bytes) -> None:
        try:
            beat = _BEAT.validate_json(body, strict=True)
        except ValueError as error:
            log.warning("heartbeat.damaged", why=str(error)[:200])
            return
        now_s = self._stopwatch()
        silent = [home for home, (_, at_s) in self._newest.items() if now_s - at_s > FORGOTTEN_S]
        for home in silent:
            del self._newest[home]
        self._newest[beat.home] = beat, now_s


def _body(beat: Beat) -> bytes:
    """Of more bots than a message holds, only what is short is told; of far more, nothing."""
    short = replace(beat, bots=tuple(map(_shortened, beat.bots)))
    for told in (beat, short):
        # What is no text, as half a character, would make the whole unreadable.
        body = json.dumps(asdict(told), ensure_ascii=False).encode("utf-8", "replace")
        if len(body) <= LARGEST:
            return body
    return _body(replace(beat, bots=()))


def _shortened(bot: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value if _is_short(value) else None for key, value in bot.items()}


def _is_short(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= SHORT)


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
            plain = None if left is None else left.model_dump(mode="json")
            body = json.dumps({"home": home, "bots": plain}).encode()
            try:
                await self._bus.append(STREAM, body, after=self._read_to)
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


def _read(entry: Entry) -> tuple[str, BotsSettings | None]:
    facts = read_object(entry.body)
    home, bots = str(facts["home"]), facts["bots"]
    if not _HOME.fullmatch(home):  # it becomes the name of a folder
        raise ValueError(f"{home[:80]!r} is no name of a home")
    return home, None if bots is None else BotsSettings.model_validate(bots)
