"""The command line of one daemon reaches the bots of its whole cluster."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from support.served import SILENT, place_daemon_file, serving_cluster
from support.two_webs import TwoWebs
from typer.main import get_command
from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.cli.output import bot_names

pytestmark = pytest.mark.slow


@pytest.fixture
def webs(tmp_path: Path) -> Iterator[TwoWebs]:
    with serving_cluster(tmp_path) as webs:
        yield webs


def run(data_dir: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--data-dir", str(data_dir)])


def context(data_dir: Path) -> typer.Context:
    found = typer.Context(get_command(app))
    found.params = {"data_dir": data_dir}
    return found


def test_every_list_of_bots_has_those_elsewhere_and_says_where_they_live(
    webs: TwoWebs, tmp_path: Path
) -> None:
    assert run(tmp_path, "status").stdout.splitlines()[1:] == [
        "Alice            online      at east",
        "Bob              online      at east",
        "Carol            online      at west",
    ]
    *_, last = run(tmp_path, "bots", "list").stdout.splitlines()
    assert last == "Carol            online at west"
    shown = run(tmp_path, "top", "--once").stdout.splitlines()
    assert [row.split()[0] for row in shown[:3]] == ["Alice", "Bob", "Carol"]
    assert bot_names(context(tmp_path), "C") == ["Carol"]
    webs.west.daemon.trace.note("job.started", "Carol", command="!goal inventory.stick:1")
    events = run(tmp_path, "log", "-v", "--bot", "Carol").stdout
    assert "job.started" in events
    assert "daemon=west" in events


def test_a_command_for_a_bot_elsewhere_runs_there_or_says_that_its_daemon_died(
    webs: TwoWebs, tmp_path: Path
) -> None:
    done = run(tmp_path, "exec", "Carol", "!info all", "--json")
    assert (done.exit_code, json.loads(done.stdout)["text"]) == (0, "done")
    assert [asked[:3] for asked in webs.west.daemon.asked] == [("command", "Carol", "!info all")]
    webs.east.members.there["north"] = ("Dora",)
    done = run(tmp_path, "exec", "Dora", "!info all")
    assert done.exit_code == 1
    assert "Dora's daemon, north, does not answer" in done.output


def test_our_own_names_are_completed_while_the_daemon_is_silent(tmp_path: Path) -> None:
    place_daemon_file(tmp_path, SILENT, member="east")
    assert bot_names(context(tmp_path), "") == ["Alice", "Bob"]
