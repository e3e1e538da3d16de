"""Servers as test equipment: starts the programs of bench/ and gives them orders."""

import asyncio
import itertools
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeAlias

import anyio

BENCH = Path(__file__).parent / "bench"
WITHIN_S = 20.0
END_WITHIN_S = 3.0

Message: TypeAlias = Mapping[str, Any]


class Equipment:
    """One Node process that listens on a port; `do` gives it an order and waits for the end."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self.port = 0
        self._child = child
        self._numbers = itertools.count(1)
        self._woken = asyncio.Event()
        self._told: list[Message] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def started(
        cls, node: Path, node_dir: Path, script: str, **config: Any
    ) -> AsyncIterator[Self]:
        """A process for the time of a block; `config` as the script of bench/ takes it."""
        child = await asyncio.create_subprocess_exec(
            str(node),
            str(BENCH / script),
            json.dumps(config),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        )
        server = cls(child)
        try:
            server.port = (await server.until("listening"))["port"]
            yield server
        finally:
            await server.aclose()

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

    async def aclose(self) -> None:
        """End it; safe to call twice."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_WITHIN_S):
                await self._child.wait()
        if self._child.returncode is None:
            self._child.kill()
            await self._child.wait()
        await self._reading

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


class VersionServer(Equipment):
    """A protocol server of one version."""

    version = ""

    @classmethod
    @asynccontextmanager
    async def of(
        cls, node: Path, node_dir: Path, version: str, **config: Any
    ) -> AsyncIterator["VersionServer"]:
        """A server for the time of a block; `config` as server.cjs takes it."""
        started = cls.started(node, node_dir, "server.cjs", version=version, **config)
        async with started as server:
            server.version = version
            yield server


def _is(message: Message, kind: str, fields: Message) -> bool:
    return message["t"] == kind and all(message.get(k) == v for k, v in fields.items())
