"""The same scenario on a server that is not the experiment's own, and models by a script."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from e2e.daemon_process import Ended, Site
from e2e.test_experiments_real import experiment

from bots.experiments.data import load_study
from bots.experiments.runs import read_run, replay

pytestmark = pytest.mark.real

SCENARIO = """
title = "A visit"
[talk]
thinking_s = [0.1, 0.2]
opening = { by = "Ada", text = "Is this the right place?" }
[caps]
turns = 4
repetition_lines = 0
time_s = 60
[[cast]]
name = "Ada"
cues = [{ hears = "rabbit", say = "A rabbit! Where?" }]
[[cast]]
name = "Gil"
answers = "model"
at = [12, 64, 8]
"""
SCRIPT = """
[[rule]]
text = "I saw a rabbit."
"""


@pytest.fixture(scope="module")
async def server(new_site: Callable[[], Site]) -> AsyncIterator[str]:
    """The address of a server on which somebody else's bot stands."""
    async with new_site().up("--bots", "Zed") as daemon:
        yield daemon.ready_line.partition("server=")[2].split()[0]


async def played(site: Site, address: str) -> Ended:
    (site.folder / "visit.toml").write_text(SCENARIO)
    (site.folder / "script.toml").write_text(SCRIPT)
    words = ("--server", address, "--fake-llm", str(site.folder / "script.toml"))
    file = site.folder / "visit.toml"
    return await asyncio.to_thread(experiment, site, "run", file, "--out", out_of(site), *words)


def out_of(site: Site) -> Path:
    return site.folder / "out"


async def test_a_scenario_is_played_on_the_server_that_is_named(site: Site, server: str) -> None:
    done = await played(site, server)
    assert done.code == 0, done.err
    assert f"Ada, Gil join {server} (Minecraft 1.16.5)" in done.err
    run = read_run(out_of(site))
    assert [line.text for line in run.timeline.lines][:3] == [
        "Is this the right place?",
        "I saw a rabbit.",
        "A rabbit! Where?",
    ]
    assert run.condition == {"world": server}
    assert [one.world for one in load_study(out_of(site)).runs] == [server]
    assert run.metrics.answers.keys() >= {run.played_with["model"]}
    assert (run.status, run.charged_usd) == ("whole", 0.0)
    assert replay(out_of(site)).identical


async def test_a_server_that_does_not_answer_is_told_at_once(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    done = await played(site, address)
    assert done.code == 1
    assert f"nothing answers at {address}: Connection refused" in done.err
    assert not (out_of(site) / "log.jsonl").exists()
