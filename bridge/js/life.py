"""One life of Node: its process, the link to it and the watch over both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

import structlog

from bridge import wire
from bridge.errors import BridgeError, NodeSetupError
from bridge.js.jspybridge import HostProcess, HostSettings
from bridge.js.link import Link
from bridge.js.watch import watch

log = structlog.get_logger(__name__)

START_WITHIN_S = 30.0
LEAVE_WITHIN_S = 0.8


class Life:
    """A Node that carries commands and events until `link.ended`."""

    def __init__(self, host: HostProcess, link: Link) -> None:
        self.host, self.link = host, link
        self._began_s = time.monotonic()
        self._watching = asyncio.create_task(watch(link), name="node-watch")

    @classmethod
    async def begin(
        cls,
        settings: HostSettings,
        deliver: Callable[[Sequence[wire.Wire]], None],
        unread: Callable[[], int],
    ) -> Life:
        """Start Node and load the host. Raises NodeSetupError."""
        link = Link(deliver, unread)
        host = await HostProcess.start(settings, link.receive, link.fail)
        async with AsyncExitStack() as unless_loaded:
            unless_loaded.push_async_callback(host.aclose)
            await _load(host)
            unless_loaded.pop_all()
        link.open(host)
        log.info("node.started", pid=host.pid)
        return cls(host, link)

    @property
    def lived_s(self) -> float:
        return time.monotonic() - self._began_s

    async def leave(self) -> None:
        """Let the bots leave and Node end by itself, but not for long; then `end`."""
        if not self.link.ended.done():
            try:
                await self.link.command("shutdown", None, {}, LEAVE_WITHIN_S)
            except BridgeError as error:
                log.info("node.shutdown_unanswered", why=str(error))
            await asyncio.wait({self.link.ended}, timeout=LEAVE_WITHIN_S)
        await self.end("the bridge is closed")

    async def end(self, why: str) -> None:
        """End Node at once; commands under way raise BridgeDown. Safe to call twice."""
        self.link.fail(why)
        await self._watching
        await self.host.aclose()
        log.info("node.ended", why=self.link.ended.result(), lived_s=round(self.lived_s, 1))


async def _load(host: HostProcess) -> None:
    try:
        async with asyncio.timeout(START_WITHIN_S):
            await asyncio.to_thread(host.load)
    except TimeoutError:
        raise NodeSetupError(f"Node was not ready after {START_WITHIN_S:g} s") from None
