"""Persons join an experiment with `townsfolk chat`: who may, what they hear, when they speak."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from support.experiments import experiment, prepared_run
from support.served import place_daemon_file
from typer.testing import CliRunner, Result

import townsfolk
from bots.cli.client import DaemonClient, Json
from bots.cli.main import app
from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonSilent
from bots.experiments import seats as under_test
from bots.experiments.scenario import ExperimentFailed, ScenarioError
from bots.experiments.seats import Seats, seats_of

pytestmark = pytest.mark.slow

TABLE = """
title = "A table"
[[cast]]
name = "Alice"
[[cast]]
name = "Bob"
answers = "human"
chat = "Steve"
[[cast]]
name = "Carol"
answers = "human"
chat = "Anna"
"""
ASKED_WITHIN_S = 20.0


@pytest.fixture
def seats() -> Iterator[Seats]:
    with seats_of(prepared_run(TABLE).scenario.cast) as opened:
        yield opened


def folder_of(seats: Seats) -> Path:
    told: list[str] = []
    with pytest.raises(ExperimentFailed, match=r"Steve did not join in time"):
        seats._await([*seats._seats.values()], told.append)
    assert "chat --as Anna --data-dir" in told[1]
    return Path(told[0].rpartition(" ")[2])


@pytest.fixture
def folder(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the line says that tells how to join; then as long as usual is waited."""
    with monkeypatch.context() as briefly:
        briefly.setattr(under_test, "JOIN_WITHIN_S", 0.0)
        return folder_of(seats)


@contextmanager
def sitting(folder: Path, bot: str, person: str) -> Iterator[tuple[DaemonClient, Iterator[str]]]:
    with DaemonClient.of(folder) as client, client.seat(bot, person) as traces:
        yield client, (str(trace["text"]) for trace in traces)


def ask(seats: Seats, person: str, name: str, *heard: str, within_s: float = 20.0) -> str | None:
    return asyncio.run(seats.ask(person, name, heard, within_s))


def chat(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["chat", "--data-dir", str(folder), *words], input="")


def test_each_person_is_told_what_their_bot_heard_and_speaks_in_its_turn_alone(
    seats: Seats, folder: Path
) -> None:
    with (
        sitting(folder, "Bob", "Steve") as (steve, told),
        sitting(folder, "Carol", "Anna") as (anna, others),
        ThreadPoolExecutor() as talk,
    ):
        answer = talk.submit(ask, seats, "Steve", "Bob", "Alice: Cake or pie?")
        assert [next(told), next(told)] == [
            "Alice: Cake or pie?",
            "Bob, your words, within 20 s:",
        ]
        refused: Json = {
            "success": False,
            "reason": "not_your_turn",
            "message": "It is not your turn: nobody heard that.",
        }
        assert anna.message("Carol", "Me!", "Anna") == refused
        assert anna.message("Bob", "Me!", "Anna")["reason"] == "not_awaited"
        assert steve.command("Bob", "!stop")["reason"] == "no_commands"
        assert steve.message("Bob", " Pie. ", "Steve") == {"success": True}
        assert answer.result(ASKED_WITHIN_S) == "Pie."
        assert steve.message("Bob", "And tea.", "Steve") == refused
        late = talk.submit(ask, seats, "Anna", "Carol", within_s=0.01)
        assert [next(others), next(others)] == ["Carol, your words, within 0.01 s:", "Time is up."]
        assert late.result(ASKED_WITHIN_S) is None
        assert next(told) == "Bob: Pie."


def test_who_is_away_says_nothing_at_once_and_reads_on_when_they_are_back(
    seats: Seats, folder: Path
) -> None:
    assert ask(seats, "Steve", "Bob", "Alice: Anybody?", within_s=3_600) is None
    with ThreadPoolExecutor() as talk:
        with sitting(folder, "Bob", "Steve") as (_, told):
            answer = talk.submit(ask, seats, "Steve", "Bob", "Alice: Cake?")
            assert next(told) == "Alice: Cake?"
        with taken_again(folder) as (steve, told):
            assert [next(told), next(told)] == ["Alice: Cake?", "Bob, your words, within 20 s:"]
            steve.message("Bob", "Yes.", "Steve")
            assert answer.result(ASKED_WITHIN_S) == "Yes."


