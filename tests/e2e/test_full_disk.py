"""A disk without room under a running daemon: the bots stay, and remember again afterwards."""

import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People, Player

from bots.daemon.closings import FORGETFUL

pytestmark = [pytest.mark.real, pytest.mark.slow]

VARIABLES = {"TOWNSFOLK_TALK__SMALL_TALK": "false", "TOWNSFOLK_TALK__MAX_TURNS_WITHOUT_PERSON": "9"}
CHUNK = 4096


@pytest.fixture
def small_site(tmp_path: Path, cache_home: Path) -> Iterator[Site]:
    """A site whose data folder is a disk of 6 MB."""
    site = Site(tmp_path, cache_home)
    site.data_dir.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(site.data_dir)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk cannot be mounted: run as root, such as sudo -E python -m pytest")
    yield site
    subprocess.run(["umount", "--lazy", str(site.data_dir)], check=True)


def fill(folder: Path) -> Path:
    """Take all the room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as out:
        for size in (CHUNK, 1):
            try:
                while True:
                    out.write(bytes(size))
            except OSError:
                pass
    return filler


async def test_a_full_disk_ends_neither_work_nor_talk(small_site: Site, people: People) -> None:
    """The daemon ended on a full disk when a goal's step was done. Now bots go on working, refuse
    in plain words what they cannot write down, and remember again when there is room."""
    async with small_site.up(**VARIABLES) as daemon, people.player(daemon.minecraft) as steve:
        assert await steve.asks("Alice", "Hello")
        talk = await daemon.command("Bob", f"!talk start Alice,{steve.name} the harvest")
        assert talk["success"], talk
        filler = fill(small_site.data_dir)
        await steve.whispers("Alice", "Are you still there?")
        await steve.hears("Alice", containing=FORGETFUL)
        async with daemon.watching() as watch:
            goal = asyncio.create_task(daemon.command("Alice", "!goal inventory.oak_planks:4"))
            await watch.next("goal.step_done", within_s=60)
            await goal
        assert await steve.asks("Bob", "!stop")
        assert "disk is full" in (await daemon.get("/healthz"))["database"]
        filler.unlink()
        await eventually_remembered(daemon, steve)
        assert set(await daemon.bots()) == {"Alice", "Bob"}
        assert await daemon.all_online()
    told = Counter(json.loads(line)["event"] for line in daemon.stderr.splitlines())
    assert told["database.write_failed"] == told["database.recovered"] == 1
    assert told["log.write_failed"] == told["log.recovered"] <= 1  # its last page may hold all
    assert daemon.tracebacks == []


async def eventually_remembered(daemon: DaemonProcess, steve: Player) -> None:
    """Have things written until the database is known to be well again; then speak, and be found
    in the history."""
    async with asyncio.timeout(30):
        while (await daemon.get("/healthz"))["database"] != "ok":
            await daemon.command("Alice", "!remember the disk was full")
    assert await steve.asks("Alice", "Do you remember me?")
    contents = [line["content"] for line in await daemon.history("Alice")]
    assert "Do you remember me?" in contents


async def test_a_start_without_room_is_refused_in_a_sentence(small_site: Site) -> None:
    fill(small_site.data_dir)
    ended = await small_site.townsfolk("up", within_s=30)
    assert ended.code == 1
    assert "disk is full" in ended.err or "No space left" in ended.err
    assert "Traceback" not in ended.err
