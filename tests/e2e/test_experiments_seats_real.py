"""Persons at other terminals speak for bots of an experiment: `townsfolk chat --as NAME`."""

import asyncio
import os
import re
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import pytest
from e2e.daemon_process import PROGRAM

from bots.experiments.data import load_study
from bots.experiments.pack import anonymise
from bots.experiments.runs import Run, read_run, replay

pytestmark = pytest.mark.real

TABLE = """
title = "A table"
[talk]
opening = { by = "Alice", text = "Cake or pie?" }
thinking_s = [0.1, 0.1]
[caps]
turns = 7
repetition_lines = 0
[[cast]]
name = "Alice"
cues = [{ hears = "pie", say = "Pie it is, with {last}.", again = true }]
[[cast]]
name = "Bob"
answers = "human"
chat = "Steve"
[[cast]]
name = "Carol"
at = [18, 64, 8]
answers = "human"
chat = "Anna"
[[cast]]
name = "Dan"
at = [28, 64, 8]
cues = [{ say = "Too far to hear.", again = true }]
"""
"""Alice and Bob do not hear Dan."""
ON_SERVER = """
title = "A seat"
world = "embedded"
[talk]
opening = { by = "Ada", text = "What will the weather be?" }
thinking_s = [0.1, 0.2]
[caps]
turns = 4
time_s = 60
repetition_lines = 0
[[cast]]
name = "Ada"
cues = [{ hears = "rain", say = "Rain? Good for the beans." }]
[[cast]]
name = "Mo"
answers = "human"
chat = "Steve"
answer_within_s = 30
"""
BEGUN_WITHIN_S = 90.0
ENDED_WITHIN_S = 90.0


class Site:
    """Where an experiment is run, and people join it."""

    def __init__(self, folder: Path, cache_home: Path) -> None:
        self.folder = folder
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(cache_home),
        }

    @asynccontextmanager
    async def process(self, *words: str | Path, errors: int = STDOUT) -> AsyncIterator[Process]:
        begun = await asyncio.create_subprocess_exec(
            PROGRAM, *words, stdin=PIPE, stdout=PIPE, stderr=errors, env=self._environment
        )
        try:
            yield begun
        finally:
            if begun.returncode is None:
                begun.kill()
                await begun.wait()

    @asynccontextmanager
    async def run(self, scenario: str, *words: str) -> AsyncIterator[Process]:
        (self.folder / "it.toml").write_text(scenario)
        file, out = self.folder / "it.toml", self.folder / "out"
        run = ("experiment", "run", str(file), "--out", str(out), *words)
        async with self.process(*run, errors=PIPE) as begun:
            yield begun

    @asynccontextmanager
    async def chat(self, name: str, seats: str) -> AsyncIterator["Person"]:
        async with self.process("chat", "--as", name, "--data-dir", seats) as begun:
            yield Person(begun)


