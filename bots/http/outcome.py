"""Waits for the outcome of a request, unless the daemon closes or whoever asked leaves first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from bots.http.responses import Refused

T = TypeVar("T")


class Outcomes:
    """Of the requests to one app."""

    def __init__(self, closing: asyncio.Event) -> None:
        self._closing = closing

    async def of(
        self, work: Coroutine[Any, Any, T], leaving: Coroutine[Any, Any, None] | None = None
    ) -> T:
        """Raises Refused once the daemon closes or `leaving` ends; the work is cancelled then."""
        working = asyncio.create_task(work, name="http outcome")
        ends: set[asyncio.Task[Any]] = {
            asyncio.create_task(self._closing.wait(), name="http closing")
        }
        if leaving is not None:
            ends.add(asyncio.create_task(leaving, name="http leaving"))
        try:
            await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            if not self._closing.is_set():
                raise Refused(400, "left", "whoever asked has left; the command was ended")
            message = "the daemon is ending; whether this was done is unknown"
            raise Refused(503, "shutting_down", message)
        finally:
            for task in (working, *ends):
                task.cancel()
