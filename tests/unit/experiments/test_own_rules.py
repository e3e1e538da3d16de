"""Who speaks next and when a talk ends, as functions of the user's own say."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from support.experiments import THREE, experiment, package_in, played, prepared_run, said

from bots.experiments.log import read_log
from bots.experiments.runs import LOG_NAME, SCENARIO_NAME, read_run, replay
from bots.experiments.scenario import ExperimentFailed, ScenarioError
from bots.experiments.scenario_file import parse_scenario
from bots.experiments.simulation import simulate

pytestmark = pytest.mark.slow

RULES = """
def by_turns(talk):
    return "Carol" if talk.last == "Alice" else "Alice"

def nobody(talk):
    return None if talk.turns == 3 else talk.nominated

def by_chance(talk):
    return talk.rng.choice([name for name in talk.bots if name != talk.last])

def away(talk):
    return "Dora"

def fault(talk):
    return talk.bots[talk.turns + 2]

def five(talk):
    return len(talk.lines) == 5

def words(talk):
    return "yes"

def first_is_heard(talk):
    return bool(talk.people) and talk.lines[-1].speaker == "Steve"
"""


@pytest.fixture(autouse=True)
def rules(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES)


def ruled(order: str = "", stop: str = "") -> str:
    """Three bots whose turns and end these functions decide."""
    named = (("order", order), ("stop", stop))
    keys = ["goodbye = false", "heeds_names = false"]
    keys += [f'{key} = "rules.py:{name}"' for key, name in named if name]
    return THREE.replace("[talk]\n", "[talk]\n" + "\n".join(keys) + "\n")


def test_the_function_gives_the_word(tmp_path: Path) -> None:
    run = played(tmp_path, ruled("by_turns"))
    speakers = [line.speaker for line in run.timeline.lines]
    assert speakers == ["Alice", "Carol"] * 4 + ["Alice"]
    assert run.metrics.rules == {"opening": 1, "own": 8}
    assert run.log.run["policy"]["order"] == "own"


def test_who_is_nominated_is_told_and_nobody_ends_a_talk_of_bots(tmp_path: Path) -> None:
    run = played(tmp_path, ruled("nobody").replace("heeds_names = false\n", ""))
    assert [line.speaker for line in run.timeline.lines] == ["Alice", "Bob", "Carol"]
    assert run.metrics.ended == "nobody_next"


def test_chance_is_of_the_seed(tmp_path: Path) -> None:
    orders = []
    for place, seed in enumerate((1, 1, 2)):
        prepared = prepared_run(ruled("by_chance"), tmp_path).with_seed(seed)
        simulate(prepared, tmp_path / str(place))
        lines = read_run(tmp_path / str(place)).timeline.lines
        orders.append([line.speaker for line in lines])
        assert {"Alice", "Bob", "Carol"} == set(orders[-1])
    assert orders[0] == orders[1] != orders[2]


def test_the_stop_rule_ends_the_talk_and_is_told(tmp_path: Path) -> None:
    run = played(tmp_path, ruled(stop="five"))
    assert (len(said(run)), run.metrics.ended, run.status) == (5, "rule", "whole")
    assert "Group talk ended: its own rule ends it." in (run.folder / "transcript.txt").read_text()


def test_beside_people_an_order_that_names_nobody_waits_for_their_line(tmp_path: Path) -> None:
    """The order names nobody after the third turn; Steve's line ends the talk by the rule."""
    people = '[[people]]\nname = "Steve"\nlines = [{ at_s = 30, text = "And I?" }]\n'
    run = played(tmp_path, ruled("nobody", "first_is_heard") + people)
    assert [line.speaker for line in run.timeline.lines] == ["Alice", "Bob", "Carol", "Steve"]
    assert (run.metrics.ended, run.timeline.ended_ms) == ("rule", 30_000)


