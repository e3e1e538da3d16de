"""A backup put back, and a broker without its disk: with which memory a home goes on."""

from pathlib import Path

from support.clusters import cluster_settings
from support.local_bus import LocalBus

from bots.app import Daemon
from bots.clock import Times
from bots.daemon.backup import back_up, put_back
from bots.settings.settings import Settings
from bridge import FakeBridge
from bridge.fake import FakeWorld

LEASE_S = 6.0
ANSWERED_S = 3.0


def broker(world: FakeWorld) -> LocalBus:
    return LocalBus(world.clock.now, world.clock.monotonic, LEASE_S)


def with_file_kept(settings: Settings) -> Settings:
    cluster = settings.cluster.model_copy(update={"keep_file": True})
    return settings.model_copy(update={"cluster": cluster})


async def said(
    world: FakeWorld, settings: Settings, bus: LocalBus, line: str = "", backup: Path | None = None
) -> list[str]:
    """All that a person ever said to Alice, after one more line; a backup is made at the end."""
    times, bridge = Times.of(world.clock), FakeBridge(world)
    async with Daemon(settings, bridge=bridge, bus=bus, times=times) as daemon:
        assert await daemon.all_joined()
        if line:
            world.person("Steve").whisper("Alice", line)
            await world.clock.sleep(ANSWERED_S)
        if backup is not None:
            back_up(settings.data_dir, backup)
        heard = daemon.bot("Alice").get_conversation_history(username="Steve")
        return [str(one.utterance.content) for one in heard]


async def with_a_backup_put_back(world: FakeWorld, bus: LocalBus, folder: Path) -> Settings:
    """Of a home whose backup was made before the last line of two."""
    settings = cluster_settings(folder, "one", "Alice")
    await said(world, settings, bus, "before", folder / "backup")
    await said(world, settings, bus, "after")
    put_back(folder / "backup", folder / "again")
    return settings.model_copy(update={"data_dir": folder / "again"})


async def test_a_backup_put_back_is_brought_up_to_what_the_cluster_remembers(
    fake_world: FakeWorld, tmp_path: Path
) -> None:
    bus = broker(fake_world)
    again = await with_a_backup_put_back(fake_world, bus, tmp_path)
    assert await said(fake_world, again, bus) == ["before", "after"]


async def test_a_backup_put_back_is_gone_on_with_where_the_file_is_to_be_kept(
    fake_world: FakeWorld, tmp_path: Path
) -> None:
    bus = broker(fake_world)
    again = await with_a_backup_put_back(fake_world, bus, tmp_path)
    assert await said(fake_world, with_file_kept(again), bus) == ["before"]
    assert await said(fake_world, again, bus) == ["before"]


async def test_with_a_new_broker_a_home_begins_with_what_its_folder_holds(
    fake_world: FakeWorld, tmp_path: Path
) -> None:
    settings = cluster_settings(tmp_path, "one", "Alice")
    await said(fake_world, settings, broker(fake_world), "before")
    assert await said(fake_world, settings, broker(fake_world), "after") == ["before", "after"]
