"""Many players at little cost, under exact names: clients of the protocol alone."""

import asyncio
import json
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bridge.port import ServerAddress

JOINED_WITHIN_S = 20.0
SCRIPT = Path(__file__).with_name("clients.cjs")


class Clients:
    """Players by name; what each has heard is in `heard`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._joined: set[str] = set()
        self._changed = asyncio.Condition()
        self.heard: defaultdict[str, list[str]] = defaultdict(list)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, node: Path, node_dir: Path, server: ServerAddress
    ) -> AsyncIterator["Clients"]:
        process = await asyncio.create_subprocess_exec(
            node,
            SCRIPT,
            server.host,
            str(server.port),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "TOWNSFOLK_NODE_DIR": str(node_dir)},
        )
        clients = cls(process)
        reading = asyncio.create_task(clients._read())
        try:
            yield clients
        finally:
            assert process.stdin is not None
            process.stdin.close()
            await process.wait()
            await reading

    async def join(self, *names: str) -> None:
        """Let players join one after the other, and wait until they stand in the world."""
        for name in names:
            self._joined.discard(name)
            self._tell(join=name)
            await self._until(partial(self._joined.__contains__, name), JOINED_WITHIN_S)

    def leave(self, name: str) -> None:
        self._tell(leave=name)

    def whisper(self, name: str, to: str, text: str) -> None:
        self._tell(**{"from": name, "say": f"/tell {to} {text}"})

    async def hears(self, name: str, containing: str, after: int, within_s: float) -> str:
        """The first whisper with these words after so many. Raises TimeoutError."""

        def found() -> list[str]:
            return [text for text in self.heard[name][after:] if containing in text]

        await self._until(lambda: bool(found()), within_s)
        return found()[0]

    async def asks(
        self, name: str, bot: str, text: str, containing: str = "", within_s: float = 8.0
    ) -> str:
        """Whisper, and wait for a whisper with these words."""
        before = len(self.heard[name])
        self.whisper(name, bot, text)
        return await self.hears(name, containing, before, within_s)

    def _tell(self, **fact: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(fact).encode() + b"\n")

    async def _until(self, met: Callable[[], bool], within_s: float) -> None:
        async with asyncio.timeout(within_s), self._changed:
            await self._changed.wait_for(met)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            fact = json.loads(line)
            async with self._changed:
                if "joined" in fact:
                    self._joined.add(fact["joined"])
                else:
                    self.heard[fact["to"]].append(fact["heard"])
                self._changed.notify_all()
