"""The folder of a world that is kept: ours alone, told by a marker. What others made is left as it
is: one block set there would cost them chests, animals and what players carry."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

from bridge.errors import ServerFailed

MARKER = "townsfolk_world.json"
VERSION = "1.16.5"
MADE_BEFORE_MARKERS = "containers.json"
"""Which no other server writes."""
MOST_BYTES = 4_000_000  # of a level.dat, unpacked
SHOWN = 3  # names of what lies in a folder
_NAME = re.compile(rb"\x08\x00\x09LevelName(?s:(..))")
_VERSION = re.compile(rb"\x0a\x00\x07Version(?s:.{0,200}?)\x08\x00\x04Name(?s:(..))")


def claim(folder: Path) -> None:
    """Take an empty folder, or one that was taken before. Raises ServerFailed for any other, before
    a byte is written."""
    if (folder / MARKER).is_file():
        return
    try:
        found = sorted(one.name for one in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise ServerFailed(f"{folder} is no folder to keep a world in: {error.strerror}") from None
    if found and MADE_BEFORE_MARKERS not in found:
        raise ServerFailed(
            f"{folder} holds {_what(folder, found)}, which townsfolk did not make; it is left as it"
            " is. Name an empty folder in embedded.world_folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).write_text(json.dumps({"made_by": "townsfolk", "version": VERSION}))
    except OSError as error:
        raise ServerFailed(f"{folder} cannot be written: {error.strerror}") from None


def _what(folder: Path, found: list[str]) -> str:
    if "level.dat" not in found:
        more = ", …" if len(found) > SHOWN else ""
        return f"{', '.join(found[:SHOWN])}{more}"
    level = _unpacked(folder / "level.dat")
    name, version = _text(_NAME, level), _text(_VERSION, level)
    called = f", “{name}”" if name else ""
    return f"a world of Minecraft{f' {version}' if version else ''}{called}"


def _unpacked(file: Path) -> bytes:
    """Empty for what cannot be read."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(file.read_bytes(), MOST_BYTES)
    except (OSError, zlib.error):
        return b""


def _text(field: re.Pattern[bytes], level: bytes) -> str:
    """A text of NBT, whose length stands before it."""
    if (found := field.search(level)) is None:
        return ""
    length = int.from_bytes(found[1], "big")
    told = level[found.end() : found.end() + min(length, 100)].decode(errors="replace")
    return "".join(char for char in told if char.isprintable())
