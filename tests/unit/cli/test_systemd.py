"""systemd is told by a datagram socket: readiness, signs of life, and the end."""

import asyncio
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bots.cli.up import TOLD_EVERY_S, Supervisor, still_starting, supervised
from bridge import VirtualClock

pytestmark = [pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="systemd is of Linux")]

USUAL = "STATUS=2 of 2 bots are in the world"
WATCHED = {"WATCHDOG_USEC": "6000000"}


@dataclass
class Systemd:
    """The other end."""

    end: socket.socket
    address: str

    def told(self) -> list[str]:
        """All that has come."""
        lines: list[str] = []
        while True:
            try:
                lines += self.end.recv(4096).decode().split("\n")
            except BlockingIOError:
                return lines


@dataclass
class Living:
    why: list[str] = field(default_factory=list)

    def why_not_live(self) -> list[str]:
        return self.why

    def status(self) -> str:
        return "2 of 2 bots\nare in the world"


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    # A path of a socket has at most 107 bytes.
    address = os.path.relpath(tmp_path / "n") if request.param == "path" else f"@{tmp_path.name}"
    named = address if request.param == "abstract" else str(Path(address).resolve())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(address.replace("@", "\0", 1))
        end.setblocking(False)
        yield Systemd(end, named)


async def test_ready_alive_and_the_end_are_told_in_order(systemd: Systemd) -> None:
    clock, daemon = VirtualClock(auto=False), SimpleNamespace(health=Living())
    environment = {"NOTIFY_SOCKET": systemd.address, **WATCHED}
    async with supervised(daemon, environment, clock.sleep):
        await clock.advance(0)
        assert systemd.told() == ["READY=1", USUAL, "WATCHDOG=1"]
        await clock.advance(6)
        assert systemd.told() == [USUAL, "WATCHDOG=1"] * 3
    assert systemd.told() == ["STOPPING=1", "STATUS=ending"]


async def test_a_start_that_waits_for_a_bot_is_given_time(systemd: Systemd) -> None:
    clock, daemon = VirtualClock(auto=False), SimpleNamespace(health=Living())
    environment = {"NOTIFY_SOCKET": systemd.address, **WATCHED}
    waiting = asyncio.create_task(still_starting(daemon, environment, clock.sleep))
    await clock.advance(TOLD_EVERY_S)
    waiting.cancel()
    assert systemd.told() == [USUAL, "EXTEND_TIMEOUT_USEC=30000000"] * 2


async def test_what_is_not_live_is_not_fed_and_its_reason_is_logged_once(systemd: Systemd) -> None:
    clock, health = VirtualClock(auto=False), Living(["Node is down for 31 s"])
    environment = {"NOTIFY_SOCKET": systemd.address, **WATCHED}
    with capture_logs() as logged:
        async with supervised(SimpleNamespace(health=health), environment, clock.sleep):
            await clock.advance(10)
            assert "WATCHDOG=1" not in systemd.told()
            health.why = []
            await clock.advance(2)
            assert systemd.told() == [USUAL, "WATCHDOG=1"]
    assert [(one["event"], one["why"]) for one in logged] == [
        ("watchdog.not_fed", "Node is down for 31 s")
    ]


async def test_a_loop_that_hangs_feeds_nobody(systemd: Systemd) -> None:
    environment = {"NOTIFY_SOCKET": systemd.address, **WATCHED}
    clock = VirtualClock(auto=False)
    async with supervised(SimpleNamespace(health=Living()), environment, clock.sleep):
        await clock.advance(0)
        systemd.told()
        await asyncio.sleep(0)  # time stands still for it
        assert systemd.told() == []


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}])
async def test_elsewhere_than_under_systemd_nothing_is_told(environment: dict[str, str]) -> None:
    assert Supervisor.of(environment) is None
    async with supervised(SimpleNamespace(), environment):
        pass


@pytest.mark.parametrize(
    ("variables", "watchdog_s", "told_every_s"),
    [
        ({}, None, TOLD_EVERY_S),
        ({"WATCHDOG_USEC": "60000000"}, 60.0, TOLD_EVERY_S),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}, 3.0, 1.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}, None, TOLD_EVERY_S),
        ({"WATCHDOG_USEC": "soon"}, None, TOLD_EVERY_S),
        ({"WATCHDOG_USEC": "0"}, None, TOLD_EVERY_S),
    ],
)
def test_the_watchdog_is_fed_three_times_in_its_time(
    variables: dict[str, str], watchdog_s: float | None, told_every_s: float
) -> None:
    supervisor = Supervisor.of({"NOTIFY_SOCKET": "/run/systemd/notify", **variables})
    assert supervisor is not None
    assert (supervisor.watchdog_s, supervisor.told_every_s) == (watchdog_s, told_every_s)


def test_a_socket_that_is_gone_hurts_nobody(tmp_path: Path) -> None:
    Supervisor(str(tmp_path / "gone"), None).tell("READY=1")
