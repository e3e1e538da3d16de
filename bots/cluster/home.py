"""A home is the bots of one data folder, with all they remember. It is at one daemon at a time.

Whoever holds its lease may have its bots in the world. The lease runs out unless it is renewed;
who could not renew it counts it as lost a little before the broker does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from errno import ENAMETOOLONG
from pathlib import Path, PurePosixPath
from secrets import token_hex

import structlog

from bots.clock import Sleep, Stopwatch
from bots.cluster.bus import Bus, BusUnavailable, Lease, LeaseLost
from bots.private_files import for_owner_alone, make_private_folder
from bridge.foreign_json import read_json

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


LOOK_EVERY_S = 2.0
LARGEST_TEXT = 100_000  # characters; no model is shown as much


class HomeFiles:
    """The characters of a home's bots, for whoever takes the home over: a stream of the changed
    texts below one folder (`*/*.md`)."""

    def __init__(self, bus: Bus, home: str, daemon: str, folder: Path) -> None:
        self._bus, self._stream, self._folder = bus, f"files.{home}", folder
        self._daemon = daemon
        self._read_to = 0
        self._known: dict[str, str] = {}
        self._unwritten: dict[str, str] = {}

    async def keep(self, sleep: Sleep) -> None:
        """Send what changes until cancelled."""
        while True:
            with suppress(BusUnavailable):
                await self.send()
            await sleep(LOOK_EVERY_S)

    async def send(self) -> None:
        """Send what has changed since it was last sent. Raises BusUnavailable."""
        await self._read()
        for path, text in await asyncio.to_thread(lambda: list(_texts(self._folder))):
            if self._known.get(path) != text:
                body = json.dumps([self._daemon, path, text], ensure_ascii=False)
                # A path may be no text; what it becomes then names no file of ours elsewhere.
                await self._bus.append(self._stream, body.encode("utf-8", "replace"))
                self._known[path] = text

    async def catch_up(self) -> None:
        """Write what others have sent last; what cannot be written, the next time.

        Raises BusUnavailable."""
        self._unwritten.update(await self._read())
        texts = self._unwritten
        self._unwritten = await asyncio.to_thread(_write_all, self._folder, texts)

    async def _read(self) -> dict[str, str]:
        """What is new in the stream and last came from another daemon, by path."""
        newest: dict[str, str] = {}
        while page := await self._bus.read(self._stream, self._read_to):
            for entry in page:
                try:
                    by, path, text = map(str, read_json(entry.body))
                except (ValueError, TypeError) as error:
                    log.warning("home_file.damaged", why=str(error))
                    continue
                self._known[path], newest[path] = text, by
            self._read_to = page[-1].position
        return {path: self._known[path] for path, by in newest.items() if by != self._daemon}


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.glob("*/*.md")):
        with suppress(OSError, ValueError):
            text = file.read_text(encoding="utf-8")
            if len(text) <= LARGEST_TEXT:
                yield file.relative_to(folder).as_posix(), text


def _write_all(folder: Path, texts: dict[str, str]) -> dict[str, str]:
    """Write them; those for which there was no place."""
    left: dict[str, str] = {}
    for path, text in texts.items():
        parts = PurePosixPath(path).parts
        is_inside = len(parts) == 2 and ".." not in parts and not path.startswith("/")
        if not (is_inside and path[-3:] == ".md"):  # what comes from the broker is not trusted
            log.warning("home_file.refused", path=path[:80])
            continue
        try:
            _write(folder / path, text)
        except (OSError, ValueError) as error:  # ValueError: half a character
            log.warning("home_file.not_written", path=path[:80], why=str(error))
            if isinstance(error, OSError) and error.errno != ENAMETOOLONG:
                left[path] = text
    return left


def _write(file: Path, text: str) -> None:
    make_private_folder(file.parent)
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with open(draft, "x", encoding="utf-8", opener=for_owner_alone) as out:
        out.write(text)
    draft.replace(file)
