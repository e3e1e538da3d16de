"""Sends decisions to a collector of OpenTelemetry, with its own SDK, which is an extra.

It never blocks anything: it drops spans that it cannot send, and logs that once."""

from __future__ import annotations

import asyncio
from importlib import import_module

from bots.errors import SettingsError
from bots.observability.trace import TraceLog
from bots.settings.secrets import SecretUrl

GATHER_S = 1.0  # what happens within it goes in one request
PATH = "/v1/traces"
NEEDED = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
INSTALL = '.venv/bin/pip install -q -c constraints.txt -e ".[otel]"'


def check_installed() -> None:
    """Raises SettingsError where the extra is missing."""
    try:
        import_module(NEEDED)
    except ImportError as error:
        raise SettingsError(
            f"telemetry.otlp_endpoint needs packages of OpenTelemetry that are not installed "
            f"({error}); install them with: {INSTALL}"
        ) from None


class Exporter:
    def __init__(self, endpoint: SecretUrl, *, gather_s: float = GATHER_S) -> None:
        """`endpoint` is that of a collector, without the path."""
        self._url = SecretUrl(endpoint.get_secret_value().rstrip("/") + PATH)
        self._gather_s = gather_s

    async def run(self, trace: TraceLog) -> None:
        """Read the trace and send until cancelled; then send what is left."""
        from bots.observability.collector import Collector, tell

        collector = Collector(self._url, self._gather_s)
        with trace.reading() as reader:
            try:
                while traces := await reader.drain():
                    tell(traces, collector.tracer)
            finally:
                tell(reader.taken(), collector.tracer)
                await asyncio.to_thread(collector.close)
