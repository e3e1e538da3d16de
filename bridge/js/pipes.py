"""The pipes of one Node process, read and written in the event loop: no thread stands between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import cast

_EXIT_WITHIN_S = 5.0


class Pipes(asyncio.SubprocessProtocol):
    """Lines that Node writes to its stderr come to `take`, and `ended` hears why there are no more.

    What is written waits here while Node takes none: at most one batch and one answer, as Node
    gets the next only when it has answered these."""

    _process: asyncio.SubprocessTransport
    _stdin: asyncio.WriteTransport

    def __init__(self, take: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self._take, self._ended = take, ended
        self._begun: list[bytes] = []  # of the line whose end has not come yet
        self._gone = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._process.get_pid()

    def write(self, line: str) -> None:
        self._stdin.write(line.encode() + b"\n")

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    async def aclose(self) -> None:
        """Kill the process if it still runs, and wait until it is gone."""
        self.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_WITHIN_S):
                await self._gone.wait()
        self._process.close()

    # --- called by asyncio -------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process = cast("asyncio.SubprocessTransport", transport)
        self._stdin = cast("asyncio.WriteTransport", self._process.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._take(b"".join((*self._begun, line)))
            self._begun.clear()
        if rest:
            self._begun.append(rest)

    def connection_lost(self, error: Exception | None) -> None:
        """The process has ended, and all that it wrote was read."""
        self._gone.set()
        self._ended(f"Node ended with code {self._process.get_returncode()}")
