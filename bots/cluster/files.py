"""The characters of a home's bots, for whoever takes the home over: a stream of changed files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from errno import ENAMETOOLONG
from pathlib import Path, PurePosixPath

import structlog

from bots.clock import Sleep
from bots.cluster.bus import Bus, BusUnavailable, Entry
from bots.private_files import for_owner_alone, make_private_folder
from bridge.foreign_json import read_json

log = structlog.get_logger()

LOOK_EVERY_S = 2.0
LARGEST_TEXT = 100_000  # characters; no model is shown as much


class HomeFiles:
    """The texts below one folder (`*/*.md`), in the order in which they changed."""

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
                await self._send(path, text)
                self._known[path] = text

    async def _send(self, path: str, text: str) -> None:
        body = json.dumps([self._daemon, path, text], ensure_ascii=False)
        # A path may be no text; what it becomes then names no file of ours elsewhere.
        await self._bus.append(self._stream, body.encode("utf-8", "replace"))

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
                newest.update(self._understood(entry))
            self._read_to = page[-1].position
        return {path: self._known[path] for path, by in newest.items() if by != self._daemon}

    def _understood(self, entry: Entry) -> dict[str, str]:
        """Who sent a file, by its path; nothing for a damaged entry."""
        try:
            by, path, text = map(str, read_json(entry.body))
        except (ValueError, TypeError) as error:
            log.warning("home_file.damaged", why=str(error))
            return {}
        self._known[path] = text
        return {path: by}


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
        if not _is_ours(path):
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


def _is_ours(path: str) -> bool:
    """Whether it stays within the folder: what comes from the broker is not trusted with more."""
    parts = PurePosixPath(path).parts
    return len(parts) == 2 and ".." not in parts and not path.startswith("/") and path[-3:] == ".md"
