"""A person finds the words of a bot: at the terminal, in time, and marked as a person's."""

import asyncio
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.experiments import experiment, log_lines, prepared_run, said
from typer.testing import Result

from bots.experiments.actors import Terminal, terminal
from bots.experiments.data import load_study
from bots.experiments.pack import anonymise
from bots.experiments.runs import LOG_NAME, Run, read_run, replay

pytestmark = pytest.mark.slow

TABLE = """
title = "A table"
[talk]
opening = { by = "Alice", text = "Cake or pie?" }
order = "nominate"
thinking_s = [1, 1]
[caps]
turns = 5
repetition_lines = 0
[[cast]]
name = "Alice"
cues = [{ hears = "Zwiebel", say = "Zwiebel? Never heard. [Next: Bob]", again = true }]
[[cast]]
name = "Bob"
answers = "human"
[[cast]]
name = "Carol"
at = [90, 64, 8]
cues = [{ say = "I am far away.", again = true }]
"""


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path) -> Iterator[None]:
    """A data folder of the test's own; the terminal of the last run is gone afterwards."""
    yield
    terminal.cache_clear()


def played(
    folder: Path, typed: str, *words: str, text: str = TABLE, code: int = 0, told: str = ""
) -> Result:
    terminal.cache_clear()
    file, out = folder / "table.toml", ("--out", folder / "out")
    file.write_text(text)
    return experiment("run", file, *out, *words, typed=typed, code=code, said=told)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    done = played(tmp_path, "A Zwiebel pie! [Next: Alice]\nNo\u202e more. [Next: Alice]\n")
    assert done.stderr.startswith("Alice: Cake or pie?\nBob, your words, within 60 s:\n")
    assert "far away" not in done.output  # Bob stands too far from Carol, and sees no more
    return read_run(tmp_path / "out")


def test_the_words_typed_are_the_bots_and_a_tag_in_them_nominates(run: Run) -> None:
    assert said(run, "Bob")[:2] == ["A Zwiebel pie!", "No more."]
    assert [line.speaker for line in run.timeline.lines][:3] == ["Alice", "Bob", "Alice"]
    thought = next(one for one in log_lines(run) if one.get("speaker") == "Bob" and "text" in one)
    assert (thought["source"], thought["takes_s"] < 5) == ("human", True)
    assert replay(run.folder).identical


def test_turns_without_words_are_silent_or_fail_the_run_as_declared(tmp_path: Path) -> None:
    """The input ends at once: nobody will type any more."""
    played(tmp_path, "")
    silent = read_run(tmp_path / "out")
    assert (silent.status, said(silent, "Bob")) == ("whole", [])
    assert silent.metrics.silent_turns
    text = TABLE.replace('"human"', '"human"\nunanswered = "fail"')
    out, told = ("--out", str(tmp_path / "failed")), "Bob: nobody answered in time"
    played(tmp_path, "", *out, text=text, code=1, told=told)


def test_the_words_are_a_players_and_no_word_or_name_is_left_without_them(
    run: Run, tmp_path: Path
) -> None:
    data = load_study(run.folder)
    assert {one.speaker for one in data.lines if one.of_player} == {"Bob"}
    assert len([one for one in data.lines if one.of_player]) == 2
    assert [one.name for one in data.participants if one.is_player] == ["Bob"]
    # The scenario's own words stay: Alice would have said this one without him.
    anonymise(run.folder, tmp_path / "anonymous")
    left = "".join(file.read_text() for file in (tmp_path / "anonymous").iterdir())
    assert not re.search(r"\bBob\b|A Zwiebel pie|No more", left)
    assert "Person1" in left
    assert replay(tmp_path / "anonymous").identical


RULES = """
def bob_again(talk):
    return "Bob"

def twice(talk):
    return [line.speaker for line in talk.lines[-2:]] == ["Bob", "Bob"]

def words(run, turn):
    return len(turn.text.split())
"""


def test_functions_of_ones_own_decide_about_a_human_too(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    rules = 'order = "rules.py:bob_again"\nstop = "rules.py:twice"'
    text = TABLE.replace('order = "nominate"', rules)
    typed = "A Zwiebel pie!\nNo more pie, thanks.\nToo many.\n"
    played(tmp_path, typed, text=text, told="this runs the code in")
    found = read_run(tmp_path / "out")
    assert [line.speaker for line in found.timeline.lines] == ["Alice", "Bob", "Bob"]
    assert (found.metrics.ended, found.metrics.answers) == ("rule", {"opening": 1, "human": 2})
    assert list(found.log.run["identity"]["code"]) == ["rules.py"]
    assert replay(found.folder).identical
    named = f"{tmp_path / 'rules.py'}:words"
    turns = load_study(found.folder, metrics=[named]).turns
    assert [getattr(turn, "words") for turn in turns if turn.source == "human"] == [3, 4]  # noqa: B009
    anonymise(found.folder, tmp_path / "anonymous")
    assert "Bob" not in (tmp_path / "anonymous" / LOG_NAME).read_text()
    assert replay(tmp_path / "anonymous").identical


def test_a_talk_waits_as_long_as_its_human_may_take() -> None:
    slow, quick = '"human"\nanswer_within_s = 300', '"rules"'
    found = [prepared_run(TABLE.replace('"human"', kind)).scenario.policy for kind in (slow, quick)]
    assert [one.answer_within_s for one in found] == [305, 30]


def test_an_estimate_asks_nobody_and_several_jobs_are_refused(tmp_path: Path) -> None:
    assert "your words" not in played(tmp_path, "", "--dry-run").output
    played(tmp_path, "", "--runs", "2", "--jobs", "2", code=2, told="a human is in one talk")


async def test_what_was_typed_too_late_is_not_the_next_turns() -> None:
    """At a real terminal: what comes after the time is up is dropped when the next turn begins."""
    keys, typed = os.openpty()
    with os.fdopen(typed) as seat, os.fdopen(keys, "wb", buffering=0) as hands:
        person = Terminal(seat, io.StringIO())
        assert await person("Bob", [], 0.2) is None
        hands.write(b"too late\n")
        await until(lambda: not person._lines.empty())
        asked = asyncio.create_task(person("Bob", [], 10))
        await until(person._lines.empty)
        hands.write(b"in time\n")
        assert await asked == "in time"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
