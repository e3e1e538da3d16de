"""A protocol server of any version as test equipment: starts bench/server.cjs, gives it orders."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import anyio

SCRIPT = Path(__file__).parent / "bench" / "server.cjs"
WITHIN_S = 20.0
END_WITHIN_S = 3.0

Message: TypeAlias = Mapping[str, Any]


class VersionServer:
    """One process; `do` gives it an order and waits until it is carried out."""

    def __init__(self, child: asyncio.subprocess.Process, version: str) -> None:
        self.version = version
        self.port = 0
        self._child = child
        self._numbers = itertools.count(1)
        self._woken = asyncio.Event()
        self._told: list[Message] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def of(
        cls, node: Path, node_dir: Path, version: str, **config: Any
    ) -> AsyncIterator[VersionServer]:
        """A server for the time of a block; `config` as server.cjs takes it."""
        child = await asyncio.create_subprocess_exec(
            str(node),
            str(SCRIPT),
            json.dumps({"version": version, **config}),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        )
        server = cls(child, version)
        try:
            server.port = (await server.until("listening"))["port"]
            yield server
        finally:
            await server._aclose()

    async def do(self, op: str, **fields: Any) -> None:
        """Raises AssertionError with the server's own words when it cannot."""
        number = next(self._numbers)
        assert self._child.stdin is not None
        self._child.stdin.write((json.dumps({"op": op, "n": number, **fields}) + "\n").encode())
        done = await self._first(lambda message: message.get("n") == number)
        assert done["t"] == "done", done

    async def until(self, kind: str, **fields: Any) -> Message:
        """The first message of a kind with these values, waited for. Raises TimeoutError."""
        return await self._first(lambda message: _is(message, kind, fields))

    def all(self, kind: str, **fields: Any) -> list[Message]:
        """What it told so far."""
        return [message for message in self._told if _is(message, kind, fields)]

    async def _first(self, wanted: Callable[[Message], bool]) -> Message:
        with anyio.fail_after(WITHIN_S):
            while True:
                for message in self._told:
                    if wanted(message):
                        return message
                self._woken.clear()
                await self._woken.wait()

    async def _read(self) -> None:
        assert self._child.stdout is not None
        async for line in self._child.stdout:
            self._told.append(json.loads(line))
            self._woken.set()

    async def _aclose(self) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_WITHIN_S):
                await self._child.wait()
        if self._child.returncode is None:
            self._child.kill()
            await self._child.wait()
        await self._reading


def _is(message: Message, kind: str, fields: Message) -> bool:
    return message["t"] == kind and all(message.get(k) == v for k, v in fields.items())
