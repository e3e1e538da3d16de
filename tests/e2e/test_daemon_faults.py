"""What breaks below a running daemon is noticed, told, and mended; what it heard is not lost."""

import asyncio
import json
import signal
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
from e2e.daemon_client import Json
from e2e.daemon_process import DaemonProcess, Site, daemon_with, eventually
from e2e.people import People, Player

from bots.daemon.backup import put_back
from bridge.errors import BridgeError

pytestmark = [pytest.mark.real, pytest.mark.slow]

BOTS = {"Alice", "Bob"}
KILLS = 10
BACK_WITHIN_S = 60.0  # everything at once on few cores
ANSWERED_WITHIN_S = 30.0  # likewise
ASKED_AGAIN_AFTER_S = 0.2
NOTICED_WITHIN_S = 4.0
HUNG_WITHIN_S = 30.0  # asked every 5 s, twice 8 s of silence
REJOINED_WITHIN_S = 5.0  # of the server's readiness
MORE_THREADS, MORE_FILES = 3, 5  # than before, for pools that fill up; a leak makes ten
HEARD_BEFORE_KILL = 40
POURED = 3_000  # lines; the history that is looked at has 10,000
ORPHANS_GONE_S = 3.0
VARIABLES = {"TOWNSFOLK_TALK__SMALL_TALK": "false", "TOWNSFOLK_HISTORY__VIEW": "10000"}


daemon = daemon_with(**VARIABLES)


@asynccontextmanager
async def load(daemon: DaemonProcess, steve: Player) -> AsyncIterator[None]:
    """Commands over HTTP and whispers, without a pause, for as long as the block lasts.

    Steve asks the same as fast as he is answered, so Bob may take him for a machine."""

    async def command() -> None:
        while True:
            result = await daemon.command("Alice", "!info all")
            assert isinstance(result["success"], bool)

    async def whisper() -> None:
        while True:
            await steve.whispers("Bob", "How are you?")
            with suppress(TimeoutError):  # Bob was gone, or has had enough
                await steve.hears("Bob", within_s=ASKED_AGAIN_AFTER_S)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work()) for work in (command, command, whisper)]
        yield
        for task in tasks:
            task.cancel()


def at(trace: Json) -> datetime:
    return datetime.fromisoformat(trace["at"])


@pytest.mark.timeout(300)
async def test_node_killed_ten_times_under_load_and_all_bots_are_back_each_time(
    daemon: DaemonProcess, people: People, steve: Player
) -> None:
    async with people.player(daemon.minecraft, "Ann") as ann:
        assert await ann.asks("Bob", "Hello")
        threads, files = daemon.size
        for number in range(KILLS):
            async with load(daemon, steve), daemon.watching() as watch:
                node = daemon.bots_node
                node.kill()
                await watch.next("bridge.lost")
                await watch.all_back(*BOTS, within_s=BACK_WITHIN_S)
                assert daemon.bots_node.pid != node.pid
                assert await ann.asks("Bob", f"Hello {number}", within_s=ANSWERED_WITHIN_S)
    assert await daemon.all_online()
    threads_now, files_now = daemon.size
    assert threads_now <= threads + MORE_THREADS
    assert files_now <= files + MORE_FILES


async def test_a_node_that_stands_still_is_replaced(daemon: DaemonProcess, steve: Player) -> None:
    node = daemon.bots_node
    async with daemon.watching() as watch:
        node.suspend()
        lost = await watch.next("bridge.lost", within_s=NOTICED_WITHIN_S)
        await watch.all_back(*BOTS)
    assert "silent" in lost["why"] or "batch" in lost["why"]
    assert not node.is_running()
    assert await steve.asks("Alice", "How are you?")


async def test_a_killed_server_is_started_again_soon(daemon: DaemonProcess, people: People) -> None:
    earlier = len(daemon.logged)
    async with daemon.watching() as watch:
        daemon.server.kill()
        for _bot in BOTS:
            await watch.next("connection.changed", state="waiting")
        told = await daemon.bots()
        back = await watch.all_back(*BOTS)
    assert {bot["state"] for bot in told.values()} <= {"waiting", "connecting"}
    assert all(bot["advice"] for bot in told.values())
    (ready,) = [e for e in daemon.logged[earlier:] if e["event"] == "server.restarted"]
    ready_at = datetime.fromisoformat(ready["timestamp"])
    assert max(map(at, back)) - ready_at < timedelta(seconds=REJOINED_WITHIN_S)
    assert {bot["state"] for bot in (await daemon.bots()).values()} == {"online"}
    assert all(bot["advice"] is None for bot in (await daemon.bots()).values())
    async with people.player(daemon.minecraft) as steve:
        assert await steve.asks("Alice", "Hello after the fall")


