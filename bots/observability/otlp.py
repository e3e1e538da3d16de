"""Sends decisions to a collector of OpenTelemetry, over HTTP as JSON.

It never holds anything up: what cannot be sent is dropped, and the log says so once."""

from __future__ import annotations

import asyncio
import random
from importlib.metadata import version
from typing import TYPE_CHECKING

import structlog

from bots.observability.spans import Json, export_of
from bots.observability.trace import TraceLog

if TYPE_CHECKING:
    import httpx2

log = structlog.get_logger()

WITHIN_S = 5.0
GATHER_S = 1.0  # what happens within it goes in one request
PATH = "/v1/traces"


class Exporter:
    def __init__(self, endpoint: str, dice: random.Random, *, gather_s: float = GATHER_S) -> None:
        """`endpoint` is that of a collector, without the path."""
        self._url = endpoint.rstrip("/") + PATH
        self._dice, self._gather_s = dice, gather_s
        self._version = version("townsfolk")
        self._is_failing = False

    async def run(self, trace: TraceLog) -> None:
        """Read the trace and send until cancelled."""
        import httpx2

        with trace.reading() as reader:
            async with httpx2.AsyncClient(timeout=WITHIN_S, trust_env=False) as http:
                while traces := await reader.drain():
                    await asyncio.sleep(self._gather_s)
                    traces += reader.taken()
                    export = export_of(traces, self._dice, self._version)
                    if export["resourceSpans"]:
                        await self._send(http, export)

    async def _send(self, http: httpx2.AsyncClient, export: Json) -> None:
        import httpx2

        try:
            reply = await http.post(self._url, json=export)
            why = None if reply.is_success else f"it answered {reply.status_code}"
        except httpx2.TransportError as error:
            why = type(error).__name__
        if why is not None and not self._is_failing:
            log.warning("spans.not_sent", to=self._url, why=why)
        elif why is None and self._is_failing:
            log.info("spans.sent_again", to=self._url)
        self._is_failing = why is not None
