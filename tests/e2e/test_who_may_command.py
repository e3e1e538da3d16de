"""Owners among strangers on the real embedded server, with the settings as they are shipped."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from e2e.clients import Clients
from e2e.daemon_process import LOOK_AGAIN_S, DaemonProcess, Site

from llm.fake_api import FakeClaude, Reply

pytestmark = pytest.mark.real

STRANGERS = 40
THINKS_S = 2.5
ANSWER_WITHIN_S = 8.0
SLOW_MACHINE_S = 4.0  # of this machine's, where others use it too
LEGAL_PACE_S = 1.05  # of a vanilla server, for whispers without end
ECHO_WITHIN_S = 3.0
PIN = "correct-horse"
GOAL = "!navigation register home"


@asynccontextmanager
async def among_clients(
    site: Site, node: tuple[Path, Path], *flags: str, **variables: str
) -> AsyncIterator[tuple[DaemonProcess, Clients]]:
    quiet = {"TOWNSFOLK_TALK__SMALL_TALK": "false", **variables}
    async with site.up(*flags, **quiet) as daemon, Clients.open(*node, daemon.minecraft) as clients:
        yield daemon, clients
        assert daemon.tracebacks == []


@pytest.fixture
def node(node_binary: Path, node_dir: Path) -> tuple[Path, Path]:
    return node_binary, node_dir


async def test_an_owner_named_at_the_start_commands_and_others_hear_what_they_may_do(
    new_site: Callable[[], Site], node: tuple[Path, Path]
) -> None:
    async with among_clients(new_site(), node, "--owner", "Steve") as (daemon, clients):
        await clients.join("Steve", "Mallory")
        assert "home is at" in await clients.asks("Steve", "Alice", GOAL, "home")
        refused = await clients.asks("Mallory", "Alice", GOAL, "Sorry")
        assert "You may talk with me, and use !chat" in refused
        assert "nobody checks names" in daemon.stderr
        told = await clients.asks("Mallory", "Alice", "!chat Steve Your password expired", "Told")
        heard = await clients.hears("Steve", "password", 0, ANSWER_WITHIN_S)
        assert (told[:10], heard) == ("Told Steve", "Mallory asks me to say: Your password expired")


async def test_the_pin_makes_an_owner_until_he_leaves(
    new_site: Callable[[], Site], node: tuple[Path, Path]
) -> None:
    site = new_site()
    variables = {"TOWNSFOLK_PERMISSIONS__OWNERS": "Steve", "TOWNSFOLK_PERMISSIONS__PIN": PIN}
    async with among_clients(site, node, **variables) as (daemon, clients):
        await clients.join("Steve")
        assert "whisper !pin" in await clients.asks("Steve", "Alice", GOAL, "Sorry")
        assert "tries left: 4" in await clients.asks("Steve", "Alice", "!pin wrong-horse", "pin")
        await clients.asks("Steve", "Alice", f"!pin {PIN}", "until you leave, you are owner")
        await clients.asks("Steve", "Bob", GOAL, "home is at")
        clients.leave("Steve")
        await gone(daemon, "Steve")
        await clients.join("Steve")  # whoever that is
        await clients.asks("Steve", "Bob", GOAL, "Sorry")
    for path in (path for path in site.folder.rglob("*") if path.is_file()):
        assert PIN.encode() not in path.read_bytes(), path


async def gone(daemon: DaemonProcess, name: str) -> None:
    """Wait until the bots do not list a player any more."""
    with anyio.fail_after(ANSWER_WITHIN_S):
        while await lists(daemon, name):  # noqa: ASYNC110 - the list tells nobody of its changes
            await anyio.sleep(LOOK_AGAIN_S)


async def lists(daemon: DaemonProcess, name: str) -> bool:
    return name in str((await daemon.command("Bob", "!info all"))["data"]["players"])


async def test_strangers_commands_at_a_legal_pace_do_not_delay_the_owners(
    new_site: Callable[[], Site], node: tuple[Path, Path]
) -> None:
    async with among_clients(new_site(), node, "--owner", "Olga") as (_daemon, clients):
        strangers = [f"Stranger{number}" for number in range(8)]
        await clients.join("Olga", *strangers)
        for _ in range(6):
            for name in strangers:
                clients.whisper(name, "Alice", "!help")
            await anyio.sleep(LEGAL_PACE_S)
        await clients.asks("Olga", "Alice", "!echo now", "now", ECHO_WITHIN_S + SLOW_MACHINE_S)


async def test_the_owner_is_answered_in_time_while_forty_strangers_whisper(
    new_site: Callable[[], Site], node: tuple[Path, Path]
) -> None:
    async with (
        FakeClaude(Reply("Hello there.", slow_s=THINKS_S)).serving() as claude,
        among_clients(
            new_site(),
            node,
            "--owner",
            "Olga",
            ANTHROPIC_API_KEY="sk-ant-api03-of-a-test-0123456789",
            ANTHROPIC_BASE_URL=claude.url,
        ) as (_daemon, clients),
    ):
        strangers = [f"Stranger{number}" for number in range(STRANGERS)]
        await clients.join("Olga", *strangers)
        took_s = []
        for _ in range(3):
            for name in strangers:
                clients.whisper(name, "Alice", "Hello, who are you?")
            began = time.monotonic()
            answer = await clients.asks(
                "Olga", "Alice", "Good day, who are you?", "Hello", ANSWER_WITHIN_S + SLOW_MACHINE_S
            )
            took_s.append(time.monotonic() - began)
            assert answer == "Hello there."  # of the model, not of the rules
        assert sorted(took_s)[1] <= ANSWER_WITHIN_S, took_s
