"""What homes tell of themselves each second: that they live, where, and how their bots are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, TypeAlias

import structlog
from pydantic import AfterValidator, Field, TypeAdapter

from bots.clock import Sleep, Stopwatch
from bots.cluster.bus import LARGEST, Bus, BusUnavailable
from bots.observability.redaction import Redactor

log = structlog.get_logger()

NAME = "homes"  # of the messages
EVERY_S = 1.0
GONE_AFTER_S = 2.5
FORGOTTEN_S = 600.0
SHORT = 64  # characters of what is told of a bot among very many


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
