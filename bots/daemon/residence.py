"""The place of a daemon in a cluster: the home it lives with, and what it knows of the others."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from bots.clock import Sleep, Stopwatch, Times
from bots.cluster.bus import Bus, NobodyAnswers, StreamMoved
from bots.cluster.connecting import connected_bus
from bots.cluster.files import HomeFiles
from bots.cluster.heartbeats import Beat, Claims, Heartbeats
from bots.cluster.history import HomeHistory
from bots.cluster.home import Home, home_of
from bots.cluster.journal import HomeJournal
from bots.errors import SettingsError
from bots.owned_tasks import OwnedTasks, until_first
from bots.responder.case.persona import PERSONA_FOLDER
from bots.settings.settings import BotsSettings, Settings
from bots.store.database import Store
from bridge.errors import BotError

log = structlog.get_logger()

LEAVE_WITHIN_S = 20.0
MOVED = "these bots may live at another daemon now; nothing more is written here"
LOOK_EVERY_S = 0.5
TRY_EVERY_S = 0.25
OWN = b"own"
LEFT = b"left"


class HomeLost(BotError):
    """Another daemon may have this home now; the daemon starts anew and waits for it."""


@dataclass(slots=True)
class Residence:
    """One home at this daemon."""

    bus: Bus
    home: Home
    history: HomeHistory
    claims: Claims
    beats: Heartbeats
    daemon: str
    """What the others call this daemon."""
    bots: BotsSettings | None
    """The bots of the home; None: it has none."""
    is_own: bool
    """Whether it lives in the data folder it comes from."""
    journal: HomeJournal | None = None
    """Once the database is open."""

    async def open_store(self, path: Path, *, keep_file: bool) -> Store:
        """The home's database, brought up to date; what is written is in the broker too.

        Raises HomeLost, HistoryConflict, HomeTooNew, BusError, StoreError."""
        if not self.home.is_held:  # it took long to get here: another daemon may write by now
            raise HomeLost("the lease ran out before the home was opened")
        token = self.home.token
        try:
            opened = await self.history.open(path, self.daemon, token, keep_file=keep_file)
        except StreamMoved as moved:
            raise HomeLost(str(moved)) from moved
        self.journal = opened.journal
        return opened.store

    def may_act(self) -> bool:
        """Whether the bots are still ours; tells so also before anybody has noticed."""
        return self.home.is_held

    async def until_lost(self) -> None:
        """Wait until the home may be another daemon's; nothing is written from then on."""
        assert self.journal is not None
        await until_first(self.home.lost.wait(), self.journal.until_lost())
        self.journal.lose(MOVED)

    async def take_in(self, name: str) -> None:
        """Claim one more bot for the home. Raises ValueError when another home has it."""
        have = self.claims.homes.get(self.home.id)
        names = (*(have.names if have else ()), name)
        if have and name.casefold() in map(str.casefold, set(have.names) - {name}):
            raise ValueError(f"a bot called {name} lives here already")
        wanted = BotsSettings(names=names) if have is None else _with_names(have, names)
        got = await self.claims.claim(self.home.id, wanted)
        if got is None or name not in got.names:
            raise ValueError(f"a bot called {name} lives at another daemon")

    def files(self, data_dir: Path) -> HomeFiles:
        """The characters of the home's bots."""
        return HomeFiles(self.bus, self.home.id, self.daemon, data_dir / PERSONA_FOLDER)

    async def know_others(self, names: set[str], sleep: Sleep) -> None:
        """Keep the names of the bots of other homes, until cancelled."""
        while True:
            others = self.claims.names_elsewhere(self.home.id)
            names.intersection_update(others)
            names.update(others)
            await sleep(LOOK_EVERY_S)

    def beat(self, bots: Iterable[Mapping[str, Any]] = (), *, is_leaving: bool = False) -> Beat:
        """What the home tells of itself now."""
        position = self.journal.place.position if self.journal else 0
        return Beat(
            self.home.id, self.daemon, self.is_own, tuple(map(dict, bots)), position, is_leaving
        )


