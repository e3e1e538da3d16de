"""A child process that answers each JSON line with one, and ends when its stdin closes."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

END_WITHIN_S = 3.0
LINE_LIMIT = 2**22


class Child:
    """One running child."""

    def __init__(self, name: str, process: Process) -> None:
        self._name, self._process = name, process

    @classmethod
    @asynccontextmanager
    async def running(
        cls, *command: str | Path, environment: Mapping[str, str], within_s: float = 20.0
    ) -> AsyncIterator[Child]:
        """A child that has said it is ready, for as long as the block lasts."""
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, **environment},
            limit=LINE_LIMIT,
        )
        child = cls(str(command[1]), process)
        try:
            await child.answer(within_s)
            yield child
        finally:
            await child._end()

    async def ask(self, question: Any, within_s: float) -> Any:
        """Send a line and wait for its answer. Raises RuntimeError when the child has ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        return await self.answer(within_s)

    async def answer(self, within_s: float) -> Any:
        """The next line of JSON; what libraries print is passed over."""
        assert self._process.stdout is not None
        async with asyncio.timeout(within_s):
            async for line in self._process.stdout:
                if line.startswith(b"{"):
                    return json.loads(line)
        raise RuntimeError(f"{self._name} ended with code {await self._process.wait()}")

    async def _end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(END_WITHIN_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
