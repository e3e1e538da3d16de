"""A real player takes a person's place in an experiment: waited for, heard, written down."""

import asyncio
import json
import os
import re
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from e2e.daemon_process import PROGRAM

from bots.experiments.data import load_study
from bots.experiments.pack import anonymise
from bots.experiments.runs import read_run, replay
from bridge.events import WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName

pytestmark = pytest.mark.real

VISITOR = BotName("Visitor")
WORDS = "It looks like rain over Zwiebelhausen."
SCENARIO = """
title = "A visitor"
world = "embedded"
[talk]
order = "rounds"
thinking_s = [0.1, 0.2]
opening = { by = "Visitor" }
[caps]
turns = 12
time_s = 40
silence_s = 6
[[cast]]
name = "Ada"
cues = [{ hears = "rain", say = "Rain? Good for the beans." }]
goodbye = "Goodbye."
[[cast]]
name = "Mo"
cues = [{ hears = "beans", say = "Always the beans." }]
goodbye = "Bye."
[[people]]
name = "Visitor"
live = true
"""


SEAT = """
title = "A seat"
world = "embedded"
[talk]
thinking_s = [0.1, 0.2]
opening = { by = "Ada", text = "What will the weather be?" }
[caps]
turns = 5
time_s = 40
repetition_lines = 0
[[cast]]
name = "Ada"
cues = [{ hears = "rain", say = "Rain? Good for the beans." }]
[[cast]]
name = "Mo"
answers = "human"
player = "Visitor"
answer_within_s = 8
"""


@asynccontextmanager
async def visited(
    scenario: str, node_binary: Path, node_dir: Path, cache_home: Path, folder: Path
) -> AsyncIterator[tuple[JSBridge, Process]]:
    """A run that has asked for the visitor, who has joined."""
    (folder / "visitor.toml").write_text(scenario)
    run = await asyncio.create_subprocess_exec(
        *(PROGRAM, "experiment", "run", folder / "visitor.toml", "--out", folder / "out"),
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CACHE_HOME": str(cache_home)},
        stdout=PIPE,
        stderr=PIPE,
    )
    visitor = JSBridge(node_binary, node_dir, folder / "visitor.log")
    try:
        async with asyncio.timeout(90):
            await visitor.start()
            await visitor.spawn(VISITOR, await asked_to_join(run))
            yield visitor, run
    finally:
        await visitor.aclose()
        if run.returncode is None:
            run.kill()
            await run.wait()


async def test_a_player_who_joins_by_the_name_is_the_person_of_the_scenario(
    node_binary: Path, node_dir: Path, cache_home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    async with visited(SCENARIO, node_binary, node_dir, cache_home, tmp_path) as (visitor, run):
        await told(visitor, "Group talk began")
        await visitor.whisper(VISITOR, PlayerName("Ada"), WORDS)
        talk, _ = await run.communicate()
    lines = [line.split(maxsplit=1)[1] for line in talk.decode().splitlines()]
    assert [line for line in lines if not line.startswith("*")][:3] == [
        f"-  Visitor: {WORDS}",
        "1  Ada: Rain? Good for the beans.",
        "2  Mo: Always the beans.",
    ]
    participants = json.loads((out / "log.jsonl").read_text().splitlines()[0])["participants"]
    assert {one["name"]: one["kind"] for one in participants}["Visitor"] == "person"
    assert replay(out).differences == ()
    without_the_visitor(out, tmp_path / "anonymous")


async def test_a_player_speaks_for_a_bot_in_its_turns_and_is_told_what_it_hears(
    node_binary: Path, node_dir: Path, cache_home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    async with visited(SEAT, node_binary, node_dir, cache_home, tmp_path) as (visitor, run):
        heard = await told(visitor, "Your words as Mo, within 8 s:")
        await visitor.whisper(VISITOR, PlayerName("Mo"), WORDS)
        await told(visitor, "Your words as Mo")  # and says nothing this time
        _, errors = await run.communicate()
    assert run.returncode == 0, errors.decode()
    assert heard == ["Ada: What will the weather be?"]
    played = read_run(out)
    assert [(line.speaker, line.text) for line in played.timeline.lines][:3] == [
        ("Ada", "What will the weather be?"),
        ("Mo", WORDS),
        ("Ada", "Rain? Good for the beans."),
    ]
    assert played.metrics.silent_turns
    assert replay(out).differences == ()
    without_the_visitor(out, tmp_path / "anonymous")


def without_the_visitor(run: Path, out: Path) -> None:
    assert [line.text for line in load_study(run).lines if line.of_player] == [WORDS]
    anonymise(run, out)
    left = "".join(file.read_text() for file in out.iterdir())
    assert not re.search("zwiebelhausen|visitor", left, re.IGNORECASE)
    assert "Rain? Good for the beans." in left
    assert replay(out).differences == ()


async def asked_to_join(run: Process) -> ServerAddress:
    """Where the experiment says that it waits for the visitor."""
    assert run.stderr is not None
    async for line in run.stderr:
        if found := re.search(r"waiting 600 s for Visitor to join (\S+):(\d+)", line.decode()):
            return ServerAddress(found[1], int(found[2]))
    raise AssertionError("nobody was asked to join")


async def told(visitor: JSBridge, words: str) -> list[str]:
    """Wait until a bot whispers these; what bots had whispered before."""
    before: list[str] = []
    async for event in visitor.events():
        if isinstance(event, WhisperReceived):
            if words in event.text:
                return before
            before.append(event.text)
    raise AssertionError(f"nobody said {words!r}")
