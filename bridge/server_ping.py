"""Finding servers: what one answers to a ping, and worlds opened to LAN. Needs no Node.

A ping asks as the newest version that bots speak: what translates for older clients (ViaVersion,
ViaProxy) tells the version of whoever asks, and ViaProxy knows no other answer. Minecraft
announces a LAN world every 1.5 s to a multicast group."""

from __future__ import annotations

import asyncio
import os
import re
import socket
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

LAN_GROUP, LAN_PORT = "224.0.2.60", 4445
LISTEN_S = 3.0
LONGEST_NAME = 80

_ANNOUNCED = re.compile(r"\[MOTD\](.*)\[/MOTD\]\s*\[AD\](?:[^\[\]:]*:)?(\d{1,5})\[/AD\]", re.DOTALL)


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


@dataclass(frozen=True, slots=True)
class LanWorld:
    """A world somebody in this network opened."""

    host: str
    port: int
    name: str
    """`PLAYER - WORLD`, as the game announces it."""


async def lan_worlds(listen_s: float = LISTEN_S, *, port: int = LAN_PORT) -> list[LanWorld]:
    """The worlds announced within that time, each once. Raises OSError when the group cannot be
    joined."""
    found: dict[LanWorld, None] = {}
    loop = asyncio.get_running_loop()
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    try:
        listening.setblocking(False)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the game listens too
        listening.bind(("", port))
        _join_group(listening)
    except OSError:
        listening.close()
        raise
    transport, _ = await loop.create_datagram_endpoint(lambda: _Listener(found), sock=listening)
    try:
        await asyncio.sleep(listen_s)
    finally:
        transport.close()
    return list(found)


class _Listener(asyncio.DatagramProtocol):
    def __init__(self, found: dict[LanWorld, None]) -> None:
        self._found = found

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        world = announced(data, addr[0])
        if world is not None:
            self._found[world] = None


def announced(data: bytes, host: str) -> LanWorld | None:
    """The world that a datagram announces; None for anything else."""
    match = _ANNOUNCED.fullmatch(data.decode(errors="replace").strip())
    if match is None or not 1 <= int(match[2]) <= 65535:
        return None
    return LanWorld(host, int(match[2]), " ".join(match[1].split())[:LONGEST_NAME])


def _join_group(listening: socket.socket) -> None:
    """On the network and, for a world of this very machine, on loopback: one will do."""
    failures: list[OSError] = []
    for interface in (socket.INADDR_ANY, socket.INADDR_LOOPBACK):
        membership = struct.pack("!4sI", socket.inet_aton(LAN_GROUP), interface)
        try:
            listening.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        except OSError as failure:
            failures.append(failure)
    if len(failures) == 2:
        raise failures[0]