class Members:
    """The other homes, as they are heard of now (bots/http/shared_traces.py: MembersPort)."""

    def __init__(self, residence: Residence) -> None:
        self.name = residence.beat().member
        self._home, self._beats = residence.home.id, residence.beats

    def others(self) -> tuple[str, ...]:
        return tuple(beat.member for beat in self._heard())

    def bots(self) -> list[dict[str, Any]]:
        return [{**bot, "daemon": beat.member} for beat in self._heard() for bot in beat.bots]

    def daemon_of(self, bot: str) -> str | None:
        return next((str(one["daemon"]) for one in self.bots() if one["name"] == bot), None)

    def _heard(self) -> Iterator[Beat]:
        return (beat for beat in self._beats.alive if beat.home != self._home)


@asynccontextmanager
async def own_residence(
    settings: Settings, times: Times, given: Bus | None = None
) -> AsyncIterator[Residence]:
    """The home of this data folder, once it is free for us, while the block lasts.

    Raises SettingsError, BusUnavailable."""
    broker = connected_bus(settings.cluster.bus, settings.cluster.replicas)
    async with nullcontext(given) if given else broker as bus:
        home_id = home_of(settings.data_dir)
        daemon = settings.cluster.name or _name_of(home_id)
        home = await _moved_in(bus, home_id, daemon, times.stopwatch, times.sleep)
        async with kept(home, times.sleep):
            claims = Claims(bus)
            bots = await claims.claim(home_id, settings.bots)
            _tell_what_others_have(settings.bots, bots)
            beats = Heartbeats(bus, times.stopwatch, settings.secrets)
            history = HomeHistory(bus, home_id)
            residence = Residence(bus, home, history, claims, beats, daemon, bots, is_own=True)
            await residence.files(settings.data_dir).catch_up()
            async with answering_own(residence):
                yield residence
            await beats.beat(residence.beat(is_leaving=True))


@asynccontextmanager
async def kept(home: Home, sleep: Sleep) -> AsyncIterator[None]:
    """Keep a home while the block lasts, then give it back."""
    tasks = OwnedTasks()
    tasks.start(home.keep(sleep), f"lease of home {home.id}", lambda _: home.lose())
    try:
        yield
    finally:
        await tasks.aclose()
        await home.give_back()


def with_bots(settings: Settings, bots: BotsSettings | None) -> Settings:
    """The settings with these bots, or without any."""
    nobody = settings.bots.model_copy(update={"names": (), "accounts": (), "nicknames": ()})
    return settings.model_copy(update={"bots": bots or nobody})


def answering_own(residence: Residence) -> AbstractAsyncContextManager[None]:
    """Tell whoever asks for our own home, as a daemon with a copy of its folder does."""

    async def own(_who: bytes) -> bytes:
        return OWN

    return residence.bus.answering(f"leave.{residence.home.id}", own)


async def _moved_in(
    bus: Bus, home_id: str, daemon: str, stopwatch: Stopwatch, sleep: Sleep
) -> Home:
    """Take our home; who lives with it meanwhile is asked to leave it."""
    while (home := await Home.take(bus, home_id, daemon, stopwatch)) is None:
        try:
            answer = await bus.request(f"leave.{home_id}", daemon.encode(), LEAVE_WITHIN_S)
        except NobodyAnswers:  # whoever had it is gone: its lease runs out
            await sleep(TRY_EVERY_S)
            continue
        if answer == OWN:
            raise SettingsError(
                "another daemon runs with a copy of this data folder; start this one with "
                "another --data-dir"
            )
    return home


def _with_names(bots: BotsSettings, names: tuple[str, ...]) -> BotsSettings:
    return bots.model_copy(update={"names": tuple(dict.fromkeys(names))})


def _name_of(home_id: str) -> str:
    machine = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:40]
    return f"{machine}-{home_id[:4]}"


def _tell_what_others_have(wanted: BotsSettings, got: BotsSettings | None) -> None:
    names = set(wanted.names) - set(got.names if got else ())
    if names:
        log.warning(
            "cluster.names_taken",
            bots=sorted(names),
            meaning="they are bots of another daemon; this one stands by for them",
        )