@pytest.mark.parametrize("keys", [("by_turns", ""), ("by_chance", "five"), ("", "five")])
def test_a_replay_needs_no_code_and_finds_what_was_changed(
    tmp_path: Path, keys: tuple[str, str]
) -> None:
    run = played(tmp_path, ruled(*keys))
    (tmp_path / "rules.py").unlink()
    assert replay(run.folder).identical
    log = run.folder / LOG_NAME
    whole = log.read_text()
    old, new = ("own", "round") if '"why":"own"' in whole else ("rule", "turns")
    changed = whole.replace(f'"why":"{old}"', f'"why":"{new}"', 1)
    assert changed != whole
    log.write_text(changed)
    assert any("it asked for" in one for one in replay(run.folder).differences)


def test_their_code_is_part_of_the_condition_and_show_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(ruled("by_turns", "five"))
    before = prepared_run(ruled("by_turns", "five"), tmp_path).identity
    assert [*before["code"]] == ["rules.py"]
    shown = experiment("show", tmp_path / "a.toml").stdout
    digest = before["code"]["rules.py"][:8]
    assert f"rules.py {digest}, talk.order rules.py:by_turns, talk.stop rules.py:five" in shown
    out = ("--out", tmp_path / "out")
    told = f"this runs the code in {(tmp_path / 'rules.py').resolve()}"
    experiment("run", tmp_path / "a.toml", *out, said=told)
    (tmp_path / "rules.py").write_text(RULES.replace("== 5", "== 6"))
    experiment("run", tmp_path / "a.toml", *out, code=1, said="of another code")
    assert before["scenario"] != prepared_run(ruled("by_turns"), tmp_path).identity["scenario"]


@pytest.mark.parametrize(
    ("order", "stop", "why"),
    [
        ("away", "", r"talk\.order: rules\.py:11: 'Dora' cannot speak; there are Alice, Bob"),
        ("fault", "", r"talk\.order: rules\.py:15: IndexError: tuple index out of range"),
        ("", "words", r"talk\.stop: rules\.py:20: 'yes' is neither True nor False"),
    ],
)
def test_a_rule_that_fails_ends_the_run_with_file_and_line(
    tmp_path: Path, order: str, stop: str, why: str
) -> None:
    with pytest.raises(ExperimentFailed, match=why):
        played(tmp_path, ruled(order, stop))
    assert read_log(tmp_path / "run" / LOG_NAME).is_cut


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("round", "no installed package has 'round' among townsfolk.orders.* mean rounds"),
        ("rules.py:none", "talk.order: .*rules.py has no function 'none'"),
        ("../rules.py:five", "only code that lies beside a scenario is run"),
        ("away.py:five", "there is no file"),
    ],
)
def test_a_rule_that_is_not_there_is_refused_before_the_run(
    tmp_path: Path, order: str, why: str
) -> None:
    text = THREE.replace("[talk]\n", f'[talk]\norder = "{order}"\n')
    with pytest.raises(ScenarioError, match=why):
        simulate(prepared_run(text, tmp_path), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_rules_of_an_installed_package_are_found_and_its_runs_are_read_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = (
        "[townsfolk.orders]\nalternate = ruling:by_turns\n[townsfolk.stops]\nfive = ruling:five\n"
    )
    package_in(tmp_path, "ruling-2.0", points, RULES)
    text = THREE.replace("[talk]\n", '[talk]\norder = "alternate"\nstop = "five"\n')
    with monkeypatch.context() as there:
        there.syspath_prepend(tmp_path)
        run = played(tmp_path, text)
    assert [line.speaker for line in run.timeline.lines] == ["Alice", "Carol"] * 2 + ["Alice"]
    code = run.log.run["identity"]["code"]
    assert [*code] == ["ruling 2.0 ruling:by_turns", "ruling 2.0 ruling:five"]
    assert replay(run.folder).identical
    assert parse_scenario((run.folder / SCENARIO_NAME).read_text()).talk.order == "alternate"
    assert json.loads(json.dumps(asdict(run.metrics)))["ended"] == "rule"
