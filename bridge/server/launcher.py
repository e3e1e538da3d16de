"""Starts the embedded Minecraft server as a child process and talks to its admin line.

A folder whose world is kept is ours alone, told by a marker. We leave what others made as it is:
one block set there would cost them chests, animals and what players carry."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import struct
import zlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import IO, Any

import structlog

from bridge.child_environment import child_environment
from bridge.errors import ServerFailed
from bridge.foreign_json import read_object
from bridge.node import NODE_FLAGS, NODE_MEMORY
from bridge.world import Difficulty

MARKER = "townsfolk_world.json"
VERSION = "1.16.5"
MADE_BEFORE_MARKERS = "containers.json"
"""Which no other server writes."""
LEVEL_NAME = "prismarine-world"
"""That the embedded server gives each of its worlds."""
ONLY_OF_GAME = (b"WorldGenSettings", b"DataPacks", b"GameRules", b"Player")
"""What Minecraft keeps of a world, and the embedded server does not."""
ONLY_OF_GAME_IN_CHUNKS = (b"TileEntities", b"Entities", b"InhabitedTime")
SECTOR = 4096  # bytes: the first tells where chunks lie
MOST_BYTES = 4_000_000  # of a level.dat, unpacked
SHOWN = 3  # names of what lies in a folder
_NAME = re.compile(rb"\x08\x00\x09LevelName(?s:(..))")
_VERSION = re.compile(rb"\x0a\x00\x07Version(?s:.{0,200}?)\x08\x00\x04Name(?s:(..))")

log = structlog.get_logger(__name__)
HOST = "127.0.0.1"
SMELT_MS = 10_000  # vanilla: 200 ticks an item
CROP_TICK_MS = 68_267  # between two chances of a plant to grow, as a mean, as in vanilla
BITE_MS = 5_000  # until a fish bites at the soonest; at the latest six times that, as in vanilla
LAY_MS = 300_000  # until a hen lays at the soonest; at the latest twice that, as in vanilla
HERD_MS = 300_000  # until another animal comes in place of a killed one
READY_WITHIN_S = 20.0
ADMIN_WITHIN_S = 10.0
END_WITHIN_S = 1.5

_MAIN = Path(__file__).with_name("main.cjs")
_MARK = b"@@"
_LINE_LIMIT = 2**22
_SHOWN_BYTES = 200
_LOG_BYTES = 5_000_000  # terminal.cjs bounds what one life of it adds


def claim(folder: Path) -> None:
    """Take an empty folder, or one that was taken before. Raises ServerFailed for any other, before
    a byte is written."""
    try:
        found = sorted(one.name for one in folder.iterdir()) if os.path.lexists(folder) else []
    except OSError as error:
        raise ServerFailed(f"{folder} is no folder to keep a world in: {error.strerror}") from None
    if found and not {MARKER, MADE_BEFORE_MARKERS} & {*found}:
        raise ServerFailed(_foreign(folder, found))
    if "level.dat" in found:
        _refuse_other_level(folder, found)
    if other := next(filter(_is_of_game, sorted(folder.glob("region/*.mca"))), None):
        raise ServerFailed(
            f"{other} is of Minecraft, with chests and animals that the embedded server would not "
            "keep; it is left as it is. Move it away, or name another folder in "
            "embedded.world_folder"
        )
    if MARKER in found:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).write_text(json.dumps({"made_by": "townsfolk", "version": VERSION}))
    except OSError as error:
        raise ServerFailed(f"{folder} cannot be written: {error.strerror}") from None


def _refuse_other_level(folder: Path, found: list[str]) -> None:
    """Our folder may hold what is not: a save that somebody copied over it, a damaged file."""
    level = _unpacked(folder / "level.dat")
    if not _text(_NAME, level):
        raise ServerFailed(
            f"{folder / 'level.dat'} cannot be read; it is left as it is. Put a copy of it back, "
            "or move it away: the blocks stay"
        )
    of_game = any(tag in level for tag in ONLY_OF_GAME)
    if of_game or (_text(_NAME, level), _text(_VERSION, level)) != (LEVEL_NAME, VERSION):
        raise ServerFailed(_foreign(folder, found))


def _foreign(folder: Path, found: list[str]) -> str:
    shown = f"{', '.join(found[:SHOWN])}{', …' if len(found) > SHOWN else ''}"
    what = world_in(folder) if "level.dat" in found else shown
    return (
        f"{folder} holds {what}, which townsfolk did not make; it is left as it is. Name an empty"
        f" folder in embedded.world_folder; the embedded server speaks {VERSION} and takes no"
        " other worlds"
    )


def world_in(folder: Path) -> str:
    """What world a folder with a level.dat holds, in words."""
    level = _unpacked(folder / "level.dat")
    name, version = _text(_NAME, level), _text(_VERSION, level)
    called = f", “{name}”" if name else ""
    return f"a world of Minecraft{f' {version}' if version else ''}{called}"


def _unpacked(file: Path) -> bytes:
    """Empty for what cannot be read."""
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        level = unpacking.decompress(file.read_bytes(), MOST_BYTES)
    except (OSError, zlib.error):
        return b""
    return level if unpacking.eof else b""


def _is_of_game(region: Path) -> bool:
    """Whether its first chunk was written by Minecraft; no for one that cannot be read."""
    try:
        with region.open("rb") as file:
            first = next(place for place in struct.unpack(">1024I", file.read(SECTOR)) if place)
            file.seek((first >> 8) * SECTOR)
            size, _kind = struct.unpack(">IB", file.read(5))
            chunk = zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(
                file.read(min(size, MOST_BYTES)), MOST_BYTES
            )
    except (OSError, struct.error, StopIteration, zlib.error):
        return False
    return any(tag in chunk for tag in ONLY_OF_GAME_IN_CHUNKS)


def _text(field: re.Pattern[bytes], level: bytes) -> str:
    """A text of NBT, whose length stands before it."""
    if (found := field.search(level)) is None:
        return ""
    length = int.from_bytes(found[1], "big")
    told = level[found.end() : found.end() + min(length, 100)].decode(errors="replace")
    return "".join(char for char in told if char.isprintable())


class EmbeddedServer:
    """One running server, on loopback unless told otherwise. It ends with this process, however
    that dies."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._ready: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read(), name="embedded-server")
        self.port = 0

    @classmethod
    async def start(
        cls,
        node: Path,
        node_dir: Path,
        *,
        host: str = HOST,
        port: int = 0,
        seed: int = 1,
        spam_checked: Sequence[str] = (),
        operators: Sequence[str] | None = None,
        world_folder: Path | None = None,
        log_path: Path | None = None,
        smelt_ms: int = SMELT_MS,
        herd_ms: int = HERD_MS,
        crop_tick_ms: int = CROP_TICK_MS,
        bite_ms: int = BITE_MS,
        lay_ms: int = LAY_MS,
        difficulty: Difficulty = "peaceful",
        ready_within_s: float = READY_WITHIN_S,
    ) -> EmbeddedServer:
        """Start and wait until players can join. Raises ServerFailed with the reason.

        `port` 0 picks a free one. Names in `spam_checked` fall under the vanilla spam rule
        and are no operators; everybody else is, unless `operators` names who is. Without
        `world_folder` the world lives as long as the process; one that others made is refused.
        `log_path` takes what the child writes besides its protocol."""
        settings = {
            "host": host,
            "port": port,
            "seed": seed,
            "spamChecked": list(spam_checked),
            "operators": None if operators is None else list(operators),
            "smeltMs": smelt_ms,
            "herdMs": herd_ms,
            "cropTickMs": crop_tick_ms,
            "biteMs": bite_ms,
            "layMs": lay_ms,
            "difficulty": difficulty,
            **({"worldFolder": str(world_folder)} if world_folder else {}),
        }
        if world_folder is not None:
            claim(world_folder)
        server = cls(await _spawn(node, node_dir, settings, log_path))
        async with AsyncExitStack() as unready:
            unready.push_async_callback(server._abandon)
            await server._become_ready(f"{host}:{port}", ready_within_s)
            unready.pop_all()
        return server

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def exited(self) -> int:
        """Wait until the server has ended, asked or not; its exit code, negative = signal."""
        return await self._process.wait()

    async def admin(self, op: str, **args: Any) -> Any:
        """Run one operation of admin.cjs. Raises ServerFailed when it is refused, not
        answered in time, or the server is gone."""
        if not self.alive:
            raise ServerFailed(f"admin {op}: the embedded server has ended")
        request = next(self._ids)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[request] = answer
        try:
            self._stdin.write(json.dumps({"id": request, "op": op, **args}).encode() + b"\n")
            async with asyncio.timeout(ADMIN_WITHIN_S):
                return await answer
        except TimeoutError:
            raise ServerFailed(f"admin {op}: no answer after {ADMIN_WITHIN_S:g} s") from None
        finally:
            self._waiting.pop(request, None)

    async def answers(self, within_s: float = ADMIN_WITHIN_S) -> bool:
        """Whether it is still at work; one that hangs is alive and does not answer."""
        try:
            async with asyncio.timeout(within_s):
                await self.admin("ping")
        except (TimeoutError, ServerFailed):
            return False
        return True

    def kill(self) -> None:
        """End the process at once, whatever state it is in; `exited` tells when."""
        if self.alive:
            self._process.kill()

    async def aclose(self) -> None:
        """Send every player away and end the process, in less than 2 s; safe to call twice."""
        stdin = self._stdin
        stdin.close()
        try:
            async with asyncio.timeout(END_WITHIN_S):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
        await self._reader

    @property
    def _stdin(self) -> asyncio.StreamWriter:
        assert self._process.stdin is not None
        return self._process.stdin

    async def _abandon(self) -> None:
        self.kill()
        await self.aclose()

    async def _become_ready(self, wanted: str, within_s: float) -> None:
        try:
            async with asyncio.timeout(within_s):
                message = await self._ready
        except TimeoutError:
            raise ServerFailed(f"the embedded server was not ready after {within_s:g} s") from None
        if not message["ready"]:
            raise ServerFailed(_why_not(message, wanted))
        self.port = message["port"]

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            if line.startswith(_MARK):
                self._take_line(line[len(_MARK) :])
        code = await self._process.wait()
        why = f"the embedded server ended with code {code}"
        _settle(self._ready, {"ready": False, "message": why})
        for answer in self._waiting.values():
            _settle(answer, ServerFailed(why))

    def _take_line(self, line: bytes) -> None:
        """One message. What is none is dropped: whoever waits for it has a deadline."""
        try:
            message = read_object(line)
            if "ready" in message:
                _settle(self._ready, message)
            elif (answer := self._waiting.get(message["id"])) is not None:
                is_refused = "error" in message
                _settle(answer, ServerFailed(message["error"]) if is_refused else message["ok"])
        except (ValueError, LookupError, TypeError) as error:
            shown = line[:_SHOWN_BYTES].decode(errors="replace")
            log.warning("server.line_broken", line=shown, why=repr(error))


