"""A cluster whose broker is three servers, of which one is killed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from support.broker import ELECTED_WITHIN_S, Broker, once_ready, three_brokers, until_done
from support.clusters import cluster_settings, member
from support.rig import until

from bots.cluster.nats_bus import NatsBus
from bridge.fake import FakeWorld
from bridge.world import PlayerName

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(400)]

ALICE = PlayerName("Alice")


@asynccontextmanager
async def connected(brokers: list[Broker]) -> AsyncIterator[NatsBus]:
    bus = await once_ready(brokers, replicas=3)
    try:
        yield bus
    finally:
        await bus.aclose()


async def leader_of(bus: NatsBus) -> int:
    """The number of the server that leads what holds the lines."""
    cluster = (await bus._streams.stream_info("test")).cluster
    assert cluster is not None
    return int(str(cluster.leader)[1:])


async def test_bots_stay_and_forget_nothing_when_the_server_that_leads_is_killed(
    fake_world: FakeWorld, tmp_path: Path
) -> None:
    one, two = (cluster_settings(tmp_path, *who) for who in (("one", "Alice"), ("two", "Bob")))
    steve = fake_world.person("Steve")
    async with (
        three_brokers(tmp_path / "brokers") as brokers,
        connected(brokers) as mine,
        connected(brokers) as yours,
    ):
        async with member(two, fake_world, yours) as there:
            async with member(one, fake_world, mine) as here:
                steve.whisper("Alice", "Where is item1?")
                await steve.hears()
                await brokers[await leader_of(mine)].kill()
                steve.whisper("Alice", "Where is item2?")
                await steve.hears(ELECTED_WITHIN_S)
                assert not here.failure.done()
                assert not there.failure.done()
                await until_done(partial(mine.holder, "home.any"))  # leases have a leader, too
            await until(lambda: ALICE in fake_world.bodies)
            steve.whisper("Alice", "Where is item3?")
            await steve.hears(ELECTED_WITHIN_S)
        async with member(one, fake_world, mine) as here:
            heard = here.bot("Alice").get_conversation_history(username="Steve")
    said = [line.utterance.content for line in heard]
    assert said == [f"Where is item{number}?" for number in (1, 2, 3)]
