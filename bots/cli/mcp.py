"""`townsfolk mcp`: serve the running daemon's bots to a client of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bots.errors import SettingsError
from bots.observability.logs import log_plainly

PACKAGE = "mcp"
INSTALL = '.venv/bin/pip install -q -c constraints.txt -e ".[mcp]"'


def serve(data_dir: Path, http: bool, port: int | None, announce: Callable[[str], None]) -> None:
    """Serve until the client leaves or a signal ends it; stdout carries nothing else.

    Raises SettingsError where the package is missing or the port cannot be used."""
    if find_spec(PACKAGE) is None:
        raise SettingsError(f"the package {PACKAGE} is not installed; install it with: {INSTALL}")
    from bots.mcp import serving

    logging.getLogger().addHandler(logging.StreamHandler())
    log_plainly()
    if not http:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread waits for stdin and cannot be woken
        asyncio.run(serving.over_stdio(data_dir))
        return
    asyncio.run(_until_told(data_dir, serving.PORT if port is None else port, announce))


async def _until_told(data_dir: Path, port: int, announce: Callable[[str], None]) -> None:
    from bots.cli.process import on_ending_signal
    from bots.mcp.serving import over_http

    serving = asyncio.create_task(over_http(data_dir, port, announce), name="mcp over http")
    on_ending_signal(serving.cancel)
    await asyncio.wait({serving})
    if not serving.cancelled():
        serving.result()