async def _spawn(
    node: Path, node_dir: Path, settings: dict[str, Any], log_path: Path | None
) -> asyncio.subprocess.Process:
    log = _open_log(log_path) if log_path else asyncio.subprocess.DEVNULL
    try:
        return await asyncio.create_subprocess_exec(
            node,
            *NODE_FLAGS,
            _MAIN,
            json.dumps(settings),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=child_environment(TOWNSFOLK_NODE_DIR=str(node_dir)) | NODE_MEMORY,
            limit=_LINE_LIMIT,
            start_new_session=True,  # Ctrl-C reaches Python alone, which ends the server in order
        )
    except OSError as error:
        raise ServerFailed(f"Node could not be started for the server: {error}") from error
    finally:
        if not isinstance(log, int):
            log.close()


def _open_log(path: Path) -> IO[bytes]:
    if path.exists() and path.stat().st_size > _LOG_BYTES:
        path.replace(path.with_name(f"{path.name}.1"))
    path.touch(mode=0o600)  # it holds names and addresses of players
    return path.open("ab")


def _why_not(message: dict[str, Any], wanted: str) -> str:
    host, _, port = wanted.rpartition(":")
    if message.get("code") == "EADDRINUSE":
        return f"port {port} on {host} is taken by another program"
    if message.get("code") == "EADDRNOTAVAIL":
        return f"this machine has no address {host}; embedded.host may be 0.0.0.0, which is all"
    return f"the embedded server did not start: {message['message']}"


def _settle(future: asyncio.Future[Any], outcome: Any) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
