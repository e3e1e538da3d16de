"""The homes a daemon lives with: its own, and those it takes over from other daemons."""

from __future__ import annotations

import asyncio
import re
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from bots.clock import Sleep, Stopwatch, Times
from bots.cluster.bus import Bus, BusError, BusUnavailable, NobodyAnswers, StreamMoved
from bots.cluster.connecting import connected_bus
from bots.cluster.heartbeats import Beat, Claims, Heartbeats
from bots.cluster.history import HomeHistory
from bots.cluster.home import FOLDER, Home, HomeFiles, home_of
from bots.cluster.journal import HomeJournal
from bots.daemon.server import ServerHost
from bots.errors import SettingsError
from bots.owned_tasks import OwnedTasks, until_first
from bots.private_files import make_private_folder
from bots.responder.case.persona import PERSONA_FOLDER
from bots.settings.settings import BotsSettings, Settings
from bots.store.database import FILE_NAME, Store
from bridge.errors import BotError
from bridge.shares import BridgeShare

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
        wanted = (
            BotsSettings(names=names)
            if have is None
            else have.model_copy(update={"names": tuple(dict.fromkeys(names))})
        )
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
            if taken := set(settings.bots.names) - set(bots.names if bots else ()):
                meaning = "they are bots of another daemon; this one stands by for them"
                log.warning("cluster.names_taken", bots=sorted(taken), meaning=meaning)
            beats = Heartbeats(bus, times.stopwatch, settings.secrets)
            history = HomeHistory(bus, home_id)
            residence = Residence(bus, home, history, claims, beats, daemon, bots, is_own=True)
            await residence.files(settings.data_dir).catch_up()

            async def own(_who: bytes) -> bytes:  # to a daemon with a copy of our folder
                return OWN

            async with bus.answering(f"leave.{home_id}", own):
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


def _name_of(home_id: str) -> str:
    machine = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:40]
    return f"{machine}-{home_id[:4]}"


CLAIMS_EVERY_S = 5.0
NEXT_AFTER_S = 0.3  # the daemons that keep a copy try in their order
WITHOUT_COPY_S = 3.0  # daemons without a copy wait this much longer
TIRED_S = 10.0  # wait after a home that failed to start here
SETTLED_S = 30.0  # a home that ran for a shorter time here makes us wait before the next try
FIRST_REST_S, LONGEST_REST_S = 1.0, 60.0
MOST_HOMES = 256  # homes that one daemon stands by for: anybody on the broker can claim some

OpenGuest: TypeAlias = Callable[
    [Residence, Path], AbstractAsyncContextManager["asyncio.Future[None]"]
]
"""Lives with a home, in a folder, while the block lasts; the future fails when a part does."""


class NothingKept(BotError):
    """Bots that begin anew elsewhere could never be joined with what their daemon remembers."""


@dataclass(frozen=True, slots=True)
class Guest:
    """What a daemon that lives with another one's home gets from the daemon it lives in."""

    residence: Residence
    bridge: BridgeShare
    server_host: ServerHost


def guest_settings(settings: Settings, folder: Path) -> Settings:
    """The settings by which a daemon lives with another one's home: its own, without HTTP."""
    dashboard = settings.dashboard.model_copy(update={"enabled": False})
    cluster = settings.cluster.model_copy(update={"keep_file": False})
    changed = {"data_dir": folder, "dashboard": dashboard, "cluster": cluster}
    return settings.model_copy(update=changed)


