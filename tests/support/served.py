"""The stub of a daemon behind real HTTP, found as commands find the real one."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.http_stub import TOKEN, StubDaemon
from support.two_webs import TwoWebs, two_webs

from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, DashboardAddress, ServerAddress
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.settings.settings import DashboardSettings

SILENT = "http://127.0.0.1:1/"


def place_daemon_file(
    data_dir: Path, url: str, token: str = TOKEN, pid: int | None = None, member: str | None = None
) -> None:
    """As a daemon does; its process is this one, unless another is given."""
    data_dir.mkdir(exist_ok=True)
    daemon_file.write(
        data_dir,
        DaemonFile(
            pid=pid or os.getpid(),
            server=ServerAddress(host="127.0.0.1", port=25565, version="1.16.5"),
            dashboard=DashboardAddress(url=url, token=token),
            bots=("Alice", "Bob"),
            member=member,
        ),
    )


@contextmanager
def serving(daemon: StubDaemon, data_dir: Path) -> Iterator[None]:
    """The stub in a loop of its own, as the daemon is a process of its own."""
    with _own_loop() as within_loop:
        server = within_loop(HttpServer.start(daemon, DashboardSettings(), Keys(TOKEN)))
        place_daemon_file(data_dir, server.url)
        try:
            yield
        finally:
            within_loop(server.aclose())


@contextmanager
def serving_cluster(data_dir: Path) -> Iterator[TwoWebs]:
    """East of the two stub daemons, in a loop of its own; commands find it in the data folder."""
    with _own_loop() as within_loop:
        both = two_webs()
        webs = within_loop(both.__aenter__())
        east, settings = webs.east, DashboardSettings()
        starting = HttpServer.start(east.daemon, settings, Keys(TOKEN), cluster=east.cluster)
        server = within_loop(starting)
        place_daemon_file(data_dir, server.url, member="east")
        try:
            yield webs
        finally:
            within_loop(server.aclose())
            within_loop(both.__aexit__(None, None, None))


@contextmanager
def _own_loop() -> Iterator[Callable[[Any], Any]]:
    """What runs a coroutine in a loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(timeout=10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()
