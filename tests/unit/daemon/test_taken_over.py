"""Bots of a daemon that is gone live on at another one, until theirs is back."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from support.clusters import LEASE_S, Cable, cluster_settings, member
from support.local_bus import LocalBus
from support.rig import until

from bots.app import Daemon
from bots.clock import utc_now
from bots.cluster.bus import StreamMoved
from bots.cluster.heartbeats import STREAM as CLAIMS
from bots.cluster.history import HomeHistory, OpenHome
from bots.cluster.home import home_of
from bots.cluster.journal import Head
from bots.daemon.residence import HomeLost, Residence
from bots.errors import SettingsError
from bots.settings.settings import BotsSettings
from bridge import FakeBridge, shares
from bridge.errors import NotConnected
from bridge.fake import FakeWorld
from bridge.fake.body import Person
from bridge.world import BotName, PlayerName

ALICE, BOB = PlayerName("Alice"), PlayerName("Bob")


@dataclass(frozen=True)
class Net:
    """One world and one bus for the daemons whose folders are in `folder`."""

    world: FakeWorld
    bus: LocalBus
    folder: Path


@pytest.fixture
async def net(fake_world: FakeWorld, tmp_path: Path) -> AsyncIterator[Net]:
    bus = LocalBus(utc_now, time.monotonic, LEASE_S)
    yield Net(fake_world, bus, tmp_path)
    await bus.aclose()


def place_of(daemon: Daemon) -> Residence:
    assert daemon.residence is not None
    return daemon.residence


async def answer(who: Person, bot: str, words: str) -> str:
    """What a bot whispers back."""
    who.whisper(bot, words)
    return (await who.hears()).text


@pytest.mark.slow
async def test_bots_live_on_at_another_daemon_and_come_back(net: Net) -> None:
    cable = Cable(net.bus)
    one = cluster_settings(net.folder, "one", "Alice")
    two = cluster_settings(net.folder, "two", "Bob")
    steve = net.world.person("Steve")
    async with member(two, net.world, net.bus):
        async with member(one, net.world, cable) as here:
            await answer(steve, "Alice", "Hello Alice")
            cable.cut()
            with pytest.raises(HomeLost):
                await here.failure
            assert ALICE not in net.world.bodies  # before anybody else may have her
        await until(lambda: ALICE in net.world.bodies)
        assert await net.bus.holder(f"home.{home_of(net.folder / 'one')}") == "two"
        assert await answer(steve, "Alice", "How are you, Alice?")
        cable.mend()
        async with member(one, net.world, cable) as back:
            assert await net.bus.holder(f"home.{home_of(net.folder / 'one')}") == "one"
            heard = back.bot("Alice").get_conversation_history(username="Steve")
            said = [line.utterance.content for line in heard]
            assert said == ["Hello Alice", "How are you, Alice?"]


@pytest.mark.slow
async def test_bots_of_a_daemon_that_ends_move_on_at_once(net: Net) -> None:
    net.bus.lease_s = 600.0  # far longer than anybody waits
    one, two = (cluster_settings(net.folder, *who) for who in (("one", "Alice"), ("two", "Bob")))
    async with member(two, net.world, net.bus) as there:
        async with member(one, net.world, net.bus):
            await until(lambda: len(place_of(there).beats.alive) == 2)
        await until(lambda: ALICE in net.world.bodies)
    assert not net.world.bodies.keys() & {ALICE, BOB}


async def test_a_daemon_whose_names_others_have_stands_by_for_them(net: Net) -> None:
    one, two = (cluster_settings(net.folder, name, "Alice") for name in ("one", "two"))
    async with member(one, net.world, net.bus) as here:
        async with member(two, net.world, net.bus) as there:
            assert there.roster.sessions == ()
            assert await net.bus.holder(f"home.{place_of(here).home.id}") == "one"
        assert here.bot("Alice") is not None


async def test_a_second_daemon_with_a_copy_of_the_folder_is_refused(net: Net) -> None:
    one, copy = (cluster_settings(net.folder, name, "Alice") for name in ("one", "copy"))
    async with member(one, net.world, net.bus) as here:
        (net.folder / "copy").mkdir()
        (net.folder / "copy" / "home").write_text(place_of(here).home.id)
        with pytest.raises(SettingsError, match="a copy of this data folder"):
            async with member(copy, net.world, net.bus):
                pass
        assert ALICE in net.world.bodies


@pytest.mark.slow
async def test_no_bot_is_in_the_world_while_the_broker_is_gone(net: Net) -> None:
    cable = Cable(net.bus)
    one, two = (cluster_settings(net.folder, *who) for who in (("one", "Alice"), ("two", "Bob")))
    async with member(one, net.world, cable) as here, member(two, net.world, cable) as there:
        cable.cut()
        for daemon in (here, there):
            with pytest.raises(HomeLost):
                await daemon.failure
        assert not net.world.bodies.keys() & {ALICE, BOB}
    cable.mend()
    async with member(one, net.world, cable), member(two, net.world, cable):
        assert net.world.bodies.keys() >= {ALICE, BOB}


async def test_a_cluster_needs_a_server_that_all_join(tmp_path: Path) -> None:
    settings = cluster_settings(tmp_path, "one", "Alice")
    with pytest.raises(SettingsError, match="a server that all daemons join: --server HOST:PORT"):
        async with Daemon(settings):
            pass


async def test_a_bot_added_while_the_daemon_runs_is_of_the_cluster_too(net: Net) -> None:
    one, two = (cluster_settings(net.folder, *who) for who in (("one", "Alice"), ("two", "Bob")))
    async with member(one, net.world, net.bus) as here, member(two, net.world, net.bus):
        with pytest.raises(ValueError, match="Bob"):
            await here.spawn("Bob")
        await here.spawn("Carol")
        with pytest.raises(ValueError, match="Carol"):
            async with Daemon(
                cluster_settings(net.folder, "three", "Dan"),
                bridge=FakeBridge(net.world),
                bus=net.bus,
            ) as third:
                await third.spawn("Carol")


async def test_what_waits_to_be_said_is_not_said_once_the_lease_has_run_out(net: Net) -> None:
    """Also before the daemon has noticed, as after it stood still."""
    steve = net.world.person("Steve")
    async with member(cluster_settings(net.folder, "one", "Alice"), net.world, net.bus) as here:
        alice = here.bot("Alice")
        place_of(here).home._ends_s = float("-inf")
        with pytest.raises(NotConnected):
            await alice._governor.say(steve.name, "This is out of date.", max_wait_s=1.0)
    assert steve.inbox == []


async def test_a_home_whose_lease_ran_out_on_the_way_is_not_taken_from_its_next_owner(
    net: Net,
) -> None:
    async with member(cluster_settings(net.folder, "one", "Alice"), net.world, net.bus) as here:
        journal = place_of(here).journal
        assert journal is not None
        late = replace(place_of(here), journal=None)
        late.home._ends_s = float("-inf")
        with pytest.raises(HomeLost):
            await late.open_store(net.folder / "late.sqlite", keep_file=False)
        assert journal.lost is None


async def test_a_home_that_another_daemon_takes_at_the_same_time_is_tried_anew(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moved(*_: Any, **__: Any) -> None:
        raise StreamMoved("another daemon takes it over")

    monkeypatch.setattr(HomeHistory, "open", moved)
    with pytest.raises(HomeLost):
        async with member(cluster_settings(net.folder, "one", "Alice"), net.world, net.bus):
            pass


class SilentBridge(FakeBridge):
    """Nobody leaves through it."""

    async def despawn(self, bot: BotName) -> None:
        await asyncio.Event().wait()


@pytest.mark.slow
async def test_a_home_is_lost_also_where_its_bots_do_not_leave(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "LEFT_WITHIN_S", 0.1)
    cable, one = Cable(net.bus), cluster_settings(net.folder, "one", "Alice")
    async with Daemon(one, bridge=SilentBridge(net.world), bus=cable) as here:
        assert await here.all_joined(30)
        cable.cut()
        with pytest.raises(HomeLost):
            await here.failure


async def test_a_home_whose_memory_never_reached_the_cluster_waits_for_its_daemon(net: Net) -> None:
    """Else its bots would begin anew elsewhere, and their daemon could never come back."""
    cable = Cable(net.bus)
    one, two = (cluster_settings(net.folder, *who) for who in (("one", "Alice"), ("two", "Bob")))
    async with member(one, net.world, net.bus) as here:
        home = place_of(here).home.id
        last = await net.bus.last(f"home.{home}")
        assert last is not None
    owner = Head("owner", "", "run", 0, 0, 1, 0, 0, 0, 0)  # and its base is on the way
    await net.bus.drop(f"home.{home}", last.position + 1_000)
    await net.bus.append(f"home.{home}", owner.with_body(b""))
    begun = await net.bus.last(f"home.{home}")
    async with member(two, net.world, cable) as there:
        with structlog.testing.capture_logs() as notes:
            await until(lambda: any(note["event"] == "home.not_followed" for note in notes))
        assert ALICE not in net.world.bodies
        assert await net.bus.last(f"home.{home}") == begun
        assert place_of(there).home.is_held


async def test_a_forged_claim_is_left_alone_for_longer_and_longer(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its history looks whole, and cannot be lived with."""
    at_s: list[float] = []

    async def whole(_history: HomeHistory, _path: Path) -> int:
        return 1

    async def open_or_moved(history: HomeHistory, *given: Any, **more: Any) -> OpenHome:
        if history.home != "forged":
            return await opened(history, *given, **more)
        at_s.append(time.monotonic())
        raise StreamMoved("another daemon takes it over")

    def rests_s() -> list[float]:
        return [note["rest_s"] for note in notes if note["event"] == "home.left"]

    opened = HomeHistory.open
    monkeypatch.setattr(HomeHistory, "catch_up", whole)
    monkeypatch.setattr(HomeHistory, "open", open_or_moved)
    claim = {"home": "forged", "bots": BotsSettings(names=("Eve",)).model_dump(mode="json")}
    await net.bus.append(CLAIMS, json.dumps(claim).encode())
    async with member(cluster_settings(net.folder, "one", "Alice"), net.world, net.bus):
        with structlog.testing.capture_logs() as notes:
            await until(lambda: len(rests_s()) >= 2)
    first_s, second_s = rests_s()[:2]
    assert second_s == 2 * first_s >= 2.0
    assert at_s[-1] - at_s[-2] >= 1.0


async def test_a_bot_of_the_same_name_but_for_its_case_claims_nothing(net: Net) -> None:
    one = cluster_settings(net.folder, "one", "Alice")
    async with member(one, net.world, net.bus) as here:
        with pytest.raises(ValueError, match="alice lives here already"):
            await here.spawn("alice")
        await place_of(here).claims.look()
        assert place_of(here).claims.homes[place_of(here).home.id].names == ("Alice",)
