"""Worlds opened to LAN: Minecraft announces each every 1.5 s to a multicast group."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from dataclasses import dataclass

GROUP, PORT = "224.0.2.60", 4445
LISTEN_S = 3.0
LONGEST_NAME = 80

_ANNOUNCED = re.compile(r"\[MOTD\](.*)\[/MOTD\]\s*\[AD\](?:[^\[\]:]*:)?(\d{1,5})\[/AD\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LanWorld:
    """A world somebody in this network opened."""

    host: str
    port: int
    name: str
    """`PLAYER - WORLD`, as the game announces it."""


async def lan_worlds(listen_s: float = LISTEN_S, *, port: int = PORT) -> list[LanWorld]:
    """The worlds announced within that time, each once. Raises OSError when the group cannot be
    joined."""
    found: dict[LanWorld, None] = {}
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: _Listener(found), sock=_group_socket(port)
    )
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


def _group_socket(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    try:
        listening.setblocking(False)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the game listens too
        listening.bind(("", port))
        _join_group(listening)
    except OSError:
        listening.close()
        raise
    return listening


def _join_group(listening: socket.socket) -> None:
    """On the network and, for a world of this very machine, on loopback: one will do."""
    failures: list[OSError] = []
    for interface in (socket.INADDR_ANY, socket.INADDR_LOOPBACK):
        membership = struct.pack("!4sI", socket.inet_aton(GROUP), interface)
        try:
            listening.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        except OSError as failure:
            failures.append(failure)
    if len(failures) == 2:
        raise failures[0]
