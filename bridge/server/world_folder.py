"""The folder of a world that is kept: ours alone, told by a marker. What others made is left as it
is: one block set there would cost them chests, animals and what players carry."""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from pathlib import Path

from bridge.errors import ServerFailed

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
    return (
        f"{folder} holds {_what(folder, found)}, which townsfolk did not make; it is left as it"
        f" is. Name an empty folder in embedded.world_folder; the embedded server speaks {VERSION}"
        " and takes no other worlds"
    )


def _what(folder: Path, found: list[str]) -> str:
    if "level.dat" not in found:
        more = ", …" if len(found) > SHOWN else ""
        return f"{', '.join(found[:SHOWN])}{more}"
    return world_in(folder)


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
