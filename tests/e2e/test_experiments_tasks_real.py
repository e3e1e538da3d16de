"""Tasks beside a talk: given with what the bots carry, judged by what the server shows."""

from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.daemon_process import Site
from e2e.test_experiments_real import experiment

from bots.experiments.data import load_study
from bots.experiments.runs import read_run, replay

pytestmark = pytest.mark.real

SCENARIO = """
title = "Work"
world = "embedded"
[talk]
thinking_s = [0.1, 0.2]
opening = { by = "Ada", text = "To work!" }
[caps]
turns = 4
repetition_lines = 0
[[cast]]
name = "Ada"
carries = { oak_log = 1 }
[[cast]]
name = "Gil"
at = [11, 64, 8]
carries = { dirt = 1 }
[[cast]]
name = "Mo"
at = [8, 64, 11]
carries = { oak_log = 1 }
[[cast]]
name = "Zoe"
at = [11, 64, 11]
[[tasks]]
who = "Ada"
at_s = 0
goal = "inventory.oak_planks:+4"
[[tasks]]
who = "Gil"
at_s = 0
goal = "placed.dirt@12,64,12"
[[tasks]]
who = "Mo"
at_s = 0
goal = "inventory.oak_planks:4"
ask = "get 4 oak planks"
[[tasks]]
who = "Zoe"
after_turn = 1
goal = "inventory.diamond:1"
within_s = 2
[[tasks]]
who = "Gil"
after_turn = 50
goal = "inventory.dirt:1"
"""


def written(site: Site, text: str) -> Path:
    file = site.folder / "work.toml"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def out(new_site: Callable[[], Site]) -> Path:
    site = new_site()
    done = experiment(site, "run", written(site, SCENARIO), "--out", site.folder / "out")
    assert done.code == 0, done.err
    return site.folder / "out"


def test_a_task_is_done_when_the_server_shows_it_and_not_when_it_does_not(out: Path) -> None:
    tasks = load_study(out).tasks
    assert [(one.who, one.done) for one in tasks] == [
        ("Ada", True),
        ("Gil", True),
        ("Mo", True),
        ("Zoe", False),
        ("Gil", False),
    ]
    assert all(0 < (one.took_s or 0) < 60 for one in tasks[:3])
    assert [one.given_ms is None for one in tasks] == [False] * 4 + [True]
    assert {one.deaths for one in tasks} == {0}


def test_the_tasks_are_numbers_of_the_run_beside_those_of_its_talk(out: Path) -> None:
    run = read_run(out)
    assert (run.metrics.tasks.tasks, run.metrics.tasks.done, run.metrics.tasks.rate) == (5, 3, 0.6)
    (row,) = load_study(out).runs
    assert (row.tasks_done, row.tasks_deaths, row.status) == (0.6, 0, "whole")
    assert row.lines
    assert replay(out).identical


def test_no_task_is_waited_for_once_a_rule_of_ones_own_has_failed(site: Site) -> None:
    (site.folder / "rules.py").write_text("def order(talk):\n    return 'Nobody'\n")
    text = SCENARIO.replace("within_s = 2", "within_s = 3600").replace("after_turn = 1", "at_s = 0")
    text = text.replace("[talk]\n", '[talk]\norder = "rules.py:order"\n')
    done = experiment(site, "run", written(site, text), "--out", site.folder / "ruled")
    assert (done.code, "'Nobody' cannot speak" in done.err) == (1, True), done.err


def test_what_cannot_be_given_or_seen_is_refused_before_the_talk(site: Site) -> None:
    for change, told in (
        (("oak_log = 1", "oak_lgo = 1"), "cast.Ada.carries.oak_lgo"),
        (("inventory.oak_planks:+4", "inventory.oak_plank:4"), "tasks.1.goal: "),
        (("placed.dirt@12,64,12", "placed.dirt:1"), "tasks.2.goal: write placed.BLOCK@x,y,z"),
    ):
        out = site.folder / f"out-{change[0][:3]}"
        done = experiment(site, "run", written(site, SCENARIO.replace(*change)), "--out", out)
        assert (done.code, told in done.err) == (1, True), done.err
        assert '"kind":"moment"' not in (out / "log.jsonl").read_text()