class Guests:
    """Runs homes whose daemon is gone, until it comes back. `run` is owned by its daemon.

        followed ──silent──▶ taken ──▶ lived with ──asked to leave, or lost──▶ followed

    A few daemons keep a copy of each home, so that a take-over reads only what came last."""

    def __init__(
        self, own: Residence, folder: Path, copies: int, times: Times, open_guest: OpenGuest
    ) -> None:
        self._own, self._folder, self._copies = own, folder / FOLDER, copies
        self._times, self._open = times, open_guest
        self._tasks = OwnedTasks()
        self._watched: set[str] = set()
        self._here: set[str] = set()
        self._rests_s = defaultdict[str, float](float)
        """How long each home is left alone before the next try: longer each time that life with it
        was short, so that a claim that leads nowhere, or a forged one, costs less and less."""

    async def run(self) -> None:
        """Stand by for every other home until cancelled."""
        try:
            while True:
                with suppress(BusError):
                    await self._own.claims.look()
                unwatched = self._own.claims.homes.keys() - self._watched - {self._own.home.id}
                for home in sorted(unwatched)[: MOST_HOMES - len(self._watched)]:
                    self._watched.add(home)
                    name = f"standing by for home {home}"
                    self._tasks.start(self._stand_by(home), name, partial(self._watch_anew, home))
                await self._until_news()
        finally:
            await self._tasks.aclose()

    def _watch_anew(self, home: str, _failure: BaseException) -> None:
        self._watched.discard(home)

    async def _until_news(self) -> None:
        """Wait until a home is heard of that is not watched yet, for a while at most."""
        for _ in range(round(CLAIMS_EVERY_S / LOOK_EVERY_S)):
            await self._times.sleep(LOOK_EVERY_S)
            known = self._watched | {self._own.home.id}
            if any(beat.bots and beat.home not in known for beat in self._own.beats.alive):
                return

    async def _stand_by(self, home: str) -> None:
        copy = _Copy(self._own, home, self._folder / home)
        silent_s = 0.0
        while True:
            try:
                if self._own.beats.of(home) is not None or home not in self._own.claims.homes:
                    silent_s = 0.0
                    if self._place(copy.home) < self._copies:
                        await copy.catch_up()
                    await self._times.sleep(LOOK_EVERY_S - TRY_EVERY_S)
                elif silent_s >= self._patience_s(home) + self._rests_s[home]:
                    silent_s = 0.0
                    await self._take_over(copy)
            except (HomeLost, BusUnavailable):
                silent_s = 0.0
            except (BotError, OSError) as error:
                log.warning("home.not_followed", home=home, why=str(error))
                await self._times.sleep(TIRED_S)
            await self._times.sleep(TRY_EVERY_S)
            silent_s += TRY_EVERY_S

    async def _take_over(self, copy: _Copy) -> None:
        home = await Home.take(self._own.bus, copy.home, self._own.daemon, self._times.stopwatch)
        if home is None:
            return
        began_s = self._times.stopwatch()
        left, asked = asyncio.Event(), asyncio.Event()

        async def leave(_who: bytes) -> bytes:
            asked.set()
            await left.wait()
            return LEFT

        self._here.add(copy.home)
        try:
            async with self._own.bus.answering(f"leave.{copy.home}", leave):
                try:
                    async with kept(home, self._times.sleep):
                        if await copy.catch_up() == 0:
                            raise NothingKept("its memory has not come to the cluster yet")
                        log.info("home.moved_in", home=copy.home)
                        await self._live_with(home, copy, asked)
                finally:
                    left.set()
        finally:
            self._here.discard(copy.home)
            lived_s = self._times.stopwatch() - began_s
            longer_s = min(LONGEST_REST_S, max(FIRST_REST_S, 2 * self._rests_s[copy.home]))
            rest_s = self._rests_s[copy.home] = 0.0 if lived_s >= SETTLED_S else longer_s
            log.info("home.left", home=copy.home, after_s=round(lived_s, 1), rest_s=rest_s)

    async def _live_with(self, home: Home, copy: _Copy, asked: asyncio.Event) -> None:
        bots = self._own.claims.homes[copy.home]
        residence = replace(
            self._own, home=home, history=copy.history, bots=bots, is_own=False, journal=None
        )
        async with self._open(residence, copy.folder) as failure:
            await until_first(home.lost.wait(), asked.wait(), asyncio.shield(failure))

    def _patience_s(self, home: str) -> float:
        """For how long others may take it first."""
        place = self._place(home)
        busy_s = NEXT_AFTER_S * len(self._here)
        return place * NEXT_AFTER_S + busy_s + (WITHOUT_COPY_S if place >= self._copies else 0.0)

    def _place(self, home: str) -> int:
        """Ours in the order in which the daemons stand by for a home."""
        alive = {beat.daemon for beat in self._own.beats.alive} | {self._own.daemon}
        beat = self._own.beats.of(home)
        others = alive - ({beat.daemon} if beat else set())
        order = sorted(others, key=lambda daemon: sha256(f"{home} {daemon}".encode()).digest())
        return order.index(self._own.daemon) if self._own.daemon in order else len(order)


class _Copy:
    """What this daemon keeps of another one's home."""

    def __init__(self, own: Residence, home: str, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.history = HomeHistory(own.bus, home)
        self._files = HomeFiles(own.bus, home, own.daemon, folder / PERSONA_FOLDER)
        self._beats = own.beats
        self._position: int | None = None

    async def catch_up(self) -> int:
        """Read what is new, if anything is; the position in its history, 0 when it has none.

        Raises BusUnavailable, StoreError."""
        beat = self._beats.of(self.home)
        if self._position is not None and beat is not None and beat.position == self._position:
            return self._position
        make_private_folder(self.folder)
        self._position = await self.history.catch_up(self.folder / FILE_NAME)
        await self._files.catch_up()
        return self._position