def test_a_talk_waits_until_all_are_there_at_the_same_time(seats: Seats, folder: Path) -> None:
    asked: list[str] = []
    with ThreadPoolExecutor() as waiting:
        with sitting(folder, "Bob", "Steve"):
            begins = waiting.submit(seats._await, [*seats._seats.values()], asked.append)
            until(lambda: len(asked) == 1)
        until(lambda: not seats._seats["Steve"].taken.is_set())
        with sitting(folder, "Carol", "Anna"):
            assert not wait([begins], 0.2).done
            with sitting(folder, "Bob", "Steve"):
                begins.result(ASKED_WITHIN_S)


def until(is_so: Callable[[], bool]) -> None:
    ends_s = monotonic() + ASKED_WITHIN_S
    while not is_so():
        assert monotonic() < ends_s


@contextmanager
def taken_again(folder: Path) -> Iterator[tuple[DaemonClient, Iterator[str]]]:
    """The server may not yet have seen the end of the connection before."""
    for _ in range(1_000):
        try:
            seat = sitting(folder, "Bob", "Steve")
            found = seat.__enter__()
        except DaemonSilent:
            continue
        try:
            yield found
        finally:
            seat.__exit__(None, None, None)
        return
    raise AssertionError("the seat stays taken")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--as", "Stev"], 1, "no 'Stev' is awaited to speak for Bob; awaited: Steve for Bob"),
        (["Carol", "--as", "Steve"], 2, "no bot is called 'Carol'"),
        (["Carol", "--as", "Alice"], 1, "no 'Alice' is awaited to speak for Carol"),
    ],
)
def test_who_is_not_awaited_is_refused_in_words(
    folder: Path, words: list[str], code: int, sentence: str
) -> None:
    done = chat(folder, *words)
    assert (done.exit_code, sentence in done.stderr, done.stdout) == (code, True, "")


def test_a_taken_seat_and_a_wrong_token_are_refused_in_words(folder: Path, tmp_path: Path) -> None:
    with sitting(folder, "Bob", "Steve"):
        taken = chat(folder, "--as", "Steve")
        assert (taken.exit_code, taken.stderr) == (1, "townsfolk: Steve is here already\n")
    place_daemon_file(tmp_path, daemon_file.read(folder).dashboard.url, token="tf_another")
    refused = chat(tmp_path, "--as", "Steve")
    assert (refused.exit_code, "daemon.json holds the token" in refused.stderr) == (1, True)


def test_the_token_is_for_the_owner_of_the_experiment_alone(folder: Path) -> None:
    assert [file.name for file in folder.iterdir()] == ["daemon.json"]
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ('answers = "human"', 'answers = "rules"', 'chat needs answers = "human"'),
        ('chat = "Steve"', 'chat = "Steve"\nplayer = "Steve"', "and no player"),
        ('"Steve"', '"Anna"', "cast.Bob.chat: Anna is in the talk already"),
        ('"Steve"', '"Alice"', "cast.Bob.chat: Alice is in the talk already"),
        ('"Steve"', '"a b"', "cast.Bob.chat: String should match"),
    ],
)
def test_a_seat_that_cannot_be_is_refused(was: str, now: str, why: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        prepared_run(TABLE.replace(was, now, 1))
    assert why in str(refused.value)


def test_only_run_lets_persons_in_and_an_estimate_asks_nobody(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE)
    with pytest.raises(ScenarioError, match=r"cast\.Bob\.chat: `townsfolk experiment run`"):
        townsfolk.simulate(tmp_path / "table.toml", tmp_path / "out")
    told = experiment("run", tmp_path / "table.toml", "--out", tmp_path / "out", "--dry-run")
    assert (told.exit_code, told.stderr) == (0, ""), told.output
