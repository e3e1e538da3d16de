"""A server newer than bots speak: the program names the range and the ways there are."""

from pathlib import Path

import pytest
from e2e.daemon_process import Site, eventually
from versions.bench import VersionServer
from versions.stage import HOST

from bridge.diagnosis import WAY_TO_NEWER
from bridge.versions import VERSIONS, Version

pytestmark = pytest.mark.real


@pytest.mark.parametrize("newer", VERSIONS.newer, ids=lambda one: one.name)
async def test_doctor_and_up_name_the_range_and_the_ways(
    site: Site, node_binary: Path, node_dir: Path, newer: Version
) -> None:
    ping = {"name": f"Paper {newer.name}", "protocol": newer.protocol}
    serve = VersionServer.of(node_binary, node_dir, VERSIONS.newest.name, ping=ping)
    refused = f"Minecraft Paper {newer.name}; townsfolk speaks {VERSIONS}"
    async with serve as game:
        server = ("--server", f"{HOST}:{game.port}")
        doctor = await site.townsfolk("doctor", *server, within_s=60.0)
        assert doctor.code == 1
        assert doctor.out.count(refused) == 2  # asked, and joined
        assert doctor.out.count(WAY_TO_NEWER) == 2
        async with site.starting(*server) as daemon:
            await eventually(lambda: "bot.disconnected" in daemon.stderr, 30.0)
            assert f"{refused}. {WAY_TO_NEWER}" in daemon.stderr
        assert not game.all("knock", isPing=False)