async def test_a_server_that_stands_still_is_noticed_and_replaced(
    daemon: DaemonProcess, people: People
) -> None:
    server, earlier = daemon.server, len(daemon.logged)
    async with daemon.watching() as watch:
        server.suspend()
        for _bot in BOTS:
            await watch.next("connection.changed", within_s=HUNG_WITHIN_S, state="waiting")
        hangs = await daemon.http.get("/healthz/ready")
        await watch.all_back(*BOTS)
    assert (hangs.status_code, hangs.json()["why"]) == (503, ["no bot is in the world"])
    for sign in ("live", "ready"):
        assert (await daemon.http.get(f"/healthz/{sign}")).json() == {"ok": True, "why": []}
    assert not server.is_running()
    hung = [e["port"] for e in daemon.logged[earlier:] if e["event"] == "server.hung"]
    assert hung == [daemon.minecraft.port]
    async with people.player(daemon.minecraft) as steve:
        assert await steve.asks("Alice", "Hello after the silence")


async def pour(steve: Player) -> None:
    """Whisper to Alice without a pause until there is nobody to whisper to."""
    with suppress(BridgeError):
        for number in range(POURED):
            await steve.whispers("Alice", f"line {number}")


async def heard_until_killed(daemon: DaemonProcess, steve: Player, copy: Path) -> list[str]:
    """The lines whose hearing was told before a backup began; the daemon is killed after it."""
    acknowledged: list[str] = []
    async with daemon.watching() as watch:
        pouring = asyncio.create_task(pour(steve))
        async for trace in watch:
            if trace["name"] == "message.heard" and trace["speaker"] == steve.name:
                acknowledged.append(trace["text"])
            if len(acknowledged) == HEARD_BEFORE_KILL:
                made = await daemon.site.townsfolk("backup", str(copy))
                daemon.send_signal(signal.SIGKILL)
                break
    await pouring
    assert (made.code, made.err) == (0, "")
    return acknowledged


def whispered_in(copy: Path, speaker: str) -> list[str]:
    """What this person said, in a backup that is put back."""
    put_back(copy, copy.with_name("again"))
    with closing(sqlite3.connect(copy.with_name("again") / "townsfolk.sqlite")) as base:
        asked = "SELECT content FROM utterances WHERE speaker = ? ORDER BY id"
        return [json.loads(content) for (content,) in base.execute(asked, (speaker,))]


@pytest.mark.timeout(300)
async def test_a_killed_daemon_and_a_backup_before_forget_nothing_that_was_acknowledged(
    site: Site, people: People, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    async with site.up(**VARIABLES) as daemon, people.player(daemon.minecraft) as steve:
        acknowledged = await heard_until_killed(daemon, steve, copy)
        assert await daemon.ended() == -signal.SIGKILL
        await eventually(lambda: daemon.left_behind() == [], ORPHANS_GONE_S)
    assert len(acknowledged) >= HEARD_BEFORE_KILL
    assert whispered_in(copy, steve.name)[: len(acknowledged)] == acknowledged
    async with site.up(**VARIABLES) as daemon, people.player(daemon.minecraft) as again:
        kept = await daemon.history("Alice", username=steve.name)
        assert [line["content"] for line in kept][: len(acknowledged)] == acknowledged
        last = (await daemon.bots())["Alice"]["latestSequence"]
        assert kept[-1]["sequence"] <= last
        assert await again.asks("Alice", "Do you remember me?")
        asked = (await daemon.history("Alice", username=again.name))[0]
        assert asked["sequence"] == last + 1


async def first_to_answer(asking: dict[str, Coroutine[Any, Any, str]]) -> str:
    """Which bot of these answers first; nobody waits for the others."""
    tasks = {asyncio.create_task(words): bot for bot, words in asking.items()}
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    assert all([await task for task in done])
    return tasks[done.pop()]


@pytest.mark.timeout(300)
async def test_a_host_that_stands_still_costs_its_own_bot_alone(site: Site, people: People) -> None:
    async with (
        site.up(**VARIABLES, TOWNSFOLK_BRIDGE__HOSTS="2") as daemon,
        people.player(daemon.minecraft, "Steve") as steve,
        people.player(daemon.minecraft, "Ann") as ann,
        daemon.watching() as watch,
    ):
        still, _other = daemon.bots_nodes
        still.suspend()
        asking = {"Alice": steve.asks("Alice", "Hello"), "Bob": ann.asks("Bob", "Hello")}
        stays = await first_to_answer(asking)
        with suppress(psutil.NoSuchProcess):  # that it stands still was noticed already
            still.kill()
        (gone,) = BOTS - {stays}
        assert (await watch.next("bridge.lost"))["bots"] == [gone]
        await watch.all_back(gone, within_s=BACK_WITHIN_S)
        assert await steve.asks(gone, "How are you?", within_s=ANSWERED_WITHIN_S)
        assert await daemon.all_online()
        assert len(daemon.bots_nodes) == 2
        logged = daemon.logged
    joined = [entry["bot"] for entry in logged if entry["event"] == "bot.joined"]
    assert (joined.count(stays), joined.count(gone)) == (1, 2)
    await eventually(lambda: daemon.left_behind() == [], ORPHANS_GONE_S)
