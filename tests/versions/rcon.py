"""RCON, the console of a Minecraft server over TCP: a small client."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

ANSWER, COMMAND, LOGIN = 0, 2, 3
REFUSED = -1
"""The number of a packet that answers a wrong password."""
WITHIN_S = 15.0
_HEAD = struct.Struct("<ii")
_LENGTH = struct.Struct("<i")


class WrongPassword(Exception):
    pass


@dataclass(frozen=True)
class Packet:
    number: int
    kind: int
    text: str

    def encoded(self) -> bytes:
        body = _HEAD.pack(self.number, self.kind) + self.text.encode() + b"\0\0"
        return _LENGTH.pack(len(body)) + body

    @classmethod
    async def read(cls, reader: asyncio.StreamReader) -> "Packet":
        """Raises asyncio.IncompleteReadError when the other side is gone."""
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        body = await reader.readexactly(length)
        number, kind = _HEAD.unpack_from(body)
        return cls(number, kind, body[_HEAD.size : -2].decode(errors="replace"))


class Rcon:
    """One connection; commands are carried out in turn."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def of(cls, host: str, port: int, password: str) -> AsyncIterator["Rcon"]:
        """Raises WrongPassword."""
        reader, writer = await asyncio.open_connection(host, port)
        rcon = cls(reader, writer)
        try:
            if (await rcon._exchange(LOGIN, password)).number == REFUSED:
                raise WrongPassword(f"{host}:{port}")
            yield rcon
        finally:
            writer.close()

    async def run(self, command: str) -> str:
        """What the server answers; of a long answer the first 4,096 bytes."""
        return (await self._exchange(COMMAND, command)).text

    async def _exchange(self, kind: int, text: str) -> Packet:
        async with self._turn, asyncio.timeout(WITHIN_S):
            self._writer.write(Packet(1, kind, text).encoded())
            await self._writer.drain()
            return await Packet.read(self._reader)