class Person:
    def __init__(self, process: Process) -> None:
        self._process = process

    async def reads(self, words: str) -> list[str]:
        """Read on up to this line; all that was shown on the way, and it."""
        assert self._process.stdout is not None
        shown: list[str] = []
        async with asyncio.timeout(BEGUN_WITHIN_S):
            async for line in self._process.stdout:
                shown.append(line.decode().rstrip("\n"))
                if words in shown[-1]:
                    return shown
        raise AssertionError(f"{words!r} was not shown, but {shown}")

    def types(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def leaves(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        return await self._process.wait()


@pytest.fixture
def site(tmp_path: Path, cache_home: Path) -> Site:
    return Site(tmp_path, cache_home)


async def asked_to_join(run: Process, *names: str) -> str:
    """The folder that the lines name which tell people how to join."""
    assert run.stderr is not None
    found = ""
    for name in names:
        async with asyncio.timeout(BEGUN_WITHIN_S):
            line = (await run.stderr.readline()).decode()
        told = re.fullmatch(
            rf"waiting 600 s for {name}: \S*townsfolk chat --as {name} --data-dir (\S+)\n", line
        )
        assert told is not None, line
        found = told[1]
    return found


async def test_two_persons_speak_for_their_bots_leave_and_come_back(site: Site) -> None:
    async with AsyncExitStack() as stack:
        run = await stack.enter_async_context(site.run(TABLE, "--runs", "2"))
        seats = await asked_to_join(run, "Steve", "Anna")
        async with site.chat("Stev", seats) as stranger:
            await stranger.reads("no 'Stev' is awaited to speak for Bob; awaited: Steve for Bob")
        anna = await stack.enter_async_context(site.chat("Anna", seats))
        async with site.chat("Steve", seats) as steve:
            heard = await steve.reads("Bob, your words, within 60 s:")
            assert heard[1:3] == ["A talk begins. You speak for Bob.", "Alice: Cake or pie?"]
            anna.types("Me first!")
            await anna.reads("It is not your turn")
            steve.types("I like pie.")
            await anna.reads("Carol, your words, within 60 s:")
            assert await steve.leaves() == 0
        anna.types("Pie for me.")
        heard = await anna.reads("Carol, your words, within 60 s:")
        assert heard[:3] == [
            "Carol: Pie for me.",
            "Dan: Too far to hear.",
            "Alice: Pie it is, with Carol.",
        ]  # Bob was away, so his turn is over already
        steve = await stack.enter_async_context(site.chat("Steve", seats))
        before = await steve.reads("Bob: I like pie.")
        assert before.count("Alice: Cake or pie?") == 1
        anna.types("That is all.")
        await steve.reads("The talk has ended.")
        await steve.reads("A talk begins. You speak for Bob.")
        for _ in range(2):
            await steve.reads("Bob, your words")
            steve.types("Only pie.")
            await anna.reads("Carol, your words")
            anna.types("The same.")
        for person in (steve, anna):
            await person.reads("The experiment has ended. Enter leaves.")
            assert await person.leaves() == 0
        _, errors = await asyncio.wait_for(run.communicate(), ENDED_WITHIN_S)
    assert (run.returncode, b"waiting" in errors) == (0, False), errors
    first, second = (read_run(site.folder / "out" / f"seed-{n}") for n in (1, 2))
    assert said(first) == [
        *("Alice: Cake or pie?", "Bob: I like pie.", "Carol: Pie for me.", "Dan: Too far to hear."),
        *("Alice: Pie it is, with Carol.", "Carol: That is all."),
    ]
    assert [line for line in said(second) if line.startswith("Bob")] == ["Bob: Only pie."] * 2
    assert first.metrics.silent_turns == 1
    assert not await anyio.Path(seats).exists()
    without_them(first, site.folder / "anonymous")


async def test_a_person_speaks_for_a_bot_on_a_server(site: Site) -> None:
    async with site.run(ON_SERVER) as run:
        seats = await asked_to_join(run, "Steve")
        async with site.chat("Steve", seats) as steve:
            heard = await steve.reads("Mo, your words, within 30 s:")
            assert "Ada: What will the weather be?" in heard
            steve.types("It looks like rain.")
            heard = await steve.reads("Mo, your words, within 30 s:")
            assert heard[0:2] == ["Mo: It looks like rain.", "Ada: Rain? Good for the beans."]
            steve.types("Then dig.")
            await steve.reads("The experiment has ended.")
            assert await steve.leaves() == 0
        _, errors = await asyncio.wait_for(run.communicate(), ENDED_WITHIN_S)
    assert run.returncode == 0, errors
    played = read_run(site.folder / "out")
    assert said(played)[1:] == [
        "Mo: It looks like rain.",
        "Ada: Rain? Good for the beans.",
        "Mo: Then dig.",
    ]
    without_them(played, site.folder / "anonymous")


def said(run: Run) -> list[str]:
    return [f"{line.speaker}: {line.text}" for line in run.timeline.lines]


def without_them(run: Run, out: Path) -> None:
    """Their words are marked as a player's, and can be taken out with their names."""
    speakers = {line.speaker for line in load_study(run.folder).lines if line.of_player}
    assert speakers == {member.name for member in run.scenario.cast if member.chat}
    assert replay(run.folder).identical
    anonymise(run.folder, out)
    left = "".join(file.read_text() for file in out.iterdir())
    assert not re.search(r"\b(Steve|Anna)\b|I like pie|looks like", left)
    assert replay(out).identical
