"""Asks a Minecraft server what it is, as the list of servers in the game does. Needs no Node.

It asks as the newest version that bots speak: what translates for older clients (ViaVersion,
ViaProxy) tells the version of whoever asks, and ViaProxy knows no other answer."""

from __future__ import annotations

import asyncio
import os
import re
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bridge.errors import UserError
from bridge.foreign_json import read_object
from bridge.versions import VERSIONS

ANSWERS_WITHIN_S = 5.0
LONGEST_ANSWER = 1 << 20  # bytes; pictures of servers are in it
_STATUS = 1
_MARKS = re.compile("§.")


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What a server tells of itself."""

    version: str
    protocol: int
    players: int
    room: int
    checks_accounts: bool = False
    """Surely online-mode=true: it asks that chat be signed. Others may check accounts too."""
    latency_s: float = 0.0
    motd: str = ""
    """What the list of servers shows, on one line."""

    @property
    def is_closed_via_proxy(self) -> bool:
        """Whether it is ViaProxy, which lets nobody through; `motd` says why."""
        return self.protocol < 0 and self.version == "ViaProxy"


class NoAnswer(UserError):
    """Nobody answers as a Minecraft server does; the text says how."""


async def ping(host: str, port: int, within_s: float = ANSWERS_WITHIN_S) -> ServerStatus:
    """Raises NoAnswer."""
    try:
        async with asyncio.timeout(within_s):
            began = time.monotonic()
            told = await _asked(host, port)
            return replace(_status(told), latency_s=time.monotonic() - began)
    except TimeoutError:
        raise NoAnswer(f"{host}:{port} did not answer within {within_s:g} s") from None
    except asyncio.IncompleteReadError:
        raise NoAnswer(f"what answers at {host}:{port} is no Minecraft server") from None
    except OSError as error:
        raise NoAnswer(f"nothing answers at {host}:{port}: {_why(error)}") from error
    except (ValueError, LookupError, TypeError):
        raise NoAnswer(f"what answers at {host}:{port} is no Minecraft server") from None


async def _asked(host: str, port: int) -> Any:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        name = host.encode()
        hello = (
            _number(VERSIONS.newest.protocol) + _number(len(name)) + name + struct.pack(">H", port)
        )
        writer.write(_packet(hello + _number(_STATUS)) + _packet(b""))
        await writer.drain()
        for _packet_length_and_kind in range(2):
            await _read_number(reader)
        length = await _read_number(reader)
        if length > LONGEST_ANSWER:
            raise ValueError(length)
        return read_object(await reader.readexactly(length))
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _why(error: OSError) -> str:
    number = error.errno or 0  # negative where a name is not found
    return os.strerror(number) if number > 0 else str(error.strerror or error)


def _status(told: Any) -> ServerStatus:
    players = told["players"]
    return ServerStatus(
        version=_MARKS.sub("", str(told["version"]["name"]))[:40],
        protocol=int(told["version"]["protocol"]),
        players=int(players["online"]),
        room=int(players["max"]),
        checks_accounts=told.get("enforcesSecureChat") is True,
        motd=_MARKS.sub("", " ".join(_words(told.get("description", "")).split())),
    )


def _words(component: Any) -> str:
    if isinstance(component, dict):
        return str(component.get("text", "")) + _words(component.get("extra", []))
    if isinstance(component, list):
        return "".join(map(_words, component))
    return str(component)


def _packet(body: bytes) -> bytes:
    return _number(len(body) + 1) + b"\x00" + body


def _number(value: int) -> bytes:
    """A number of variable length: seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


async def _read_number(reader: asyncio.StreamReader) -> int:
    value = 0
    for shift in range(0, 35, 7):
        (byte,) = await reader.readexactly(1)
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value
    raise ValueError("too long")
